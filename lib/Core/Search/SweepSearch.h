//===- SweepSearch.h - From the peak outwards, by time ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search for a plan within a goal by two sweeps through time, away from the
// fullest section, for problems with many buffers at any time:
//
//        goal  - - - +-------+- - - - - -
//                    |  ends |               What is live at the peak is a
//          ........  |  soon +--+            stack without holes. Its order
//        <- sweep    +--+-------+-----+      decides where room comes free:
//                +------+ lives long  |      on one side at the top, on the
//           +----+------+-------------+      other at the bottom.
//           | began just now  |              The two sides share nothing else.
//           +-----------------+  sweep ->
//
// - Where a buffer ends and what lies next to it does not, room comes free in
//   pieces. So neighbours are to begin together and to end together, above
//   all in the sections that have least room: time is warped, a section counts
//   for the square or the cube of how tight it is. The order of the stack is a
//   path through points of the plane (begin, end), kept short by local search.
// - That order is climbed: buffers change places, above all those that are gone
//   where a sweep finds no gap, until both sweeps get far.
// - A sweep puts each buffer that begins at the lower or the upper end of a
// gap,
//   where it adds least to these distances.
// - Where no gap is left within the goal, the sweep goes back, each time a
//   little further, and comes again with other weights. Most of these care less
//   for what comes after the place where it failed.
// - Where that is far from the peak there is another peak, with sweeps of its
//   own. Between two peaks, those that begin before the emptiest section belong
//   to the one, the others to the other, which sweeps around them. Elsewhere
//   the stack is ordered anew, and all that other peaks have stays.
//
// Tries that take twice as long each time, with other random numbers, follow
// one another until the time is up: some are lucky.
//
// Proves nothing. Takes problems without pins, conflicts, permitted overlaps
// and buffers with several live ranges.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SWEEPSEARCH_H
#define MEMPLAN_LIB_CORE_SWEEPSEARCH_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// Lowers `best`, a correct placement, to `goal` bytes (not below the bound) or
/// leaves it. Takes what `control` has left; a step of a sweep looks at
/// whatever is live there.
void sweepTo(const Model &model, int64_t goal, SearchControl &control,
             Placement &best);

/// The same, and where the goal is out of reach, goals half the way up to what
/// has been reached.
void sweepTowards(const Model &model, int64_t goal, SearchControl &control,
                  Placement &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SWEEPSEARCH_H
