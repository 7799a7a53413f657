//===- AddressTree.h - Taken bytes over time ------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes are taken during which sections: a segment tree over the sections
// whose nodes keep sets of address intervals, two a node:
//
//   full   the bytes of buffers that cover the node's sections altogether
//   any    the bytes of buffers that are live somewhere in them
//
// The bytes taken during [2, 6) of the eight sections below are those of `any`
// at the nodes marked a, which make up the range, and of `full` at their
// ancestors, marked f: O(log S) sets, and a free place is found by leaping over
// them in turn.
//
//                     f
//                 /       \                                               .
//              f             f
//            /   \         /   \                                          .
//           .     a       a     .
//          0 1   2 3     4 5   6 7
//
// Intervals that touch are merged, so the sets near the root, which see most
// buffers, stay small: seen over a long time, most bytes are taken.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ADDRESSTREE_H
#define MEMPLAN_LIB_CORE_ADDRESSTREE_H

#include "Model.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// Bytes [low, high).
struct AddressRange {
  int64_t low;
  int64_t high;
};

/// Sorted, disjoint, never touching.
class AddressSet {
public:
  void insert(AddressRange range);
  const std::vector<AddressRange> &ranges() const { return data; }

private:
  std::vector<AddressRange> data;
};

class AddressTree {
public:
  explicit AddressTree(uint32_t numSections);

  /// Marks the bytes as taken during the sections. O(log S) set insertions.
  void insert(Slice<SectionRange> sections, AddressRange bytes);

  /// Appends the O(log S) sets whose union is what is taken during the
  /// sections; empty ones are left out.
  void collect(Slice<SectionRange> sections,
               std::vector<const AddressSet *> &sets) const;

private:
  void insert(uint32_t node, SectionRange at, SectionRange range,
              AddressRange bytes);
  void collect(uint32_t node, SectionRange at, SectionRange range,
               std::vector<const AddressSet *> &sets) const;

  uint32_t leaves = 1;
  std::vector<AddressSet> any;
  /// Of inner nodes; a leaf's is its `any`.
  std::vector<AddressSet> full;
};

/// Finds free places in the union of some sets; keeps its scratch space.
class GapFinder {
public:
  std::vector<const AddressSet *> sets;

  /// The lowest aligned offset where `size` bytes are free.
  int64_t first(int64_t size, int64_t alignment);
  /// The lowest aligned offset in the narrowest gap that holds `size` bytes
  /// (the lowest of equals, the end of the arena when no gap does). Visits
  /// every gap.
  int64_t best(int64_t size, int64_t alignment);

private:
  void start();
  /// The lowest offset of the form alignTo(x) with x >= `at` at which `size`
  /// bytes are free.
  int64_t leap(int64_t at, int64_t size, int64_t alignment);

  struct Cursor {
    const AddressRange *next;
    const AddressRange *end;
  };
  std::vector<Cursor> cursors;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_ADDRESSTREE_H
