//===- JoinedSearch.h - Search with buffers joined ------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tree search of a problem with fewer buffers. Where a tight plan exists, a
// buffer that begins when another of its size ends mostly lies in the other's
// place, and buffers with the same live ranges may as well lie one on top of
// the other. Joined into one buffer each, again and again, they leave a problem
// of a fraction of the buffers:
//
//      +-----+-----+      +-----------+      +-----------+
//      |  a  |  b  |      |    ab     |      |           |
//      +-----+-----+  ->  +-----------+  ->  |    abc    |
//      |     c     |      |     c     |      |           |
//      +-----------+      +-----------+      +-----------+
//
// Pinwheels (Search/Pinwheels.h) are joined once nothing else can be: whole
// ones first, and then, as a guess, those of which a piece is missing. Searches
// with and without guesses take turns.
//
// A plan of the joined problem is a plan of the problem. The converse is wrong:
// that there is none proves nothing, and where nothing is found, searches that
// join fewer buffers follow, chosen at random.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_JOINEDSEARCH_H
#define MEMPLAN_LIB_CORE_JOINEDSEARCH_H

#include "Search/CapacitySearch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace memplan::detail {

/// A problem whose buffers stand for one or several of another.
struct JoinedProblem {
  /// Where a buffer of the other problem is.
  struct Member {
    BufferIndex joined;
    /// Bytes from the offset of the joined buffer to its own.
    int64_t within;
  };
  Problem problem;
  std::vector<Member> members;

  /// The plan of the other problem, given one of `problem`.
  std::vector<int64_t> expand(const std::vector<int64_t> &offsets) const;
};

/// What is joined of what can be.
struct JoinOptions {
  /// The chance of a join, of 100; and of a broken pinwheel, which is a guess.
  unsigned percent = 100, guessPercent = 100;
  uint64_t seed = 0;
};

/// Joins buffers until nothing is left to join. Pinned buffers and those with
/// conflicts or permitted overlaps stay alone. O(n log n) a round of joins, of
/// which there are at most 64.
JoinedProblem joinBuffers(const Model &model, JoinOptions options);

class JoinedSearch {
public:
  /// `model` must be one that SearchSpace::fits.
  explicit JoinedSearch(const Model &model);

  /// Whether enough is joined to be worth a search.
  bool isUseful() const { return useful; }
  /// Whether half of the buffers or fewer are left.
  bool isSmall() const {
    return 2 * variants.front()->model.size() <= model.size();
  }

  /// A single search of a few nodes a buffer. Found or Limit.
  SearchOutcome probe(int64_t capacity, SearchControl &control);
  /// Like CapacitySearch::runRound, but never Exhausted.
  SearchOutcome runRound(int64_t capacity, unsigned round,
                         SearchControl &control);

  /// After Found: an offset for every buffer of the model.
  const std::vector<int64_t> &offsets() const { return found; }

private:
  /// A choice of what is joined.
  struct Variant {
    Variant(const Model &model, JoinOptions options)
        : joined(joinBuffers(model, options)), model(joined.problem),
          search(this->model) {}
    JoinedProblem joined;
    Model model;
    CapacitySearch search;
    /// No plan of this many bytes.
    int64_t floor = -1;
  };
  SearchOutcome runVariant(Variant &variant, int64_t capacity, unsigned round,
                           SearchControl &control);
  SearchOutcome take(Variant &variant, SearchOutcome outcome, int64_t capacity);

  const Model &model;
  bool useful;
  /// Everything joined without guesses, then with them, then those of later
  /// rounds, as far as they are built.
  std::vector<std::unique_ptr<Variant>> variants;
  std::vector<int64_t> found;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_JOINEDSEARCH_H
