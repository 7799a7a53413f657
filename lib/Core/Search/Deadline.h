//===- Deadline.h - The end of a search ----------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SEARCH_DEADLINE_H
#define MEMPLAN_LIB_CORE_SEARCH_DEADLINE_H

#include "memplan/Core/Solver.h"

#include <atomic>
#include <chrono>
#include <optional>

namespace memplan::detail {

/// The end of a search: the time limit of the options, or the moment at which
/// the caller sets the stop flag. The clock starts at construction. A
/// default-constructed deadline never passes.
class Deadline {
public:
  Deadline() = default;
  /// `stop` may be null; otherwise it must outlive the deadline.
  Deadline(const SolveOptions &options, const std::atomic<bool> *stop)
      : stop(stop) {
    if (options.timeLimitMs)
      time = Clock::now() + std::chrono::milliseconds(*options.timeLimitMs);
  }

  bool isStopped() const {
    return stop && stop->load(std::memory_order_relaxed);
  }
  bool isOver() const { return isStopped() || (time && Clock::now() >= *time); }

private:
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool> *stop = nullptr;
  std::optional<Clock::time_point> time;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SEARCH_DEADLINE_H
