//===- AliasGraph.cpp - Which values may share memory ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/AliasGraph.h"

#include "Alias/DeviceCode.h"
#include "Alias/GuardedFrees.h"

#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/BufferAllocation.h"

#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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
  registerAsyncWorkModels(registry);
  registerBufferAllocationModels(registry);
}

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

AliasGraph::AliasGraph(Operation *root, const ProgramOrder &order,
                       const ModuleAliases &module)
    : order(order), module(module), async(order) {
  collectValues(root);
  forwardEdges.resize(values.size());
  reverseEdges.resize(values.size());
  BufferViewFlowAnalysis flow(root);
  // In the order of ids, as `flow` is keyed by pointers, whose order varies.
  for (Value from : values) {
    auto it = flow.find(from);
    if (it == flow.end())
      continue;
    for (Value to : it->second) {
      // The flow analysis assumes that each result of a call may be any
      // operand; the edges from the summary are more precise.
      const FunctionSummary *summary = nullptr;
      auto call = to.getDefiningOp<func::CallOp>();
      if (call && module.resolveCall(call, summary) ==
                      ModuleAliases::CalleeKind::Summarised)
        continue;
      addEdge(from, to);
    }
  }
  for (Operation *op : order.getOps()) {
    if (auto call = dyn_cast<func::CallOp>(op))
      addCallEdges(call);
    if (auto loop = dyn_cast<affine::AffineForOp>(op))
      addLoopEdges(loop);
    // These ops forward their operand but have no interface that says so.
    if (isa<bufferization::CloneOp, memref::TransposeOp, memref::ReshapeOp>(op))
      addEdge(op->getOperand(0), op->getResult(0));
  }
  sortEdges();
}

void AliasGraph::updateCalls() {
  for (Operation *op : order.getOps())
    if (auto call = dyn_cast<func::CallOp>(op))
      addCallEdges(call);
  sortEdges();
}

void AliasGraph::sortEdges() {
  for (Edges *edges : {&forwardEdges, &reverseEdges}) {
    for (SmallVector<Id, 2> &list : *edges) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    }
  }
}

void AliasGraph::addCallEdges(func::CallOp call) {
  const FunctionSummary *summary = nullptr;
  if (module.resolveCall(call, summary) !=
      ModuleAliases::CalleeKind::Summarised)
    return;
  for (auto [result, sources] :
       llvm::zip_equal(call.getResults(), summary->resultSources))
    for (unsigned argument : sources)
      addEdge(call.getOperand(argument), result);
}

/// Adds all edges of the loop. If the trip count is constant, the flow analysis
/// has only the edges that are taken; liveness and the verifier do not look at
/// trip counts, so their results must not depend on the bounds.
void AliasGraph::addLoopEdges(affine::AffineForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    for (Value source : {Value(init), Value(yielded)}) {
      addEdge(source, argument);
      addEdge(source, result);
    }
  }
}

void AliasGraph::collectValues(Operation *root) {
  auto add = [&](Value value) {
    if (isBuffer(value) &&
        ids.try_emplace(value, static_cast<Id>(values.size())).second)
      values.push_back(value);
  };
  auto addFromOutside = [&](Value value) {
    if (!root->isAncestor(value.getParentBlock()->getParentOp()))
      add(value);
  };
  auto addArguments = [&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  };
  bool isFunction = isa<FunctionOpInterface>(root);
  addArguments(root);
  for (Operation *op : order.getOps()) {
    // A function takes no values from outside.
    if (!isFunction)
      llvm::for_each(op->getOperands(), addFromOutside);
    llvm::for_each(op->getResults(), add);
    addArguments(op);
  }
}

void AliasGraph::addEdge(Value from, Value to) {
  // A loop that yields its own argument has an edge from the argument to
  // itself, which keeps the argument live to the end of the body.
  if (!isBuffer(from) || !isBuffer(to))
    return;
  Id source = getId(from), target = getId(to);
  forwardEdges[source].push_back(target);
  reverseEdges[target].push_back(source);
}

std::vector<AliasGraph::Id> AliasGraph::getAliases(ArrayRef<Id> ids) const {
  std::vector<Id> reached(ids);
  llvm::DenseSet<Id> seen(ids.begin(), ids.end());
  for (size_t i = 0; i < reached.size(); ++i)
    for (Id next : forwardEdges[reached[i]])
      if (seen.insert(next).second)
        reached.push_back(next);
  llvm::sort(reached);
  return reached;
}

std::vector<AliasGraph::Id>
AliasGraph::findFirstAliases(ArrayRef<Id> wanted) const {
  const Id none = static_cast<Id>(size());
  std::vector<Id> first(size(), none);
  SmallVector<Id> pending;
  for (Id target : wanted) {
    auto reach = [&](Id id) {
      if (first[id] != none)
        return;
      first[id] = target;
      pending.push_back(id);
    };
    reach(target);
    while (!pending.empty())
      llvm::for_each(reverseEdges[pending.pop_back_val()], reach);
  }
  return first;
}

/// The summary of the callee if the value is a result of a call of a function
/// with a body; null otherwise.
const FunctionSummary *AliasGraph::getSummary(Id id) const {
  const FunctionSummary *summary = nullptr;
  if (auto call = values[id].getDefiningOp<func::CallOp>())
    (void)module.resolveCall(call, summary);
  return summary;
}

bool AliasGraph::mayBeFreshFromCall(Id id) const {
  if (!isa_and_nonnull<CallOpInterface>(values[id].getDefiningOp()))
    return false;
  const FunctionSummary *summary = getSummary(id);
  return !summary ||
         !summary
              ->resultIsArgument[cast<OpResult>(values[id]).getResultNumber()];
}

SmallVector<AliasGraph::Id, 2> AliasGraph::getOrigins(Id id,
                                                      bool &begins) const {
  Operation *op = values[id].getDefiningOp();
  // Results of calls and clones may be fresh memory. A clone is freed
  // separately from its operand, so its operand is no origin.
  begins = true;
  if (isa_and_nonnull<bufferization::CloneOp>(op))
    return {};
  const FunctionSummary *summary = getSummary(id);
  begins = mayBeFreshFromCall(id);
  if (!summary) {
    begins |= reverseEdges[id].empty();
    return reverseEdges[id];
  }
  // While a recursion is being analyzed, a result that is an argument may have
  // no predecessor yet.
  SmallVector<Id, 2> origins;
  unsigned result = cast<OpResult>(values[id]).getResultNumber();
  for (unsigned argument : summary->resultOrigins[result])
    origins.push_back(getId(op->getOperand(argument)));
  return origins;
}

std::vector<AliasGraph::Id> AliasGraph::getSources(ArrayRef<Id> ids) const {
  std::vector<Id> sources, reached;
  llvm::DenseSet<Id> seen;
  auto reach = [&](Id id) {
    if (seen.insert(id).second)
      reached.push_back(id);
  };
  llvm::for_each(ids, reach);
  for (size_t i = 0; i < reached.size(); ++i) {
    bool begins;
    Id current = reached[i];
    llvm::for_each(getOrigins(current, begins), reach);
    if (begins)
      sources.push_back(current);
  }
  llvm::sort(sources);
  return sources;
}

SmallVector<AliasGraph::Id> AliasGraph::getPossibleMemory(Id id) const {
  SmallVector<Id> reached = {id};
  llvm::DenseSet<Id> seen = {id};
  for (size_t i = 0; i < reached.size(); ++i)
    for (Id other : predecessors(reached[i]))
      if (seen.insert(other).second)
        reached.push_back(other);
  return reached;
}

//===----------------------------------------------------------------------===//
// ModuleAliases
//===----------------------------------------------------------------------===//

void ModuleAliases::collectAddressTaken(Operation *root) {
  llvm::DenseSet<Operation *> seen;
  root->walk([&](func::ConstantOp op) {
    auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
        op, op.getValueAttr());
    if (function && !function.isExternal() && seen.insert(function).second)
      addressTaken[op.getType()].push_back(function);
  });
}

ArrayRef<FunctionOpInterface>
ModuleAliases::getIndirectCallees(func::CallIndirectOp call) const {
  auto it = addressTaken.find(call.getCallee().getType());
  if (it == addressTaken.end())
    return {};
  return it->second;
}

/// The functions with a body that `root` may call, in walk order.
std::vector<FunctionOpInterface>
ModuleAliases::collectCallees(Operation *root) const {
  std::vector<FunctionOpInterface> callees;
  root->walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      FunctionOpInterface callee = getCallee(call);
      if (callee && !callee.isExternal())
        callees.push_back(callee);
    } else if (auto call = dyn_cast<func::CallIndirectOp>(op)) {
      llvm::append_range(callees, getIndirectCallees(call));
    }
  });
  return callees;
}

ModuleAliases::ModuleAliases(Operation *root, CalleeTrust trust)
    : trust(trust) {
  collectAddressTaken(root);
  root->walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  findDeviceCode();
  // Finds the SCCs of the call graph depth first (Tarjan 1972), callees before
  // callers. The stack is explicit because call chains may be long.
  struct Frame {
    FunctionOpInterface function;
    std::vector<FunctionOpInterface> callees;
    unsigned number;
    size_t next = 0;
  };
  llvm::DenseMap<Operation *, unsigned> lowest;
  std::vector<FunctionOpInterface> open;
  unsigned count = 0;
  std::vector<Frame> stack;
  auto enter = [&](FunctionOpInterface function) {
    lowest[function] = count;
    open.push_back(function);
    stack.push_back({function, collectCallees(function), count++});
  };
  auto lower = [&](Operation *function, unsigned number) {
    lowest[function] = std::min(lowest[function], number);
  };
  auto close = [&](Frame &frame) {
    if (lowest[frame.function] != frame.number)
      return;
    // The functions entered last come first, as the others call them.
    SmallVector<FunctionOpInterface> scc;
    do {
      scc.push_back(open.back());
      open.pop_back();
      lowest[scc.back()] = ~0u;
    } while (scc.back() != frame.function);
    if (scc.size() > 1)
      recursive.insert(scc.begin(), scc.end());
    analyze(scc);
    sccs.push_back(std::move(scc));
  };
  for (FunctionOpInterface start : functions) {
    if (lowest.contains(start))
      continue;
    enter(start);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      FunctionOpInterface function = frame.function;
      if (frame.next == frame.callees.size()) {
        close(frame);
        stack.pop_back();
        if (!stack.empty())
          lower(stack.back().function, lowest[function]);
        continue;
      }
      FunctionOpInterface callee = frame.callees[frame.next++];
      if (callee == function)
        recursive.insert(callee);
      if (lowest.contains(callee))
        lower(function, lowest[callee]);
      else
        enter(callee);
    }
  }
}

void ModuleAliases::findDeviceCode() {
  SmallVector<Operation *> pending;
  auto mark = [&](FunctionOpInterface function, Operation *op) {
    if (deviceMarks.try_emplace(function, op).second)
      pending.push_back(function);
  };
  for (FunctionOpInterface function : functions) {
    if (Operation *op = findDeviceMark(function))
      mark(function, op);
    function->walk([&](gpu::LaunchOp launch) {
      for (FunctionOpInterface callee : collectCallees(launch))
        mark(callee, launch);
    });
  }
  while (!pending.empty()) {
    Operation *caller = pending.pop_back_val();
    for (FunctionOpInterface callee : collectCallees(caller))
      mark(callee, deviceMarks.lookup(caller));
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
  summary = getSummary(callee);
  return CalleeKind::Summarised;
}

const FunctionSummary *
ModuleAliases::getSummary(FunctionOpInterface function) const {
  return &entries.find(function)->second->summary;
}

const ProgramOrder &
ModuleAliases::getOrder(FunctionOpInterface function) const {
  return *entries.find(function)->second->order;
}

const AliasGraph &ModuleAliases::getGraph(FunctionOpInterface function) const {
  return *entries.find(function)->second->graph;
}

Operation *memplan::findCoroutine(const ProgramOrder &order) {
  const auto *it = llvm::find_if(
      order.getOps(), llvm::IsaPred<async::CoroBeginOp, LLVM::CoroBeginOp>);
  return it == order.getOps().end() ? nullptr : *it;
}

/// How the function keeps or frees the memory of the argument; empty if it does
/// neither. Says only what the verifier can confirm: the verifier does not
/// follow the ownership of retained memrefs, and a raised deallocation that
/// stays gets its condition in the lowered form back.
static std::string findArgumentEscape(const AliasGraph &graph,
                                      AliasGraph::Id argument,
                                      ArrayRef<AliasGraph::Id> aliases,
                                      const ModuleAliases::FreeSet &removed) {
  for (AliasGraph::Id alias : aliases) {
    for (OpOperand &use : graph.getValue(alias).getUses()) {
      if (isa<func::ReturnOp>(use.getOwner()))
        continue;
      BufferUse kind = graph.classify(use);
      if (kind.free && !removed.contains(&use) &&
          llvm::is_contained(
              getFreedSources(graph, use, /*followsRetained=*/false, removed),
              argument))
        return "frees it";
      if (!kind.escape.empty())
        return "lets it escape: there it " + kind.escape;
    }
  }
  return "";
}

/// Analyzes the functions of one SCC of the call graph.
void ModuleAliases::analyze(ArrayRef<FunctionOpInterface> scc) {
  for (FunctionOpInterface function : scc) {
    auto entry = std::make_unique<Entry>();
    entry->order = std::make_unique<ProgramOrder>(function);
    FunctionSummary &summary = entry->summary;
    summary.argumentEscapes.resize(function.getNumArguments());
    summary.resultSources.resize(function.getNumResults());
    summary.resultOrigins.resize(function.getNumResults());
    summary.resultIsArgument.assign(function.getNumResults(), true);
    entries[function] = std::move(entry);
  }
  for (FunctionOpInterface function : scc) {
    Entry &entry = *entries[function];
    entry.graph = std::make_unique<AliasGraph>(function, *entry.order, *this);
  }
  settle(scc);
  for (FunctionOpInterface function : scc) {
    Entry &entry = *entries[function];
    FunctionSummary &summary = entry.summary;
    entry.keepsArguments =
        llvm::any_of(summary.argumentEscapes,
                     [](const std::string &how) { return !how.empty(); });
    // A result without origins is never returned; callers must not take it for
    // an argument.
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (summary.resultOrigins[i].empty())
        summary.resultIsArgument[i] = false;
  }
}

void ModuleAliases::refresh(ArrayRef<FunctionOpInterface> scc,
                            FunctionSet &changed) {
  auto isChanged = [&](Operation *op) { return changed.contains(op); };
  if (llvm::none_of(scc, [&](FunctionOpInterface function) {
        return isChanged(function) ||
               llvm::any_of(collectCallees(function), isChanged);
      }))
    return;
  changed.insert(scc.begin(), scc.end());
  analyze(scc);
}

/// Recomputes the summaries of the SCC until none of them changes.
void ModuleAliases::settle(ArrayRef<FunctionOpInterface> scc) {
  llvm::DenseMap<Operation *, SmallVector<unsigned>> callers;
  for (auto [i, function] : llvm::enumerate(scc))
    if (isRecursive(function))
      for (FunctionOpInterface callee : collectCallees(function))
        callers[callee].push_back(static_cast<unsigned>(i));
  std::vector<bool> isPending(scc.size(), true);
  for (bool again = true; again;) {
    again = false;
    for (auto [i, function] : llvm::enumerate(scc)) {
      if (!isPending[i])
        continue;
      isPending[i] = false;
      if (!summarize(function, *entries[function]))
        continue;
      for (unsigned caller : callers.lookup(function))
        isPending[caller] = again = true;
    }
  }
}

bool ModuleAliases::assumeRemoved(ArrayRef<FunctionOpInterface> scc,
                                  MutableArrayRef<FreeSet> removed) {
  if (llvm::none_of(scc, [&](FunctionOpInterface function) {
        return entries.find(function)->second->keepsArguments;
      }))
    return false;
  std::vector<std::vector<std::string>> before;
  for (auto [function, frees] : llvm::zip_equal(scc, removed)) {
    Entry &entry = *entries.find(function)->second;
    entry.removedFrees = std::move(frees);
    std::vector<std::string> &escapes = entry.summary.argumentEscapes;
    before.push_back(escapes);
    escapes.assign(escapes.size(), "");
  }
  settle(scc);
  bool changed = false;
  for (auto [function, escapes] : llvm::zip_equal(scc, before))
    changed |= getSummary(function)->argumentEscapes != escapes;
  return changed;
}

/// Inserts `others` into the sorted numbers; true if one of them is new.
static bool join(std::vector<unsigned> &numbers, ArrayRef<unsigned> others) {
  size_t count = numbers.size();
  llvm::append_range(numbers, others);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers.size() != count;
}

/// Adds to the function's summary what follows from the current summaries of
/// its callees; removes nothing. Returns true if it changed.
bool ModuleAliases::summarize(FunctionOpInterface function, Entry &entry) {
  AliasGraph &graph = *entry.graph;
  FunctionSummary &summary = entry.summary;
  if (isRecursive(function))
    graph.updateCalls();
  bool changed = false;
  bool isCoroutine = findCoroutine(*entry.order) != nullptr;
  for (BlockArgument argument : function.getArguments()) {
    if (!isBuffer(argument))
      continue;
    std::vector<AliasGraph::Id> aliases =
        graph.getAliases(graph.getId(argument));
    unsigned number = argument.getArgNumber();
    std::string &escape = summary.argumentEscapes[number];
    if (escape.empty()) {
      escape = isCoroutine ? "is a coroutine"
                           : findArgumentEscape(graph, graph.getId(argument),
                                                aliases, entry.removedFrees);
      changed |= !escape.empty();
    }
    for (AliasGraph::Id alias : aliases)
      for (OpOperand &use : graph.getValue(alias).getUses())
        if (isa<func::ReturnOp>(use.getOwner()))
          changed |=
              join(summary.resultSources[use.getOperandNumber()], number);
  }
  for (Block &block : function.getFunctionBody()) {
    auto exit = dyn_cast<func::ReturnOp>(block.back());
    if (!exit)
      continue;
    for (OpOperand &returned : exit->getOpOperands()) {
      if (!isBuffer(returned.get()))
        continue;
      unsigned result = returned.getOperandNumber();
      SmallVector<unsigned> origins;
      bool isArgument = summary.resultIsArgument[result];
      for (AliasGraph::Id id : graph.getSources(graph.getId(returned.get()))) {
        auto argument = dyn_cast<BlockArgument>(graph.getValue(id));
        if (argument && argument.getOwner()->isEntryBlock() &&
            argument.getOwner()->getParentOp() == function)
          origins.push_back(argument.getArgNumber());
        else
          isArgument = false;
      }
      changed |= join(summary.resultOrigins[result], origins);
      changed |= isArgument != summary.resultIsArgument[result];
      summary.resultIsArgument[result] = isArgument;
    }
  }
  return changed;
}
