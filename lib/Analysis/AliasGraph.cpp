//===- AliasGraph.cpp - Which values may share memory ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/BufferViewFlowOpInterfaceImpl.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

void memplan::registerAliasInterfaces(DialectRegistry &registry) {
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  memref::registerBufferViewFlowOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
}

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

AliasGraph::AliasGraph(FunctionOpInterface function, const ProgramOrder &order,
                       const ModuleAliases &module)
    : order(order), module(module), async(order) {
  collectValues(function);
  forwardEdges.resize(values.size());
  reverseEdges.resize(values.size());
  BufferViewFlowAnalysis flow(function);
  // By number, so that no order of a pointer-keyed set is ever seen.
  for (Value from : values) {
    auto it = flow.find(from);
    if (it == flow.end())
      continue;
    for (Value to : it->second) {
      // The flow analysis lets every operand of a call be every result.
      const FunctionSummary *summary = nullptr;
      auto call = to.getDefiningOp<func::CallOp>();
      if (call && module.resolveCall(call, summary) ==
                      ModuleAliases::CalleeKind::Summarised)
        continue;
      addEdge(from, to);
    }
  }
  function->walk([&](func::CallOp call) {
    const FunctionSummary *summary = nullptr;
    if (module.resolveCall(call, summary) !=
        ModuleAliases::CalleeKind::Summarised)
      return;
    for (auto [result, sources] :
         llvm::zip_equal(call.getResults(), summary->resultSources))
      for (unsigned argument : sources)
        addEdge(call.getOperand(argument), result);
  });
  // Ops that have no interface to say so.
  function->walk([&](Operation *op) {
    if (isa<bufferization::CloneOp, memref::TransposeOp, memref::ReshapeOp>(op))
      addEdge(op->getOperand(0), op->getResult(0));
  });
  for (Edges *edges : {&forwardEdges, &reverseEdges}) {
    for (SmallVector<Id, 2> &list : *edges) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    }
  }
}

void AliasGraph::collectValues(FunctionOpInterface function) {
  auto add = [&](Value value) {
    if (!isBuffer(value))
      return;
    ids[value] = static_cast<Id>(values.size());
    values.push_back(value);
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function.getOperation())
      llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
}

void AliasGraph::addEdge(Value from, Value to) {
  // A loop that yields its own argument makes an edge from it to itself, by
  // which the argument is live to the end of the body.
  if (!isBuffer(from) || !isBuffer(to))
    return;
  Id source = getId(from), target = getId(to);
  forwardEdges[source].push_back(target);
  reverseEdges[target].push_back(source);
}

std::vector<AliasGraph::Id> AliasGraph::closure(Id id,
                                                const Edges &edges) const {
  std::vector<Id> reached{id};
  llvm::DenseSet<Id> seen{id};
  for (size_t i = 0; i < reached.size(); ++i)
    for (Id next : edges[reached[i]])
      if (seen.insert(next).second)
        reached.push_back(next);
  llvm::sort(reached);
  return reached;
}

std::vector<AliasGraph::Id> AliasGraph::getSources(Id id) const {
  std::vector<Id> sources, reached{id};
  llvm::DenseSet<Id> seen{id};
  for (size_t i = 0; i < reached.size(); ++i) {
    Id current = reached[i];
    Operation *op = values[current].getDefiningOp();
    // The results of calls and clones may be fresh memory besides what they
    // alias. Whoever frees a clone does not free what it was made from: were
    // the two the same memory, the deallocation would not be there.
    bool isClone = isa_and_nonnull<bufferization::CloneOp>(op);
    if (reverseEdges[current].empty() || isClone ||
        isa_and_nonnull<CallOpInterface>(op))
      sources.push_back(current);
    if (isClone)
      continue;
    for (Id next : reverseEdges[current])
      if (seen.insert(next).second)
        reached.push_back(next);
  }
  llvm::sort(sources);
  return sources;
}

//===----------------------------------------------------------------------===//
// ModuleAliases
//===----------------------------------------------------------------------===//

/// The calls of a function, in walk order.
static SmallVector<func::CallOp> collectCalls(FunctionOpInterface function) {
  SmallVector<func::CallOp> calls;
  function->walk([&](func::CallOp call) { calls.push_back(call); });
  return calls;
}

ModuleAliases::ModuleAliases(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  // Depth first over calls, callees analyzed before callers, with an explicit
  // stack as call chains may be long. Tarjan's numbers find the recursions: a
  // function that reaches one that was entered before it and is still open.
  struct Frame {
    FunctionOpInterface function;
    SmallVector<func::CallOp> calls;
    unsigned number;
    size_t next = 0;
  };
  llvm::DenseMap<Operation *, unsigned> lowest;
  std::vector<Operation *> open;
  unsigned count = 0;
  std::vector<Frame> stack;
  auto enter = [&](FunctionOpInterface function) {
    lowest[function] = count;
    open.push_back(function);
    stack.push_back({function, collectCalls(function), count++});
  };
  auto lower = [&](Operation *function, unsigned number) {
    lowest[function] = std::min(lowest[function], number);
  };
  auto close = [&](Frame &frame) {
    analyze(frame.function);
    if (lowest[frame.function] != frame.number)
      return;
    for (bool first = true;; first = false) {
      Operation *function = open.back();
      open.pop_back();
      lowest[function] = ~0u;
      if (function == frame.function.getOperation()) {
        if (!first)
          recursive.insert(function);
        return;
      }
      recursive.insert(function);
    }
  };
  for (FunctionOpInterface start : functions) {
    if (lowest.contains(start))
      continue;
    enter(start);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      FunctionOpInterface function = frame.function;
      if (frame.next == frame.calls.size()) {
        close(frame);
        stack.pop_back();
        if (!stack.empty())
          lower(stack.back().function, lowest[function]);
        continue;
      }
      FunctionOpInterface callee = getCallee(frame.calls[frame.next++]);
      if (!callee || callee.isExternal())
        continue;
      if (callee == function)
        recursive.insert(callee);
      if (lowest.contains(callee))
        lower(function, lowest[callee]);
      else
        enter(callee);
    }
  }
}

FunctionOpInterface ModuleAliases::getCallee(func::CallOp call) const {
  return dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr()));
}

ModuleAliases::CalleeKind
ModuleAliases::resolveCall(func::CallOp call,
                           const FunctionSummary *&summary) const {
  FunctionOpInterface callee = getCallee(call);
  if (!callee || callee.isExternal())
    return CalleeKind::External;
  auto it = entries.find(callee);
  if (it == entries.end() || !it->second->summarised)
    return CalleeKind::Recursive;
  summary = &it->second->summary;
  return CalleeKind::Summarised;
}

const ProgramOrder &
ModuleAliases::getOrder(FunctionOpInterface function) const {
  return *entries.find(function)->second->order;
}

const AliasGraph &ModuleAliases::getGraph(FunctionOpInterface function) const {
  return *entries.find(function)->second->graph;
}

Operation *memplan::findCoroutine(FunctionOpInterface function) {
  Operation *found = nullptr;
  function->walk([&](Operation *op) {
    if (!isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// How the function keeps or frees the memory of the argument; empty when it
/// does neither.
static std::string findArgumentEscape(const AliasGraph &graph,
                                      AliasGraph::Id argument,
                                      ArrayRef<AliasGraph::Id> aliases) {
  for (AliasGraph::Id alias : aliases) {
    for (OpOperand &use : graph.getValue(alias).getUses()) {
      if (isa<func::ReturnOp>(use.getOwner()))
        continue;
      BufferUse kind = graph.classify(use);
      if (kind.free && llvm::is_contained(graph.getSources(alias), argument))
        return "frees it";
      if (!kind.escape.empty())
        return "lets it escape: there it " + kind.escape;
    }
  }
  return "";
}

void ModuleAliases::analyze(FunctionOpInterface function) {
  auto &slot = entries[function];
  slot = std::make_unique<Entry>();
  // A reference into the map would not survive, the entry itself does.
  Entry &entry = *slot;
  entry.order = std::make_unique<ProgramOrder>(function);
  entry.graph = std::make_unique<AliasGraph>(function, *entry.order, *this);
  const AliasGraph &graph = *entry.graph;

  FunctionSummary &summary = entry.summary;
  summary.argumentEscapes.resize(function.getNumArguments());
  summary.resultSources.resize(function.getNumResults());
  bool isCoroutine = findCoroutine(function) != nullptr;
  for (BlockArgument argument : function.getArguments()) {
    if (!isBuffer(argument))
      continue;
    std::vector<AliasGraph::Id> aliases =
        graph.getAliases(graph.getId(argument));
    unsigned number = argument.getArgNumber();
    summary.argumentEscapes[number] =
        isCoroutine ? "is a coroutine"
                    : findArgumentEscape(graph, graph.getId(argument), aliases);
    for (AliasGraph::Id alias : aliases)
      for (OpOperand &use : graph.getValue(alias).getUses())
        if (isa<func::ReturnOp>(use.getOwner()))
          summary.resultSources[use.getOperandNumber()].push_back(number);
  }
  for (std::vector<unsigned> &sources : summary.resultSources) {
    llvm::sort(sources);
    sources.erase(llvm::unique(sources), sources.end());
  }
  entry.summarised = true;
  calleeFirst.push_back(function);
}
