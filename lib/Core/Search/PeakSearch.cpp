//===- PeakSearch.cpp - The peaks first, the rest around them -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PeakSearch.h"

#include "Model/Components.h"
#include "Search/FullestSection.h"
#include "Search/WindowSearch.h"
#include "Strategies/Greedy.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

/// Buffers of the fullest sections, and of one component of them: complete
/// search is for few.
static constexpr size_t peakLimit = 32768, componentLimit = 3500;

/// Choices of how many: half as many each time one is not placed.
static constexpr unsigned attempts = 3;

namespace {

class PeakSearch {
public:
  PeakSearch(const Model &model, int64_t goal, Standing &standing,
             SearchControl &control)
      : model(model), goal(goal), standing(standing), control(control),
        byLoad(orderByLoad(model)) {}

  void run() {
    size_t count = std::min<size_t>(peakLimit, byLoad.size() / 2);
    for (unsigned attempt = 0; attempt < attempts && count > 0; count /= 2) {
      std::vector<BufferIndex> peaks(byLoad.begin(), byLoad.begin() + count);
      std::sort(peaks.begin(), peaks.end());
      Problem problem = selectBuffers(model.problem, peaks);
      Model part(problem);
      if (!isSearchable(part))
        continue;
      ++attempt;
      // An attempt leaves the next ones their share.
      int64_t kept = control.reserve(control.nodesLeft() -
                                     control.nodesLeft() / (attempts + 1));
      Standing reached;
      reached.best = runGreedyOrders(part, goal).best;
      reached.bound = lowerBound(part);
      minimize(part, goal, reached, control);
      control.release(kept);
      standing.bound = std::max(standing.bound, reached.bound);
      if (standing.bound > goal || control.isExhausted())
        return;
      if (reached.best.height > goal)
        continue;
      placeAround(peaks, reached.best);
      return;
    }
  }

private:
  /// The fullest sections' buffers first.
  static std::vector<BufferIndex> orderByLoad(const Model &model) {
    FullestSection fullest(model.sectionLoads());
    std::vector<int64_t> load(model.size(), 0);
    std::vector<BufferIndex> order;
    for (BufferIndex b = 0; b < model.size(); ++b) {
      if (model.sizeOf(b) == 0)
        continue;
      load[b] = fullest.load(fullest.find(model.ranges(b)));
      order.push_back(b);
    }
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      return load[a] != load[b] ? load[a] > load[b] : a < b;
    });
    return order;
  }

  static bool isSearchable(const Model &part) {
    std::vector<std::vector<BufferIndex>> components = findComponents(part);
    return std::all_of(components.begin(), components.end(),
                       [](const std::vector<BufferIndex> &component) {
                         return component.size() <= componentLimit;
                       });
  }

  /// First fit by rising offset puts every buffer of the placement where it is
  /// or lower, so it is the beginning of an order.
  void placeAround(const std::vector<BufferIndex> &peaks,
                   const Placement &placement) {
    std::vector<BufferIndex> first;
    for (BufferIndex i = 0; i < peaks.size(); ++i)
      if (!model.isPinned(peaks[i]))
        first.push_back(i);
    std::sort(first.begin(), first.end(), [&](BufferIndex a, BufferIndex b) {
      return placement.offsets[a] != placement.offsets[b]
                 ? placement.offsets[a] < placement.offsets[b]
                 : a < b;
    });
    std::vector<char> isFirst(model.size(), 0);
    for (BufferIndex &b : first) {
      b = peaks[b];
      isFirst[b] = 1;
    }
    Placement best;
    best.height = INT64_MAX;
    for (Order order : {Order::TotalWidth, Order::Size, Order::Breadth}) {
      if (best.height <= goal || control.timeIsUp())
        break;
      std::vector<BufferIndex> whole = first;
      for (BufferIndex b : orderOf(model, order))
        if (!isFirst[b])
          whole.push_back(b);
      Placement next = placeInOrder(model, whole, Fit::First, best.height);
      if (next.height < best.height)
        best = std::move(next);
    }
    if (best.height > goal && !best.offsets.empty())
      searchWindows(model, goal, control.seed(), control, best);
    if (best.height < standing.best.height)
      standing.best = std::move(best);
  }

  const Model &model;
  int64_t goal;
  Standing &standing;
  SearchControl &control;
  std::vector<BufferIndex> byLoad;
};

} // namespace

void detail::searchPeaks(const Model &model, int64_t goal, Standing &standing,
                         SearchControl &control) {
  PeakSearch(model, goal, standing, control).run();
}
