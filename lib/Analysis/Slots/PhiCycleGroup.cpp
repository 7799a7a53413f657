//===- PhiCycleGroup.cpp - The values of a phi cycle ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots/PhiCycleWalk.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace memplan;

bool PhiCycleGroup::isLive(Id name, int64_t point) const {
  auto found = indexOf.find(name);
  if (found == indexOf.end())
    return false;
  const LiveRanges &ranges = names[found->second].second;
  auto it = std::upper_bound(ranges.begin(), ranges.end(), point,
                             [](int64_t point, const LiveRange &range) {
                               return point < range.start;
                             });
  return it != ranges.begin() && point < std::prev(it)->end;
}

std::vector<Block *> PhiCycleGroup::orderBlocks(Region &region) const {
  // By block: true if slots come into it on every edge.
  llvm::MapVector<Block *, bool> wanted;
  auto enter = [&](Block *block) {
    if (wanted.insert({block, false}).second)
      for (BlockArgument argument : block->getArguments())
        wanted[block] |= isName(graph.getId(argument));
  };
  for (auto &entry : ops)
    if (entry.first->getParent() == &region)
      enter(entry.first);
  for (auto &[name, ranges] : names)
    for (const LiveRange &range : ranges) {
      for (int64_t point = range.start; point < range.end;) {
        Block *block =
            region.findAncestorBlockInRegion(*order.getOp(point)->getBlock());
        // The range may begin before the region, or end after it.
        if (!block && order.begin(&region.front()) <= point)
          break;
        if (!block)
          block = &region.front();
        int64_t begin = order.begin(block);
        if (begin >= range.end)
          break;
        enter(block);
        wanted[block] |= range.start <= begin;
        point = order.end(block);
      }
    }
  if (&region != root)
    for (Block &block : region)
      if (block.hasNoSuccessors())
        enter(&block);
  SmallVector<Block *> sinks;
  for (auto &[block, hasSlots] : wanted)
    if (hasSlots)
      sinks.push_back(block);
  for (Block *block : sinks)
    for (Block *predecessor : block->getPredecessors())
      enter(predecessor);

  // Reverse post-order, from the blocks into which no slots come.
  SmallVector<Block *> starts;
  for (auto &[block, hasSlots] : wanted)
    if (!hasSlots || block->isEntryBlock())
      starts.push_back(block);
  llvm::sort(starts, [&](Block *a, Block *b) {
    return order.begin(a) > order.begin(b);
  });
  std::vector<Block *> blocks;
  llvm::DenseSet<Block *> seen;
  SmallVector<std::pair<Block *, unsigned>> open;
  auto push = [&](Block *block) {
    if (wanted.contains(block) && seen.insert(block).second)
      open.push_back({block, 0});
  };
  for (Block *start : starts) {
    push(start);
    while (!open.empty()) {
      auto &[block, next] = open.back();
      if (next < block->getNumSuccessors()) {
        push(block->getSuccessor(next++));
        continue;
      }
      blocks.push_back(block);
      open.pop_back();
    }
  }
  std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

/// Records the op or block that defines the name; fails if it is not supported.
LogicalResult PhiCycleGroup::addOwner(Id name) {
  Value value = graph.getValue(name);
  if (Operation *op = value.getDefiningOp()) {
    bool isOwner = recordOf.contains(op) || isTransparent(op) ||
                   isa<SelectLikeOpInterface>(op);
    if (!isOwner || order.isInsideOpaque(op))
      return failure();
    relevant.push_back(op);
    return success();
  }
  Block *block = value.getParentBlock();
  Operation *parent = block->getParentOp();
  if (block->isEntryBlock()) {
    if (!order.isNumbered(parent) || !isTransparent(parent) ||
        order.isInsideOpaque(parent))
      return failure();
    relevant.push_back(parent);
    return success();
  }
  if (order.isNumbered(parent) &&
      (!isTransparent(parent) || order.isInsideOpaque(parent)))
    return failure();
  joins.push_back(block);
  return success();
}

/// Adds the op and its ancestors below the root to the lists of their blocks.
void PhiCycleGroup::addOp(Operation *op) {
  while (added.insert(op).second) {
    ops[op->getBlock()].push_back(op);
    if (op->getParentRegion() == root)
      return;
    op = op->getParentOp();
  }
}

void PhiCycleGroup::activate(Operation *op) {
  while (op != root->getParentOp() && active.insert(op).second)
    op = op->getParentOp();
}

/// The first op that uses the allocation in its block; the terminator if there
/// is none.
static Operation *findFirstUse(Operation *allocation) {
  Operation *first = &allocation->getBlock()->back();
  for (Operation *user : allocation->getUsers()) {
    Operation *op = allocation->getBlock()->findAncestorOpInBlock(*user);
    if (op && op->isBeforeInBlock(first))
      first = op;
  }
  return first;
}

/// Makes the live range of a fresh buffer start at its first use in its block,
/// as it needs no slot before.
void PhiCycleGroup::takeAtFirstUse(Operation *allocation, LiveRanges &ranges) {
  Operation *first = findFirstUse(allocation);
  takenAt[first].push_back(allocation);
  // Not always the first range: blocks that follow may have earlier points.
  int64_t birth = order.end(allocation), begin = order.begin(first);
  for (LiveRange &range : ranges)
    if (range.start == birth && begin < range.end)
      range.start = std::max(birth, begin);
}

/// Finds pairs of selects that give the winner and the loser of a comparison.
/// Between the two selects three names stand for two buffers, so both selects
/// are taken to happen at the first:
///
///     %lo = arith.select %c, %p, %q
///     %hi = arith.select %c, %q, %p
void PhiCycleGroup::pairSelects(std::map<Id, LiveRanges> &live) {
  auto isLiveName = [&](Value value) {
    auto it = live.find(nameOf(value));
    return it != live.end() && !it->second.empty();
  };
  for (auto &[block, list] : ops) {
    for (size_t i = 0; i + 1 < list.size(); ++i) {
      auto first = dyn_cast<SelectLikeOpInterface>(list[i]);
      auto second = dyn_cast<SelectLikeOpInterface>(list[i + 1]);
      if (!first || !second || first.getCondition() != second.getCondition() ||
          first.getTrueValue() != second.getFalseValue() ||
          first.getFalseValue() != second.getTrueValue() ||
          !isLiveName(first.getTrueValue()) ||
          !isLiveName(first.getFalseValue()) ||
          nameOf(first.getTrueValue()) == nameOf(first.getFalseValue()) ||
          !isLiveName(first->getResult(0)) || !isLiveName(second->getResult(0)))
        continue;
      int64_t begin = order.end(first), end = order.end(second);
      SmallVector<LiveRange *, 2> last;
      for (Value operand : {first.getTrueValue(), first.getFalseValue()})
        for (LiveRange &range : live[nameOf(operand)])
          if (range.start < begin && range.end == end)
            last.push_back(&range);
      // One of the two operands is used after the selects.
      if (last.size() != 2)
        continue;
      for (LiveRange *range : last)
        range->end = begin;
      LiveRanges &ranges = live[nameOf(second->getResult(0))];
      ranges.push_back({begin, end});
      normalizeRanges(ranges);
      otherSelect[first] = second;
      ++i;
    }
  }
}

LogicalResult PhiCycleGroup::build(ArrayRef<Operation *> allocations) {
  std::map<Id, LiveRanges> live;
  SmallVector<Id> own;
  for (Operation *allocation : allocations) {
    relevant.push_back(findFirstUse(allocation));
    own.push_back(graph.getId(allocation->getResult(0)));
  }
  for (Id id : graph.getAliases(own)) {
    Id name = lifetimes.getViewRoot(id);
    auto [it, isNew] = live.try_emplace(name);
    if (isNew && failed(addOwner(name)))
      return failure();
    const LiveRanges &ranges = lifetimes.getValueRanges(id);
    it->second.insert(it->second.end(), ranges.begin(), ranges.end());
    for (Operation *user : graph.getValue(id).getUsers())
      relevant.push_back(user);
  }
  root = allocations.front()->getParentRegion();
  auto widen = [&](Region *region) {
    while (!root->isAncestor(region))
      root = root->getParentRegion();
  };
  for (Operation *op : relevant)
    widen(op->getParentRegion());
  for (Block *block : joins)
    widen(block->getParent());
  for (Operation *op : relevant)
    addOp(op);
  for (auto &entry : ops)
    llvm::sort(entry.second, [&](Operation *a, Operation *b) {
      return order.begin(a) < order.begin(b);
    });

  for (auto &[name, ranges] : live)
    normalizeRanges(ranges);
  pairSelects(live);
  for (auto &[name, ranges] : live) {
    if (ranges.empty())
      continue;
    Value value = graph.getValue(name);
    Operation *definition = value.getDefiningOp();
    if (definition && recordOf.contains(definition)) {
      takeAtFirstUse(definition, ranges);
      activate(definition->getParentOp());
    } else if (definition && !isTransparent(definition)) {
      activate(definition->getParentOp());
    } else {
      activate(definition ? definition : value.getParentBlock()->getParentOp());
    }
    indexOf[name] = static_cast<unsigned>(names.size());
    names.push_back({name, ranges});
  }
  // Allocations that take their slots at one op do so in program order.
  for (auto &entry : takenAt)
    llvm::sort(entry.second, [&](Operation *a, Operation *b) {
      return order.begin(a) < order.begin(b);
    });
  return success(!names.empty());
}
