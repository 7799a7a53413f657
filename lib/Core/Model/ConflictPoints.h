//===- ConflictPoints.h - Conflicts as times -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conflict says what a common live time says: two buffers share no byte. So
// any set of buffers of which each two conflict or are live together may be
// given one more time at which all of them are live. Such times replace the
// conflicts, and the solver then sees in one section what it would have to
// find pair by pair: the bound counts the whole set, the tree search prunes by
// it, and equal buffers of the set are symmetric.
//
//       a  b  c                 time
//       |     |      a and b    0 1 2 3 4
//       |     |      conflict:  a a . . a
//          |  |                 . . b . b
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_CONFLICTPOINTS_H
#define MEMPLAN_LIB_CORE_CONFLICTPOINTS_H

#include "memplan/Core/Problem.h"

#include <optional>

namespace memplan::detail {

/// A problem with the same correct plans, in which times behind all others
/// replace conflicts. The sets of buffers are maximal and grown from the
/// largest buffers; one of them is the heaviest set that a short search finds.
/// Conflicts stay where there would be too many such times. Returns
/// std::nullopt if the problem has no conflicts, or is so large that all would
/// stay. Requires a problem that check() accepts. Quadratic in the number of
/// buffers, which is limited.
std::optional<Problem> restateConflicts(const Problem &problem);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_CONFLICTPOINTS_H
