//===- WindowSearch.h - Threshold search in a window of ops -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threshold search: decides whether the ops at the positions [first, end) of an
// order can be ordered with a peak of at most a threshold. The search is depth
// first over the sets of ops that have run and visits each set once. An op that
// stays within the threshold and frees at least as many bytes as it allocates
// runs at once: any order that continues from the set is not worse if this op
// is moved to its front.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H
#define MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H

#include "Order/LiveModel.h"

#include <atomic>
#include <unordered_map>

namespace memplan::graph {

enum class Verdict { Found, None, Limit };

class WindowSearch {
public:
  WindowSearch(const LiveModel &model, const Schedule &order, size_t first,
               size_t end);

  /// Found: `order` has the window's ops in an order with a peak in the window
  /// of at most `threshold` bytes. None: there is no such order. Limit: `steps`
  /// was used up, or `*stop` is set. Executed and undone ops are subtracted
  /// from `steps`.
  Verdict search(int64_t threshold, int64_t &steps, Schedule &order,
                 const std::atomic<bool> *stop = nullptr);

private:
  struct LocalItem {
    int64_t bytes;
    uint32_t touches;
    /// Released in the window, after the last op that makes or uses it.
    bool isReleased;
  };

  void run(uint32_t op);
  void undo();
  /// The bytes live after the op less those live before it.
  int64_t growth(uint32_t op) const;
  /// The bytes live while the op runs if it is the next one.
  int64_t liveAt(uint32_t op) const;
  bool isKnownDead() const;
  void rememberDead();
  uint64_t hash() const;

  size_t count;
  Schedule windowOps;
  std::vector<LocalItem> items;
  Lists before, after, touched;
  std::vector<int64_t> made, scratch;
  std::vector<std::vector<Takeover>> takeovers;
  int64_t startLive = 0;

  int64_t live = 0;
  std::vector<uint32_t> left, waits, trail;
  std::vector<uint64_t> readyBits, doneBits;
  // Sets of ops from which no order stays within the threshold, by hash;
  // deadBits has their bits. Not all are kept in a long search.
  static constexpr size_t kMostDead = size_t(1) << 22;
  std::unordered_multimap<uint64_t, size_t> deadByHash;
  std::vector<uint64_t> deadBits;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H
