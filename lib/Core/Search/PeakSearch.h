//===- PeakSearch.h - The peaks first, the rest around them -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search of problems too large to search as a whole, where no order meets the
// goal. What decides is live where the load comes near its peak, a small part
// of the buffers, in stretches of time that mostly have nothing in common:
//
//       goal - - - - - - - - - - - - - -
//                 _           __             the buffers of the fullest
//        level  _/#\_________/##\______      sections (#) are placed by
//             _/ ### \_   _ /####\_    \_    complete search, the others by
//            /          \_/        \_    \   greedy orders around them
//
// A complete search of the fullest sections that ends without a plan proves
// that the goal is out of reach of the whole problem.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PEAKSEARCH_H
#define MEMPLAN_LIB_CORE_PEAKSEARCH_H

#include "Search/Minimize.h"

namespace memplan::detail {

/// Lowers `standing.best` towards `goal` (bytes, not below the bound), never
/// raises it, or raises the bound. Several greedy orders and what `control`
/// allows.
void searchPeaks(const Model &model, int64_t goal, Standing &standing,
                 SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PEAKSEARCH_H
