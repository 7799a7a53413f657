//===- GuardedFrees.cpp - Memory that guarded deallocations free ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memref is followed backwards together with guards: conditions that must
// hold for it to be freed. Along a control-flow edge a guard on a forwarded
// value becomes a guard on the value it came from. A guard on a value that is
// defined before the op or block that forwards the memref is kept, as the value
// has not changed since.
//
//===----------------------------------------------------------------------===//

#include "Alias/GuardedFrees.h"

#include "memplan/IR/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <set>

using namespace mlir;
using namespace memplan;

namespace {
/// An i1 that must have the value `wanted` for the memref to be freed.
struct Guard {
  Value value;
  bool wanted;
  /// The other guards already contain one of the two cases in which it holds.
  bool isSplit = false;
};
using Guards = SmallVector<Guard, 4>;

/// Values that control forwards together along one edge: from[i] becomes to[i].
struct ForwardingEdge {
  SmallVector<Value> from, to;
  /// The i1 that decides whether control takes the edge, if it is known, and
  /// its value in that case.
  Value choice;
  bool chosen = false;
};

/// The edges that forward to a value.
struct IncomingEdges {
  std::vector<ForwardingEdge> edges;
  /// The op or block that defines the value.
  Operation *op = nullptr;
  Block *block = nullptr;
};

class GuardedWalk {
public:
  GuardedWalk(const AliasGraph &graph, bool followsRetained,
              const ModuleAliases::FreeSet &removed)
      : graph(graph), followsRetained(followsRetained), removed(removed) {}

  /// False if there are too many states.
  bool run(AliasGraph::Id freed, const Guards &guards) {
    push(freed, guards);
    while (!pending.empty()) {
      if (seen.size() > kMaxStates || numSettled > kMaxStates)
        return false;
      auto [id, held] = std::move(pending.back());
      pending.pop_back();
      step(id, held);
    }
    return true;
  }

  std::vector<AliasGraph::Id> takeFound() {
    llvm::append_range(found, graph.getSources(unguarded));
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    return std::move(found);
  }

private:
  static constexpr size_t kMaxStates = 2000, kMaxGuards = 8;

  void push(AliasGraph::Id id, const Guards &guards);
  bool becomesFalse(Value condition) const;
  bool settle(const Guards &guards, Guards &held, std::vector<Guards> &others);
  void step(AliasGraph::Id id, const Guards &guards);
  bool stepToDeallocated(AliasGraph::Id id, const Guards &guards);
  void stepAlong(AliasGraph::Id id, const IncomingEdges &incoming,
                 const Guards &guards);

  using Key = std::pair<AliasGraph::Id, std::vector<std::pair<void *, bool>>>;

  const AliasGraph &graph;
  bool followsRetained;
  const ModuleAliases::FreeSet &removed;
  std::set<Key> seen;
  std::vector<std::pair<AliasGraph::Id, Guards>> pending;
  size_t numSettled = 0;
  std::vector<AliasGraph::Id> found;
  /// Values that the walk reached without any guard left.
  std::vector<AliasGraph::Id> unguarded;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// True for a result of a deallocation of which all memrefs are removed.
bool GuardedWalk::becomesFalse(Value condition) const {
  auto op = condition.getDefiningOp<bufferization::DeallocOp>();
  return op && !removed.empty() && !op.getMemrefs().empty() &&
         llvm::all_of(op.getMemrefsMutable(), [&](OpOperand &memref) {
           return removed.contains(&memref);
         });
}

/// Adds to `held` the guards and all guards that follow from them; false if
/// they contradict each other. If a guard holds in either of two cases, leaves
/// `held` empty and adds the guards to `others` once for each case.
bool GuardedWalk::settle(const Guards &guards, Guards &held,
                         std::vector<Guards> &others) {
  Guards open = guards;
  for (size_t i = 0; i < open.size() && held.size() < kMaxGuards; ++i) {
    Guard guard = open[i];
    APInt constant;
    if (matchPattern(guard.value, m_ConstantInt(&constant))) {
      if (constant.isZero() == guard.wanted)
        return false;
      continue;
    }
    if (becomesFalse(guard.value)) {
      if (guard.wanted)
        return false;
      continue;
    }
    auto *known = llvm::find_if(
        held, [&](const Guard &other) { return other.value == guard.value; });
    if (known != held.end()) {
      if (known->wanted != guard.wanted)
        return false;
      continue;
    }
    held.push_back(guard);
    Operation *op = guard.value.getDefiningOp();
    if (!op || guard.isSplit)
      continue;
    auto split = [&](const Guards &first, const Guards &second) {
      open[i].isSplit = true;
      for (const Guards *way : {&first, &second}) {
        others.push_back(open);
        llvm::append_range(others.back(), *way);
      }
    };
    bool wanted = guard.wanted;
    if (isa<arith::XOrIOp>(op)) {
      if (matchPattern(op->getOperand(1), m_One()))
        open.push_back({op->getOperand(0), !wanted});
    } else if (isa<arith::AndIOp, arith::OrIOp>(op)) {
      Guard first{op->getOperand(0), wanted}, second{op->getOperand(1), wanted};
      if (isa<arith::AndIOp>(op) == wanted) {
        open.append({first, second});
        continue;
      }
      split({first}, {second});
      held.clear();
      return true;
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Value choice = select.getCondition();
      if (!choice.getType().isInteger(1))
        continue;
      split({{choice, true}, {select.getTrueValue(), wanted}},
            {{choice, false}, {select.getFalseValue(), wanted}});
      held.clear();
      return true;
    }
  }
  return true;
}

void GuardedWalk::push(AliasGraph::Id id, const Guards &guards) {
  std::vector<Guards> open{guards};
  while (!open.empty() && numSettled <= kMaxStates) {
    ++numSettled;
    Guards next = std::move(open.back()), held;
    open.pop_back();
    size_t count = open.size();
    if (!settle(next, held, open) || open.size() != count)
      continue;
    Key key{id, {}};
    for (const Guard &guard : held)
      key.second.push_back({guard.value.getAsOpaquePointer(), guard.wanted});
    if (!seen.insert(std::move(key)).second)
      continue;
    if (held.empty())
      unguarded.push_back(id);
    else
      pending.push_back({id, std::move(held)});
  }
}

//===----------------------------------------------------------------------===//
// Control-flow edges
//===----------------------------------------------------------------------===//

static ForwardingEdge makeEdge(ValueRange from, ValueRange to,
                               Value choice = nullptr, bool chosen = false) {
  return {llvm::to_vector(from), llvm::to_vector(to), choice, chosen};
}

/// The edges into a block other than the entry block of its region;
/// std::nullopt if one of them is not understood.
static std::optional<IncomingEdges> findBranches(Block *block) {
  IncomingEdges incoming;
  incoming.block = block;
  llvm::SmallPtrSet<Block *, 4> visited;
  for (Block *predecessor : block->getPredecessors()) {
    if (!visited.insert(predecessor).second)
      continue;
    auto branch = dyn_cast<BranchOpInterface>(predecessor->getTerminator());
    if (!branch)
      return std::nullopt;
    auto choice = dyn_cast<cf::CondBranchOp>(branch.getOperation());
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
      if (branch->getSuccessor(i) != block)
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      if (operands.getProducedOperandCount() != 0)
        return std::nullopt;
      incoming.edges.push_back(
          makeEdge(operands.getForwardedOperands(), block->getArguments(),
                   choice ? choice.getCondition() : Value(), choice && i == 0));
    }
  }
  return incoming;
}

/// The edges from the ends of the regions to the results; std::nullopt if one
/// of them is not understood.
static std::optional<IncomingEdges> findYields(Operation *op) {
  IncomingEdges incoming;
  incoming.op = op;
  auto conditional = dyn_cast<scf::IfOp>(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Operation *terminator = block.getTerminator();
      if (!terminator->hasTrait<OpTrait::ReturnLike>()) {
        // Branches within the region.
        if (terminator->getNumSuccessors() == 0)
          return std::nullopt;
        continue;
      }
      if (terminator->getNumOperands() != op->getNumResults())
        return std::nullopt;
      incoming.edges.push_back(
          makeEdge(terminator->getOperands(), op->getResults(),
                   conditional ? conditional.getCondition() : Value(),
                   conditional && &region == &conditional.getThenRegion()));
    }
  return incoming;
}

/// The control-flow edges that forward to the value; std::nullopt if control
/// flow does not define it, or if the edges are not known.
static std::optional<IncomingEdges> findIncomingEdges(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && !argument.getOwner()->isEntryBlock())
    return findBranches(argument.getOwner());
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (!argument && isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
                       affine::AffineIfOp, memref::AllocaScopeOp>(op))
    return findYields(op);
  IncomingEdges incoming;
  incoming.op = op;
  if (isa<scf::ForOp, affine::AffineForOp>(op)) {
    auto loop = cast<LoopLikeOpInterface>(op);
    SmallVector<Value> to;
    if (argument)
      llvm::append_range(to, loop.getRegionIterArgs());
    else
      llvm::append_range(to, op->getResults());
    incoming.edges.push_back(makeEdge(ValueRange(loop.getInits()), to));
    incoming.edges.push_back(makeEdge(ValueRange(loop.getYieldedValues()), to));
    return incoming;
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return std::nullopt;
  scf::ConditionOp condition = loop.getConditionOp();
  if (argument && argument.getOwner() == loop.getBeforeBody()) {
    incoming.edges.push_back(
        makeEdge(loop.getInits(), loop.getBeforeArguments()));
    incoming.edges.push_back(
        makeEdge(loop.getYieldOp()->getOperands(), loop.getBeforeArguments()));
    return incoming;
  }
  ValueRange to = loop.getResults();
  if (argument)
    to = loop.getAfterArguments();
  incoming.edges.push_back(makeEdge(condition.getArgs(), to,
                                    condition.getCondition(),
                                    /*chosen=*/argument != nullptr));
  return incoming;
}

/// True if the value is defined before control reaches the op or block of
/// `incoming`.
static bool isDefinedBefore(Value value, const IncomingEdges &incoming) {
  Block *block = value.getParentBlock();
  if (incoming.op) {
    Operation *around = block->findAncestorOpInBlock(*incoming.op);
    Operation *definition = value.getDefiningOp();
    return around && (!definition || definition->isBeforeInBlock(around));
  }
  Region *region = incoming.block->getParent();
  if (block->getParent() != region)
    return block->getParent()->isProperAncestor(region);
  return block->isEntryBlock() && block != incoming.block;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void GuardedWalk::stepAlong(AliasGraph::Id id, const IncomingEdges &incoming,
                            const Guards &guards) {
  llvm::DenseSet<AliasGraph::Id> arriving;
  std::vector<std::pair<AliasGraph::Id, Guards>> steps;
  for (const ForwardingEdge &edge : incoming.edges) {
    auto comesFrom = [&](Value value) -> Value {
      const auto *it = llvm::find(edge.to, value);
      size_t position = it - edge.to.begin();
      return position < edge.from.size() && it != edge.to.end()
                 ? edge.from[position]
                 : Value();
    };
    Value source = comesFrom(graph.getValue(id));
    if (!source)
      continue;
    Guards next;
    if (edge.choice)
      next.push_back({edge.choice, edge.chosen});
    for (const Guard &guard : guards) {
      if (Value earlier = comesFrom(guard.value))
        next.push_back({earlier, guard.wanted});
      else if (isDefinedBefore(guard.value, incoming))
        next.push_back(guard);
    }
    arriving.insert(graph.getId(source));
    steps.push_back({graph.getId(source), std::move(next)});
  }
  // If an edge of the graph is missing here, the guards are dropped.
  if (!llvm::all_of(graph.predecessors(id), [&](AliasGraph::Id from) {
        return arriving.contains(from);
      })) {
    unguarded.push_back(id);
    return;
  }
  for (auto &[from, next] : steps)
    push(from, next);
}

/// A deallocation says that a retained memref is owned only if one of its
/// memrefs is the same memory and has a true condition. Continues with these
/// memrefs; false if no guard is such a result for the memref.
bool GuardedWalk::stepToDeallocated(AliasGraph::Id id, const Guards &guards) {
  for (const Guard &guard : guards) {
    auto op = guard.value.getDefiningOp<bufferization::DeallocOp>();
    if (!op || !guard.wanted)
      continue;
    Value retained =
        op.getRetained()[cast<OpResult>(guard.value).getResultNumber()];
    if (getViewRoot(retained) != getViewRoot(graph.getValue(id)))
      continue;
    for (auto [memref, condition] :
         llvm::zip_equal(op.getMemrefs(), op.getConditions()))
      push(graph.getId(memref), {{condition, true}});
    return true;
  }
  return false;
}

void GuardedWalk::step(AliasGraph::Id id, const Guards &guards) {
  if (followsRetained && stepToDeallocated(id, guards))
    return;
  Value value = graph.getValue(id);
  if (std::optional<IncomingEdges> incoming = findIncomingEdges(value)) {
    stepAlong(id, *incoming, guards);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!op) {
    unguarded.push_back(id);
    return;
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && select.getCondition().getType().isInteger(1)) {
    for (bool chosen : {true, false}) {
      Guards next = guards;
      next.push_back({select.getCondition(), chosen});
      push(graph.getId(chosen ? select.getTrueValue() : select.getFalseValue()),
           next);
    }
    return;
  }
  bool begins;
  for (AliasGraph::Id origin : graph.getOrigins(id, begins))
    push(origin, guards);
  if (begins)
    found.push_back(id);
}

std::vector<AliasGraph::Id>
memplan::getFreedSources(const AliasGraph &graph, OpOperand &use,
                         bool followsRetained,
                         const ModuleAliases::FreeSet &removed) {
  Operation *op = use.getOwner();
  AliasGraph::Id freed = graph.getId(use.get());
  std::vector<AliasGraph::Id> sources = graph.getSources(freed);
  Guards guards;
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op))
    guards.push_back({dealloc.getConditions()[use.getOperandNumber()], true});
  for (Region *region = op->getParentRegion();
       region && region != use.get().getParentRegion();
       region = region->getParentRegion())
    if (auto guard = dyn_cast<scf::IfOp>(region->getParentOp()))
      guards.push_back(
          {guard.getCondition(), region == &guard.getThenRegion()});
  GuardedWalk walk(graph, followsRetained, removed);
  if (guards.empty() || !walk.run(freed, guards))
    return sources;
  // The walk continued from a retained memref to all memrefs of the
  // deallocation, though it may not alias each of them.
  std::vector<AliasGraph::Id> found = walk.takeFound(), both;
  std::set_intersection(sources.begin(), sources.end(), found.begin(),
                        found.end(), std::back_inserter(both));
  return both;
}
