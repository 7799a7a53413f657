//===- WindowSearch.cpp - Search in a window of sections ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/WindowSearch.h"

#include "Model/Neighbours.h"
#include "Search/CapacitySearch.h"
#include "Strategies/HillClimb.h"
#include "Strategies/Orders.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The most buffers that a window removes, and the most buffers of a window
/// together with the neighbours that stay.
constexpr size_t freeLimit = 8000, windowLimit = 40000;

/// The budget of one window: placements of buffers by local search, and nodes
/// of tree search.
constexpr int64_t placementsPerWindow = 60000, nodesPerWindow = 4000;

/// The most removed buffers of a window for tree search.
constexpr size_t treeLimit = 600;

/// The number of placements that take as long as a node of tree search.
constexpr int64_t placementsPerNode = 5;

class WindowSearch {
public:
  WindowSearch(const Model &model, int64_t goal, uint64_t seed,
               SearchControl &control, std::vector<int64_t> offsets)
      : model(model), goal(goal), seed(seed), control(control),
        offsets(std::move(offsets)), index(model), isMoved(model.size(), 0) {}

  void setGoal(int64_t bytes) { goal = bytes; }

  /// The buffers that end above the goal, by the first section of their live
  /// ranges.
  std::vector<BufferIndex> overflowing() const {
    std::vector<BufferIndex> result;
    for (BufferIndex b = 0; b < model.size(); ++b)
      if (endsAbove(b))
        result.push_back(b);
    std::sort(result.begin(), result.end(), [&](BufferIndex a, BufferIndex b) {
      uint32_t beginA = model.hull(a).begin, beginB = model.hull(b).begin;
      return beginA != beginB ? beginA < beginB : a < b;
    });
    return result;
  }

  bool endsAbove(BufferIndex b) const {
    return !model.isPinned(b) && offsets[b] + model.sizeOf(b) > goal;
  }

  /// Searches around a buffer that ends above the goal, in windows of growing
  /// length. Returns false if no window has a plan within the goal.
  bool solveAround(BufferIndex center,
                   const std::vector<BufferIndex> &overflowing) {
    SectionRange window = model.hull(center);
    size_t before = 0;
    while (!control.isExhausted()) {
      std::vector<BufferIndex> moved = freeIn(window, overflowing);
      if (moved.size() > freeLimit)
        return false;
      if (moved.size() > before && solve(moved))
        return true;
      if (window.begin == 0 && window.end == model.numSections())
        return false;
      // A window with only a few more buffers is unlikely to have a plan.
      before = moved.size() + moved.size() / 4;
      uint32_t length = window.end - window.begin;
      window.begin -= std::min(window.begin, length / 2 + 1);
      window.end = std::min(model.numSections(), window.end + length / 2 + 1);
    }
    return false;
  }

  std::vector<int64_t> takeOffsets() { return std::move(offsets); }

private:
  /// The buffers that a window removes: those that are live only inside it, and
  /// those that are live in it and end above the goal; no pinned ones.
  std::vector<BufferIndex>
  freeIn(SectionRange window,
         const std::vector<BufferIndex> &overflowing) const {
    std::vector<BufferIndex> result;
    for (BufferIndex b : index.startingIn(window)) {
      SectionRange hull = model.hull(b);
      if (!model.isPinned(b) && window.begin <= hull.begin &&
          hull.end <= window.end)
        result.push_back(b);
    }
    for (BufferIndex b : overflowing) {
      SectionRange hull = model.hull(b);
      if (endsAbove(b) && hull.begin < window.end && window.begin < hull.end)
        result.push_back(b);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  /// Places the buffers of `moved` within the goal while all others stay.
  /// Returns false, and changes no offset, if it finds no way.
  bool solve(const std::vector<BufferIndex> &moved) {
    std::vector<BufferIndex> selected = moved, around;
    for (BufferIndex b : moved)
      index.collect(b, around);
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    for (BufferIndex b : moved)
      isMoved[b] = 1;
    for (BufferIndex b : around)
      if (!isMoved[b])
        selected.push_back(b);
    for (BufferIndex b : moved)
      isMoved[b] = 0;
    control.spend(1 + int64_t(selected.size()) / placementsPerNode);
    if (selected.size() > windowLimit)
      return false;
    // A neighbour that stays may end above the goal. Only another window can
    // lower it.
    if (std::any_of(selected.begin() + moved.size(), selected.end(),
                    [&](BufferIndex b) { return endsAbove(b); }))
      return false;
    Problem problem = selectBuffers(model.problem, selected);
    for (size_t i = moved.size(); i < selected.size(); ++i)
      problem.buffers[i].pinnedOffset = offsets[selected[i]];
    Model part(problem);
    std::vector<int64_t> found;
    if (!placeAnew(part, found) && !searchTree(part, moved.size(), found))
      return false;
    for (size_t i = 0; i < moved.size(); ++i)
      offsets[moved[i]] = found[i];
    return true;
  }

  /// Tries greedy orders of the part, then local search from the best of them.
  /// Returns true if the offsets in `found` are within the goal.
  bool placeAnew(const Model &part, std::vector<int64_t> &found) {
    Placement best;
    best.height = INT64_MAX;
    Order bestOrder = Order::Size;
    for (Order order : {Order::Size, Order::TotalWidth, Order::Breadth}) {
      Placement placement =
          placeInOrder(part, orderOf(part, order), Fit::First, best.height);
      if (placement.height >= best.height)
        continue;
      best = std::move(placement);
      bestOrder = order;
    }
    int64_t size = part.size();
    int64_t replays =
        improveOrder(part, orderOf(part, bestOrder), goal,
                     std::clamp<int64_t>(placementsPerWindow / size, 10, 500),
                     /*patience=*/INT64_MAX, seed, control, best);
    control.spend((replays + 3) * size / placementsPerNode);
    found = std::move(best.offsets);
    return best.height <= goal;
  }

  bool searchTree(const Model &part, size_t moved,
                  std::vector<int64_t> &found) {
    if (moved > treeLimit || !SearchSpace::fits(part))
      return false;
    int64_t kept = control.reserve(control.nodesLeft() - nodesPerWindow);
    CapacitySearch search(part);
    bool isFound =
        search.runRound(goal, /*round=*/0, control) == SearchOutcome::Found;
    control.release(kept);
    if (isFound)
      found = search.offsets();
    return isFound;
  }

  const Model &model;
  int64_t goal;
  uint64_t seed;
  SearchControl &control;
  std::vector<int64_t> offsets;
  NeighbourIndex index;
  /// Scratch: true for the buffers that the window removes.
  std::vector<char> isMoved;
};

} // namespace

int64_t detail::searchWindows(const Model &model, int64_t goal, uint64_t seed,
                              SearchControl &control, Placement &best) {
  WindowSearch windows(model, goal, seed, control, best.offsets);
  int64_t solved = 0, missed = goal - 1, height = best.height;
  // If the goal is out of reach, try half the way to it.
  for (int64_t next = goal; missed < height - 1 && !control.isExhausted();
       next = missed + (height - missed) / 2) {
    windows.setGoal(next);
    // Each goal may take a third of the nodes left, so that nodes remain for
    // the next one if this one is out of reach.
    int64_t kept = control.reserve(2 * control.nodesLeft() / 3);
    std::vector<BufferIndex> overflowing = windows.overflowing();
    bool isMet =
        std::all_of(overflowing.begin(), overflowing.end(), [&](BufferIndex b) {
          // An earlier window may have lowered the buffer.
          if (!windows.endsAbove(b))
            return true;
          bool isSolved = windows.solveAround(b, overflowing);
          solved += isSolved;
          return isSolved;
        });
    control.release(kept);
    (isMet ? height : missed) = next;
    if (height <= goal)
      break;
  }
  std::vector<int64_t> offsets = windows.takeOffsets();
  height = 0;
  for (BufferIndex b = 0; b < model.size(); ++b)
    height = std::max(height, offsets[b] + model.sizeOf(b));
  if (height < best.height)
    best = {std::move(offsets), height};
  return solved;
}
