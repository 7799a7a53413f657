//===- QuadraticBestFit.cpp - Best fit as other planners have it ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuadraticBestFit.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace memplan;

Plan memplan::bench::quadraticBestFit(const Problem &problem) {
  const std::vector<Buffer> &buffers = problem.buffers;
  std::vector<size_t> order(buffers.size()), placed;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    int64_t startA = buffers[a].ranges.front().start;
    int64_t startB = buffers[b].ranges.front().start;
    if (startA != startB)
      return startA < startB;
    return buffers[a].size != buffers[b].size
               ? buffers[a].size > buffers[b].size
               : a < b;
  });
  Plan plan;
  plan.status = PlanStatus::Feasible;
  plan.offsets.assign(buffers.size(), 0);
  for (size_t b : order) {
    std::vector<size_t> live;
    for (size_t p : placed)
      if (rangesIntersect(buffers[b].ranges, buffers[p].ranges))
        live.push_back(p);
    std::sort(live.begin(), live.end(), [&](size_t x, size_t y) {
      return plan.offsets[x] < plan.offsets[y];
    });
    int64_t at = 0, best = -1, bestGap = INT64_MAX;
    for (size_t p : live) {
      int64_t gap = plan.offsets[p] - at;
      if (gap >= buffers[b].size && gap < bestGap) {
        best = at;
        bestGap = gap;
      }
      at = std::max(
          at, alignTo(plan.offsets[p] + buffers[p].size, buffers[b].alignment));
    }
    plan.offsets[b] = best >= 0 ? best : at;
    plan.arenaSize =
        std::max(plan.arenaSize, plan.offsets[b] + buffers[b].size);
    placed.push_back(b);
  }
  return plan;
}
