//===- QuadraticBestFit.h - Best fit as other planners have it --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The baseline of the benchmarks: the planner that most projects write first.
// In the order of start times, it collects for each buffer all placed buffers
// that are live together with it, sorts them by offset and takes the narrowest
// gap, in O(n^2 log n). Its plans are those of the strategy `best-fit` up to
// ties.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BENCHMARKS_QUADRATICBESTFIT_H
#define MEMPLAN_BENCHMARKS_QUADRATICBESTFIT_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

namespace memplan::bench {

/// For problems without pins, conflicts and overlaps.
Plan quadraticBestFit(const Problem &problem);

} // namespace memplan::bench

#endif // MEMPLAN_BENCHMARKS_QUADRATICBESTFIT_H
