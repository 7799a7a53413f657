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
#include <functional>
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
  HillClimb,       ///< "hill-climb": local search over placement orders
  Exact,           ///< "exact": proves the least arena, or says limit
  Auto,            ///< "auto": portfolio, stops at the bound
};

/// How much `auto` spends once the greedy orders have missed the bound; fewer
/// nodes for more than 500 buffers, where each costs more. Above 4096 buffers
/// twice as many, and a share that grows with the problem as the orders do.
enum class Effort {
  Low,    ///< "low": 5000 search nodes, some 10 ms
  Normal, ///< "normal": 200000 search nodes, up to about a second
  High,   ///< "high": 2 * 10^7 search nodes, minutes
};

/// Where a running solve stands.
struct Progress {
  int64_t arenaSize;
  int64_t lowerBound;
  int64_t nodes;
};

struct SolveOptions {
  Strategy strategy = Strategy::Auto;
  Effort effort = Effort::Normal;
  /// Search nodes (tree search) or replays (hill climbing) after which the best
  /// plan so far is returned. Absent: what the effort says for `auto` and
  /// `hill-climb`, no limit for `exact`. The same limit gives the same plan on
  /// any machine.
  std::optional<int64_t> nodeLimit;
  /// Wall-clock limit. Absent by default: plans found under it depend on the
  /// machine and its load and are not reproducible.
  std::optional<int64_t> timeLimitMs;
  /// Of the random restarts. Another seed is another search.
  uint64_t seed = 0;
  /// Threads that search at once; 0 means all cores. The plan, its status and
  /// its node count do not depend on it (a time limit aside).
  unsigned threads = 1;
  /// Called now and then while searching, always by the thread that called
  /// solve.
  std::function<void(const Progress &)> progress;
};

/// The canonical name of the strategy, e.g. "greedy-by-size".
std::string_view strategyName(Strategy strategy);

/// The strategy of that name (aliases included), or nothing.
std::optional<Strategy> parseStrategy(std::string_view name);

/// "low", "normal", "high", and back.
std::string_view effortName(Effort effort);
std::optional<Effort> parseEffort(std::string_view name);

/// Every strategy, in the order of the enum.
const std::vector<Strategy> &allStrategies();

/// Checks the problem, solves it, verifies the plan, and fills in the lower
/// bound and the status. A problem that check() refuses gives status Invalid; a
/// plan that verify() refuses is a defect of the strategy and gives status
/// Invalid too, never a wrong plan. Deterministic.
Plan solve(const Problem &problem, const SolveOptions &options = {});

} // namespace memplan

#endif // MEMPLAN_CORE_SOLVER_H
