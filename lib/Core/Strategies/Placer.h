//===- Placer.h - Places buffers one by one ------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts one buffer after another at a free offset; every greedy strategy is an
// order of the buffers and a fit rule on top of it.
//
// The offsets that a buffer may not take because of a placed neighbour at y are
// the open interval (y - size, y + neighbour size), less what a permitted
// overlap allows. Between the union of those intervals lie the windows of free
// offsets:
//
//      0        x0    x1          x2
//      |########|_____|###########|______...     # forbidden, _ free
//
// Fit::First takes the lowest aligned offset of any window, Fit::Best the
// lowest aligned offset of the narrowest window that has one (the window at the
// top is the last resort, among equally narrow ones the lowest).
//
// The taken bytes live in an AddressTree, which answers for all neighbours at
// once. Only a buffer with a permitted overlap to a placed one has to look at
// its neighbours one by one.
//
// Complexity, n buffers, S sections: O(log S) sets a buffer, each visited in
// time logarithmic in the holes leapt over (Fit::First) or linear in them
// (Fit::Best); with permitted overlaps O(neighbours log neighbours).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_PLACER_H
#define MEMPLAN_LIB_CORE_PLACER_H

#include "Model/Model.h"
#include "Model/Neighbours.h"
#include "Strategies/AddressTree.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace memplan::detail {

enum class Fit { First, Best };

class Placer {
public:
  /// Starts with the pinned buffers in place.
  explicit Placer(const Model &model);

  /// Places `b`, which is not yet placed, and returns its offset.
  int64_t place(BufferIndex b, Fit fit);
  /// Has the memory fetched that placing order[later] and order[soon] will
  /// need, if there are such buffers.
  void fetch(const std::vector<BufferIndex> &order, size_t later,
             size_t soon) const;
  /// Places `b` at an offset the caller answers for.
  void placeAt(BufferIndex b, int64_t offset);

  const std::vector<int64_t> &offsets() const { return offset; }
  /// Bytes: the highest end so far.
  int64_t height() const { return top; }

private:
  bool hasPlacedPartner(BufferIndex b) const;
  int64_t findAmongNeighbours(BufferIndex b, Fit fit);
  int64_t findInTree(BufferIndex b, Fit fit);
  void forbid(BufferIndex b, BufferIndex placed, const Relation *begin,
              const Relation *end);

  const Model &model;
  AddressTree tree;
  GapFinder gaps;
  /// -1 where not placed.
  std::vector<int64_t> offset;
  int64_t top = 0;
  /// Built when the first buffer needs it.
  std::optional<NeighbourIndex> neighbours;
  /// Scratch: closed intervals of forbidden offsets.
  std::vector<std::pair<int64_t, int64_t>> forbidden;
  std::vector<BufferIndex> around;
};

/// The plan that placing the unpinned buffers in this order gives. Given up,
/// with the greatest height and no offsets, once it reaches `limit` bytes.
struct Placement {
  std::vector<int64_t> offsets;
  int64_t height = 0;
};
Placement placeInOrder(const Model &model,
                       const std::vector<BufferIndex> &order, Fit fit,
                       int64_t limit = INT64_MAX);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_PLACER_H
