//===- Order.h - One plan for all sizes -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan orders every two buffers that are live together: one lies above the
// other. The order remains when the numbers of the plan are dropped. At other
// sizes, the offset of a buffer is the greatest end of the buffers that it lies
// above, and no two that are live together share a byte:
//
//   address
//        |  +----+            b2 lies above b0 and b1, and b1 above b0.
//        |  | b2 +            b0 is live with b2 but not directly below it, as
//        |  +--+-+----+       b1 is between them. So the pairs are
//        |     | b1   |       (b0, b1) and (b1, b2), one for each place at
//        |  +--+------+       which two buffers touch in the sweep over time.
//        |  |   b0    |
//        +-----------------t
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_ORDER_H
#define MEMPLAN_CORE_ORDER_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"

#include <atomic>

namespace memplan {

/// In bytes: the most that a size counts for, as values beyond it are errors.
constexpr int64_t kMostSymbolicBytes = int64_t(1) << 48;

/// The problem with constant sizes: its own at the values of the symbols (in
/// the order of Problem::symbols), between 0 and kMostSymbolicBytes.
/// std::nullopt if a size has no value there.
std::optional<Problem> evaluateAt(const Problem &problem,
                                  const std::vector<int64_t> &values);

/// The greatest value of each symbol; std::nullopt if one has none, or if a
/// size is too large to count there.
std::optional<std::vector<int64_t>> getGreatestSizes(const Problem &problem);

/// The sizes that a plan is made for: the hints of the problem and the greatest
/// sizes. Where the problem has no hints, all symbols small and all large, and
/// of up to four symbols each one large alone; large is the greatest value or
/// 1024, but no size is too large to count if that is possible.
std::vector<std::vector<int64_t>> getHints(const Problem &problem);

/// The order of a correct plan for the constant sizes of the problem, in which
/// no buffer with a formula has the size 0. Buffers in place whose sizes are
/// equal formulas become one place. A buffer of constant size above constant
/// ones keeps its offset.
///
/// Other overlaps that the plan makes use of are kept only between constant
/// places. The positions in Problem::overlaps of those that are not go to
/// `lost`; the order is not valid then. O(n log n).
PlaceOrder findOrder(const Problem &problem, const Plan &plan,
                     std::vector<size_t> *lost = nullptr);

/// The offsets of the buffers in bytes, if they have the sizes of `constant`
/// (the problem that evaluateAt returns).
std::vector<int64_t> computeOffsets(const Problem &constant,
                                    const PlaceOrder &order);
/// In bytes: the greatest end of a buffer.
int64_t getArenaSize(const Problem &constant,
                     const std::vector<int64_t> &offsets);

/// The same at these values of the symbols, for an order that may have any
/// numbers; std::nullopt if a size has no value or if an offset might overflow.
std::optional<int64_t> getArenaSizeAt(const Problem &problem,
                                      const std::vector<int64_t> &values,
                                      const PlaceOrder &order);

/// Verifies that the order places the buffers of the problem correctly whatever
/// the values of the symbols are, and trusts nothing in it. Shares no code with
/// findOrder. Returns at most `maxIssues` issues.
std::vector<Issue> verifyOrder(const Problem &problem, const PlaceOrder &order,
                               size_t maxIssues = 16);

/// The size of the arena; absent if its formula would be too complex.
MaybeFormula getArenaFormula(const Problem &problem, const PlaceOrder &order);
/// The most bytes that are live at once; absent if that would be too complex.
/// Of buffers that may overlap, one counts.
MaybeFormula getBoundFormula(const Problem &problem);

} // namespace memplan

#endif // MEMPLAN_CORE_ORDER_H
