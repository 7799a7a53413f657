//===- Plan.h - Solutions of planning problems ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_PLAN_H
#define MEMPLAN_CORE_PLAN_H

#include "memplan/Core/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

enum class PlanStatus {
  /// No plan has a smaller penalty, and none of this penalty a smaller arena:
  /// both equal a lower bound, or the search was exhausted.
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

/// The place of one buffer, or of several in place of each other: they have the
/// same size and begin at the same byte.
struct Place {
  /// In bytes: a constant place. Its size is constant, and it lies above places
  /// of constant offset and size only.
  std::optional<int64_t> offset;
  /// For other places, the least offset in bytes: the greatest end of the
  /// constant places that this one lies above.
  int64_t from = 0;
  /// For other places, those that it lies directly above, ascending and not
  /// constant. Its offset is the greatest of `from` and their ends, aligned.
  std::vector<unsigned> above;
  /// In bytes: the greatest one of its buffers.
  int64_t alignment = 1;
  /// Ascending.
  std::vector<BufferIndex> members;
};

/// Which place lies above which other, for buffers whose sizes are known only
/// when the program runs. Of any two buffers that must not share a byte, one is
/// reached from the other by `above`, whatever the sizes are.
struct PlaceOrder {
  /// The place of each buffer.
  std::vector<unsigned> placeOf;
  /// Each comes after all that it lies above.
  std::vector<Place> places;
};

/// What an order needs at one hint.
struct HintResult {
  /// One for each symbol.
  std::vector<int64_t> values;
  /// In bytes.
  int64_t arenaSize = 0;
  int64_t lowerBound = 0;
};

/// The offsets in a plan of a problem with formulas are those at the first
/// hint.
struct Plan {
  /// Byte offset of each buffer, in the order of Problem::buffers; empty when
  /// no plan was found.
  std::vector<int64_t> offsets;
  /// In bytes: the highest end of any buffer.
  int64_t arenaSize = 0;
  /// In bytes: it is proven that no plan of this or a smaller penalty has a
  /// smaller arena.
  int64_t lowerBound = 0;
  /// The sum of the weights of the soft conflicts that the offsets pay, and a
  /// sum that every plan within the capacity is proven to pay.
  int64_t penalty = 0;
  int64_t penaltyBound = 0;
  PlanStatus status = PlanStatus::Invalid;
  /// The strategy that produced the offsets (for `auto`, the winner).
  std::string strategy;
  /// One line in lower case: how the search went and why it stopped, or why the
  /// problem is invalid or infeasible.
  std::string message;
  /// Search nodes (steps) spent; 0 for constructive strategies.
  int64_t nodes = 0;
  /// Set if the problem has formulas and the plan has offsets.
  std::optional<PlaceOrder> order;
  /// One for each hint, if the plan has an order.
  std::vector<HintResult> atHints;

  bool hasOffsets() const { return !offsets.empty(); }
};

} // namespace memplan

#endif // MEMPLAN_CORE_PLAN_H
