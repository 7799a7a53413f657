//===- PeakSearch.cpp - Search of the fullest sections first --------------===//
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
#include <optional>

using namespace memplan;
using namespace memplan::detail;

/// The most buffers that complete search places, in all and in one component.
static constexpr size_t peakLimit = 32768, componentLimit = 4096;

/// The number of buffers that the first attempt places by complete search. Each
/// further attempt has half as many more. More buffers are harder to place, but
/// leave fewer to the greedy orders.
static constexpr size_t peakBegin = 400;

/// The number of failed attempts after which no further one is made.
static constexpr unsigned patience = 2;

/// The most nodes of one short attempt.
static constexpr int64_t briefNodes = 50000;

namespace {

class PeakSearch {
public:
  PeakSearch(const Model &model, int64_t goal, Standing &standing,
             SearchControl &control)
      : model(model), goal(goal), standing(standing), control(control),
        byLoad(orderByLoad(model)) {}

  void run() {
    size_t limit = std::min<size_t>(peakLimit, byLoad.size() * 2 / 3);
    std::optional<Peaks> placed;
    size_t missed = 0;
    unsigned misses = 0;
    for (size_t count = peakBegin; isOpen() && misses < patience;
         count += count / 2) {
      bool isLast = count >= limit;
      count = std::min(count, limit);
      if (std::optional<Peaks> next = place(count, briefly())) {
        placed = std::move(next);
      } else {
        missed = misses++ == 0 ? count : missed;
      }
      if (isLast)
        break;
    }
    if (placed && isOpen())
      placeAround(*placed);
    // A long search may place the buffers for which a short one failed.
    if (misses > 0 && isOpen())
      if (std::optional<Peaks> next = place(missed, control.nodesLeft() / 2))
        placeAround(*next);
  }

private:
  /// Some buffers of the model, in the order of their indices, and their
  /// placement, which has the same order.
  struct Peaks {
    std::vector<BufferIndex> buffers;
    Placement placement;
  };

  bool isOpen() const {
    return standing.best.height > goal && standing.bound <= goal &&
           !control.isExhausted();
  }

  int64_t briefly() const {
    return std::min(briefNodes, control.nodesLeft() / 8);
  }

  /// Places the first `count` buffers of byLoad within the goal by complete
  /// search of at most `nodes` nodes. Raises the bound of the whole problem if
  /// the search proves one.
  std::optional<Peaks> place(size_t count, int64_t nodes) {
    Peaks peaks;
    peaks.buffers.assign(byLoad.begin(), byLoad.begin() + count);
    std::sort(peaks.buffers.begin(), peaks.buffers.end());
    Problem problem = selectBuffers(model.problem, peaks.buffers);
    Model part(problem);
    if (!isSearchable(part))
      return std::nullopt;
    int64_t kept = control.reserve(control.nodesLeft() - nodes);
    Standing reached;
    reached.best = runGreedyOrders(part, goal, control.deadline()).best;
    reached.bound = lowerBound(part);
    probe(part, goal, reached, control);
    minimize(part, goal, reached, control);
    control.release(kept);
    standing.bound = std::max(standing.bound, reached.bound);
    if (reached.best.height > goal)
      return std::nullopt;
    peaks.placement = std::move(reached.best);
    return peaks;
  }

  /// The non-empty buffers, those that are live in the fullest sections first.
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

  /// Places the buffers of `peaks` in the order of their offsets, then the
  /// others in several greedy orders. First fit in this order gives every
  /// buffer of `peaks` its offset or a lower one, so the peaks stay within the
  /// goal. If the rest does not, window search follows.
  void placeAround(const Peaks &peaks) {
    const std::vector<int64_t> &offsets = peaks.placement.offsets;
    std::vector<BufferIndex> first;
    for (BufferIndex i = 0; i < peaks.buffers.size(); ++i)
      if (!model.isPinned(peaks.buffers[i]))
        first.push_back(i);
    std::sort(first.begin(), first.end(), [&](BufferIndex a, BufferIndex b) {
      return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b;
    });
    std::vector<char> isFirst(model.size(), 0);
    for (BufferIndex &b : first) {
      b = peaks.buffers[b];
      isFirst[b] = 1;
    }
    Placement best;
    best.height = INT64_MAX;
    for (Order order : {Order::Size, Order::TotalWidth, Order::Breadth}) {
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
    if (best.height > goal && !best.offsets.empty()) {
      int64_t kept = control.reserve(control.nodesLeft() / 2);
      searchWindows(model, goal, control.seed(), control, best);
      control.release(kept);
    }
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
