//===- DisjunctiveSearch.h - Search of all pairs ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complete search for the whole model, permitted overlaps included, at a fixed
// capacity. Slower than the tree search, which cannot prove anything about
// problems with permitted overlaps.
//
// Each pair of neighbours has a few ways to get along: one above the other, the
// other above the one, or their offsets' difference in a permitted range. Every
// way is a set of constraints of the form offset(b) >= align(offset(a) + w), so
// any choice of ways has a least solution, and if the choice has a plan within
// the capacity, then its least solution is one. The search computes the least
// solution of the ways chosen so far, picks two buffers that clash in it and
// tries each of their ways.
//
// Source: the disjunctive graph of job-shop scheduling (Roy and Sussmann,
// 1964), with addresses in the place of time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_DISJUNCTIVESEARCH_H
#define MEMPLAN_LIB_CORE_DISJUNCTIVESEARCH_H

#include "Search/SearchControl.h"
#include "Search/TreeSearch.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

class DisjunctiveSearch {
public:
  /// Whether the list of neighbouring pairs is small enough.
  static bool fits(const Model &model);
  explicit DisjunctiveSearch(const Model &model);

  /// Ends with Limit after `nodeLimit` branches or when the time is up.
  SearchOutcome run(int64_t capacity, int64_t nodeLimit,
                    const SearchControl &control);
  /// After Found: an offset for every buffer of the model.
  const std::vector<int64_t> &offsets() const { return offset; }
  int64_t nodes() const { return nodeCount; }

private:
  struct Pair {
    BufferIndex a, b;
  };
  /// offset(to) >= align(offset(from) + weight).
  struct Arc {
    BufferIndex to;
    int64_t weight;
  };
  struct Change {
    BufferIndex buffer;
    int64_t offset;
  };

  bool search();
  bool tryWay(BufferIndex a, BufferIndex b, int64_t atLeast,
              const int64_t *backAtLeast);
  bool raise(BufferIndex b, int64_t least);
  bool propagate();
  bool clash(const Pair &pair) const;
  bool sectionsFit();

  const Model &model;
  std::vector<Pair> pairs;
  /// By section: the buffers that take part in no permitted overlap.
  std::vector<std::vector<BufferIndex>> plainBySection;
  std::vector<std::vector<Arc>> arcs;
  std::vector<int64_t> offset;
  std::vector<Change> trail;
  std::vector<BufferIndex> queue;
  std::vector<Change> jobs;
  const SearchControl *control = nullptr;
  int64_t capacity = 0, nodeLimit = 0, nodeCount = 0, steps = 0;
  bool hitLimit = false;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_DISJUNCTIVESEARCH_H
