//===- Minimize.h - The least arena by complete search -------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Closes the gap between a plan and a lower bound by complete searches at fixed
// capacities. If there is no goal, a round searches from the bound, where a
// search is often easier than with a little slack, to just below the plan, with
// three capacities between. A search that finds a plan lowers the arena, an
// exhausted search raises the bound. Searches with joined buffers
// (JoinedSearch.h) run at the same capacities; they find plans but prove
// nothing.
//
// Components (sets of buffers that have no common section or relation with the
// rest) are searched separately, in rounds with growing budgets. A round skips
// the components that are within the bound of the whole problem.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_MINIMIZE_H
#define MEMPLAN_LIB_CORE_MINIMIZE_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// The best placement so far and the proven bound.
struct Standing {
  Placement best;
  /// Bytes: no plan has a smaller arena.
  int64_t bound = 0;
  /// True if some component is too large for complete search.
  bool tooLarge = false;
};

/// Lowers `standing.best`, which must be a correct placement, and raises
/// `standing.bound`. Stops when the height is at most `goal` bytes or the
/// bound, when the bound exceeds `goal` (then no plan of `goal` bytes exists),
/// when `control` is exhausted, or when no search can run at a further
/// capacity. A goal of -1 asks for the least arena. Exponential in the worst
/// case.
void minimize(const Model &model, int64_t goal, Standing &standing,
              SearchControl &control);

/// Runs one short tree search for each component above `goal` and the bound,
/// at the larger one of the two. If it finds nothing, another one searches the
/// joined problem. Each has at most 100 nodes and 2 per buffer. A search that
/// never backtracks takes about as long as a few greedy orders.
void probe(const Model &model, int64_t goal, Standing &standing,
           SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MINIMIZE_H
