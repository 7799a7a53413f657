//===- Solver.h - Strategies and their one entry point ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_SOLVER_H
#define MEMPLAN_CORE_SOLVER_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace memplan {

/// The strategies, under the same names in every tool (strategyName).
enum class Strategy {
  Naive,           ///< "naive": no reuse, buffers one after another
  LinearScan,      ///< "linear-scan"
  GreedyBySize,    ///< "greedy-by-size", also "greedy"
  GreedyByBreadth, ///< "greedy-by-breadth"
  BestFit,         ///< "best-fit": by start time into the best gap
  Auto,            ///< "auto": the best of them, stops at the bound
};

struct SolveOptions {
  Strategy strategy = Strategy::Auto;
};

/// The canonical name of the strategy, e.g. "greedy-by-size".
std::string_view strategyName(Strategy strategy);

/// The strategy of that name (aliases included), or nothing.
std::optional<Strategy> parseStrategy(std::string_view name);

/// Every strategy, in the order of the enum.
const std::vector<Strategy> &allStrategies();

/// Checks the problem, solves it, verifies the plan, and fills in the lower
/// bound and the status. A problem that check() refuses gives status Invalid; a
/// plan that verify() refuses is a defect of the strategy and gives status
/// Invalid too, never a wrong plan. Deterministic.
Plan solve(const Problem &problem, const SolveOptions &options = {});

} // namespace memplan

#endif // MEMPLAN_CORE_SOLVER_H
