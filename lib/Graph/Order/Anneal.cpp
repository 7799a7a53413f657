//===- Anneal.cpp - Orders by simulated annealing -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Orders.h"
#include "Order/Random.h"

#include <algorithm>
#include <cmath>

using namespace memplan::graph;

Schedule memplan::graph::annealOrder(const LiveModel &model,
                                     const Schedule &start, int64_t moves,
                                     uint64_t seed) {
  size_t n = start.size();
  Schedule current = start, best = start;
  std::vector<int64_t> live;
  int64_t startPeak = model.peakOf(start), bestPeak = startPeak;
  if (n < 2 || startPeak == 0)
    return best;
  // The peak plus a small weight for live bytes close to it: most moves do not
  // change the peak, but may prepare a move that does.
  auto energy = [&](int64_t &peak) {
    peak = model.peakOf(current, &live);
    double near = 0, level = 0.8 * static_cast<double>(startPeak);
    for (int64_t bytes : live)
      near += std::max(0.0, static_cast<double>(bytes) - level);
    return static_cast<double>(peak) + near / static_cast<double>(n);
  };
  std::vector<size_t> position(n);
  for (size_t k = 0; k < n; ++k)
    position[current[k]] = k;
  auto shift = [&](size_t from, size_t to) {
    auto at = current.begin();
    if (from < to)
      std::rotate(at + from, at + from + 1, at + to + 1);
    else
      std::rotate(at + to, at + from, at + from + 1);
    for (size_t k = std::min(from, to); k <= std::max(from, to); ++k)
      position[current[k]] = k;
  };
  int64_t peak;
  double value = energy(peak);
  Random random(seed);
  for (int64_t move = 0; move < moves; ++move) {
    double progress = static_cast<double>(move) / static_cast<double>(moves);
    double heat =
        0.02 * static_cast<double>(startPeak) * std::pow(1e-3, progress);
    size_t from = random.below(n), low = 0, high = n - 1;
    for (uint32_t other : model.before[current[from]])
      low = std::max(low, position[other] + 1);
    for (uint32_t other : model.after[current[from]])
      high = std::min(high, position[other] - 1);
    size_t to = low + random.below(high - low + 1);
    if (to == from)
      continue;
    shift(from, to);
    double next = energy(peak);
    if (next <= value || random.fraction() < std::exp((value - next) / heat)) {
      value = next;
      if (peak < bestPeak) {
        bestPeak = peak;
        best = current;
      }
    } else {
      shift(to, from);
    }
  }
  return best;
}
