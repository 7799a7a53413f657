//===- DisjunctiveSearch.h - Search over pairs of buffers ----- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complete search at a fixed capacity for every feature of a problem, including
// permitted overlaps. It is slower than the tree search, but the tree search
// cannot prove that a problem with permitted overlaps has no plan.
//
// For each pair of neighbours there are a few alternatives: a above b, b above
// a, or the difference of their offsets in a permitted range. An alternative is
// a set of constraints of the form offset(b) >= align(offset(a) + w). So every
// choice of alternatives has a least solution, and if the choice has a plan
// within the capacity, then the least solution is such a plan. The search
// computes the least solution of the alternatives chosen so far, picks two
// buffers that clash in it and tries each alternative of that pair.
//
// Source: the disjunctive graph of job-shop scheduling (Roy and Sussmann,
// 1964), with offsets instead of times. Complexity: exponential in the number
// of pairs in the worst case.
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
  /// True if the model is small enough: at most 1024 buffers, and neighbour
  /// lists that SearchSpace accepts.
  static bool fits(const Model &model);
  /// Requires a model that fits; it must outlive the search.
  explicit DisjunctiveSearch(const Model &model);

  /// Searches for a plan of at most `capacity` bytes. Found and Exhausted are
  /// proofs; Limit means that `nodeLimit` nodes were visited or the time is up.
  /// A node is one alternative tried; `model.size() + 1` steps of propagation
  /// count as one more.
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
  /// By section: the live buffers that have no permitted overlap.
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
