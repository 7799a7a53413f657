//===- SharingClimb.h - Local search where sharing costs --------- -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy placement and local search for problems with soft conflicts, pairs of
// all or none or banks.
//
// A placement comes from an order and a habit for each buffer: a thrifty one
// takes its lowest spot, whatever that costs, and any other one the cheapest
// spot within the capacity. A change moves a buffer within the order or changes
// a habit; the buffers before the first change keep their offsets. It is kept
// if it is no worse than the current placement, or than the one some changes
// ago (late acceptance; Burke and Bykov, 2008).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SHARINGCLIMB_H
#define MEMPLAN_LIB_CORE_SHARINGCLIMB_H

#include "Search/SearchControl.h"
#include "Sharing/SharingModel.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace memplan::detail {

/// Offsets of all buffers, with what they pay and their greatest end.
struct SharingPlacement {
  std::vector<int64_t> offsets;
  int64_t penalty = 0;
  int64_t height = 0;

  /// Less is better: bytes above the capacity, then the penalty, then the
  /// arena.
  auto rankAt(int64_t capacity) const {
    return std::make_tuple(std::max<int64_t>(0, height - capacity), penalty,
                           height);
  }
};

/// Places the buffers in the given order, which has every buffer that is not
/// pinned and not empty, each at its cheapest spot within the capacity.
SharingPlacement placeSharing(const SharingModel &model,
                              const std::vector<BufferIndex> &order,
                              int64_t capacity);

/// Improves `best`, which placeSharing made of the order, until its penalty and
/// height are at the targets or `placements` buffers have been placed. Returns
/// the number of placements. Deterministic for a seed.
int64_t climbSharing(const SharingModel &model, std::vector<BufferIndex> order,
                     int64_t capacity, int64_t targetPenalty,
                     int64_t targetHeight, int64_t placements, uint64_t seed,
                     const SearchControl &control, SharingPlacement &best);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SHARINGCLIMB_H
