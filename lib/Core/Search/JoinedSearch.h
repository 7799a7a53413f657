//===- JoinedSearch.h - Search with joined buffers ------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tree search of a problem with fewer buffers. In a tight plan, a buffer that
// begins when another of the same size ends mostly has the same offset as the
// other. Buffers with the same live ranges may lie one on top of the other.
// Both kinds of pairs are joined into one buffer, in several rounds, until the
// problem has only a fraction of the buffers:
//
//      +-----+-----+      +-----------+      +-----------+
//      |  a  |  b  |      |    ab     |      |           |
//      +-----+-----+  ->  +-----------+  ->  |    abc    |
//      |     c     |      |     c     |      |           |
//      +-----------+      +-----------+      +-----------+
//
// A plan of the joined problem gives a plan of the original problem. The
// converse does not hold: if the joined problem has no plan, the original one
// may still have one. So later rounds also search variants in which a random
// part of the joins is left out.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_JOINEDSEARCH_H
#define MEMPLAN_LIB_CORE_JOINEDSEARCH_H

#include "Search/CapacitySearch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace memplan::detail {

/// A problem in which each buffer stands for one or several buffers of the
/// original problem.
struct JoinedProblem {
  /// The position of an original buffer.
  struct Member {
    /// The buffer of `problem` that contains it.
    BufferIndex joined;
    /// Bytes from the offset of `joined` to the offset of the original buffer.
    int64_t within;
  };
  Problem problem;
  /// By buffer of the original problem.
  std::vector<Member> members;

  /// The offsets of the original buffers, given the offsets of `problem`.
  std::vector<int64_t> expand(const std::vector<int64_t> &offsets) const;
};

/// Which of the possible joins are made.
struct JoinOptions {
  /// The probability of a join, in percent.
  unsigned percent = 100;
  uint64_t seed = 0;
};

/// Joins buffers until no join is left, in at most 64 rounds of O(n log n)
/// each. Pinned buffers, empty buffers and buffers with conflicts or permitted
/// overlaps are not joined.
JoinedProblem joinBuffers(const Model &model, JoinOptions options);

class JoinedSearch {
public:
  /// Requires a model that SearchSpace::fits; it must outlive the search.
  explicit JoinedSearch(const Model &model);

  /// True if the joins remove at least one buffer of ten, and at least one.
  bool isUseful() const { return useful; }
  /// True if the joined problem has at most half of the buffers.
  bool isSmall() const {
    return 2 * variants.front()->model.size() <= model.size();
  }

  /// Runs one search of at most 100 nodes and 2 per joined buffer. Returns
  /// Found or Limit.
  SearchOutcome probe(int64_t capacity, SearchControl &control);
  /// As CapacitySearch::runRound, but never returns Exhausted.
  SearchOutcome runRound(int64_t capacity, unsigned round,
                         SearchControl &control);

  /// After Found: an offset for every buffer of the model.
  const std::vector<int64_t> &offsets() const { return found; }

private:
  /// A joined problem and its search.
  struct Variant {
    Variant(const Model &model, JoinOptions options)
        : joined(joinBuffers(model, options)), model(joined.problem),
          search(this->model) {}
    JoinedProblem joined;
    Model model;
    CapacitySearch search;
    /// Bytes: the joined problem has no plan of this capacity.
    int64_t floor = -1;
  };
  SearchOutcome runVariant(Variant &variant, int64_t capacity, unsigned round,
                           SearchControl &control);
  SearchOutcome take(Variant &variant, SearchOutcome outcome, int64_t capacity);

  const Model &model;
  bool useful;
  /// The variant with all joins, and the random ones of the later rounds, built
  /// when first needed.
  std::vector<std::unique_ptr<Variant>> variants;
  std::vector<int64_t> found;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_JOINEDSEARCH_H
