//===- WindowSearch.h - Orders below a threshold ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threshold search: is there an order of the ops at the positions [first, end)
// of an order whose peak is at most a threshold? Depth first over sets of ops
// that have run, each set looked at once. An op that fits and frees at least
// what it allocates is run at once: whatever order follows from the set, the
// same order with that op in front is no worse.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H
#define MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H

#include "Order/LiveModel.h"

#include <unordered_map>

namespace memplan::graph {

enum class Verdict { Found, None, Limit };

class WindowSearch {
public:
  WindowSearch(const LiveModel &model, const Schedule &order, size_t first,
               size_t end);

  /// Found: `order` has the window's ops in an order whose peak in the window
  /// is at most `threshold`. None: there is no such order. Limit: `steps` was
  /// used up. Each executed or undone op takes steps, which are subtracted.
  Verdict search(int64_t threshold, int64_t &steps, Schedule &order);

private:
  struct LocalItem {
    int64_t bytes;
    uint32_t touches;
    /// Released in the window after the last of its ops that touches it.
    bool isReleased;
  };

  void run(uint32_t op);
  void undo();
  /// What is live more after the op than before it.
  int64_t growth(uint32_t op) const;
  /// What is live while the op runs, if it runs now.
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
  // Sets of ops from which no order fits, by hash; their bits one after
  // another.
  std::unordered_multimap<uint64_t, size_t> deadByHash;
  std::vector<uint64_t> deadBits;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_WINDOWSEARCH_H
