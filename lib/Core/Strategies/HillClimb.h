//===- HillClimb.h - Local search over placement orders ------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_HILLCLIMB_H
#define MEMPLAN_LIB_CORE_HILLCLIMB_H

#include "Search/Minimize.h"
#include "Search/SearchControl.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// Changes the order, places it by first fit (a replay) and keeps improvements,
/// until the height is at most `goal` bytes, `replays` replays have run,
/// `patience` replays in a row have found nothing lower or the time is up.
/// Writes a placement to `best` only if it is lower. Returns the number of
/// replays; the caller has to spend them.
int64_t improveOrder(const Model &model, std::vector<BufferIndex> order,
                     int64_t goal, int64_t replays, int64_t patience,
                     uint64_t seed, SearchControl &control, Placement &best);

/// The `hill-climb` strategy: improves the best greedy order. Each replay is a
/// node of `control`. A goal of -1 minimises the arena.
void hillClimb(const Model &model, int64_t goal, Standing &standing,
               SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_HILLCLIMB_H
