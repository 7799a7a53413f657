//===- Places.h - The places of an order ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ORDER_PLACES_H
#define MEMPLAN_LIB_CORE_ORDER_PLACES_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <utility>

namespace memplan::detail {

/// The bytes or ranks [low, high) of a place. An empty one is not ordered.
struct Span {
  int64_t low, high;
};

/// The lower and the upper of two places.
using PlacePair = std::pair<unsigned, unsigned>;

/// True if the overlap permits the two buffers, which have equal sizes, to
/// begin at the same byte.
bool areOnePlace(const Problem &problem, const PermittedOverlap &overlap);

/// The buffers of a problem, with those in place of each other together.
struct Places {
  /// Buffers that `offsets` puts in place of each other, if their sizes are
  /// equal formulas, become one place.
  Places(const Problem &problem, const std::vector<int64_t> &offsets);

  /// For each place and each time at which it is live, the live ones directly
  /// below it, by their positions in `spans`; and the conflicts. Sorted. Places
  /// that `mayOverlap` may share bytes with others; two that do are no pair.
  std::vector<PlacePair> findPairs(const std::vector<Span> &spans,
                                   const std::vector<bool> &mayOverlap) const;

  /// The order by the positions. Constant places have the offsets of their
  /// buffers in `offsets`, or the least possible ones.
  PlaceOrder makeOrder(const Problem &problem, const std::vector<Span> &spans,
                       const std::vector<bool> &mayOverlap,
                       const std::vector<int64_t> *offsets) const;

  /// For each buffer.
  std::vector<unsigned> placeOf;
  /// For each place. The buffers are ascending.
  std::vector<std::vector<BufferIndex>> members;
  std::vector<LiveRanges> ranges;
  std::vector<int64_t> alignments;
  std::vector<PlacePair> conflicts;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_ORDER_PLACES_H
