//===- FitPass.cpp - The memplan-fit pass ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds orders and recomputations on op graphs, whose peaks are estimates. Then
// bufferizes and plans each candidate on a clone; the size of that plan
// decides.
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Explain/Changes.h"
#include "Output.h"
#include "Passes/EmitSchedule.h"
#include "Passes/GraphPass.h"
#include "Plan/MeasureNeeds.h"
#include "Stripe/ComputeInStripes.h"
#include "memplan/Core/BySpace.h"
#include "memplan/Core/ByteSize.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/Rematerialize.h"
#include "memplan/Graph/Reorder.h"
#include "memplan/IR/Circles.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"
#include "memplan/Transforms/DescribePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"

#include <map>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANFIT
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::OpId;

namespace {

/// A scheduled program, its bufferized form, and the needs of its plan.
struct Candidate {
  OwningOpRef<ModuleOp> scheduled;
  OwningOpRef<ModuleOp> bufferized;
  Needs needs;
};

/// A number of bytes, or a share of the program's need.
struct Budget {
  int64_t bytes = 0;
  std::optional<double> share;

  int64_t of(int64_t whole) const {
    return share ? static_cast<int64_t>(static_cast<double>(whole) * *share)
                 : bytes;
  }
  static std::optional<Budget> parse(StringRef text) {
    Budget budget;
    double percent;
    if (text.consume_back("%")) {
      if (text.getAsDouble(percent) || !(percent > 0 && percent <= 100))
        return std::nullopt;
      budget.share = percent / 100;
      return budget;
    }
    std::optional<int64_t> bytes = parseByteSize(text);
    if (!bytes)
      return std::nullopt;
    budget.bytes = *bytes;
    return budget;
  }
};
} // namespace

static bool isOnTensors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool hasTensor =
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) ||
            llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
        return hasTensor ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The bound on all schedules
//===----------------------------------------------------------------------===//

/// Classes of storages that may be the same memory, because a result may take
/// the place of an operand.
static llvm::IntEqClasses joinTied(const graph::OpGraph &graph) {
  llvm::IntEqClasses classes(graph.storages.size());
  for (const graph::Op &op : graph.ops)
    for (graph::InPlaceTie tie : op.ties)
      classes.join(graph.values[op.results[tie.result]].storage,
                   graph.values[op.operands[tie.operand]].storage);
  classes.compress();
  return classes;
}

/// The graph with the bytes only of storages that are certainly buffers of
/// their own after bufferization, or returned. These are the results of
/// structured ops and pads that only structured ops and views use. All other
/// storages, and those that may take their place, get 0 bytes: an inserted
/// slice, for example, may be computed in its place.
static graph::OpGraph leaveProvable(const FunctionGraph &function,
                                    graph::OpGraph graph) {
  std::vector<bool> isSure(graph.storages.size());
  auto isStructured = [](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return structured && structured.hasPureTensorSemantics();
  };
  for (auto [id, op] : llvm::enumerate(graph.ops)) {
    Operation *operation = function.ops[id];
    for (graph::ValueId result : op.results)
      if (isStructured(operation) || isa<tensor::PadOp>(operation))
        isSure[graph.values[result].storage] = true;
  }
  for (auto [id, op] : llvm::enumerate(graph.ops)) {
    Operation *operation = function.ops[id];
    bool isView = op.cost == graph::CostClass::Free && !op.results.empty() &&
                  !op.operands.empty() &&
                  isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::ExtractSliceOp, tensor::CastOp>(operation);
    if (!isStructured(operation) && !isView)
      for (graph::ValueId operand : op.operands)
        isSure[graph.values[operand].storage] = false;
  }
  llvm::IntEqClasses tied = joinTied(graph);
  llvm::BitVector isOther(tied.getNumClasses());
  for (auto [id, storage] : llvm::enumerate(graph.storages))
    if (!isSure[id] && storage.kind != graph::StorageKind::Output)
      isOther.set(tied[id]);
  for (auto [id, storage] : llvm::enumerate(graph.storages))
    if (!isSure[id] || isOther.test(tied[id]))
      storage.bytes = 0;
  for (graph::Value &value : graph.values)
    if (graph.storages[value.storage].bytes == 0)
      value.offset = value.bytes = 0;
  for (graph::Op &op : graph.ops) {
    op.scratchBytes = 0;
    op.scratchFormula.clear();
  }
  return graph;
}

namespace {
struct FitPass : memplan::impl::MemplanFitBase<FitPass> {
  using MemplanFitBase::MemplanFitBase;
  /// Copies the options only, not the state of a run.
  FitPass(const FitPass &other) : MemplanFitBase(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanFitBase::getDependentDialects(registry);
    registerGraphInterfaces(registry);
    registerStripeInterfaces(registry);
    OpPassManager manager(ModuleOp::getOperationName());
    buildFromTensorsPipeline(manager);
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  /// The most op executions that the search for a function simulates.
  static constexpr int64_t kSteps = 10'000'000;

  /// A function and a memory space.
  using Key = std::pair<std::string, std::string>;

  LogicalResult run(ModuleOp module) {
    Location loc = module.getLoc();
    if (failed(checkOptions(loc, alignment, 0)) ||
        failed(checkAtLeast(loc, "candidates", candidates, 0)) ||
        failed(readBudgets(loc)) || failed(checkNoCircles(module)))
      return failure();
    onTensors = isOnTensors(module);
    leastReordered.reset();
    Candidate best;
    best.scheduled = cast<ModuleOp>(module->clone());
    if (failed(prepare(*best.scheduled)) || failed(judge(best)))
      return failure();
    Needs before;
    if (onTensors) {
      Candidate plain;
      plain.scheduled = cast<ModuleOp>(best.scheduled.get()->clone());
      if (failed(judge(plain, /*writeOver=*/false)))
        return failure();
      before = std::move(plain.needs);
    }

    std::string text;
    llvm::raw_string_ostream os(text);
    LogicalResult result = success();
    // Copied, because fitFunction replaces `best.needs`.
    SmallVector<Key> keys;
    for (const auto &[key, need] : best.needs)
      if (functionName.empty() || functionName == key.first)
        keys.push_back(key);
    if (!functionName.empty() && keys.empty())
      return mlir::emitError(loc)
             << "there is nothing to plan in a function @" << functionName;
    SmallVector<std::pair<Key, std::vector<ChangeReport>>> done;
    budgets.clear();
    for (const auto &key : keys)
      if (auto bytes = getBudget(key.second, best.needs[key]))
        budgets[key] = *bytes;
    for (const auto &key : keys) {
      if (!budgets.count(key))
        continue;
      int64_t bytes = budgets[key];
      taken.clear();
      blocking.reset();
      if (onTensors)
        take(key, "planned as it is", before[key].bytes());
      take(key, onTensors ? "in place" : "planned as it is",
           best.needs[key].bytes());
      if (failed(fitFunction(best, key, bytes)))
        result = failure();
      done.emplace_back(key, std::move(taken));
    }
    // Printed at the end: a later function may have changed the need of an
    // earlier one.
    for (auto &[key, own] : done) {
      taken = std::move(own);
      print(key, budgets[key], best.needs[key], os);
      // The first one is the program as it was.
      taken.erase(taken.begin());
      llvm::erase_if(taken, [](const ChangeReport &change) {
        return change.savedBytes == 0;
      });
      recordChanges(find(*best.bufferized, key.first), taken);
    }
    if (failed(result))
      return failure();
    if (planned && failed(plan(best)))
      return failure();
    if ((planned || !output.empty()) &&
        failed(writeOutput(output, loc,
                           [&](llvm::raw_ostream &os) { os << text; })))
      return failure();
    module.getBodyRegion().takeBody(best.bufferized->getBodyRegion());
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Budgets
  //===--------------------------------------------------------------------===//

  LogicalResult readBudgets(Location loc) {
    common.reset();
    bySpace.clear();
    auto read = [&](StringRef text, Budget &into) -> LogicalResult {
      std::optional<Budget> parsed = Budget::parse(text);
      if (!parsed)
        return mlir::emitError(loc)
               << "budget '" << text
               << "' is neither a number of bytes, such as 4096, 64K or 1M, "
                  "nor a share, such as 60%";
      into = *parsed;
      return success();
    };
    if (budget.empty())
      return mlir::emitError(loc, "there is no budget");
    std::string error;
    std::optional<std::vector<SpaceValue>> entries =
        splitBySpace(budget.getValue(), error);
    if (!entries)
      return mlir::emitError(loc) << "budget: " << error;
    for (const SpaceValue &entry : *entries)
      if (failed(read(entry.value, entry.space.empty() ? common.emplace()
                                                       : bySpace[entry.space])))
        return failure();
    return success();
  }

  std::optional<int64_t> getBudget(const std::string &space,
                                   const Need &need) const {
    auto own = bySpace.find(space.empty() ? "0" : space);
    if (own != bySpace.end())
      return own->second.of(need.bytes());
    if (common)
      return common->of(need.bytes());
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // Candidates
  //===--------------------------------------------------------------------===//

  LogicalResult prepare(ModuleOp module) {
    if (!onTensors)
      return success();
    PassManager manager(&getContext(), ModuleOp::getOperationName());
    buildPrepareTensorsPipeline(manager);
    // A destination of its own for each op, so that each op can move.
    MemplanPrepareDestinationsOptions destinations;
    destinations.writeOver = false;
    manager.addNestedPass<func::FuncOp>(
        createMemplanPrepareDestinations(destinations));
    return manager.run(module);
  }

  /// Bufferizes and solves the scheduled program; sets `bufferized` and
  /// `needs`.
  LogicalResult judge(Candidate &candidate, bool writeOver = true) {
    candidate.bufferized = cast<ModuleOp>(candidate.scheduled.get()->clone());
    if (onTensors) {
      PassManager manager(&getContext(), ModuleOp::getOperationName());
      buildToMemRefsPipeline(manager, writeOver);
      if (failed(manager.run(*candidate.bufferized)))
        return failure();
    }
    FailureOr<Needs> needs =
        measureNeeds(*candidate.bufferized, {alignment, scope, entryPoints});
    if (failed(needs))
      return failure();
    candidate.needs = std::move(*needs);
    return success();
  }

  /// The program with another schedule of the function. std::nullopt if it
  /// cannot be bufferized or planned, or if another arena than that of `key`
  /// would then exceed its budget (`blocking` is set to that arena).
  std::optional<Candidate> makeCandidate(const Candidate &from, const Key &key,
                                         StringRef name,
                                         const graph::Schedule &schedule) {
    // An error in a candidate is not an error in the program.
    ScopedDiagnosticHandler silence(&getContext(),
                                    [](Diagnostic &) { return success(); });
    Candidate candidate;
    candidate.scheduled = cast<ModuleOp>(from.scheduled.get()->clone());
    FailureOr<GraphContext> context =
        GraphContext::create(*candidate.scheduled);
    FunctionOpInterface function = find(*candidate.scheduled, name);
    if (failed(context) || !function)
      return std::nullopt;
    FailureOr<FunctionGraph> built = context->builder->build(function);
    if (failed(built))
      return std::nullopt;
    applySchedule(*built, schedule);
    return judgeBeside(std::move(candidate), from, key);
  }

  /// As makeCandidate, with chains of the function in stripes, which `change`
  /// then describes.
  std::optional<Candidate> makeStriped(const Candidate &from, const Key &key,
                                       StringRef name,
                                       const StripeOptions &options,
                                       ChangeReport &change) {
    ScopedDiagnosticHandler silence(&getContext(),
                                    [](Diagnostic &) { return success(); });
    Candidate candidate;
    candidate.scheduled = cast<ModuleOp>(from.scheduled.get()->clone());
    auto function = dyn_cast_or_null<func::FuncOp>(
        find(*candidate.scheduled, name).getOperation());
    if (!function)
      return std::nullopt;
    change = memplan::computeInStripes(function, options);
    if (change.stripes.empty())
      return std::nullopt;
    std::optional<Candidate> judged =
        judgeBeside(std::move(candidate), from, key);
    if (judged)
      change.bytes = judged->needs[key].bytes();
    return judged;
  }

  /// Plans a candidate; std::nullopt as makeCandidate says.
  std::optional<Candidate> judgeBeside(Candidate candidate,
                                       const Candidate &from, const Key &key) {
    if (failed(judge(candidate)))
      return std::nullopt;
    for (const auto &[other, bytes] : budgets)
      if (other != key && candidate.needs[other].bytes() >
                              std::max(bytes, from.needs.at(other).bytes())) {
        blocking = other;
        return std::nullopt;
      }
    return candidate;
  }

  static FunctionOpInterface find(ModuleOp module, StringRef name) {
    return dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, name));
  }

  //===--------------------------------------------------------------------===//
  // Reordering and recomputation
  //===--------------------------------------------------------------------===//

  /// The functions whose ops determine the arena: the function itself, and with
  /// scope=module the functions that it calls, callers first.
  SmallVector<std::string> findScheduled(ModuleOp module, StringRef name) {
    SmallVector<std::string> names = {name.str()};
    if (scope == PlanScope::Module)
      for (size_t i = 0; i < names.size(); ++i)
        if (FunctionOpInterface function = find(module, names[i]))
          function->walk([&](func::CallOp call) {
            if (!llvm::is_contained(names, call.getCallee()))
              names.push_back(call.getCallee().str());
          });
    return names;
  }

  LogicalResult fitFunction(Candidate &best, const Key &key, int64_t bytes) {
    if (best.needs[key].bytes() <= bytes)
      return success();
    FunctionOpInterface root = find(*best.scheduled, key.first);
    if (!root)
      return mlir::emitError(getOperation().getLoc())
             << "@" << key.first << " is in a module of its own";
    for (const std::string &name : findScheduled(*best.scheduled, key.first)) {
      FunctionOpInterface function = find(*best.scheduled, name);
      if (!function || function.isExternal())
        continue;
      if (!function.getFunctionBody().hasOneBlock()) {
        emitRemark(function.getLoc())
            << "@" << name
            << " has several blocks: its ops are neither reordered nor "
               "computed again";
        continue;
      }
      // What is computed in stripes, or again, leaves other orders to find.
      for (int64_t before = INT64_MAX; best.needs[key].bytes() > bytes &&
                                       best.needs[key].bytes() < before;) {
        before = best.needs[key].bytes();
        if (failed(changeFunction(best, key, name, bytes)))
          return failure();
      }
      if (best.needs[key].bytes() <= bytes)
        return success();
    }
    return tellMissing(best, key, bytes);
  }

  /// Replaces `best` by a candidate that fits, of these the one with the fewest
  /// FLOPs again; or, if none does, by the one with the smallest need.
  LogicalResult changeFunction(Candidate &best, const Key &key, StringRef name,
                               int64_t bytes) {
    FailureOr<GraphContext> context = GraphContext::create(*best.scheduled);
    if (failed(context))
      return failure();
    FailureOr<FunctionGraph> built =
        context->builder->build(find(*best.scheduled, name));
    if (failed(built))
      return failure();
    graph::OpGraph estimate = built->graph;
    graph::MemoryOptions memory =
        restrictToArena(estimate, StringRef(key.second));
    graph::Schedule source = graph::programOrder(estimate);
    int64_t left = candidates;

    graph::ReorderOptions order;
    order.memory = memory;
    order.steps = kSteps / 10;
    graph::ReorderResult reordered = graph::reorder(estimate, source, order);
    if (reordered.order != source) {
      --left;
      std::optional<Candidate> candidate =
          makeCandidate(best, key, name, reordered.order);
      if (candidate &&
          candidate->needs[key].bytes() < best.needs[key].bytes()) {
        take(key, "reordered", candidate->needs[key].bytes());
        if (candidate->needs[key].bytes() <= bytes) {
          best = std::move(*candidate);
          return success();
        }
      } else {
        candidate.reset();
      }
      // The search for recomputations starts from the program as it was; its
      // schedules have an order of their own.
      leastReordered = std::move(candidate);
    }
    const Candidate &reorderedBest = leastReordered ? *leastReordered : best;
    std::optional<Candidate> repeated, striped;
    ChangeReport repeating, striping;
    if (onTensors) {
      repeated =
          recompute(best, key, name, bytes, estimate, memory, left, repeating);
      bool fits = repeated && repeating.bytes <= bytes;
      striped =
          computeInStripes(reorderedBest, key, name, bytes,
                           fits ? repeating.extraFlops : INT64_MAX, striping);
    }
    if (striped && (!repeated || isBetter(striping, repeating, bytes))) {
      repeated = std::move(striped);
      repeating = std::move(striping);
    }
    if (repeated && repeating.bytes < reorderedBest.needs.at(key).bytes()) {
      take(key, std::move(repeating));
      best = std::move(*repeated);
    } else if (leastReordered) {
      best = std::move(*leastReordered);
    }
    leastReordered.reset();
    return success();
  }

  /// True for the change that fits alone or with fewer FLOPs; if neither fits,
  /// for the one that needs less.
  static bool isBetter(const ChangeReport &a, const ChangeReport &b,
                       int64_t bytes) {
    if (a.bytes <= bytes && b.bytes <= bytes)
      return a.extraFlops < b.extraFlops;
    return a.bytes < b.bytes;
  }

  /// The program with chains in stripes that fits with the fewest FLOPs again,
  /// and with no more stripes than it needs for that; if none fits, the one
  /// with the smallest need. Stops at `mostFlops` FLOPs.
  std::optional<Candidate> computeInStripes(const Candidate &from,
                                            const Key &key, StringRef name,
                                            int64_t bytes, int64_t mostFlops,
                                            ChangeReport &change) {
    std::optional<Candidate> least;
    int64_t tries = candidates;
    StripeOptions options;
    for (double share : {0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 2.0, 10.0}) {
      if (tries-- <= 0 || (least && change.bytes <= bytes) || mostFlops == 0)
        break;
      options.maxExtraFlops = share;
      ChangeReport next;
      std::optional<Candidate> candidate =
          makeStriped(from, key, name, options, next);
      if (next.extraFlops >= mostFlops)
        break;
      if (!candidate || (least && next.bytes >= change.bytes))
        continue;
      least = std::move(candidate);
      change = std::move(next);
    }
    // The peak of the model is not that of the plan, nor that of all functions.
    options.target = bytes - from.needs.at(key).unplanned;
    for (int again = 0; again < 2 && least && change.bytes <= bytes; ++again) {
      ChangeReport next;
      std::optional<Candidate> candidate =
          makeStriped(from, key, name, options, next);
      int64_t need = candidate ? next.bytes : from.needs.at(key).bytes();
      if (need <= bytes && next.extraFlops <= change.extraFlops) {
        change = std::move(next);
        return candidate;
      }
      options.target -= std::max<int64_t>(need - bytes, 0);
    }
    return least;
  }

  /// The schedule with the fewest additional FLOPs that fits; if none does, the
  /// one with the smallest need. Tries at most `left` schedules.
  std::optional<Candidate> recompute(const Candidate &from, const Key &key,
                                     StringRef name, int64_t bytes,
                                     const graph::OpGraph &estimate,
                                     const graph::MemoryOptions &memory,
                                     int64_t left, ChangeReport &change) {
    graph::RematerializeOptions options;
    options.memory = memory;
    options.steps = kSteps;
    options.orderSteps = kSteps / 10;
    graph::RematerializeFrontier frontier(
        estimate, graph::programOrder(estimate), options);
    const std::vector<graph::RematerializePoint> &points = frontier.points();
    std::optional<Candidate> chosen;
    auto need = [&](Candidate &candidate) {
      return candidate.needs[key].bytes();
    };
    auto tryPoint = [&](size_t i) {
      --left;
      std::optional<Candidate> candidate =
          makeCandidate(from, key, name, points[i].schedule);
      if (!candidate)
        return false;
      bool fits = need(*candidate) <= bytes;
      // Later schedules that fit are cheaper, so they replace the choice; of
      // schedules that do not fit, the one with the smallest need stays.
      if (!chosen || fits || need(*candidate) < need(*chosen)) {
        change.change = "recomputed";
        change.bytes = need(*candidate);
        change.repeats = static_cast<int64_t>(points[i].repeats);
        change.extraFlops = points[i].extraFlops;
        chosen = std::move(candidate);
      }
      return fits;
    };
    int64_t target = bytes - from.needs.at(key).unplanned;
    size_t first = 0;
    while (first + 1 < points.size() && points[first].peak > target)
      ++first;
    size_t i = first;
    bool fits = tryPoint(i);
    if (fits) {
      // The estimate may have been too high: try cheaper schedules.
      while (i > 0 && left > 0 && tryPoint(i - 1))
        --i;
    } else {
      while (!fits && ++i < points.size() && left > 0)
        fits = tryPoint(i);
      // The estimate may be far off for this program: try the cheaper schedules
      // as well.
      for (i = first; !fits && i-- > 0 && left > 0;)
        fits = tryPoint(i);
    }
    for (const graph::Op &op : estimate.ops)
      change.allFlops = saturatingAdd(change.allFlops, op.flops);
    return chosen;
  }

  //===--------------------------------------------------------------------===//
  // Diagnostics
  //===--------------------------------------------------------------------===//

  void take(const Key &key, ChangeReport change) {
    change.function = key.first;
    change.memorySpace = key.second.empty() ? "0" : key.second;
    if (!taken.empty())
      change.savedBytes = taken.back().bytes - change.bytes;
    taken.push_back(std::move(change));
  }
  void take(const Key &key, StringRef change, int64_t bytes) {
    ChangeReport report;
    report.change = change.str();
    report.bytes = bytes;
    take(key, std::move(report));
  }

  void print(const Key &key, int64_t bytes, const Need &need,
             llvm::raw_ostream &os) {
    os << "@" << key.first << ": budget " << bytes << " bytes";
    if (!key.second.empty())
      os << " in memory space " << key.second;
    os << "\n";
    for (const ChangeReport &change : taken)
      os << (&change == &taken.front()
                 ? "  planned as it is  " + std::to_string(change.bytes) +
                       " bytes\n"
                 : formatText(change));
    if (need.bytes() <= bytes)
      os << "  fits: arena " << need.arena << " bytes, not planned "
         << need.unplanned << "\n";
    else
      os << "  " << need.bytes() - bytes << " bytes too many\n";
  }

  /// Emits the error (or warning, with best-effort) that the function does not
  /// fit, with the missing bytes and the proof of a bound.
  LogicalResult tellMissing(Candidate &best, const Key &key, int64_t bytes) {
    const Need &need = best.needs[key];
    FunctionOpInterface function = find(*best.scheduled, key.first);
    InFlightDiagnostic diagnostic = bestEffort
                                        ? mlir::emitWarning(function.getLoc())
                                        : mlir::emitError(function.getLoc());
    diagnostic << "@" << key.first << " does not fit into " << bytes
               << " bytes";
    if (!key.second.empty())
      diagnostic << " of memory space " << key.second;
    diagnostic << ": the least that was found is " << need.bytes()
               << " bytes, an arena of " << need.arena;
    if (need.unplanned > 0)
      diagnostic << " and " << need.unplanned << " that are not planned";
    diagnostic << "; " << need.bytes() - bytes << " too many";
    if (blocking)
      diagnostic.attachNote(find(*best.scheduled, blocking->first).getLoc())
          << "other schedules were found, but @" << blocking->first
          << " needs more than its budget of " << budgets[*blocking]
          << " bytes in memory space "
          << (blocking->second.empty() ? "0" : blocking->second)
          << " with them";
    auto own = bySpace.find(key.second.empty() ? "0" : key.second);
    bool isShare = own != bySpace.end() ? own->second.share.has_value()
                                        : common && common->share;
    if (isShare && functionName.empty())
      diagnostic.attachNote(function.getLoc())
          << "a share is one of each function's own need; function=NAME fits "
             "one function alone";
    if (scope == PlanScope::Function && onTensors &&
        function.getFunctionBody().hasOneBlock())
      addProof(diagnostic, *best.scheduled, function, key, need);
    diagnostic.report();
    return success(bestEffort);
  }

  void addProof(InFlightDiagnostic &diagnostic, ModuleOp module,
                FunctionOpInterface function, const Key &key,
                const Need &need) {
    FailureOr<GraphContext> context = GraphContext::create(module);
    if (failed(context))
      return;
    FailureOr<FunctionGraph> built = context->builder->build(function);
    if (failed(built))
      return;
    graph::OpGraph graph = built->graph;
    graph::MemoryOptions memory = restrictToArena(graph, StringRef(key.second));
    graph = leaveProvable(*built, std::move(graph));
    graph::PeakBound bound =
        graph::boundPeak(graph, graph::programOrder(graph), memory);
    // Stripes may need less than any schedule.
    if (bound.op == graph::noOp || bound.bytes == 0 ||
        need.bytes() < bound.bytes)
      return;
    const graph::Op &op = graph.ops[bound.op];
    Operation *operation = built->ops[bound.op];
    // `bound` may include returned buffers, which `unplanned` counts, too.
    llvm::IntEqClasses tied = joinTied(graph);
    llvm::BitVector isReturned(tied.getNumClasses());
    for (auto [id, storage] : llvm::enumerate(graph.storages))
      if (storage.kind == graph::StorageKind::Output)
        isReturned.set(tied[id]);
    auto mayBeReturned = [&](graph::ValueId value) {
      graph::StorageId storage = graph.values[value].storage;
      return graph.storages[storage].bytes > 0 &&
             isReturned.test(tied[storage]);
    };
    bool isApart = llvm::none_of(op.operands, mayBeReturned) &&
                   llvm::none_of(op.results, mayBeReturned);
    int64_t least =
        isApart ? saturatingAdd(bound.bytes, need.unplanned) : bound.bytes;
    Diagnostic &note = diagnostic.attachNote(operation->getLoc());
    note << "'" << operation->getName().getStringRef() << "' needs "
         << bound.bytes << " bytes at once in any order, whatever is computed "
         << "again: no budget below " << least
         << " can be kept without stripes";
    if (least == need.bytes())
      note << ", and " << least << " is kept";
    // Each storage once, with the op that makes it, without operands whose
    // place the result takes.
    std::map<graph::StorageId, OpId> makers;
    std::vector<OpId> makerOf = graph::storageMakers(graph);
    for (uint32_t k = 0; k < op.operands.size(); ++k)
      if (llvm::none_of(
              op.ties, [&](graph::InPlaceTie tie) { return tie.operand == k; }))
        makers[graph.values[op.operands[k]].storage] =
            makerOf[graph.values[op.operands[k]].storage];
    for (graph::ValueId value : op.results)
      makers[graph.values[value].storage] = bound.op;
    for (auto [storage, maker] : makers)
      if (graph.storages[storage].bytes > 0 && maker != graph::noOp)
        diagnostic.attachNote(built->ops[maker]->getLoc())
            << graph.storages[storage].bytes << " bytes of them are the result "
            << "of '" << built->ops[maker]->getName().getStringRef() << "'";
  }

  //===--------------------------------------------------------------------===//
  // The plan
  //===--------------------------------------------------------------------===//

  LogicalResult plan(Candidate &best) {
    PlanMemoryOptions options;
    options.alignment = alignment;
    options.scope = scope;
    options.entryPoints.assign(entryPoints.begin(), entryPoints.end());
    options.require.verified = true;
    PassManager manager(&getContext(), ModuleOp::getOperationName());
    manager.addPass(createPlanMemory(options));
    return manager.run(*best.bufferized);
  }

  bool onTensors = false;
  std::optional<Budget> common;
  std::map<std::string, Budget> bySpace;
  /// The budgets in bytes, of the arenas that have one.
  std::map<Key, int64_t> budgets;
  /// The program as it is, and the changes made for the function that is being
  /// fitted.
  std::vector<ChangeReport> taken;
  /// An arena that would have exceeded its budget with some schedule.
  std::optional<Key> blocking;
  /// The reordered program, while recomputations and stripes are tried.
  std::optional<Candidate> leastReordered;
};
} // namespace
