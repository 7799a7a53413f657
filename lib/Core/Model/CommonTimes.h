//===- CommonTimes.h - Times for buffers that never share -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that are live together share no byte, and a conflict says the same of
// two buffers that are not. So any set of buffers of which each two conflict or
// are live together may be given one more time at which all of them are live.
// Such times replace the conflicts, and join buffers with several live ranges
// that meet in pairs, at different times. The solver then sees in one section
// what it would have to find pair by pair: the bound counts the whole set, the
// tree search prunes by it, and equal buffers of the set are symmetric.
//
//   time   0 1 2 3 4 5 | 6     The three meet in pairs, so no two of them share
//   a      a a . . a a | a     a byte, and the arena has the bytes of all.
//   b      b b b b . . | b
//   c      . . c c c c | c
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_COMMONTIMES_H
#define MEMPLAN_LIB_CORE_COMMONTIMES_H

#include "memplan/Core/Problem.h"

#include <optional>

namespace memplan::detail {

/// A problem with the same correct plans and with common times behind all
/// others: for each conflict, for each section whose buffers other buffers meet
/// in pairs, and for the heaviest set that a short search finds. The sets are
/// maximal and grown from the largest buffers. Conflicts stay where there would
/// be too many times. Returns std::nullopt if the problem has neither conflicts
/// nor buffers with several live ranges, or too many buffers. Requires a
/// problem that check() accepts. Quadratic in the number of buffers, which is
/// limited.
std::optional<Problem> addCommonTimes(const Problem &problem);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_COMMONTIMES_H
