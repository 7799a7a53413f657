//===- Minimize.h - The least arena by complete search -------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a plan and a bound towards each other, by complete searches at fixed
// capacities: at the bound, where a search is often easier than with a little
// slack, just below the plan, and between. A plan found lowers the plan, an
// exhausted search raises the bound. Searches with buffers joined
// (JoinedSearch.h) go along and find plans, but prove nothing.
//
// Components (parts of the time line that share nothing) are searched on their
// own, in rounds with growing budgets, and only those that still stand above
// the bound of the whole.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_MINIMIZE_H
#define MEMPLAN_LIB_CORE_MINIMIZE_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// The best plan known and what is proven.
struct Standing {
  Placement best;
  /// Bytes: no plan is lower.
  int64_t bound = 0;
  /// Some part of the problem is too large for complete search.
  bool tooLarge = false;
};

/// Searches until best.height is at most `goal` or the bound, until the bound
/// exceeds `goal` (then no plan of `goal` bytes exists), or until the control
/// runs out. `standing.best` is a correct placement to begin with. A goal of -1
/// asks for the least arena.
void minimize(const Model &model, int64_t goal, Standing &standing,
              SearchControl &control);

/// One tree search a component, of a few nodes a buffer, at the goal (the bound
/// without one): where nothing needs to be undone it costs no more than a few
/// greedy orders.
void probe(const Model &model, int64_t goal, Standing &standing,
           SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MINIMIZE_H
