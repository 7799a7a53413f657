//===- SolverOptions.h - From pass options to the solver's ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Core/Solver.h"
#include "memplan/Transforms/OptionParsers.h"

#include <algorithm>
#include <utility>

namespace memplan {

/// `exact` has a node limit that depends on the effort: a compiler must not
/// search forever.
inline SolveOptions makeSolveOptions(Strategy strategy,
                                     Effort effort = Effort::Normal,
                                     bool minimize = false) {
  SolveOptions options;
  options.strategy = strategy;
  options.effort = effort;
  options.minimize = minimize;
  if (strategy == Strategy::Exact)
    options.nodeLimit = effort == Effort::Low      ? 100'000
                        : effort == Effort::Normal ? 5'000'000
                                                   : 100'000'000;
  return options;
}

/// `entryPoints` imply module scope.
inline PlanScope getScope(PlanScope scope,
                          llvm::ArrayRef<std::string> entryPoints) {
  return entryPoints.empty() ? scope : PlanScope::Module;
}

inline PlanningOptions
makePlanningOptions(int64_t alignment, Capacities capacities, unsigned workers,
                    bool inPlace, const ArenaPlaces &arena,
                    DynamicSizes dynamic, ResultPlacement results) {
  PlanningOptions options;
  options.alignment = alignment;
  options.capacities = std::move(capacities);
  options.maxWorkers = workers;
  options.inPlace = inPlace;
  options.atGreatestSizes = dynamic == DynamicSizes::Bounded;
  options.lendResults = results == ResultPlacement::Lend;
  options.iterationArenas = arena.placement == ArenaPlacement::Alloc &&
                            !options.capacities.isLimited();
  return options;
}

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEROPTIONS_H
