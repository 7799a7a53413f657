//===- Strategies.h - What the strategies share --------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function below solves the whole model; its file's header comment says
// how, from which source, at what cost and with which tie-breaks. All of them
// return a correct placement whenever the pins do not contradict each other;
// none looks at the capacity.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_STRATEGIES_H
#define MEMPLAN_LIB_CORE_STRATEGIES_H

#include "Model/Model.h"
#include "Strategies/Placer.h"

#include <algorithm>
#include <vector>

namespace memplan::detail {

Placement naive(const Model &model);
Placement linearScan(const Model &model);
Placement greedyBySize(const Model &model);
Placement greedyByBreadth(const Model &model);
/// `limit` as for placeInOrder.
Placement bestFit(const Model &model, int64_t limit = INT64_MAX);

/// The order of greedyByBreadth.
std::vector<BufferIndex> breadthOrder(const Model &model);

/// The unpinned buffers, sorted by the key that `keyOf` gives each (compared
/// with <), ties by index.
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
