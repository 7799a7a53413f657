//===- Strategies.h - The constructive strategies ------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructive strategies. Each function places all buffers of the model.
// The header comment of its source file describes the method, its source, its
// complexity and its tie-breaks. If the pinned buffers do not clash with each
// other, the placement is correct. The capacity is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_STRATEGIES_H
#define MEMPLAN_LIB_CORE_STRATEGIES_H

#include "Model/Model.h"
#include "Strategies/Placer.h"
#include "memplan/Core/Solver.h"

#include <algorithm>
#include <vector>

namespace memplan::detail {

Placement naive(const Model &model);
Placement linearScan(const Model &model);
Placement greedyBySize(const Model &model);
Placement greedyByBreadth(const Model &model);
/// `limit` has the meaning that it has for placeInOrder.
Placement bestFit(const Model &model, int64_t limit = INT64_MAX);

/// True if the strategy goes on from a placement that it is given.
inline bool isSearch(Strategy strategy) {
  return strategy == Strategy::HillClimb || strategy == Strategy::Exact ||
         strategy == Strategy::Auto;
}

/// The order of greedyByBreadth.
std::vector<BufferIndex> breadthOrder(const Model &model);

/// The unpinned buffers in ascending order of the key that `keyOf` returns,
/// ties by index. O(n log n).
template <typename KeyFn>
std::vector<BufferIndex> orderBy(const Model &model, KeyFn keyOf) {
  using Key = decltype(keyOf(BufferIndex()));
  std::vector<std::pair<Key, BufferIndex>> keyed;
  keyed.reserve(model.size());
  for (BufferIndex b = 0; b < model.size(); ++b)
    if (!model.isPinned(b))
      keyed.emplace_back(keyOf(b), b);
  std::sort(keyed.begin(), keyed.end());
  std::vector<BufferIndex> order;
  order.reserve(keyed.size());
  for (const auto &[key, b] : keyed)
    order.push_back(b);
  return order;
}

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_STRATEGIES_H
