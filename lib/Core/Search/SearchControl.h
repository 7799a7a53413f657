//===- SearchControl.h - Budget, clock and threads of a solve - -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one solve shares among its searches: the node budget, the clock, the
// threads and the progress report.
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
  /// `stop`, which may be null, ends the search once it is true.
  SearchControl(const SolveOptions &options, int64_t defaultNodeLimit,
                const std::atomic<bool> *stop = nullptr);

  int64_t nodes() const { return spent; }
  int64_t nodesLeft() const { return limit - spent; }
  void spend(int64_t count) { spent += count; }
  /// Keeps `count` nodes back for later; returns how many that are. release()
  /// gives them back.
  int64_t reserve(int64_t count) {
    count = std::min(count, std::max<int64_t>(0, nodesLeft()));
    limit -= count;
    return count;
  }
  void release(int64_t count) { limit += count; }
  /// True if the caller of solve() said how much may be searched.
  bool isLimitGiven() const { return options.nodeLimit || options.timeLimitMs; }
  bool isExhausted() const { return spent >= limit || timeIsUp(); }
  bool timeIsUp() const { return end.isOver(); }
  const Deadline &deadline() const { return end; }
  /// What ended the search, for people.
  const char *limitName() const {
    return end.isStopped() ? "interruption"
           : end.isOver()  ? "time limit"
                           : "node limit";
  }

  uint64_t seed() const { return options.seed; }
  unsigned threads() const { return threadCount; }

  /// What the whole problem has reached, for the progress report.
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
