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

#include "memplan/Core/Solver.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace memplan::detail {

class SearchControl {
public:
  using Clock = std::chrono::steady_clock;

  SearchControl(const SolveOptions &options, int64_t defaultNodeLimit);

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
  bool isExhausted() const { return spent >= limit || timeIsUp(); }
  bool timeIsUp() const { return deadline && Clock::now() >= *deadline; }
  const std::optional<Clock::time_point> &timeLimit() const { return deadline; }

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
  std::optional<Clock::time_point> deadline;
  unsigned threadCount;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SEARCHCONTROL_H
