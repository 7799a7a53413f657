//===- Plan.h - A solution of the problem -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_PLAN_H
#define MEMPLAN_CORE_PLAN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

enum class PlanStatus {
  /// The arena size is proven least: it equals a lower bound, or the search was
  /// exhausted.
  Optimal,
  /// A correct plan; a smaller one may exist.
  Feasible,
  /// Proven: no plan fits the capacity (or the pins contradict each other).
  Infeasible,
  /// A limit (nodes, time, or the strategy's own incompleteness against a
  /// capacity) ended the search. Offsets, when present, are a correct plan that
  /// may exceed the capacity.
  Limit,
  /// check() refused the problem; there are no offsets.
  Invalid,
};

/// The name used in every file and report: "optimal", "feasible", ...
std::string_view statusName(PlanStatus status);

struct Plan {
  /// Byte offset of each buffer, in the order of Problem::buffers; empty when
  /// no plan was found.
  std::vector<int64_t> offsets;
  /// Bytes: the highest end of any buffer.
  int64_t arenaSize = 0;
  /// Bytes: proven, no plan is smaller.
  int64_t lowerBound = 0;
  PlanStatus status = PlanStatus::Invalid;
  /// The strategy that produced the offsets (for `auto`, the winner).
  std::string strategy;
  /// What was done and why it stopped, or why the problem is invalid or
  /// infeasible; one line, lower case.
  std::string message;
  /// Search nodes (steps) spent; 0 for constructive strategies.
  int64_t nodes = 0;

  bool hasOffsets() const { return !offsets.empty(); }
};

} // namespace memplan

#endif // MEMPLAN_CORE_PLAN_H
