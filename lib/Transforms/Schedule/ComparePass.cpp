//===- ComparePass.cpp - The memplan-compare-bufferized pass --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Schedule/GraphPass.h"
#include "memplan/Analysis/Describe.h"
#include "memplan/Analysis/ProfileAnalysis.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANCOMPAREBUFFERIZED
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::OpId;

/// The prefix of a location name that carries the number of a graph op through
/// bufferization: ops that are created from an op inherit its location.
constexpr StringLiteral kTagPrefix = "memplan.graph.op#";

static void tag(Operation *op, OpId id) {
  op->setLoc(NameLoc::get(
      StringAttr::get(op->getContext(), kTagPrefix + std::to_string(id)),
      op->getLoc()));
}

static std::optional<OpId> getTag(Operation *op) {
  std::optional<OpId> id;
  op->getLoc()->walk([&](Location loc) {
    OpId number;
    if (auto name = dyn_cast<NameLoc>(loc)) {
      StringRef text = name.getName().getValue();
      if (text.consume_front(kTagPrefix) && !text.getAsInteger(10, number)) {
        id = number;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return id;
}

namespace {
/// The bytes that the op copies by its own semantics, as an insertion, a pad or
/// a concatenation does; 0 for other ops.
int64_t getCopiedBytes(Operation *op, const graph::Op &node) {
  if (isa<tensor::InsertSliceOp, tensor::ConcatOp>(op))
    return node.bytesWritten;
  return isa<tensor::PadOp>(op) ? node.bytesRead : 0;
}

/// The result of bufferization for one op of the graph.
struct Outcome {
  /// The number of ops created from it, including copies.
  unsigned ops = 0;
  /// The bytes that these copies copy.
  int64_t copiedBytes = 0;
  /// The op to whose buffer it writes, if that is not its own.
  std::optional<OpId> writesOver;
  bool hasBuffer = false;
  bool isReturned = false;
};

/// The outcomes of the ops of a bufferized function.
class Bufferized {
public:
  Bufferized(FunctionOpInterface function, const AliasGraph &aliases,
             CostModel &costs, size_t numOps)
      : outcomes(numOps) {
    DenseSet<Value> returned;
    function->walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::ReturnLike>() &&
          op->getParentOp() == function.getOperation())
        for (Value operand : op->getOperands())
          if (isa<BaseMemRefType>(operand.getType()))
            for (Value root : getRoots(aliases, operand))
              returned.insert(root);
    });
    DenseMap<Value, OpId> owners;
    function->walk([&](Operation *op) {
      std::optional<OpId> id = getTag(op);
      if (!id || *id >= numOps)
        return;
      Outcome &outcome = outcomes[*id];
      ++outcome.ops;
      if (auto copy = dyn_cast<memref::CopyOp>(op))
        outcome.copiedBytes += costs.getBytes(copy.getSource());
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      if (!effects || isa<memref::CopyOp>(op))
        return;
      SmallVector<MemoryEffects::EffectInstance> writes;
      effects.getEffects<MemoryEffects::Write>(writes);
      for (const MemoryEffects::EffectInstance &write : writes) {
        if (!write.getValue() ||
            !isa<BaseMemRefType>(write.getValue().getType()))
          continue;
        for (Value root : getRoots(aliases, write.getValue())) {
          auto [owner, isFirst] = owners.try_emplace(root, *id);
          outcome.isReturned |= returned.contains(root);
          if (isFirst)
            outcome.hasBuffer = true;
          else if (owner->second != *id)
            outcome.writesOver = owner->second;
        }
      }
    });
  }

  const Outcome &operator[](OpId id) const { return outcomes[id]; }

private:
  static SmallVector<Value> getRoots(const AliasGraph &aliases, Value memory) {
    SmallVector<Value> roots;
    for (AliasGraph::Id id : aliases.getSources(aliases.getId(memory)))
      roots.push_back(aliases.getValue(id));
    return roots;
  }

  std::vector<Outcome> outcomes;
};

struct ComparePass : memplan::impl::MemplanCompareBufferizedBase<ComparePass> {
  using MemplanCompareBufferizedBase::MemplanCompareBufferizedBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanCompareBufferizedBase::getDependentDialects(registry);
    registerGraphInterfaces(registry);
    buildPipeline().getDependentDialects(registry);
  }

  static OpPassManager buildPipeline() {
    OpPassManager manager(ModuleOp::getOperationName());
    buildBufferizePipeline(manager);
    return manager;
  }

  void runOnOperation() override {
    std::string report;
    llvm::raw_string_ostream os(report);
    if (failed(compare(getOperation(), os)) ||
        failed(writeOutput(output, getOperation().getLoc(),
                           [&](llvm::raw_ostream &os) { os << report; })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult compare(ModuleOp module, llvm::raw_ostream &os) {
    FailureOr<GraphContext> context =
        GraphContext::create(module, dimHint, targetFile);
    if (failed(context))
      return failure();
    OwningOpRef<ModuleOp> copy = module.clone();
    std::vector<FunctionGraph> graphs;
    for (auto [original, clone] : llvm::zip_equal(
             module.getOps<func::FuncOp>(), copy->getOps<func::FuncOp>())) {
      if (original.isExternal() || !original.getBody().hasOneBlock())
        continue;
      FailureOr<FunctionGraph> graph = context->builder->build(original);
      if (failed(graph))
        return failure();
      tagOps(*graph, original, clone);
      graphs.push_back(std::move(*graph));
    }
    PassManager manager(module.getContext(), ModuleOp::getOperationName());
    buildBufferizePipeline(manager);
    if (failed(manager.run(*copy)))
      return mlir::emitError(module.getLoc(),
                             "is not bufferized by memplan-bufferize");
    ModuleAliases aliases(*copy);
    CostModel costs(*copy, *context->target, dimHint);
    for (const FunctionGraph &graph : graphs) {
      auto function =
          copy->lookupSymbol<func::FuncOp>(graph.getFunction().getName());
      if (!function)
        continue;
      LifetimeGraphBuilder lifetimes(aliases, costs);
      FailureOr<graph::OpGraph> planned = lifetimes.build(function);
      if (failed(planned))
        return failure();
      report(graph,
             Bufferized(function, aliases.getGraph(function), costs,
                        graph.ops.size()),
             *planned, os);
    }
    return success();
  }

  /// Tags the ops of the clone. Ops inside an op get the tag of that op.
  static void tagOps(const FunctionGraph &graph, func::FuncOp original,
                     func::FuncOp clone) {
    DenseMap<Operation *, OpId> ids;
    for (auto [id, op] : llvm::enumerate(graph.ops))
      ids[op] = id;
    for (auto [op, copied] :
         llvm::zip_equal(original.getBody().front(), clone.getBody().front())) {
      auto it = ids.find(&op);
      if (it == ids.end())
        continue;
      OpId id = it->second;
      copied.walk([&](Operation *inner) { tag(inner, id); });
    }
  }

  /// The peak in bytes without arguments and constants; `made` gets the
  /// profile.
  static int64_t getMadePeak(const graph::OpGraph &graph,
                             graph::MemoryProfile *made = nullptr) {
    graph::MemoryOptions options;
    options.takeTies = true;
    options.excluded = graph::getInputOrigins();
    graph::MemoryProfile profile =
        graph::buildProfile(graph, graph::programOrder(graph), options);
    int64_t peak = profile.peakBytes();
    if (made)
      *made = std::move(profile);
    return peak;
  }

  static void report(const FunctionGraph &graph, const Bufferized &bufferized,
                     const graph::OpGraph &planned, llvm::raw_ostream &os) {
    graph::MemoryProfile profile;
    int64_t estimate = getMadePeak(graph.graph, &profile);
    os << "@" << graph.getFunction().getName() << ": estimated peak "
       << estimate << " bytes, bufferized " << getMadePeak(planned) << "\n";
    // By storage, whether it has memory of its own in the estimate.
    llvm::DenseMap<graph::StorageId, bool> isOwn;
    for (const graph::Allocation &allocation : profile.memory.allocations) {
      isOwn[allocation.storage] = true;
      for (graph::StorageId tied : allocation.tied)
        isOwn[tied] = false;
    }
    for (auto [id, op] : llvm::enumerate(graph.graph.ops)) {
      bool makesTensor = false, estimatedOwn = false;
      for (graph::ValueId result : op.results) {
        auto it = isOwn.find(graph.graph.values[result].storage);
        if (graph.graph.values[result].bytes == 0 || it == isOwn.end())
          continue;
        makesTensor = true;
        estimatedOwn |= it->second;
      }
      std::string difference = describeDifference(graph, id, bufferized[id],
                                                  makesTensor, estimatedOwn);
      if (!difference.empty())
        os << "  " << op.location << ": '" << op.name << "': " << difference
           << "\n";
    }
  }

  static std::string describeDifference(const FunctionGraph &graph, OpId id,
                                        const Outcome &outcome,
                                        bool makesTensor, bool estimatedOwn) {
    std::string text;
    auto add = [&](const Twine &fact) {
      text += (text.empty() ? "" : "; ") + fact.str();
    };
    const graph::Op &op = graph.graph.ops[id];
    int64_t expected = getCopiedBytes(graph.ops[id], op);
    if (outcome.copiedBytes > expected)
      add("copy of " + Twine(outcome.copiedBytes - expected) +
          " bytes inserted");
    else if (outcome.copiedBytes < expected)
      add("its operand is computed in its place");
    if (!makesTensor)
      return text;
    if (outcome.ops == 0 && expected == 0)
      add("is gone");
    else if (estimatedOwn && !outcome.hasBuffer && outcome.writesOver)
      add("written in place of the result of '" +
          graph.graph.ops[*outcome.writesOver].name + "' at " +
          graph.graph.ops[*outcome.writesOver].location);
    else if (!estimatedOwn && outcome.hasBuffer)
      add("has a buffer of its own");
    if (outcome.isReturned && outcome.hasBuffer)
      add("returned");
    return text;
  }
};
} // namespace
