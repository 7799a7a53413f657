//===- SlotEvents.cpp - Births and deaths of marked slots -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning says at which points a slot is live. Control flow goes from op to
// op of a block, from a region op into its regions, from the end of a region to
// another region of the op or behind it, and from block to block:
//
//   point                 %a live [1, 4)
//     0   %a = view
//                         birth
//     1   store %a
//     2   scf.if {
//     3     load %a
//                         death
//     4     yield
//         } else {
//                         death
//     5     yield
//         }
//     6   return          death: does nothing, it is dead on both ways
//
//===----------------------------------------------------------------------===//

#include "Observe/SlotEvents.h"

#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"

#include <map>

using namespace mlir;
using namespace memplan;

Site SlotEvent::getSite() const {
  ViewOp own = view;
  return {op, slot->slot, cast<MemRefType>(own.getType()).getMemorySpace(),
          slot->loop, slot->shares};
}

Value SlotEvent::createBase(OpBuilder &builder) const {
  Location loc = op->getLoc();
  ViewOp place = view;
  Value base = RuntimeCalls::createAddress(builder, loc, place.getArena());
  auto add = [&](Value more) {
    base = arith::AddIOp::create(builder, loc, base, more);
  };
  if (slot->base != 0)
    add(RuntimeCalls::createIndex(builder, loc, slot->base));
  if (slot->baseInSlot && place.getSlot())
    add(place.getSlot());
  for (auto [worker, stride] :
       llvm::zip_equal(place.getWorkers(), place.getStrides()))
    add(arith::MulIOp::create(builder, loc, worker,
                              RuntimeCalls::createIndex(builder, loc, stride)));
  return base;
}

namespace {
/// Where control goes on with an op of a loop body or of the function.
struct PathStep {
  Operation *before;
  int64_t loop, point;
  /// The points from which control may come. Some may be points from which it
  /// does not.
  SmallVector<int64_t> from;
  /// The op that control comes from; `before` itself at the entry.
  Operation *last;
};
} // namespace

static std::optional<std::pair<int64_t, int64_t>> getPoint(Operation *op);

/// The point behind the op and its regions.
static int64_t getEnd(Operation *op, std::pair<int64_t, int64_t> point) {
  int64_t end = point.second + 1;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        if (auto last = getPoint(&block.back());
            last && last->first == point.first)
          end = std::max(end, last->second + 1);
  return end;
}

/// The loop and the point of the op. Terminators that are not printed lose
/// their attributes; they stand behind the op before them.
static std::optional<std::pair<int64_t, int64_t>> getPoint(Operation *op) {
  if (auto point = readPoint(op))
    return point;
  if (!op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode())
    if (auto point = readPoint(previous))
      return std::pair(point->first, getEnd(previous, *point));
  return std::nullopt;
}

/// The last op of each region of `op` that has a point in the same body.
static void addRegionEnds(Operation *op, int64_t loop,
                          SmallVectorImpl<int64_t> &points) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        if (auto end = getPoint(&block.back()); end && end->first == loop)
          points.push_back(end->second);
}

static std::optional<PathStep> findStep(Operation *op) {
  auto point = getPoint(op);
  if (!point)
    return std::nullopt;
  PathStep step{op, point->first, point->second, {}, op};
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode())
    if (auto other = getPoint(previous); other && other->first == step.loop) {
      step.last = previous;
      step.from.push_back(other->second);
      addRegionEnds(previous, step.loop, step.from);
      return step;
    }
  Block *block = op->getBlock();
  for (Block *predecessor : block->getPredecessors())
    if (auto end = getPoint(&predecessor->back()))
      step.from.push_back(end->second);
  if (!block->isEntryBlock())
    return step;
  Operation *parent = block->getParentOp();
  if (auto outer = getPoint(parent); outer && outer->first == step.loop) {
    step.last = parent;
    step.from.push_back(outer->second);
    if (mayRepeat(parent))
      addRegionEnds(parent, step.loop, step.from);
  } else {
    // The begin of the function or body, at which no slot is live.
    step.from.push_back(-1);
  }
  return step;
}

namespace {
/// Finds the slots of which the state may change between two points, by the
/// begins and ends of their live ranges.
class SlotChanges {
public:
  explicit SlotChanges(const llvm::MapVector<Operation *, Observed> &slots) {
    for (auto [number, entry] : llvm::enumerate(slots))
      for (int64_t point : entry.second.live)
        changes[entry.second.loop].push_back({point, number});
    for (auto &entry : changes)
      llvm::sort(entry.second);
  }

  /// The numbers of the slots, ascending.
  SmallVector<size_t> find(const PathStep &step) const {
    SmallVector<size_t> found;
    auto known = changes.find(step.loop);
    if (known == changes.end())
      return found;
    for (int64_t from : step.from) {
      auto [low, high] = std::minmax(from, step.point);
      for (auto change =
               llvm::upper_bound(known->second, std::pair(low, SIZE_MAX));
           change != known->second.end() && change->first <= high; ++change)
        found.push_back(change->second);
    }
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    return found;
  }

private:
  /// By loop: points and numbers of slots.
  std::map<int64_t, std::vector<std::pair<int64_t, size_t>>> changes;
};
} // namespace

static bool isLiveAt(const Observed &slot, int64_t point) {
  for (size_t i = 0; i + 1 < slot.live.size(); i += 2)
    if (slot.live[i] <= point && point < slot.live[i + 1])
      return true;
  return false;
}

SlotEvents::SlotEvents(FunctionOpInterface function) {
  std::vector<PathStep> steps;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto view = dyn_cast<ViewOp>(op))
      if (std::optional<Observed> slot = readObserved(op))
        slots.insert({op, std::move(*slot)});
    if (std::optional<PathStep> step = findStep(op))
      steps.push_back(std::move(*step));
    // Functions inside have slots of their own.
    return op->hasTrait<OpTrait::IsIsolatedFromAbove>() ? WalkResult::skip()
                                                        : WalkResult::advance();
  });
  if (slots.empty())
    return;
  DominanceInfo dominance(function);
  SlotChanges changes(slots);
  for (const PathStep &step : steps) {
    SmallVector<size_t> changing = changes.find(step);
    auto collect = [&](bool isBirth) {
      llvm::SmallDenseSet<std::pair<Value, StringRef>> done;
      for (size_t number : changing) {
        const auto &entry = slots.begin()[number];
        const Observed &slot = entry.second;
        bool isChange = llvm::any_of(step.from, [&](int64_t point) {
          return isLiveAt(slot, point) != isBirth;
        });
        if (slot.loop != step.loop || isLiveAt(slot, step.point) != isBirth ||
            !isChange)
          continue;
        auto view = cast<ViewOp>(entry.first);
        // A death needs the place of the arena only.
        SmallVector<Value> needed{view.getArena()};
        if (slot.baseInSlot && view.getSlot())
          needed.push_back(view.getSlot());
        llvm::append_range(needed, view.getWorkers());
        if (isBirth)
          needed.assign(1, view.getResult());
        bool isKnown = llvm::all_of(needed, [&](Value value) {
          return dominance.properlyDominates(value, step.before);
        });
        if (!isKnown || !done.insert({view.getArena(), slot.slot}).second)
          continue;
        // The arena may be released between the last use and the next op.
        bool isBehind = !isBirth && step.last != step.before &&
                        step.last->getBlock() == step.before->getBlock();
        events.push_back({isBirth, view, &slot,
                          isBehind ? step.last->getNextNode() : step.before,
                          step.point, isBirth ? step.before : step.last});
      }
    };
    collect(/*isBirth=*/false);
    collect(/*isBirth=*/true);
  }
}
