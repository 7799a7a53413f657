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
#include <string_view>
#include <vector>

namespace memplan {

/// One error of a problem or a plan.
struct Issue {
  /// Lower case, no full stop, with the names and numbers involved, e.g.
  /// "buffers 'a' [0, 64) and 'b' [32, 96) share bytes [32, 64) while both are
  /// live at time 7".
  std::string message;
  /// The buffers that the error is about (none, one or two); a caller may know
  /// a source location for each.
  std::vector<BufferIndex> buffers;
};

/// Checks the requirements of the strategies. Errors are negative sizes,
/// alignments that are not powers of two or exceed the arena's, ranges that are
/// missing, empty, overlapping or not sorted, times outside of [-2^62, 2^62],
/// indices out of bounds, self-conflicts, minDelta > maxDelta, pins that are
/// negative or misaligned, a negative capacity, more than 2^31 - 1 buffers,
/// formulas of unknown symbols, symbols or hints that are contradictory,
/// formulas together with soft conflicts, pairs of all or none or banks,
/// negative weights, soft conflicts of banks without a bank size, a bank size
/// that is less than a size or no multiple of an alignment, cuts that do not
/// ascend or are no multiples of the arena's alignment, cuts together with
/// banks or formulas, and sizes or
/// weights whose sum (of sizes, with padding for alignments and banks)
/// overflows int64. Returns at most `maxIssues` issues; none means that the
/// problem is well formed. Linear.
std::vector<Issue> check(const Problem &problem, size_t maxIssues = 16);

/// Verifies the plan against the problem and trusts nothing in the plan. The
/// number of offsets is right; offsets are not negative, aligned, and as
/// pinned; every buffer ends within arenaSize; arenaSize is at least lowerBound
/// and at most the capacity (unless the status is Limit); two buffers that are
/// live at once or in conflict share a byte only where a permitted overlap
/// allows it; pairs of all or none begin at the same byte or share none; no
/// buffer crosses the end of a bank or a cut; the penalty is right, and at
/// least its bound; the order is one that verifyOrder() accepts. A plan without
/// an order is right at the sizes that the buffers state, if their formulas
/// have other values elsewhere. Requires a problem that check() accepts. Shares
/// no code with the strategies. A sweep over time: O((n + k) log n) for k pairs
/// of buffers that share bytes while both are live. Returns at most `maxIssues`
/// issues.
std::vector<Issue> verify(const Problem &problem, const Plan &plan,
                          size_t maxIssues = 16);

/// The plan if it is none, or if verify() accepts it and it has an order where
/// sizes are formulas; otherwise an invalid one, with the message
/// "`blame`: the first issue".
Plan acceptVerified(const Problem &problem, Plan plan, std::string_view blame);

} // namespace memplan

#endif // MEMPLAN_CORE_VERIFY_H
