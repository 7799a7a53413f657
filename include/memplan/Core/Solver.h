//===- Solver.h - Strategies and their entry point --------------*- C++ -*-===//
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
#include <string>
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

/// The number of search nodes that `auto` may spend if the greedy orders miss
/// the lower bound. Problems of more than 500 buffers get fewer, as each node
/// costs more there; above 4096 buffers the limit doubles, and a share that
/// grows with the number of buffers is added.
enum class Effort {
  Low,    ///< "low": 5000 search nodes, some 10 ms
  Normal, ///< "normal": 200000 search nodes, up to about a second
  High,   ///< "high": 2 * 10^7 search nodes, minutes
};

/// The state of a running solve: sizes in bytes, and the search nodes spent.
struct Progress {
  int64_t arenaSize;
  int64_t lowerBound;
  int64_t nodes;
};

struct SolveOptions {
  Strategy strategy = Strategy::Auto;
  Effort effort = Effort::Normal;
  /// Search nodes (tree search) or replays (hill climbing) after which the best
  /// plan so far is returned. If absent, the effort sets the limit of `auto`
  /// and `hill-climb`, and `exact` has none. The same limit gives the same plan
  /// on any machine.
  std::optional<int64_t> nodeLimit;
  /// Wall-clock limit in milliseconds; none by default. Plans that are found
  /// under a time limit depend on the machine and its load, so they are not
  /// reproducible.
  std::optional<int64_t> timeLimitMs;
  /// With a capacity: goes on from the first plan that fits to the least arena.
  /// Without one that is what every search does.
  bool minimize = false;
  /// The seed of the random restarts.
  uint64_t seed = 0;
  /// Threads that search at once; 0 means all cores. Without a time limit, the
  /// plan, its status and its node count do not depend on it.
  unsigned threads = 1;
  /// Called from time to time during the search, always by the thread that
  /// called solve.
  std::function<void(const Progress &)> progress;
};

/// The canonical name of the strategy, e.g. "greedy-by-size".
std::string_view strategyName(Strategy strategy);

/// The strategy of that name or alias, or std::nullopt.
std::optional<Strategy> parseStrategy(std::string_view name);

/// The name of the effort: "low", "normal" or "high".
std::string_view effortName(Effort effort);
/// The effort of that name, or std::nullopt.
std::optional<Effort> parseEffort(std::string_view name);

/// Every strategy, in the order of the enum.
const std::vector<Strategy> &allStrategies();

/// The names that parseStrategy and parseEffort accept, separated by ", ", for
/// messages.
std::string listStrategies();
std::string listEfforts();

/// Checks the problem, solves it, verifies the plan, and fills in the lower
/// bound and the status. A problem that check() rejects gives the status
/// Invalid. If verify() rejects the plan, the strategy has a defect; the status
/// is then Invalid as well, and a wrong plan is never returned. Deterministic.
Plan solve(const Problem &problem, const SolveOptions &options = {});

} // namespace memplan

#endif // MEMPLAN_CORE_SOLVER_H
