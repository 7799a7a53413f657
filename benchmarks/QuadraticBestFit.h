//===- QuadraticBestFit.h - Best fit as other planners have it --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The named alternative of the benchmarks: the planner that most projects write
// first. By start time, each buffer collects every placed buffer that is live
// with it, sorts them by offset and takes the narrowest gap, in O(n^2 log n)
// and two dozen lines. It gives the same plans as the `best-fit` strategy up to
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
