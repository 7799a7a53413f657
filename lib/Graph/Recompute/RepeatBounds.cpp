//===- RepeatBounds.cpp - Bounds by the needs of nodes --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute/Searches.h"

#include <algorithm>
#include <utility>

using namespace memplan::graph;

namespace {

/// With more nodes the loops take too long: nodes * items * users of an item.
constexpr size_t maxClosure = 4000;

} // namespace

// Consider the first run of a node, and an item that an earlier node makes and
// a later node (or the end) needs. Either the item is live at that run, or its
// maker runs again later.
RepeatBounds::RepeatBounds(const RepeatModel &model) {
  size_t n = model.nodes.size(), words = (n + 63) / 64;
  needs.resize(n);
  std::vector<uint64_t> earlier;
  auto isEarlier = [&](uint32_t node, uint32_t other) {
    return earlier[node * words + other / 64] >> (other % 64) & 1;
  };
  bool hasClosure = n <= maxClosure;
  if (hasClosure) {
    earlier.resize(n * words);
    for (uint32_t k = 0; k < n; ++k)
      for (uint32_t before : model.nodes[k].before) {
        for (size_t w = 0; w < words; ++w)
          earlier[k * words + w] |= earlier[before * words + w];
        earlier[k * words + before / 64] |= uint64_t(1) << before % 64;
      }
  }
  std::vector<std::vector<uint32_t>> users(model.items.size());
  int64_t held = 0, atEnd = 0, atStart = model.startOnly;
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t item : model.nodes[k].needs)
      users[item].push_back(k);
    // Memory that may reuse other memory is counted once.
    needs[k].bytes =
        model.nodes[k].scratch - model.nodes[k].otherTies -
        takenBytes(model.nodes[k].takeovers, [](uint32_t) { return true; });
  }
  // The items of one maker are adjacent, as it made them at one time.
  std::vector<uint32_t> lastMaker(n, RepeatModel::none);
  // By node: the last item that it needs or makes.
  std::vector<uint32_t> touchedBy(n, RepeatModel::none);
  for (uint32_t i = 0; i < model.items.size(); ++i) {
    const RepeatModel::Item &item = model.items[i];
    atEnd += item.isKept ? item.bytes : 0;
    if (item.maker == RepeatModel::none)
      atStart += item.isKept || !users[i].empty() ? item.bytes : 0;
    if (item.maker == RepeatModel::none && item.isKept) {
      held += item.bytes;
      continue;
    }
    auto touch = [&](uint32_t k) {
      if (std::exchange(touchedBy[k], i) != i)
        needs[k].bytes += item.bytes;
    };
    for (uint32_t user : users[i])
      touch(user);
    if (item.maker != RepeatModel::none)
      touch(item.maker);
    for (uint32_t k = 0; hasClosure && k < n; ++k) {
      if (touchedBy[k] == i ||
          (item.maker != RepeatModel::none && !isEarlier(k, item.maker)))
        continue;
      bool isUsedLater = item.isKept;
      for (uint32_t user : users[i])
        isUsedLater = isUsedLater || (user > k && isEarlier(user, k));
      if (!isUsedLater)
        continue;
      // An item that was written in place cannot be made again.
      bool isOnce = !item.mayBeMadeAgain || (item.writer != RepeatModel::none &&
                                             isEarlier(k, item.writer));
      // One more run of the maker makes all its items.
      if (!isOnce && lastMaker[k] == item.maker)
        needs[k].droppable.back().bytes += item.bytes;
      else if (!isOnce)
        needs[k].droppable.push_back(
            {item.bytes, model.nodes[item.maker].flops});
      else
        needs[k].bytes += item.bytes;
      if (!isOnce)
        lastMaker[k] = item.maker;
    }
  }
  for (uint32_t k = 0; k < n; ++k) {
    needs[k].bytes += held;
    std::sort(
        needs[k].droppable.begin(), needs[k].droppable.end(),
        [](const Droppable &a, const Droppable &b) {
          return static_cast<double>(a.bytes) * static_cast<double>(b.flops) >
                 static_cast<double>(b.bytes) * static_cast<double>(a.flops);
        });
    if (needs[k].bytes > peak) {
      peak = needs[k].bytes;
      node = k;
    }
  }
  if (std::max(atEnd, atStart) > peak) {
    peak = std::max(atEnd, atStart);
    node = RepeatModel::none;
  }
}

int64_t RepeatBounds::flopsWithin(int64_t budget) const {
  double bound = 0;
  for (const Need &need : needs) {
    int64_t live = need.bytes;
    for (const Droppable &item : need.droppable)
      live += item.bytes;
    double excess = static_cast<double>(live - budget), flops = 0;
    // A fractional knapsack: a choice of whole items is not cheaper.
    for (const Droppable &item : need.droppable) {
      if (excess <= 0)
        break;
      double bytes = static_cast<double>(item.bytes);
      flops += static_cast<double>(item.flops) * std::min(1.0, excess / bytes);
      excess -= bytes;
    }
    bound = std::max(bound, flops);
  }
  // Rounded down, with a margin for rounding errors.
  return static_cast<int64_t>(bound * (1 - 1e-9));
}
