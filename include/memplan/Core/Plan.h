//===- Plan.h - Solutions of planning problems ------------------*- C++ -*-===//
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
  /// No plan has a smaller arena: the size equals a lower bound, or the search
  /// was exhausted.
  Optimal,
  /// The plan is correct; a smaller one may exist.
  Feasible,
  /// It is proven that no plan fits the capacity, or the pins contradict each
  /// other.
  Infeasible,
  /// No plan within the capacity was found before a limit on nodes or time, or
  /// the strategy cannot find every plan. Offsets, if present, are a correct
  /// plan apart from the capacity.
  Limit,
  /// check() rejected the problem, or verify() the plan; there are no offsets.
  Invalid,
};

/// The name used in every file and report: "optimal", "feasible", ...
std::string_view statusName(PlanStatus status);

struct Plan {
  /// Byte offset of each buffer, in the order of Problem::buffers; empty when
  /// no plan was found.
  std::vector<int64_t> offsets;
  /// In bytes: the highest end of any buffer.
  int64_t arenaSize = 0;
  /// In bytes: it is proven that no plan has a smaller arena.
  int64_t lowerBound = 0;
  PlanStatus status = PlanStatus::Invalid;
  /// The strategy that produced the offsets (for `auto`, the winner).
  std::string strategy;
  /// One line in lower case: how the search went and why it stopped, or why the
  /// problem is invalid or infeasible.
  std::string message;
  /// Search nodes (steps) spent; 0 for constructive strategies.
  int64_t nodes = 0;

  bool hasOffsets() const { return !offsets.empty(); }
};

} // namespace memplan

#endif // MEMPLAN_CORE_PLAN_H
