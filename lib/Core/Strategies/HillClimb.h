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

/// Improves the order and the placement that first fit makes of it, until its
/// height is at most `goal`, for at most `replays` replays. `best` is lowered,
/// never raised. Returns the replays used.
int64_t improveOrder(const Model &model, std::vector<BufferIndex> order,
                     int64_t goal, int64_t replays, uint64_t seed,
                     SearchControl &control, Placement &best);

/// The `hill-climb` strategy: starts with the best greedy order.
void hillClimb(const Model &model, int64_t goal, Standing &standing,
               SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_HILLCLIMB_H
