//===- SearchControl.h - Budget, clock and threads of a solve - -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the searches of one call of solve() share: the node budget,
// the deadline, the number of threads and the progress report. It is not
// synchronized: only the thread that called solve() may change it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SEARCHCONTROL_H
#define MEMPLAN_LIB_CORE_SEARCHCONTROL_H

#include "Search/Deadline.h"

#include <algorithm>
#include <cstdint>

namespace memplan::detail {

class SearchControl {
public:
  /// `options` must outlive the control. `defaultNodeLimit` applies if they
  /// give no node limit. `stop` may be null; the search ends once it is true.
  SearchControl(const SolveOptions &options, int64_t defaultNodeLimit,
                const std::atomic<bool> *stop = nullptr);

  /// The search nodes and hill-climb replays spent so far.
  int64_t nodes() const { return spent; }
  int64_t nodesLeft() const { return limit - spent; }
  void spend(int64_t count) { spent += count; }
  /// Takes `count` nodes off the budget, or fewer if fewer are left and none if
  /// it is negative, and returns their number. release() gives them back.
  int64_t reserve(int64_t count) {
    count = std::clamp<int64_t>(count, 0, std::max<int64_t>(0, nodesLeft()));
    limit -= count;
    return count;
  }
  void release(int64_t count) { limit += count; }
  /// True if the caller of solve() gave a node or time limit.
  bool isLimitGiven() const { return options.nodeLimit || options.timeLimitMs; }
  bool isExhausted() const { return spent >= limit || timeIsUp(); }
  bool timeIsUp() const { return end.isOver(); }
  const Deadline &deadline() const { return end; }
  /// The limit that ended the search, for messages.
  const char *limitName() const {
    return end.isStopped() ? "interruption"
           : end.isOver()  ? "time limit"
                           : "node limit";
  }

  uint64_t seed() const { return options.seed; }
  unsigned threads() const { return threadCount; }

  /// Reports the best arena and the lower bound of the whole problem, in bytes.
  void report(int64_t arenaSize, int64_t lowerBound) const {
    if (options.progress)
      options.progress({arenaSize, lowerBound, spent});
  }

private:
  const SolveOptions &options;
  int64_t limit;
  int64_t spent = 0;
  Deadline end;
  unsigned threadCount;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SEARCHCONTROL_H
