//===- OrderBound.cpp - A lower bound of the peak of all orders -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Orders.h"

#include <algorithm>

using namespace memplan::graph;

namespace {

/// A set of ops for each op.
class OpSets {
public:
  explicit OpSets(size_t n) : words((n + 63) / 64), bits(words * n) {}
  void insert(size_t set, uint32_t op) {
    bits[set * words + op / 64] |= uint64_t(1) << (op % 64);
  }
  bool contains(size_t set, uint32_t op) const {
    return bits[set * words + op / 64] >> (op % 64) & 1;
  }
  void insertAll(size_t set, size_t other) {
    for (size_t w = 0; w < words; ++w)
      bits[set * words + w] |= bits[other * words + w];
  }

private:
  size_t words;
  std::vector<uint64_t> bits;
};

} // namespace

int64_t memplan::graph::orderBound(const LiveModel &model, size_t maxClosure) {
  size_t n = model.size();
  int64_t held = 0, end = 0;
  for (const LiveModel::Item &item : model.items)
    if (!item.isReleased) {
      end += item.bytes;
      held += item.maker == noOp ? item.bytes : 0;
    }
  auto isAlwaysThere = [&](const LiveModel::Item &item) {
    return !item.isReleased && item.maker == noOp;
  };
  std::vector<int64_t> need(n, held);
  for (OpId op = 0; op < n; ++op) {
    // Memory that may reuse other memory is counted once.
    need[op] += model.scratch[op] - model.otherTies[op] -
                takenBytes(model.takeovers[op], [](uint32_t) { return true; });
    for (uint32_t item : model.touched[op])
      if (!isAlwaysThere(model.items[item]))
        need[op] += model.items[item].bytes;
  }
  if (n <= maxClosure) {
    OpSets earlier(n);
    for (OpId op = 0; op < n; ++op)
      for (uint32_t before : model.before[op]) {
        earlier.insertAll(op, before);
        earlier.insert(op, before);
      }
    std::vector<bool> touches(n);
    for (uint32_t i = 0; i < model.items.size(); ++i) {
      const LiveModel::Item &item = model.items[i];
      if (isAlwaysThere(item))
        continue;
      for (uint32_t user : model.touchedBy[i])
        touches[user] = true;
      for (OpId op = item.maker == noOp ? 0 : item.maker + 1; op < n; ++op) {
        if (touches[op] ||
            (item.maker != noOp && !earlier.contains(op, item.maker)))
          continue;
        bool isUsedLater = !item.isReleased;
        for (uint32_t user : model.touchedBy[i])
          isUsedLater =
              isUsedLater || (user > op && earlier.contains(user, op));
        if (isUsedLater)
          need[op] += item.bytes;
      }
      for (uint32_t user : model.touchedBy[i])
        touches[user] = false;
    }
  }
  int64_t bound = std::max(model.startBytes, end);
  for (int64_t bytes : need)
    bound = std::max(bound, bytes);
  return bound;
}
