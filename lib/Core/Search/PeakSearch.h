//===- PeakSearch.h - Search of the fullest sections first ---- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search of problems that are too large for complete search and for which no
// greedy order meets the goal. The height is decided where the load comes near
// its peak. Only a small part of the buffers is live there, mostly in several
// independent components:
//
//       goal - - - - - - - - - - - - - -
//                 _           __             the buffers of the fullest
//        level  _/#\_________/##\______      sections (#) are placed by
//             _/ ### \_   _ /####\_    \_    complete search, the others by
//            /          \_/        \_    \   greedy orders around them
//
// If the complete search proves that the buffers of the fullest sections have
// no plan within the goal, then the whole problem has none.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PEAKSEARCH_H
#define MEMPLAN_LIB_CORE_PEAKSEARCH_H

#include "Search/Minimize.h"

namespace memplan::detail {

/// Lowers `standing.best` towards `goal` (bytes, not below the bound) or raises
/// `standing.bound`; if it finds nothing, both stay. Takes the time of several
/// greedy orders and at most the nodes that `control` has left.
void searchPeaks(const Model &model, int64_t goal, Standing &standing,
                 SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PEAKSEARCH_H
