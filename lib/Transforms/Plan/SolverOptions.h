//===- SolverOptions.h - From pass options to the solver's ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Core/Solver.h"
#include "memplan/Transforms/OptionParsers.h"

#include <algorithm>
#include <utility>

namespace memplan {

/// A limit of 0 leaves the default of the solver. `exact` has none, and gets a
/// node limit: a compiler must not search forever.
inline SolveOptions makeSolveOptions(Strategy strategy, Effort effort,
                                     int64_t nodeLimit, int64_t timeLimitMs,
                                     uint64_t seed, unsigned threads,
                                     bool minimize = false) {
  constexpr int64_t kExactNodeLimit = 5'000'000;
  SolveOptions options;
  options.strategy = strategy;
  options.effort = effort;
  options.seed = seed;
  options.threads = threads;
  options.minimize = minimize;
  if (nodeLimit > 0)
    options.nodeLimit = nodeLimit;
  else if (strategy == Strategy::Exact)
    options.nodeLimit = kExactNodeLimit;
  if (timeLimitMs > 0)
    options.timeLimitMs = timeLimitMs;
  return options;
}

inline PlanningOptions makePlanningOptions(int64_t alignment,
                                           Capacities capacities,
                                           int64_t maxWorkers,
                                           int64_t parallelWorkers,
                                           int64_t maxParallelOps, bool inPlace,
                                           ArenaPlacement arena) {
  PlanningOptions options;
  options.alignment = alignment;
  options.capacities = std::move(capacities);
  options.maxWorkers = std::max(maxWorkers, parallelWorkers);
  options.maxParallelOps = maxParallelOps;
  options.inPlace = inPlace;
  options.iterationArenas =
      arena == ArenaPlacement::Alloc && !options.hasCapacity();
  return options;
}

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H
