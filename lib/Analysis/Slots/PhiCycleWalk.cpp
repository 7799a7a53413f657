//===- PhiCycleWalk.cpp - Follow slots through a program ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots/PhiCycleWalk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace memplan;

PhiCycleWalk::Outcome PhiCycleWalk::run() {
  held.resize(group.names.size());
  State state;
  for (unsigned slot = assumptions.slotCount; slot-- > 0;)
    state.free.push_back(addSlotValue({SlotValue::Kind::Slot, slot}));
  allFree = state.free;
  auto leave = [](Block &, State) { return success(); };
  if (failed(walkRegion(*group.root, std::move(state), leave)) &&
      outcome == Outcome::Done)
    outcome = Outcome::Impossible;
  return outcome;
}

LogicalResult PhiCycleWalk::impossible() {
  outcome = Outcome::Impossible;
  return failure();
}

LogicalResult PhiCycleWalk::again() {
  outcome = Outcome::Again;
  return failure();
}

/// The buffer is used after it has been forwarded to a join, which may be the
/// same memory: two names would hold one slot. If it is an allocation, it is
/// left out of the cycle and gets a slot of its own.
LogicalResult PhiCycleWalk::stayOutside(Id name) {
  Operation *op = group.graph.getValue(name).getDefiningOp();
  if (!op || !group.recordOf.contains(op) || group.carried.contains(op))
    return impossible();
  assumptions.outside.insert(op);
  assumptions.slotCount = 0;
  return again();
}

PhiCycleWalk::SlotValueId PhiCycleWalk::addSlotValue(SlotValue slotValue) {
  result.slotValues.push_back(slotValue);
  return static_cast<SlotValueId>(result.slotValues.size() - 1);
}

void PhiCycleWalk::hold(State &state, Id name, SlotValueId slotValue) {
  state.names.push_back({name, slotValue});
  held[group.indexOf.lookup(name)] = slotValue;
}

/// Frees the slots of the names that are not kept.
void PhiCycleWalk::release(State &state, KeepsFn keeps) {
  for (auto [name, slotValue] : state.names)
    if (!keeps(name))
      state.free.push_back(slotValue);
  llvm::erase_if(state.names, [&](auto &entry) { return !keeps(entry.first); });
}

/// The names of the state that are live at the point.
llvm::DenseSet<PhiCycleWalk::Id>
PhiCycleWalk::findLiveNames(const State &state, int64_t point) const {
  llvm::DenseSet<Id> live;
  for (auto &entry : state.names)
    if (group.isLive(entry.first, point))
      live.insert(entry.first);
  return live;
}

/// True if the operand is itself the slot that the name holds.
bool PhiCycleWalk::isOwnValue(Value operand, Id name,
                              SlotValueId slotValue) const {
  if (group.graph.getId(operand) != name)
    return false;
  Operation *op = operand.getDefiningOp();
  if (op && group.recordOf.contains(op))
    return taken.lookup(op) == slotValue;
  // A name may hold the slot of another value: the result of a select does if
  // only one operand is in a slot.
  const SlotValue &source = result.slotValues[slotValue];
  switch (source.kind) {
  case SlotValue::Kind::Argument: {
    const PhiCycle::JoinPoint &joinPoint = result.joinPoints[source.joinPoint];
    const std::optional<unsigned> &number =
        joinPoint.joinValues[source.index].argument;
    return number && joinPoint.block->getArgument(*number) == operand;
  }
  case SlotValue::Kind::Result: {
    const PhiCycle::JoinPoint &joinPoint = result.joinPoints[source.joinPoint];
    const std::optional<unsigned> &number =
        joinPoint.joinValues[source.index].result;
    return number && joinPoint.op->getResult(*number) == operand;
  }
  case SlotValue::Kind::Chosen: {
    const PhiCycle::Choice &choice = result.choices[source.index];
    return choice.isOwn && choice.select == op;
  }
  case SlotValue::Kind::Rejected: {
    const PhiCycle::Choice &choice = result.choices[source.index];
    return choice.isOwn && op && choice.other == op;
  }
  case SlotValue::Kind::Slot:
    return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Ops without control flow
//===----------------------------------------------------------------------===//

/// Gives a free slot to each allocation that is first used by `op`.
LogicalResult PhiCycleWalk::take(Operation *op, State &state) {
  auto it = group.takenAt.find(op);
  if (it == group.takenAt.end())
    return success();
  for (Operation *allocation : it->second) {
    if (state.free.empty())
      return impossible();
    taken[allocation] = state.free.back();
    hold(state, group.graph.getId(allocation->getResult(0)),
         state.free.pop_back_val());
  }
  return success();
}

LogicalResult PhiCycleWalk::walkBlock(Block &block, State &state) {
  auto it = group.ops.find(&block);
  if (it == group.ops.end())
    return success();
  for (Operation *op : it->second) {
    if (failed(take(op, state)))
      return failure();
    // The callers handle terminators, as they know where control goes.
    if (op == &block.back() && op->hasTrait<OpTrait::IsTerminator>())
      return success();
    LogicalResult walked = group.active.contains(op)        ? enter(op, state)
                           : isa<SelectLikeOpInterface>(op) ? choose(op, state)
                                                            : success();
    if (failed(walked))
      return failure();
    int64_t after = group.order.end(op);
    auto keeps = [&](Id name) { return group.isLive(name, after); };
    release(state, keeps);
  }
  return success();
}

/// The result of a select holds the slot of the operand that it chooses.
LogicalResult PhiCycleWalk::choose(Operation *op, State &state) {
  if (op->getNumResults() != 1 || !isa<MemRefType>(op->getResult(0).getType()))
    return success();
  Id name = group.graph.getId(op->getResult(0));
  if (!group.isName(name))
    return success();
  // The second select of a pair was handled with the first.
  if (llvm::is_contained(llvm::make_first_range(state.names), name))
    return success();
  auto select = cast<SelectLikeOpInterface>(op);
  int64_t after = group.order.end(op);
  auto give = [&](Value operand) -> FailureOr<std::optional<SlotValueId>> {
    Id source = group.nameOf(operand);
    if (!group.isName(source))
      return std::optional<SlotValueId>();
    auto *it = state.find(source);
    if (it == state.names.end() || group.isLive(source, after)) {
      (void)stayOutside(source);
      return failure();
    }
    SlotValueId slotValue = it->second;
    state.names.erase(it);
    return std::optional<SlotValueId>(slotValue);
  };
  Value onTrue = select.getTrueValue(), onFalse = select.getFalseValue();
  FailureOr<std::optional<SlotValueId>> first = give(onTrue);
  if (failed(first))
    return failure();
  FailureOr<std::optional<SlotValueId>> second = give(onFalse);
  if (failed(second))
    return failure();
  if (!*first && !*second) {
    if (state.free.empty())
      return impossible();
    hold(state, name, state.free.pop_back_val());
    return success();
  }
  if (!*first || !*second) {
    hold(state, name, *first ? **first : **second);
    return success();
  }
  bool isOwn = isOwnValue(onTrue, group.nameOf(onTrue), **first) &&
               isOwnValue(onFalse, group.nameOf(onFalse), **second);
  auto choice = static_cast<unsigned>(result.choices.size());
  Operation *other = group.otherSelect.lookup(op);
  result.choices.push_back({op, **first, **second, isOwn, other});
  hold(state, name, addSlotValue({SlotValue::Kind::Chosen, choice}));
  SlotValueId rejected = addSlotValue({SlotValue::Kind::Rejected, choice});
  if (other)
    hold(state, group.graph.getId(other->getResult(0)), rejected);
  else
    state.free.push_back(rejected);
  return success();
}

//===----------------------------------------------------------------------===//
// Join points
//===----------------------------------------------------------------------===//

PhiCycleWalk::Flow PhiCycleWalk::makeFlow(Operation *op, Block *block,
                                          ArrayRef<Position> candidates) {
  Flow flow;
  flow.joinPoint = static_cast<unsigned>(result.joinPoints.size());
  PhiCycle::JoinPoint &joinPoint = result.joinPoints.emplace_back();
  joinPoint.op = op;
  joinPoint.block = block;
  auto isWanted = [&](Value value) {
    return value && isa<BaseMemRefType>(value.getType()) &&
           group.isName(group.graph.getId(value));
  };
  for (Position position : candidates) {
    if (!isWanted(position.argument) && !isWanted(position.result))
      continue;
    flow.positions.push_back(position);
    PhiCycle::JoinValue &joinValue = joinPoint.joinValues.emplace_back();
    joinValue.isAdditional = assumptions.apart.contains(
        position.argument ? position.argument : position.result);
    if (joinValue.isAdditional)
      continue;
    if (position.argument)
      joinValue.argument =
          cast<BlockArgument>(position.argument).getArgNumber();
    if (position.result)
      joinValue.result = cast<OpResult>(position.result).getResultNumber();
  }
  return flow;
}

/// Control enters the join point on `edge`, which forwards `operands`. Names
/// that `keeps` accepts hold their slots until control leaves the join point.
LogicalResult PhiCycleWalk::send(State state, Flow &flow, PhiCycle::Edge edge,
                                 ValueRange operands, KeepsFn keeps) {
  llvm::SmallDenseSet<Id> forwarded;
  for (const Position &position : flow.positions)
    forwarded.insert(group.nameOf(operands[position.position]));
  auto lasts = [&](Id name) { return keeps(name) || forwarded.contains(name); };
  release(state, lasts);
  // `result.joinPoints` may have grown since the flow was made.
  SmallVector<std::optional<SlotValueId>> carried;
  for (const Position &position : flow.positions) {
    Value operand = operands[position.position];
    Id name = group.nameOf(operand);
    Value key = position.argument ? position.argument : position.result;
    carried.emplace_back();
    bool isOwn = false;
    if (group.isName(name)) {
      // A name that is used later, or is forwarded twice, would be one buffer
      // with two names.
      auto *it = state.find(name);
      if (it == state.names.end() || keeps(name))
        return stayOutside(name);
      carried.back() = it->second;
      isOwn = isOwnValue(operand, name, it->second);
      state.names.erase(it);
    }
    if (!isOwn && assumptions.apart.insert(key).second)
      return again();
  }
  for (std::optional<SlotValueId> &slotValue : carried) {
    if (slotValue)
      continue;
    if (state.free.empty()) {
      // Each name holds one slot, and at most as many again are reserved.
      if (assumptions.slotCount > 2 * group.names.size())
        return impossible();
      ++assumptions.slotCount;
      return again();
    }
    slotValue = state.free.pop_back_val();
  }
  PhiCycle::JoinPoint &joinPoint = result.joinPoints[flow.joinPoint];
  // If all slots are free their order does not matter.
  if (state.names.empty() && flow.positions.empty()) {
    flow.isEntered = true;
    return flow.kept.empty() ? success() : impossible();
  }
  if (!flow.isEntered) {
    flow.isEntered = true;
    flow.kept.assign(state.names.begin(), state.names.end());
    for (size_t i = 0; i < state.free.size(); ++i)
      joinPoint.joinValues.emplace_back().isAdditional = true;
  }
  if (joinPoint.joinValues.size() != carried.size() + state.free.size() ||
      flow.kept.size() != state.names.size())
    return impossible();
  joinPoint.edges.push_back(edge);
  for (auto [joinValue, slotValue] : llvm::zip(joinPoint.joinValues, carried))
    joinValue.incoming.push_back(*slotValue);
  for (auto [i, slotValue] : llvm::enumerate(state.free))
    joinPoint.joinValues[carried.size() + i].incoming.push_back(slotValue);
  return success();
}

/// Control leaves the join point, for its block or for the results of its op.
FailureOr<PhiCycleWalk::State> PhiCycleWalk::arrive(const Flow &flow,
                                                    bool atResults) {
  State state;
  // An unreachable join point is supported only at a block that holds no slot.
  if (!flow.isEntered && (atResults || !flow.positions.empty()))
    return impossible();
  if (flow.kept.empty() && flow.positions.empty()) {
    state.free = allFree;
    return state;
  }
  state.names.assign(flow.kept.begin(), flow.kept.end());
  const PhiCycle::JoinPoint &joinPoint = result.joinPoints[flow.joinPoint];
  for (size_t i = 0, e = joinPoint.joinValues.size(); i < e; ++i) {
    SlotValueId slotValue = addSlotValue(
        {atResults ? SlotValue::Kind::Result : SlotValue::Kind::Argument,
         static_cast<unsigned>(i), flow.joinPoint});
    Value value;
    if (i < flow.positions.size())
      value = atResults ? flow.positions[i].result : flow.positions[i].argument;
    if (!value) {
      state.free.push_back(slotValue);
      continue;
    }
    Id name = group.graph.getId(value);
    // A value that is not used on this side frees its slot.
    if (group.isName(name))
      hold(state, name, slotValue);
    else
      state.free.push_back(slotValue);
  }
  return state;
}

LogicalResult PhiCycleWalk::arriveAtResults(const Flow &flow, State &state) {
  FailureOr<State> after = arrive(flow, /*atResults=*/true);
  if (failed(after))
    return failure();
  state = std::move(*after);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult PhiCycleWalk::enter(Operation *op, State &state) {
  if (!isTransparent(op) || group.order.isInsideOpaque(op))
    return impossible();
  if (isa<scf::WhileOp>(op))
    return walkWhile(op, state);
  if (isa<scf::ForOp, affine::AffineForOp>(op))
    return walkLoop(op, state);
  // Other ops may not allow additional results, or may forward in other ways.
  if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
           affine::AffineIfOp, memref::AllocaScopeOp>(op))
    return impossible();
  return walkBranches(op, state);
}

LogicalResult
PhiCycleWalk::walkRegion(Region &region, State state,
                         function_ref<LogicalResult(Block &, State)> leave) {
  if (!region.hasOneBlock())
    return walkGraph(region, std::move(state), leave);
  if (failed(walkBlock(region.front(), state)))
    return failure();
  return leave(region.front(), std::move(state));
}

LogicalResult
PhiCycleWalk::walkGraph(Region &region, State state,
                        function_ref<LogicalResult(Block &, State)> leave) {
  std::vector<Block *> blocks = group.orderBlocks(region);
  if (&region == group.root)
    rootBlocks = blocks;
  llvm::DenseMap<Block *, Flow> flows;
  for (Block *block : blocks) {
    SmallVector<Position> candidates;
    if (!block->isEntryBlock())
      for (BlockArgument argument : block->getArguments())
        candidates.push_back({argument.getArgNumber(), argument, Value()});
    flows.try_emplace(block, makeFlow(nullptr, block, candidates));
  }
  for (Block *block : blocks) {
    FailureOr<State> current = state;
    if (!block->isEntryBlock())
      current = arrive(flows[block], false);
    if (failed(current) || failed(walkBlock(*block, *current)))
      return failure();
    Operation *terminator = &block->back();
    if (terminator->getNumSuccessors() == 0) {
      if (failed(leave(*block, std::move(*current))))
        return failure();
      continue;
    }
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    if (!branch)
      return impossible();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
      Block *successor = terminator->getSuccessor(i);
      if (!flows.contains(successor))
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      if (operands.getProducedOperandCount() != 0)
        return impossible();
      int64_t begin = group.order.begin(successor);
      // The arguments of the successor get new values.
      auto keeps = [&](Id name) {
        auto argument = dyn_cast<BlockArgument>(group.graph.getValue(name));
        return group.isLive(name, begin) &&
               (!argument || argument.getOwner() != successor);
      };
      PhiCycle::Edge edge{terminator, i, std::nullopt};
      if (failed(send(*current, flows[successor], edge,
                      operands.getForwardedOperands(), keeps)))
        return failure();
    }
  }
  // Predecessors that were not walked have no known slots.
  for (auto &[block, flow] : flows)
    if (!result.joinPoints[flow.joinPoint].joinValues.empty() &&
        !llvm::all_of(block->getPredecessors(),
                      [&](Block *from) { return flows.contains(from); }))
      return impossible();
  return success();
}

/// A for loop: its body arguments and its results get the same values.
LogicalResult PhiCycleWalk::walkLoop(Operation *op, State &state) {
  // LoopLikeOpInterface treats the arguments of the two ops differently.
  auto loop = dyn_cast<affine::AffineForOp>(op);
  ValueRange inits = loop ? ValueRange(loop.getInits())
                          : ValueRange(cast<scf::ForOp>(op).getInitArgs());
  Block &body = op->getRegion(0).front();
  unsigned first = body.getNumArguments() - op->getNumResults();
  SmallVector<Position> candidates;
  for (OpResult value : op->getResults()) {
    unsigned number = value.getResultNumber();
    candidates.push_back({number, body.getArgument(first + number), value});
  }
  Flow flow = makeFlow(op, &body, candidates);
  int64_t begin = group.order.begin(&body);
  // A body argument is live at that point but not kept.
  llvm::DenseSet<Id> outer = findLiveNames(state, begin);
  auto keeps = [&](Id name) { return outer.contains(name); };
  if (failed(send(state, flow, {}, inits, keeps)))
    return failure();
  auto leave = [&](Block &block, State end) {
    return send(std::move(end), flow, {&block.back(), {}, {}},
                block.back().getOperands(), keeps);
  };
  FailureOr<State> inside = arrive(flow, false);
  if (failed(inside) ||
      failed(walkRegion(*body.getParent(), std::move(*inside), leave)))
    return failure();
  return arriveAtResults(flow, state);
}

LogicalResult PhiCycleWalk::walkWhile(Operation *op, State &state) {
  auto loop = cast<scf::WhileOp>(op);
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  SmallVector<Position> candidates;
  for (BlockArgument argument : before->getArguments())
    candidates.push_back({argument.getArgNumber(), argument, Value()});
  Flow top = makeFlow(op, before, candidates);
  candidates.clear();
  for (BlockArgument argument : after->getArguments())
    candidates.push_back({argument.getArgNumber(), argument,
                          loop.getResult(argument.getArgNumber())});
  int64_t begin = group.order.begin(before);
  llvm::DenseSet<Id> outer = findLiveNames(state, begin);
  auto keeps = [&](Id name) { return outer.contains(name); };
  if (failed(send(state, top, {}, loop.getInits(), keeps)))
    return failure();
  Flow middle = makeFlow(op, after, candidates);
  auto decide = [&](Block &block, State end) {
    auto condition = cast<scf::ConditionOp>(block.back());
    return send(std::move(end), middle, {condition, {}, {}},
                condition.getArgs(), keeps);
  };
  FailureOr<State> inside = arrive(top, false);
  if (failed(inside) ||
      failed(walkRegion(loop.getBefore(), std::move(*inside), decide)))
    return failure();
  auto repeat = [&](Block &block, State end) {
    return send(std::move(end), top, {&block.back(), {}, {}},
                block.back().getOperands(), keeps);
  };
  inside = arrive(middle, false);
  if (failed(inside) ||
      failed(walkRegion(loop.getAfter(), std::move(*inside), repeat)))
    return failure();
  return arriveAtResults(middle, state);
}

/// An op that executes one of its regions, once.
LogicalResult PhiCycleWalk::walkBranches(Operation *op, State &state) {
  SmallVector<Position> candidates;
  for (OpResult value : op->getResults())
    candidates.push_back({value.getResultNumber(), Value(), value});
  Flow flow = makeFlow(op, nullptr, candidates);
  int64_t after = group.order.end(op);
  llvm::DenseSet<Id> outer = findLiveNames(state, after);
  auto keeps = [&](Id name) { return outer.contains(name); };
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    if (region.empty()) {
      PhiCycle::Edge edge{nullptr, {}, static_cast<unsigned>(number)};
      if (failed(send(state, flow, edge, {}, keeps)))
        return failure();
      continue;
    }
    State branch = state;
    int64_t begin = group.order.begin(&region.front());
    auto lasts = [&](Id name) { return group.isLive(name, begin); };
    release(branch, lasts);
    auto leave = [&](Block &block, State end) {
      return send(std::move(end), flow, {&block.back(), {}, {}},
                  block.back().getOperands(), keeps);
    };
    if (failed(walkRegion(region, std::move(branch), leave)))
      return failure();
  }
  return arriveAtResults(flow, state);
}
