//===- WindowSearch.h - Search in a window of sections -------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search of problems that are too large to search as a whole. It searches only
// a window: a range of sections around a buffer that ends above the goal. The
// buffers that end above the goal in the window, and those that are live only
// inside it, are removed and placed again, by greedy orders, local search and
// tree search. All other buffers keep their offsets, as pins.
//
//      goal - - - - - - -##- - - - -    #  ends above the goal: removed
//           |      |  o o## o |         o  live only in the window: removed
//           |   xxxxxxxxxxxxxx|xxx      x  live outside, too: stays
//                  |<- window>|
//
// If a window has no plan, it grows to about twice its length, until it has
// more buffers than a search can handle. Then the goal moves up, to half the
// way to the height reached.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_WINDOWSEARCH_H
#define MEMPLAN_LIB_CORE_WINDOWSEARCH_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// Lowers `best`, a correct placement, towards `goal` bytes; if that fails,
/// `best` stays. Takes at most the nodes that `control` has left, or slightly
/// more for the last window. Returns the number of windows solved.
int64_t searchWindows(const Model &model, int64_t goal, uint64_t seed,
                      SearchControl &control, Placement &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_WINDOWSEARCH_H
