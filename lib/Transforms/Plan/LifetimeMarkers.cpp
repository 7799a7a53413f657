//===- LifetimeMarkers.cpp - Where lifetimes begin and end ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/LifetimeMarkers.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

static bool isLiveAt(const LiveRanges &ranges, int64_t point) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), point,
                             [](int64_t point, const LiveRange &range) {
                               return point < range.start;
                             });
  return it != ranges.begin() && point < std::prev(it)->end;
}

namespace {
class PlaceFinder {
public:
  PlaceFinder(const Lifetime &lifetime, Operation *allocation,
              const ProgramOrder &order, DominanceInfo &dominance)
      : ranges(lifetime.ranges), allocation(allocation), order(order),
        dominance(dominance) {}

  /// The range ends with `op`: looks at it and the ops around it, up to the
  /// region of the allocation.
  void visitEnd(Operation *op) {
    Region *home = allocation->getParentRegion();
    for (;; op = op->getParentOp()) {
      visitExits(op);
      if (op->getParentRegion() == home)
        return;
    }
  }

  /// Control leaves `op`, where the buffer is live, for one of several blocks.
  void visitBranch(Operation *op) {
    // What control never comes from ends no life elsewhere.
    if (!dominance.isReachableFromEntry(op->getBlock()))
      return;
    for (Block *successor : op->getSuccessors())
      endAtStart(successor);
  }

  llvm::SmallSetVector<Operation *, 4> after;
  llvm::SmallSetVector<Block *, 4> atStart;

private:
  void visitExits(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      visitBranch(op);
    } else if (!isLiveAt(ranges, order.end(op)) &&
               dominance.dominates(allocation, op)) {
      after.insert(op);
    }
    if (isTransparent(op) && isLiveAt(ranges, order.begin(op)))
      for (Region &region : op->getRegions())
        if (!region.empty())
          endAtStart(&region.front());
  }

  void endAtStart(Block *block) {
    if (!isLiveAt(ranges, order.begin(block)) &&
        dominance.properlyDominates(allocation, &block->front()))
      atStart.insert(block);
  }

  const LiveRanges &ranges;
  Operation *allocation;
  const ProgramOrder &order;
  DominanceInfo &dominance;
};
} // namespace

/// What control passes as a whole between the ends of a range.
static LiveRange findPassed(const LiveRange &range, Region *region,
                            const ProgramOrder &order) {
  auto findBlock = [&](int64_t point) {
    return region->findAncestorBlockInRegion(*order.getOp(point)->getBlock());
  };
  Block *first = findBlock(range.start), *last = findBlock(range.end - 1);
  if (first && last)
    if (std::optional<Passage> passage = order.findPassage(first, last))
      return {order.begin(passage->first), order.begin(passage->behind)};
  return {0, 0};
}

MarkerPlaces memplan::findMarkerPlaces(const Lifetime &lifetime,
                                       Operation *allocation,
                                       const ProgramOrder &order,
                                       DominanceInfo &dominance) {
  MarkerPlaces places;
  if (lifetime.starts.empty())
    return places;
  for (int64_t start : lifetime.starts)
    places.starts.push_back(order.getOp(start));
  PlaceFinder finder(lifetime, allocation, order, dominance);
  for (const LiveRange &range : lifetime.ranges) {
    Operation *last = order.getOp(range.end - 1);
    // A range may end in a block the allocation's region does not enclose
    // only where control never comes; there is nothing to mark.
    if (allocation->getParentRegion()->isAncestor(last->getParentRegion()))
      finder.visitEnd(last);
    // No branch leads out of a passage that is live as a whole.
    LiveRange passed = findPassed(range, allocation->getParentRegion(), order);
    ArrayRef<int64_t> branches = order.getBranchPoints();
    const int64_t *point = llvm::lower_bound(branches, range.start);
    while (point != branches.end() && *point < range.end) {
      if (passed.start <= *point && *point < passed.end) {
        point = llvm::lower_bound(branches, passed.end);
        continue;
      }
      finder.visitBranch(order.getOp(*point++));
    }
  }
  places.endsAfter.append(finder.after.begin(), finder.after.end());
  places.endsAtStart.append(finder.atStart.begin(), finder.atStart.end());
  return places;
}
