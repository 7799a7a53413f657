//===- AddressTree.h - Taken bytes over time ------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records which bytes are taken during which sections. It is a segment tree
// over the sections; each node has two sets of address intervals:
//
//   full   the bytes of the buffers of whose live ranges the node is a maximal
//          part: it is inside the range, but its parent is not
//   any    the union of `full` over the node and its descendants
//
// The bytes taken during [2, 6) of the eight sections below are those of `any`
// at the nodes marked a, which make up the range, and of `full` at their
// ancestors, marked f. That is O(log S) sets for S sections. A search for a
// free offset leaps over their intervals in turn.
//
//                     f
//                 /       \                                               .
//              f             f
//            /   \         /   \                                          .
//           .     a       a     .
//          0 1   2 3     4 5   6 7
//
// Intervals that touch are merged. So the sets near the root stay small
// although they contain most buffers: over a long time, most bytes are taken.
// Insertion climbs from the leaves and stops when it changes nothing, which
// happens soon above the maximal parts of the live range. So the depth of the
// tree matters little for buffers with a short life.
//
// In large problems, cache misses dominate the running time: buffers come in
// any order, and the nodes near the leaves are not cached. A node is one cache
// line with room for the few intervals that most nodes have, and a caller that
// knows the next buffers can prefetch their nodes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ADDRESSTREE_H
#define MEMPLAN_LIB_CORE_ADDRESSTREE_H

#include "Model/BigMemory.h"
#include "Model/Model.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace memplan::detail {

/// Bytes [low, high).
struct AddressRange {
  int64_t low;
  int64_t high;
};

/// A set of bytes, as sorted intervals that neither overlap nor touch.
class AddressSet {
public:
  /// Adds the bytes, in time linear in the number of intervals.
  void insert(AddressRange range);
  const std::vector<AddressRange> &ranges() const { return data; }
  Slice<AddressRange> slice() const {
    return {data.data(), data.data() + data.size()};
  }

private:
  std::vector<AddressRange> data;
};

/// Allocates arrays of intervals, whose lengths are powers of two. The pool
/// owns all arrays and reuses those that are put back.
class RangePool {
public:
  /// An array of 2^log2 intervals with unspecified contents.
  AddressRange *get(unsigned log2);
  void put(AddressRange *ranges, unsigned log2) {
    free[log2].push_back(ranges);
  }

private:
  std::array<std::vector<AddressRange *>, 32> free;
  std::vector<std::unique_ptr<ZeroedArray<AddressRange>>> chunks;
  AddressRange *next = nullptr;
  size_t left = 0;
};

/// As AddressSet, but up to `own` intervals are in the object itself, and more
/// of them in an array of the pool. Zeroed memory is an empty set.
template <unsigned own> class PooledSet {
public:
  /// Adds the bytes. Returns false if the set has all of them already.
  bool insert(AddressRange range, RangePool &pool);
  bool empty() const { return count == 0; }
  Slice<AddressRange> ranges() const {
    const AddressRange *data = isFar() ? far : near;
    return {data, data + count};
  }
  /// True if the intervals are in an array of the pool.
  bool isFar() const { return log2 != 0; }
  const AddressRange *farRanges() const { return far; }

private:
  void grow(RangePool &pool);

  uint32_t count;
  /// The binary logarithm of the length of `far`, or 0 if `near` is used.
  uint32_t log2;
  union {
    AddressRange near[own];
    AddressRange *far;
  };
};

class AddressTree {
public:
  explicit AddressTree(uint32_t numSections);

  /// Marks the bytes as taken during the sections, with O(log S) insertions
  /// into sets for each range.
  void insert(Slice<SectionRange> sections, AddressRange bytes);

  /// Appends non-empty sets, O(log S) for each range, whose union is the bytes
  /// taken during the sections. They are valid until the next insertion.
  void collect(Slice<SectionRange> sections,
               std::vector<Slice<AddressRange>> &sets) const;

  /// Prefetch the memory that insert and collect access for the first of the
  /// ranges: fetchNodes the nodes, and fetchRanges, which reads the nodes,
  /// their arrays in the pool.
  void fetchNodes(Slice<SectionRange> sections) const;
  void fetchRanges(Slice<SectionRange> sections) const;

private:
  struct alignas(64) Node {
    PooledSet<2> any;
    /// Used only in inner nodes; in a leaf it would be equal to `any`.
    PooledSet<1> full;
  };

  void insert(SectionRange range, AddressRange bytes);
  void collect(SectionRange range,
               std::vector<Slice<AddressRange>> &sets) const;
  template <typename Fn>
  void forEachLowNode(Slice<SectionRange> sections, Fn fn) const;

  bool hasFull(uint32_t node) const {
    return fullNodes[node / 64] >> (node % 64) & 1;
  }

  uint32_t leaves;
  ZeroedArray<Node> nodes;
  /// A bit for each node: `full` is not empty. Thanks to it, collect does not
  /// access the many ancestors with an empty `full`.
  std::vector<uint64_t> fullNodes;
  RangePool pool;
};

/// Finds gaps in the union of sets of bytes. One object serves many queries, so
/// that it keeps its scratch memory.
class GapFinder {
public:
  /// The taken bytes; set before each query.
  std::vector<Slice<AddressRange>> sets;

  /// The lowest aligned offset at which `size` bytes are free.
  int64_t first(int64_t size, int64_t alignment);
  /// The lowest aligned offset in the narrowest gap that has room for `size`
  /// bytes there (the lowest one of equally narrow gaps); above all taken bytes
  /// if no gap has. Visits every gap, unless one fits exactly.
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
