//===- SolveCuts.h - Problems with cuts -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_STRATEGIES_SOLVECUTS_H
#define MEMPLAN_LIB_CORE_STRATEGIES_SOLVECUTS_H

#include "memplan/Core/Solver.h"

#include <functional>

namespace memplan::detail {

/// Solves a problem with cuts that check() accepts. `solve` solves problems
/// without. The arena is at most as large as if only pinned buffers were below
/// the last cut.
Plan solveCuts(
    const Problem &problem, const SolveOptions &options,
    const std::function<Plan(const Problem &, const SolveOptions &)> &solve);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_STRATEGIES_SOLVECUTS_H
