//===- ImproveOrder.cpp - Orders by threshold searches --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Orders.h"
#include "Order/WindowSearch.h"

#include <algorithm>

using namespace memplan::graph;

namespace {

/// Segments of more ops are searched in windows only.
constexpr size_t maxWholeSearch = 1500;
constexpr size_t windowSizes[] = {16, 32, 64, 128, 256};

struct Stretch {
  size_t first, end;
  int64_t peak = 0;
  /// Searches for a peak below this many bytes have reached their limit.
  int64_t tried = 0;
  bool isDone = false;
};

/// Cuts the order at ops that come before or after every other op in any order;
/// the ops between two such ops can be ordered separately.
std::vector<Stretch> findStretches(const LiveModel &model,
                                   const Schedule &order) {
  size_t n = order.size();
  std::vector<size_t> position(n);
  for (size_t k = 0; k < n; ++k)
    position[order[k]] = k;
  // All earlier ops must precede the op at p if each of them has a successor at
  // a position up to p.
  std::vector<bool> isCut(n, true);
  size_t reach = 0;
  for (size_t p = 0; p < n; ++p) {
    isCut[p] = reach <= p;
    size_t next = n;
    for (uint32_t other : model.after[order[p]])
      next = std::min(next, position[other]);
    reach = std::max(reach, next);
  }
  size_t back = n - 1;
  bool isOpen = false; // An op after p has no predecessor.
  for (size_t p = n; p-- > 0;) {
    isCut[p] = isCut[p] && !isOpen && back >= p;
    size_t last = 0;
    for (uint32_t other : model.before[order[p]])
      last = std::max(last, position[other]);
    isOpen |= model.before.size(order[p]) == 0;
    back = std::min(back, last);
  }
  std::vector<Stretch> stretches;
  size_t first = 0;
  for (size_t p = 1; p <= n; ++p)
    if (p == n || isCut[p]) {
      Stretch stretch;
      stretch.first = first;
      stretch.end = p;
      stretches.push_back(stretch);
      first = p;
    }
  return stretches;
}

/// Lowers the peak of one segment by searches in windows around it; returns
/// whether it did.
bool improveInWindows(const LiveModel &model, Schedule &order,
                      const Stretch &stretch, int64_t &steps) {
  std::vector<int64_t> live;
  model.peakOf(order, &live);
  size_t at = stretch.first;
  for (size_t k = stretch.first; k < stretch.end; ++k)
    if (live[k] > live[at])
      at = k;
  for (size_t size : windowSizes) {
    // Windows with the peak in the middle, near the start and near the end.
    for (size_t ahead : {size / 2, size / 8, size - size / 8}) {
      size_t first = at > stretch.first + ahead ? at - ahead : stretch.first;
      size_t end = std::min(stretch.end, first + size);
      int64_t share = std::min<int64_t>(steps, 4000);
      if (share <= 0)
        return false;
      int64_t used = share;
      WindowSearch search(model, order, first, end);
      Schedule found;
      Verdict verdict = search.search(live[at] - 1, used, found);
      steps -= share - used + 1;
      if (verdict == Verdict::Found) {
        std::copy(found.begin(), found.end(), order.begin() + first);
        return true;
      }
    }
    if (size >= stretch.end - stretch.first)
      break;
  }
  return false;
}

} // namespace

int64_t memplan::graph::improveOrder(const LiveModel &model, Schedule &order,
                                     int64_t &bound, int64_t steps,
                                     const std::atomic<bool> *stop) {
  int64_t given = steps;
  if (order.size() < 2)
    return 0;
  std::vector<Stretch> stretches = findStretches(model, order);
  auto findPeaks = [&] {
    std::vector<int64_t> live;
    model.peakOf(order, &live);
    for (Stretch &stretch : stretches)
      stretch.peak = *std::max_element(live.begin() + stretch.first,
                                       live.begin() + stretch.end);
  };
  findPeaks();
  while (steps > 0 && !(stop && *stop)) {
    auto top = std::max_element(
        stretches.begin(), stretches.end(),
        [](const Stretch &a, const Stretch &b) { return a.peak < b.peak; });
    if (top->peak <= bound || top->isDone)
      break;
    if (top->end - top->first <= maxWholeSearch && top->tried < top->peak) {
      int64_t low = std::max(bound, top->tried);
      int64_t threshold = low + (top->peak - 1 - low) / 2;
      int64_t share = std::max<int64_t>(std::min(steps, given / 8), 1);
      int64_t used = share;
      WindowSearch search(model, order, top->first, top->end);
      Schedule found;
      Verdict verdict = search.search(threshold, used, found, stop);
      steps -= share - used;
      switch (verdict) {
      case Verdict::Found:
        std::copy(found.begin(), found.end(), order.begin() + top->first);
        findPeaks();
        break;
      case Verdict::None:
        bound = threshold + 1;
        break;
      case Verdict::Limit:
        top->tried = threshold + 1;
        break;
      }
      continue;
    }
    if (!improveInWindows(model, order, *top, steps))
      top->isDone = true;
    else
      findPeaks();
  }
  return given - steps;
}
