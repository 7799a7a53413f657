//===- Placer.h - Places buffers one by one ------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places one buffer after another at a free offset. Every greedy strategy is an
// order of the buffers and a fit rule for this class.
//
// A placed neighbour at offset y forbids a buffer the offsets of the open
// interval (y - size, y + neighbour size), except for those that a permitted
// overlap allows. Outside the union of these intervals are the windows of free
// offsets:
//
//      0        x0    x1          x2
//      |########|_____|###########|______...     # forbidden, _ free
//
// Fit::First takes the lowest aligned offset of all windows. Fit::Best takes
// the lowest aligned offset of the narrowest window that has one, and of
// equally narrow windows the lowest; it takes the unbounded window at the top
// only if no other has an aligned offset.
//
// An AddressTree has the taken bytes, so that one query serves for all
// neighbours. If a buffer may overlap placed ones at a few offsets, each of
// them is tried, too: during the sections in which such a partner is live,
// ByteOwners tells who else has the bytes. Only in other cases of permitted
// overlaps (a range of offsets, many partners, many common sections, Fit::Best)
// the neighbours are visited one by one.
//
// Complexity for S sections: a buffer visits O(log S) sets, each in time
// logarithmic in the gaps leapt over (Fit::First) or linear in them
// (Fit::Best); visiting neighbours takes O(neighbours log neighbours). An order
// by start takes O(log n) for a buffer where StartOrder applies.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PLACER_H
#define MEMPLAN_LIB_CORE_PLACER_H

#include "Model/Model.h"
#include "Model/Neighbours.h"
#include "Strategies/AddressTree.h"
#include "Strategies/ByteOwners.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace memplan::detail {

enum class Fit { First, Best };

class Placer {
public:
  /// Places the pinned buffers. `model` must outlive the placer.
  explicit Placer(const Model &model);

  /// Places `b`, which must not be placed yet, and returns its offset. An empty
  /// buffer gets offset 0.
  int64_t place(BufferIndex b, Fit fit);
  /// Prefetches the memory for placing the buffers order[later] (the nodes of
  /// the tree) and order[soon] (the arrays that the nodes refer to). Ignores
  /// positions beyond the end of `order`.
  void fetch(const std::vector<BufferIndex> &order, size_t later,
             size_t soon) const;
  /// Places `b` at `offset`, without a check that this offset is free.
  void placeAt(BufferIndex b, int64_t offset);

  /// By buffer: the offset in bytes, or -1 if it is not placed.
  const std::vector<int64_t> &offsets() const { return offset; }
  /// The greatest end of a placed buffer, in bytes.
  int64_t height() const { return top; }

private:
  bool hasPlacedPartner(BufferIndex b) const;
  int64_t findAmongNeighbours(BufferIndex b, Fit fit);
  int64_t findInTree(BufferIndex b, Fit fit);
  std::optional<int64_t> findOverPartners(BufferIndex b);
  std::optional<bool> isFreeAt(BufferIndex b, int64_t at);
  std::optional<std::vector<uint32_t>>
  findSharedSections(BufferIndex b, const std::vector<BufferIndex> &partners);
  void forbid(BufferIndex b, BufferIndex placed, const Relation *begin,
              const Relation *end);

  const Model &model;
  AddressTree tree;
  GapFinder gaps;
  std::vector<int64_t> offset;
  int64_t top = 0;
  /// Each is built by the first buffer that needs it.
  std::optional<NeighbourIndex> neighbours;
  std::optional<ByteOwners> owners;
  /// Scratch: closed intervals of forbidden offsets.
  std::vector<std::pair<int64_t, int64_t>> forbidden;
  std::vector<BufferIndex> around;
};

/// Offsets of all buffers, by index, and their greatest end, both in bytes.
struct Placement {
  std::vector<int64_t> offsets;
  int64_t height = 0;
};

/// Replaces `best` by `other` if `best` has no offsets or is higher.
inline void takeBetter(Placement other, Placement &best) {
  if (best.offsets.empty() || other.height < best.height)
    best = std::move(other);
}

/// Places the unpinned buffers in the given order. Stops once the height is at
/// least `limit` bytes, and then returns no offsets and the height INT64_MAX.
Placement placeInOrder(const Model &model,
                       const std::vector<BufferIndex> &order, Fit fit,
                       int64_t limit = INT64_MAX);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PLACER_H
