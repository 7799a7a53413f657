//===- FindPhiCycle.cpp - Find loop-carried slots -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots/FindPhiCycle.h"
#include "Slots/PhiCycleWalk.h"
#include "memplan/IR/BufferAllocation.h"

#include "llvm/ADT/SmallBitVector.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

using SlotValue = PhiCycle::SlotValue;
using SlotValueId = PhiCycle::SlotValueId;

/// The largest number of names that are live at one point.
static unsigned countLive(const PhiCycleGroup &group) {
  std::vector<std::pair<int64_t, int>> events;
  for (auto &[name, ranges] : group.names)
    for (const LiveRange &range : ranges) {
      events.push_back({range.start, 1});
      events.push_back({range.end, -1});
    }
  llvm::sort(events);
  int count = 0, most = 0;
  for (auto [point, step] : events)
    most = std::max(most, count += step);
  return static_cast<unsigned>(most);
}

namespace {
/// Removes join values that always forward one slot, and computes which slots
/// each slot value may be.
class SlotValueFlow {
public:
  explicit SlotValueFlow(PhiCycle &cycle)
      : cycle(cycle), same(cycle.slotValues.size()) {
    for (SlotValueId id = 0; id < same.size(); ++id)
      same[id] = id;
    ends.resize(cycle.joinPoints.size());
    for (auto [id, slotValue] : llvm::enumerate(cycle.slotValues))
      if (slotValue.kind == SlotValue::Kind::Argument ||
          slotValue.kind == SlotValue::Kind::Result)
        ends[slotValue.joinPoint].push_back(static_cast<SlotValueId>(id));
  }

  /// Replaces each additional join value that is always one slot value from
  /// outside by that slot value.
  void simplify() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned c = 0; c < cycle.joinPoints.size(); ++c)
        for (unsigned p = 0; p < cycle.joinPoints[c].joinValues.size(); ++p)
          changed |= simplifyJoinValue(c, p);
    }
    for (unsigned c = 0; c < cycle.joinPoints.size(); ++c)
      renumber(c);
    for (PhiCycle::Choice &choice : cycle.choices) {
      choice.whenTrue = find(choice.whenTrue);
      choice.whenFalse = find(choice.whenFalse);
    }
  }

  /// Removes the additional join values whose slot no allocation takes. `taken`
  /// are the slot values that allocations take.
  void prune(ArrayRef<SlotValueId> taken) {
    std::vector<bool> isNeeded(cycle.slotValues.size(), false);
    SmallVector<SlotValueId> worklist;
    auto need = [&](SlotValueId id) {
      id = find(id);
      if (!isNeeded[id])
        worklist.push_back(id);
      isNeeded[id] = true;
    };
    llvm::for_each(taken, need);
    while (!worklist.empty()) {
      const SlotValue &slotValue = cycle.slotValues[worklist.pop_back_val()];
      if (slotValue.kind == SlotValue::Kind::Argument ||
          slotValue.kind == SlotValue::Kind::Result) {
        const PhiCycle::JoinValue &joinValue =
            cycle.joinPoints[slotValue.joinPoint].joinValues[slotValue.index];
        // The program's own operands give its own values their slots.
        if (joinValue.isAdditional)
          llvm::for_each(joinValue.incoming, need);
      } else if (slotValue.kind != SlotValue::Kind::Slot) {
        need(cycle.choices[slotValue.index].whenTrue);
        need(cycle.choices[slotValue.index].whenFalse);
      }
    }
    for (unsigned c = 0; c < cycle.joinPoints.size(); ++c) {
      std::vector<PhiCycle::JoinValue> &joinValues =
          cycle.joinPoints[c].joinValues;
      llvm::SmallBitVector isUsed(joinValues.size());
      for (SlotValueId id : ends[c])
        if (isNeeded[id])
          isUsed.set(cycle.slotValues[id].index);
      for (unsigned p = 0; p < joinValues.size(); ++p)
        if (joinValues[p].isAdditional && !isUsed.test(p))
          joinValues[p].incoming.clear();
      renumber(c);
    }
  }

  SlotValueId find(SlotValueId id) const {
    while (same[id] != id)
      id = same[id];
    return id;
  }

  /// By slot value, the slots that it may be.
  std::vector<llvm::SmallBitVector> computeSlots(unsigned count) {
    std::vector<llvm::SmallBitVector> slots(cycle.slotValues.size(),
                                            llvm::SmallBitVector(count));
    for (auto [id, slotValue] : llvm::enumerate(cycle.slotValues))
      if (slotValue.kind == SlotValue::Kind::Slot)
        slots[id].set(slotValue.index);
    for (bool changed = true; changed;) {
      changed = false;
      auto flow = [&](SlotValueId to, SlotValueId from) {
        if (!slots[from].test(slots[to])) // nothing new
          return;
        slots[to] |= slots[from];
        changed = true;
      };
      for (auto [id, slotValue] : llvm::enumerate(cycle.slotValues)) {
        auto to = static_cast<SlotValueId>(id);
        if (find(to) != to || slotValue.kind == SlotValue::Kind::Slot)
          continue;
        if (slotValue.kind == SlotValue::Kind::Argument ||
            slotValue.kind == SlotValue::Kind::Result) {
          for (SlotValueId from : cycle.joinPoints[slotValue.joinPoint]
                                      .joinValues[slotValue.index]
                                      .incoming)
            flow(to, from);
          continue;
        }
        flow(to, cycle.choices[slotValue.index].whenTrue);
        flow(to, cycle.choices[slotValue.index].whenFalse);
      }
    }
    return slots;
  }

private:
  /// True if the slot value is defined before `op`, so that it can be used in
  /// the regions of the op and behind it.
  bool isOutside(SlotValueId id, Operation *op) const {
    const SlotValue &slotValue = cycle.slotValues[id];
    if (slotValue.kind == SlotValue::Kind::Slot)
      return true;
    if (slotValue.kind == SlotValue::Kind::Chosen ||
        slotValue.kind == SlotValue::Kind::Rejected)
      return !op->isAncestor(cycle.choices[slotValue.index].select);
    const PhiCycle::JoinPoint &from = cycle.joinPoints[slotValue.joinPoint];
    if (slotValue.kind == SlotValue::Kind::Result)
      return !op->isAncestor(from.op);
    return !op->isAncestor(from.block->getParentOp());
  }

  bool simplifyJoinValue(unsigned c, unsigned p) {
    PhiCycle::JoinPoint &joinPoint = cycle.joinPoints[c];
    PhiCycle::JoinValue &joinValue = joinPoint.joinValues[p];
    if (!joinValue.isAdditional || joinValue.incoming.empty())
      return false;
    std::optional<SlotValueId> only;
    for (SlotValueId &id : joinValue.incoming) {
      id = find(id);
      const SlotValue &slotValue = cycle.slotValues[id];
      bool isItself = (slotValue.kind == SlotValue::Kind::Argument ||
                       slotValue.kind == SlotValue::Kind::Result) &&
                      slotValue.joinPoint == c && slotValue.index == p;
      if (isItself)
        continue;
      if (only && *only != id)
        return false;
      only = id;
    }
    // A slot value that comes into a block on all edges dominates the block:
    // control passed its definition before it first reached the block.
    if (!only || (joinPoint.op && !isOutside(*only, joinPoint.op)))
      return false;
    for (SlotValueId id : ends[c])
      if (cycle.slotValues[id].index == p)
        same[id] = *only;
    joinValue.incoming.clear();
    return true;
  }

  /// Removes the join values of a join point that have no incoming slot values,
  /// and renumbers the others.
  void renumber(unsigned c) {
    std::vector<PhiCycle::JoinValue> &joinValues =
        cycle.joinPoints[c].joinValues;
    std::vector<unsigned> numbers(joinValues.size());
    unsigned next = 0;
    for (unsigned p = 0; p < joinValues.size(); ++p) {
      numbers[p] = next;
      if (!joinValues[p].incoming.empty())
        ++next;
    }
    llvm::erase_if(ends[c], [&](SlotValueId id) {
      return find(id) != id ||
             joinValues[cycle.slotValues[id].index].incoming.empty();
    });
    for (SlotValueId id : ends[c])
      cycle.slotValues[id].index = numbers[cycle.slotValues[id].index];
    llvm::erase_if(joinValues, [](const PhiCycle::JoinValue &joinValue) {
      return joinValue.incoming.empty();
    });
    for (PhiCycle::JoinValue &joinValue : joinValues)
      for (SlotValueId &id : joinValue.incoming)
        id = find(id);
  }

  PhiCycle &cycle;
  /// By slot value: itself, or another slot value that is the same slot.
  std::vector<SlotValueId> same;
  /// By join point, the slot values that are its arguments and results.
  std::vector<std::vector<SlotValueId>> ends;
};
} // namespace

/// Fills in the records and the slots of the cycle.
static void settle(PhiCycle &cycle, const PhiCycleGroup &group,
                   const PhiCycleWalk &walk, unsigned count) {
  SlotValueFlow flow(cycle);
  flow.simplify();
  std::vector<llvm::SmallBitVector> slots = flow.computeSlots(count);
  cycle.slots.resize(count);
  /// By name, the slots in which its buffer may be.
  std::vector<llvm::SmallBitVector> reachedBy;
  for (auto [name, slotValue] : llvm::zip_equal(group.names, walk.held)) {
    reachedBy.push_back(slots[flow.find(*slotValue)]);
    for (unsigned slot : reachedBy.back().set_bits())
      llvm::append_range(cycle.slots[slot], name.second);
  }
  std::vector<std::pair<unsigned, SlotValueId>> taken;
  for (auto &[allocation, record] : group.recordOf) {
    auto name = group.indexOf.find(group.graph.getId(allocation->getResult(0)));
    // A buffer that is never accessed may be in any slot.
    taken.push_back({record, name == group.indexOf.end()
                                 ? SlotValueId(count - 1)
                                 : flow.find(walk.taken.at(allocation))});
  }
  llvm::sort(taken);
  llvm::DenseMap<unsigned, Operation *> takenBefore;
  for (auto &[op, allocations] : group.takenAt)
    for (Operation *allocation : allocations)
      takenBefore[group.recordOf.lookup(allocation)] = op;
  llvm::DenseMap<unsigned, AliasGraph::Id> valueOf;
  for (auto &[allocation, record] : group.recordOf)
    valueOf[record] = group.graph.getId(allocation->getResult(0));
  for (auto [record, slotValue] : taken) {
    // The buffer may be in the slots of all of its names.
    llvm::SmallBitVector reached = slots[slotValue];
    LiveRanges live;
    for (AliasGraph::Id alias : group.graph.getAliases(valueOf.lookup(record)))
      if (auto name = group.indexOf.find(alias); name != group.indexOf.end()) {
        reached |= reachedBy[name->second];
        llvm::append_range(live, group.names[name->second].second);
      }
    normalizeRanges(live);
    cycle.slotsOf.emplace_back(reached.set_bits_begin(),
                               reached.set_bits_end());
    cycle.liveOf.push_back(std::move(live));
    cycle.takenBefore.push_back(takenBefore.lookup(record));
    cycle.records.push_back(record);
    cycle.taken.push_back(slotValue);
  }
  flow.prune(cycle.taken);
  // The slots are defined before all blocks of the root that were walked.
  Block *start = &group.root->front();
  if (!walk.rootBlocks.empty())
    if (Block *dominator = group.lifetimes.findCommonDominator(walk.rootBlocks))
      start = dominator;
  auto first = group.ops.find(start);
  cycle.before =
      first != group.ops.end() ? first->second.front() : start->getTerminator();
  int64_t begin = group.order.begin(cycle.before);
  for (LiveRanges &ranges : cycle.slots) {
    // A slot that is reserved but never held.
    if (ranges.empty())
      ranges.push_back({begin, begin + 1});
    normalizeRanges(ranges);
  }
}

std::optional<PhiCycle>
memplan::findPhiCycle(const FunctionProblem &problem,
                      ArrayRef<unsigned> records, ArrayRef<unsigned> carried,
                      const ProgramOrder &order, const AliasGraph &graph,
                      LifetimeAnalysis &lifetimes, CongruentSizes &sizes) {
  PhiCycleAssumptions assumptions;
  for (unsigned index : records) {
    Operation *allocation = problem.buffers[index].origin;
    if (isScratch(allocation) || isa<bufferization::CloneOp>(allocation))
      assumptions.outside.insert(allocation);
  }
  for (;;) {
    PhiCycleGroup group(order, graph, lifetimes);
    SmallVector<Operation *> members;
    for (unsigned index : carried)
      group.carried.insert(problem.buffers[index].origin);
    std::optional<unsigned> shape;
    for (unsigned index : records) {
      const BufferRecord &record = problem.buffers[index];
      if (assumptions.outside.contains(record.origin))
        continue;
      // An allocation may take a slot that another one has made.
      unsigned own = sizes.getShape(record.origin->getResult(0));
      if (shape.value_or(own) != own)
        return std::nullopt;
      shape = own;
      group.recordOf[record.origin] = index;
      members.push_back(record.origin);
    }
    if (members.empty() || failed(group.build(members)))
      return std::nullopt;
    // If an allocation outside of the cycle is executed again within it, its
    // instances cannot be told apart from the buffers of the cycle.
    for (Operation *allocation : assumptions.outside)
      if (group.root->isAncestor(allocation->getParentRegion()) &&
          allocation->getBlock() != &group.root->front())
        return std::nullopt;
    assumptions.slotCount = std::max(assumptions.slotCount, countLive(group));
    PhiCycle cycle;
    PhiCycleWalk walk(group, assumptions, cycle);
    PhiCycleWalk::Outcome outcome = walk.run();
    if (outcome == PhiCycleWalk::Outcome::Again)
      continue;
    if (outcome == PhiCycleWalk::Outcome::Impossible)
      return std::nullopt;
    // Names in unreachable code have not been walked.
    for (const std::optional<SlotValueId> &slotValue : walk.held)
      if (!slotValue)
        return std::nullopt;
    settle(cycle, group, walk, assumptions.slotCount);
    return cycle;
  }
}
