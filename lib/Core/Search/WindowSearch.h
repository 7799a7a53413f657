//===- WindowSearch.h - Tree search on a stretch of time ------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search where search of the whole is out of reach: only on the stretch of time
// in which the plan still exceeds the goal. What ends above the goal there, and
// what lives entirely in the stretch, is taken out and placed anew, by greedy
// orders, local search and tree search; everything else stays where it is, as
// pins.
//
//      goal - - - - - - -##- - - - -      #   ends above the goal: taken out
//           |      |  o o## o |           o   lives inside the window: taken
//           out | xxxxxxxxxxxxxxxx|xxx        x   reaches beyond it: stays
//                  |<- window>|
//
// A window without a plan grows to twice its length, until it holds more
// buffers than a search can take. Then the goal moves half the way back up.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_WINDOWSEARCH_H
#define MEMPLAN_LIB_CORE_WINDOWSEARCH_H

#include "Search/SearchControl.h"
#include "Strategies/Placer.h"

#include <cstdint>

namespace memplan::detail {

/// Lowers `best` towards `goal`, never raises it. Returns the number of windows
/// that were solved.
int64_t searchWindows(const Model &model, int64_t goal, uint64_t seed,
                      SearchControl &control, Placement &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_WINDOWSEARCH_H
