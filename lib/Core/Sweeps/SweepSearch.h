//===- SweepSearch.h - Sweeps from the peaks outwards --------- -*- C++ -*-===//
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
//                    |  ends |               The buffers that are live at the
//          ........  |  soon +--+            peak form a stack without holes.
//        <- sweep    +--+-------+-----+      Its order decides where gaps
//                +------+ lives long  |      appear: on one side at the top,
//           +----+------+-------------+      on the other at the bottom. The
//           | began just now  |              two sides have nothing else in
//           +-----------------+  sweep ->    common.
//
// 1. The stack. If a buffer ends and the one next to it does not, its bytes
//    become a gap of their own. So buffers next to each other should begin
//    together and end together, above all in the sections with the least room.
//    For this, time is warped: the length of a section grows with the square or
//    the cube of its tightness. The order of the stack is a path through the
//    points (begin, end) of its buffers, which local search shortens.
// 2. Hill climbing on this order. Buffers of the stack change places, above all
//    those that have ended at the section in which a sweep finds no gap, until
//    both sweeps get far.
// 3. A sweep places the buffers in the order in which they begin, each at the
//    lower or the upper end of a gap, where it adds the least to the distances
//    between neighbours in warped time.
// 4. If no gap within the goal is large enough, the sweep goes back and repeats
//    its last steps with other weights, each time from a little further back.
//    Most of these weights reduce the influence of the time after the failure.
// 5. If a sweep fails far from its peak, the fullest section there becomes
//    another peak with its own sweeps. Between two peaks, the left one places
//    the buffers that begin up to the emptiest section, and the right one
//    sweeps around them. If it fails near its peak, the stack of that peak gets
//    a new order, and the buffers of the other peaks stay.
//
// Tries with other random numbers follow one another until the effort is spent.
// Each takes up to twice as long as the one before.
//
// The search proves nothing. It handles problems without pins, conflicts,
// permitted overlaps and buffers with several live ranges (Model::isPlain).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SWEEPSEARCH_H
#define MEMPLAN_LIB_CORE_SWEEPSEARCH_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// Lowers `best`, a correct placement, to at most `goal` bytes (not below the
/// bound) or leaves it unchanged, as it does if the model is not plain. May
/// spend all nodes that `control` has left. The tries depend on `seed`.
void sweepTo(const Model &model, int64_t goal, uint64_t seed,
             SearchControl &control, Placement &best);

/// As sweepTo. If the goal is not reached, tries up to five more goals, each
/// half the way from the highest goal missed to the height reached.
void sweepTowards(const Model &model, int64_t goal, uint64_t seed,
                  SearchControl &control, Placement &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SWEEPSEARCH_H
