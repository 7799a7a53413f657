//===- DescribePlan.cpp - From plans to reports ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/DescribePlan.h"
#include "Explain/Changes.h"
#include "Explain/PlanDiagnostics.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Analysis/SizeFormulas.h"
#include "memplan/Core/Bound.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace memplan;

template <typename T> static std::string toString(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

std::string memplan::describeLocation(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  return toString(loc);
}

std::string memplan::describeSpace(Attribute space) {
  if (!space)
    return "0";
  if (auto number = dyn_cast<IntegerAttr>(space))
    return std::to_string(number.getInt());
  if (auto name = dyn_cast<StringAttr>(space))
    return name.str();
  return toString(space);
}

ArenaName memplan::getArenaName(ProblemOp op) {
  ArenaName name{op.getFunction().str(), describeSpace(op.getMemorySpaceAttr()),
                 std::nullopt};
  if (op.getLoop())
    name.loop = static_cast<int64_t>(*op.getLoop());
  return name;
}

InFlightDiagnostic memplan::attachNames(InFlightDiagnostic diagnostic,
                                        ArrayRef<ProblemOp> problems,
                                        StringRef prefix) {
  for (ProblemOp op : problems.take_front(8))
    diagnostic.attachNote(op.getLoc())
        << "this one: " << describeArenaOptions(getArenaName(op), prefix.str());
  return diagnostic;
}

namespace {
/// Counts the memrefs of a signature. Their formulas are in the names of the
/// arguments' extents, where equal names are one symbol: a report shows them,
/// and no offset depends on them.
class SignatureSizes {
public:
  explicit SignatureSizes(FunctionOpInterface function)
      : layout(DataLayout::closest(function)), formulas(function) {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      std::string name = ("arg" + Twine(i)).str();
      names.insert(name);
      auto given = function.getArgAttrOfType<ArrayAttr>(
          static_cast<unsigned>(i), kDimNamesAttr);
      auto shaped = dyn_cast<ShapedType>(type);
      for (int64_t d = 0; shaped && shaped.hasRank() && d < shaped.getRank();
           ++d) {
        names.insert((name + "_d" + Twine(d)).str());
        if (given && d < int64_t(given.size()))
          names.insert(cast<StringAttr>(given[d]).getValue());
      }
    }
  }

  /// `values` are those that the type may stand for: an argument, or what each
  /// return gives.
  void add(ByteCount &count, Type type, ValueRange values) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      if (isa<UnrankedMemRefType>(type))
        count.add(std::nullopt);
      return;
    }
    std::optional<int64_t> size = getKnownSize(memref, layout);
    auto element = getElementLayout(memref.getElementType(), layout);
    MaybeFormula formula;
    for (Value value : values) {
      if (size || !element || !memref.getLayout().isIdentity())
        break;
      MaybeFormula own = inNames(formulas.getBytes(value, element->stride));
      bool isFirst = value == values.front();
      formula = isFirst || formula == own ? own : std::nullopt;
      if (!formula)
        break;
    }
    count.add(size, formula);
  }

private:
  /// Absent if another value than an extent or an argument counts.
  MaybeFormula inNames(const Formula &formula) const {
    std::map<std::string, Formula, std::less<>> renamed;
    for (const std::string &symbol : formula.getSymbols()) {
      if (names.contains(symbol))
        continue;
      StringRef first = StringRef(symbol).rsplit('_').first;
      if (!names.contains(first))
        return std::nullopt;
      renamed[symbol] = Formula::symbol(first.str());
    }
    return formula.substitute(renamed);
  }

  DataLayout layout;
  SizeFormulas formulas;
  llvm::StringSet<> names;
};
} // namespace

SymbolReach::SymbolReach(ModuleOp module) {
  // The names of the global variables that are arenas of functions.
  llvm::StringSet<> arenas;
  module->walk([&](memref::GetGlobalOp op) {
    if (op->hasAttr(MemplanDialect::kArenaAttr))
      arenas.insert(op.getName());
  });
  module->walk([&](Operation *op) {
    if (auto global = dyn_cast<memref::GlobalOp>(op)) {
      if (!arenas.contains(global.getSymName()))
        all.globals.insert(op);
    } else if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (!function.isExternal())
        all.functions.insert(op);
    }
  });
}

ArrayRef<Operation *> SymbolReach::getNamed(Operation *op) {
  auto [it, isNew] = named.try_emplace(op);
  if (!isNew)
    return it->second;
  std::vector<Operation *> &found = it->second;
  op->walk([&](Operation *inner) {
    for (NamedAttribute attribute : inner->getAttrs())
      attribute.getValue().walk([&](SymbolRefAttr symbol) {
        if (Operation *definition =
                tables.lookupNearestSymbolFrom(inner, symbol))
          found.push_back(definition);
        return WalkResult::skip();
      });
  });
  return found;
}

ReachedSymbols SymbolReach::find(FunctionOpInterface function) {
  ReachedSymbols reached;
  reached.functions.insert(function);
  for (size_t i = 0; i != reached.functions.size(); ++i)
    for (Operation *symbol : getNamed(reached.functions[i])) {
      if (all.functions.contains(symbol))
        reached.functions.insert(symbol);
      if (all.globals.contains(symbol))
        reached.globals.insert(symbol);
    }
  return reached;
}

ByteCount ReachedSymbols::countGlobals(bool areConstant) const {
  ByteCount count;
  for (Operation *op : globals)
    if (auto global = cast<memref::GlobalOp>(op);
        global.getConstant() == areConstant)
      count.add(getKnownSize(global.getType(), DataLayout::closest(op)));
  return count;
}

Report memplan::describeModule(ModuleOp module) {
  Report report;
  SymbolReach reach(module);
  report.constants = reach.countGlobals(/*areConstant=*/true);
  report.variables = reach.countGlobals(/*areConstant=*/false);
  module->walk([&](Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || function.isExternal())
      return;
    llvm::move(readChanges(function), std::back_inserter(report.changes));
    if (!function.isPublic())
      return;
    FunctionReport description;
    description.name = function.getName().str();
    description.location = describeLocation(function.getLoc());
    SignatureSizes sizes(function);
    for (BlockArgument argument : function.getArguments())
      if (!getArgumentAttr(argument, MemplanDialect::kArenaAttr))
        sizes.add(description.arguments, argument.getType(), {argument});
    for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
      SmallVector<Value> returned;
      for (Block &block : function.getFunctionBody())
        if (block.getTerminator()->hasTrait<OpTrait::ReturnLike>() &&
            block.getNumSuccessors() == 0 &&
            i < block.getTerminator()->getNumOperands())
          returned.push_back(block.getTerminator()->getOperand(i));
      sizes.add(description.results, type, returned);
    }
    ReachedSymbols reached = reach.find(function);
    for (Operation *callee : reached.functions)
      description.reached.push_back(
          cast<FunctionOpInterface>(callee).getName().str());
    description.constants = reached.countGlobals(/*areConstant=*/true);
    description.variables = reached.countGlobals(/*areConstant=*/false);
    report.functions.push_back(std::move(description));
  });
  return report;
}

std::vector<PlacedArena> memplan::findArenas(FunctionOpInterface function) {
  std::vector<PlacedArena> arenas;
  auto add = [&](Type type, bool isFrame) {
    if (auto memref = dyn_cast<MemRefType>(type))
      if (memref.hasStaticShape() && memref.getRank() == 1)
        arenas.push_back(
            {memref.getDimSize(0), memref.getMemorySpace(), isFrame});
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, MemplanDialect::kArenaAttr))
      add(function.getArgumentTypes()[i], /*isFrame=*/true);
  function->walk([&](Operation *op) {
    if (op != function && isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    if (isa<ArenaOp>(op) || op->hasAttr(MemplanDialect::kArenaAttr))
      if (op->getNumResults() == 1)
        add(op->getResult(0).getType(), /*isFrame=*/false);
    return WalkResult::advance();
  });
  return arenas;
}

int64_t memplan::computeSizeWithoutReuse(const FunctionProblem &problem,
                                         const ArenaProblem &arena) {
  std::vector<std::pair<int64_t, int64_t>> sizes;
  std::vector<bool> isHeld(arena.problem.buffers.size(), false);
  for (const auto &placement : arena.placements) {
    const BufferRecord &record = problem.buffers[placement.first];
    sizes.push_back({record.size, record.alignment});
    // A record counts for one slot: the first one without a record.
    for (BufferIndex slot : arena.getSlots(placement))
      if (!isHeld[slot]) {
        isHeld[slot] = true;
        break;
      }
  }
  // With mixed alignments the padding depends on the order. In the order of the
  // slots, which is the solver's, it is the size that no plan exceeds.
  std::vector<std::pair<int64_t, int64_t>> slots;
  for (auto [buffer, held] : llvm::zip_equal(arena.problem.buffers, isHeld)) {
    slots.push_back({buffer.size, buffer.alignment});
    if (!held)
      sizes.push_back(slots.back());
  }
  return std::max(computeSizeWithoutReuse(sizes),
                  computeSizeWithoutReuse(slots));
}

static constexpr StringLiteral kValueNameAttr = "memplan.value_name";

void memplan::noteValueNames(ModuleOp module) {
  module->walk([](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    AsmState names(function);
    walkAllocations(function, [&](Operation *op) {
      std::string name;
      llvm::raw_string_ostream os(name);
      op->getResult(0).printAsOperand(os, names);
      op->setAttr(kValueNameAttr, StringAttr::get(op->getContext(), name));
    });
  });
}

void memplan::forgetValueNames(ModuleOp module) {
  // Other ops may have got the attributes of an allocation.
  module->walk(
      [](Operation *op) { op->removeDiscardableAttr(kValueNameAttr); });
}

static std::string findLabel(Location loc) {
  auto name = loc->findInstanceOf<NameLoc>();
  return name ? name.getName().str() : "";
}

/// Describes the names of the buffer and the op that makes its contents.
static void describeOrigin(BufferReport &report, const BufferRecord &record,
                           const ProgramOrder &order) {
  if (auto value = record.origin->getAttrOfType<StringAttr>(kValueNameAttr))
    report.value = value.str();
  report.label = findLabel(record.origin->getLoc());
  if (auto call = dyn_cast<CallOpInterface>(record.origin))
    if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      report.label = "@" + callee.getLeafReference().str();
  if (report.live.empty() || record.frame)
    return;
  Operation *maker = order.getOp(report.live.front().start);
  report.op = maker->getName().getStringRef().str();
  report.opLocation = describeLocation(maker->getLoc());
  if (report.label.empty())
    report.label = findLabel(maker->getLoc());
}

static BufferReport describeBuffer(const FunctionProblem &problem,
                                   const BufferRecord &record,
                                   const DataLayout &layout,
                                   const ProgramOrder &order) {
  BufferReport report;
  report.name = record.name;
  report.type = toString(record.type);
  report.location = describeLocation(record.origin->getLoc());
  report.alignment = record.alignment;
  report.planned = record.isPlanned();
  if (report.planned) {
    report.size = record.size;
    report.live = record.held.empty() ? problem.getRanges(record) : record.held;
    describeOrigin(report, record, order);
    return report;
  }
  describeOrigin(report, record, order);
  report.size = getKnownSize(record.type, layout);
  if (!report.size && record.formula)
    report.formula = record.formula->print();
  report.reason = record.reason;
  report.remedy = describeWayOut(record);
  if (record.culprit)
    report.reasonLocation = describeLocation(record.culprit->getLoc());
  return report;
}

static LiveRanges intersect(const LiveRanges &a, const LiveRanges &b) {
  LiveRanges common;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    LiveRange range{std::max(x->start, y->start), std::min(x->end, y->end)};
    if (range.start < range.end)
      common.push_back(range);
    ++(x->end < y->end ? x : y);
  }
  return common;
}

/// Names the slots of each buffer, and the buffers of each slot.
static void describeSlots(ArenaReport &report, const ArenaProblem &arena,
                          ArrayRef<unsigned> shown) {
  for (const auto &placement : arena.placements) {
    unsigned number = shown[placement.first];
    BufferReport &buffer = report.buffers[number];
    for (BufferIndex index : arena.getSlots(placement)) {
      SlotReport &slot = report.slots[index];
      buffer.slots.push_back(index);
      slot.uses.push_back({number, intersect(slot.ranges, buffer.live)});
    }
  }
}

static std::string describeProof(const InPlaceUse &use) {
  switch (use.reason) {
  case InPlaceReason::Copy:
    return "the copy moves every element to where it is";
  case InPlaceReason::Elementwise:
    return "every iteration reads only the element that it writes";
  case InPlaceReason::LoopNest:
    return "every iteration loads an element before it stores the same one, "
           "and no other iteration comes to it";
  case InPlaceReason::Declared:
    return isa<func::CallOp>(use.op)
               ? "the declaration of the function says that it reads each byte "
                 "before it writes it"
               : "the op says that it reads each byte before it writes it";
  }
  llvm_unreachable("no other reason");
}

std::vector<UsedOverlap> memplan::findUsedOverlaps(const ArenaProblem &arena) {
  std::vector<UsedOverlap> overlaps;
  if (!arena.plan.hasOffsets())
    return overlaps;
  const InPlaceUse *last = nullptr;
  for (const InPlaceUse &use : arena.inPlace) {
    bool isShared =
        arena.plan.offsets[use.read] == arena.plan.offsets[use.written] &&
        arena.problem.buffers[use.written].size > 0 &&
        arena.problem.buffers[use.read].size > 0;
    bool isSame = last && last->op == use.op && last->read == use.read &&
                  last->written == use.written;
    if (!isShared || isSame)
      continue;
    last = &use;
    overlaps.push_back({&use, describeProof(use)});
  }
  return overlaps;
}

static void describeInPlace(ArenaReport &report, const ArenaProblem &arena) {
  for (const UsedOverlap &overlap : findUsedOverlaps(arena)) {
    const InPlaceUse &use = *overlap.use;
    report.inPlace.push_back(
        {use.read, use.written, use.op->getName().getStringRef().str(),
         describeLocation(use.op->getLoc()), overlap.proof});
  }
}

static ConcurrencyReport describeConcurrency(const Steps &steps,
                                             const Plan &sequential) {
  ConcurrencyReport report;
  report.steps = static_cast<int64_t>(steps.get().size());
  for (const Step &step : steps.get())
    report.widestStep =
        std::max(report.widestStep, static_cast<int64_t>(step.ops.size()));
  report.sequentialBound = sequential.lowerBound;
  report.sequentialArena = sequential.arenaSize;
  return report;
}

/// True if the frame of the function is an argument for callers outside of the
/// module.
static bool isFromCaller(FunctionOpInterface function) {
  return function.isPublic();
}

static ArenaReport describeArena(const FunctionProblem &problem,
                                 const ArenaProblem &arena, Strategy strategy,
                                 const ProgramOrder &order, bool compare) {
  ArenaReport report;
  report.function = FunctionOpInterface(problem.function).getName().str();
  report.memorySpace = describeSpace(arena.memorySpace);
  const Plan &plan = arena.plan;
  report.isFrame = problem.isFrame;
  if (problem.isFrame && isFromCaller(problem.function))
    report.placement = "argument";
  else if (arena.memory != ArenaMemory::Heap)
    report.placement = stringifyArenaMemory(arena.memory).str();
  report.strategy = strategyName(strategy);
  report.winner = plan.strategy;
  report.status = arena.records.empty() ? ArenaStatus::NothingToPlan
                                        : getArenaStatus(plan.status);
  report.message = plan.message;
  report.nodes = plan.nodes;
  describeProblem(report, arena.problem, plan);
  report.problem.conflicts.clear();
  report.problem.overlaps.clear();
  report.problem.allOrNone.clear();
  // The frames of workers are part of the function's arena, to which the
  // capacity applies.
  report.problem.capacity = problem.parallel ? std::nullopt : arena.capacity;
  report.boundBytes = plan.lowerBound;
  report.arenaBytes = plan.arenaSize;
  if (arena.sequential)
    report.concurrency = describeConcurrency(problem.steps, *arena.sequential);

  DataLayout layout = DataLayout::closest(problem.function);
  std::vector<unsigned> shown(problem.buffers.size(), 0);
  for (auto [index, record] : llvm::enumerate(problem.buffers)) {
    // The report of the function lists unplanned buffers of loop bodies.
    if (record.type.getMemorySpace() != arena.memorySpace ||
        (problem.parallel && !record.isPlanned()))
      continue;
    shown[index] = static_cast<unsigned>(report.buffers.size());
    report.buffers.push_back(describeBuffer(problem, record, layout, order));
    if (record.isPlanned())
      ++report.buffersPlanned;
    else
      report.unplanned.add(report.buffers.back().size, record.formula);
  }
  if (arena.records.empty())
    return report;
  describeSlots(report, arena, shown);
  describeInPlace(report, arena);
  report.sumBytes = computeSizeWithoutReuse(problem, arena);
  report.sizes = describeSizes(arena.problem, plan, strategy);
  if (compare)
    report.strategies = compareStrategies(arena.problem, plan);
  Peak peak = findPeak(arena.problem);
  report.peakPoint = peak.time;
  report.peakBytes = peak.bytes;
  report.peakLocation = describeLocation(order.getOp(peak.time)->getLoc());
  report.peakSlots.assign(peak.buffers.begin(), peak.buffers.end());
  return report;
}

static std::vector<ArenaReport> describeArenas(FunctionOpInterface function) {
  std::vector<ArenaReport> reports;
  for (const PlacedArena &arena : findArenas(function)) {
    ArenaReport report;
    report.function = function.getName().str();
    report.memorySpace = describeSpace(arena.memorySpace);
    report.status = ArenaStatus::PlannedBefore;
    report.isFrame = arena.isFrame;
    if (arena.isFrame && isFromCaller(function))
      report.placement = "argument";
    report.arenaBytes = arena.size;
    report.boundBytes = arena.size;
    report.sumBytes = arena.size;
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<ArenaReport> memplan::describePlans(const FunctionProblem &problem,
                                                Strategy strategy,
                                                const ProgramOrder &order,
                                                bool compare) {
  if (problem.alreadyPlanned)
    return describeArenas(problem.function);
  std::vector<ArenaReport> reports;
  reports.reserve(problem.arenas.size());
  for (const ArenaProblem &arena : problem.arenas)
    reports.push_back(describeArena(problem, arena, strategy, order, compare));
  if (!problem.workers)
    return reports;
  llvm::SmallDenseMap<Operation *, int64_t> numbers;
  for (auto [number, loop] :
       llvm::enumerate(numberParallelLoops(problem.function)))
    numbers[loop] = static_cast<int64_t>(number);
  for (const std::unique_ptr<WorkerFrame> &frame :
       llvm::reverse(problem.workers->frames))
    for (const WorkerFrame::Arena &arena : frame->arenas) {
      reports.push_back(describeArena(frame->problem,
                                      frame->problem.arenas[arena.position],
                                      strategy, *frame->order, compare));
      reports.back().workers = frame->count;
      reports.back().loop = describeLocation(frame->problem.parallel->getLoc());
      reports.back().loopNumber = numbers.lookup(frame->problem.parallel);
    }
  return reports;
}
