//===- Verify.h - Checks of problems and plans ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_VERIFY_H
#define MEMPLAN_CORE_VERIFY_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <string>
#include <vector>

namespace memplan {

/// One thing wrong with a problem or a plan.
struct Issue {
  /// Lower case, no full stop, with the names and numbers involved, e.g.
  /// "buffers 'a' [0, 64) and 'b' [32, 96) share bytes [32, 64) while both are
  /// live at time 7".
  std::string message;
  /// The buffers concerned (none, one or two), for callers that have a source
  /// location for each.
  std::vector<BufferIndex> buffers;
};

/// Refuses what no strategy may be handed: negative sizes, alignments that are
/// not powers of two or exceed the arena's, unsorted, overlapping or empty
/// ranges, indices out of bounds, self-conflicts, minDelta > maxDelta, pins
/// that are negative or misaligned, a negative capacity, and sums of sizes that
/// overflow int64 with alignment padding. Returns at most `maxIssues` issues;
/// none means the problem is well formed. O(n log n).
std::vector<Issue> check(const Problem &problem, size_t maxIssues = 16);

/// Verifies the plan against the problem, trusting nothing in the plan: number
/// of offsets, offsets not negative and aligned, pins kept, every buffer inside
/// [0, arenaSize), arenaSize within the capacity (unless the status says
/// limit), no two buffers that are live at once or in conflict share a byte
/// unless a permitted overlap allows it, arenaSize >= lowerBound. Shares no
/// code with the strategies. O(n log n + k) for k buffers live at once, by a
/// sweep over time. Returns at most `maxIssues` issues.
std::vector<Issue> verify(const Problem &problem, const Plan &plan,
                          size_t maxIssues = 16);

} // namespace memplan

#endif // MEMPLAN_CORE_VERIFY_H
