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
// buffers, stay small: seen over a long time, most bytes are taken. Insertion
// climbs from the leaves and stops where it changes nothing, which is soon
// above the nodes as long as the buffer's life: the depth of the tree matters
// little to buffers that live shortly.
//
// Where problems are large, it is the memory that takes the time: buffers come
// in any order, and the nodes near the leaves are in no cache. A node is one
// cache line with room for the few intervals that most nodes have, and whoever
// knows which buffer comes soon can have its nodes fetched ahead.
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

/// Sorted, disjoint, never touching.
class AddressSet {
public:
  void insert(AddressRange range);
  const std::vector<AddressRange> &ranges() const { return data; }
  Slice<AddressRange> slice() const {
    return {data.data(), data.data() + data.size()};
  }

private:
  std::vector<AddressRange> data;
};

/// Memory for arrays of intervals, in powers of two.
class RangePool {
public:
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

/// As AddressSet, with `own` intervals in place and more in a pool's array.
/// Zeroed memory is an empty set.
template <unsigned own> class PooledSet {
public:
  /// Returns whether any of the bytes is new.
  bool insert(AddressRange range, RangePool &pool);
  bool empty() const { return count == 0; }
  Slice<AddressRange> ranges() const {
    const AddressRange *data = isFar() ? far : near;
    return {data, data + count};
  }
  bool isFar() const { return log2 != 0; }
  const AddressRange *farRanges() const { return far; }

private:
  void grow(RangePool &pool);

  uint32_t count;
  /// Of the far array's size; 0 without one.
  uint32_t log2;
  union {
    AddressRange near[own];
    AddressRange *far;
  };
};

class AddressTree {
public:
  explicit AddressTree(uint32_t numSections);

  /// Marks the bytes as taken during the sections. At most O(log S) set
  /// insertions.
  void insert(Slice<SectionRange> sections, AddressRange bytes);

  /// Appends the O(log S) sets whose union is what is taken during the
  /// sections; empty ones are left out.
  void collect(Slice<SectionRange> sections,
               std::vector<Slice<AddressRange>> &sets) const;

  /// Fetches what insert and collect look at: first the nodes, and later, once
  /// these are there, what they refer to.
  void fetchNodes(Slice<SectionRange> sections) const;
  void fetchRanges(Slice<SectionRange> sections) const;

private:
  struct alignas(64) Node {
    PooledSet<2> any;
    /// Of inner nodes; a leaf's is its `any`.
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
  /// A bit a node: whether `full` holds anything. Most ancestors have nothing,
  /// and their nodes need not be looked at to know.
  std::vector<uint64_t> fullNodes;
  RangePool pool;
};

/// Finds free places in the union of some sets; keeps its scratch space.
class GapFinder {
public:
  std::vector<Slice<AddressRange>> sets;

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
