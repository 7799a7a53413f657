//===- WindowSearch.cpp - Tree search on a stretch of time ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSearch.h"

#include "CapacitySearch.h"
#include "Components.h"
#include "Neighbours.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// Buffers searched anew at once, and with those around them that stay.
constexpr size_t freeLimit = 600, windowLimit = 20000;
constexpr unsigned roundsPerWindow = 2;

class WindowSearch {
public:
  WindowSearch(const Model &model, int64_t goal, SearchControl &control,
               std::vector<int64_t> offsets)
      : model(model), goal(goal), control(control), offsets(std::move(offsets)),
        index(model) {}

  /// The overflowing buffers in the order of time.
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

  /// Searches around one overflowing buffer, in windows of growing length.
  bool solveAround(BufferIndex center) {
    SectionRange window = model.hull(center);
    while (!control.isExhausted()) {
      std::vector<BufferIndex> moved = freeIn(window);
      // Looking through all buffers is work, too.
      control.spend(1 + model.size() / 100);
      if (moved.size() > freeLimit)
        return false;
      if (moved.size() > 1 && solve(moved))
        return true;
      if (window.begin == 0 && window.end == model.numSections())
        return false;
      uint32_t length = window.end - window.begin;
      window.begin -= std::min(window.begin, length / 2 + 1);
      window.end = std::min(model.numSections(), window.end + length / 2 + 1);
    }
    return false;
  }

  std::vector<int64_t> takeOffsets() { return std::move(offsets); }

private:
  /// Overflowing buffers that meet the window and whatever lives inside it.
  std::vector<BufferIndex> freeIn(SectionRange window) {
    std::vector<BufferIndex> result;
    for (BufferIndex b = 0; b < model.size(); ++b) {
      SectionRange hull = model.hull(b);
      if (model.isPinned(b) || hull.begin >= hull.end)
        continue;
      bool inside = window.begin <= hull.begin && hull.end <= window.end;
      bool meets = hull.begin < window.end && window.begin < hull.end;
      if (inside || (meets && endsAbove(b)))
        result.push_back(b);
    }
    return result;
  }

  bool solve(const std::vector<BufferIndex> &moved) {
    std::vector<BufferIndex> selected = moved, around;
    for (BufferIndex b : moved)
      index.collect(b, around);
    std::vector<char> isMoved(model.size(), 0);
    for (BufferIndex b : moved)
      isMoved[b] = 1;
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    for (BufferIndex b : around)
      if (!isMoved[b])
        selected.push_back(b);
    if (selected.size() > windowLimit)
      return false;
    Problem problem = selectBuffers(model.problem, selected);
    for (size_t i = moved.size(); i < selected.size(); ++i)
      problem.buffers[i].pinnedOffset = offsets[selected[i]];
    // Some that stay may end above the goal: they are another window's.
    int64_t capacity = goal;
    for (size_t i = moved.size(); i < selected.size(); ++i)
      if (endsAbove(selected[i]))
        return false;
    Model part(problem);
    if (!SearchSpace::fits(part))
      return false;
    CapacitySearch search(part);
    for (unsigned round = 0; round < roundsPerWindow; ++round) {
      SearchOutcome outcome = search.runRound(capacity, round, control);
      if (outcome == SearchOutcome::Exhausted)
        return false;
      if (outcome != SearchOutcome::Found)
        continue;
      for (size_t i = 0; i < moved.size(); ++i)
        offsets[moved[i]] = search.offsets()[i];
      return true;
    }
    return false;
  }

  const Model &model;
  int64_t goal;
  SearchControl &control;
  std::vector<int64_t> offsets;
  NeighbourIndex index;
};

} // namespace

int64_t detail::searchWindows(const Model &model, int64_t goal,
                              SearchControl &control, Placement &best) {
  WindowSearch windows(model, goal, control, best.offsets);
  int64_t solved = 0;
  for (BufferIndex b : windows.overflowing()) {
    if (!windows.endsAbove(b))
      continue; // An earlier window has lowered it.
    if (!windows.solveAround(b))
      break;
    ++solved;
  }
  std::vector<int64_t> offsets = windows.takeOffsets();
  int64_t height = 0;
  for (BufferIndex b = 0; b < model.size(); ++b)
    height = std::max(height, offsets[b] + model.sizeOf(b));
  if (height < best.height)
    best = {std::move(offsets), height};
  return solved;
}
