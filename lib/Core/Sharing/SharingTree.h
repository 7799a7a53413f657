//===- SharingTree.h - Complete search where sharing costs ------- -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound for the least penalty of a plan within a capacity.
//
// Of the plans with the least penalty take one with the least sum of offsets,
// and sort its buffers by (offset, rank), for any ranking. Then each buffer is
// at a spot (SharingModel.h) among the buffers that come earlier: otherwise it
// could move down and pay no more, as the later ones are not lower. So the
// search places the buffers in this order, as the tree search of plain problems
// does (TreeSearch.h), but each buffer has several spots, of which the higher
// ones cost less.
//
// A placement is given up if what it pays at least is not below the penalty of
// the best plan. This bound has two parts that count different pairs:
//
// - Each buffer that is not placed pays at least what its cheapest spot within
//   the capacity costs.
// - In a set of buffers of which each two are apart or have a soft conflict,
//   those that are not placed have too few bytes above their releases if their
//   sum exceeds what is there. A pair that shares bytes saves at most the
//   smaller of the two sizes, so the least price of the missing bytes is a
//   knapsack problem, of which the search takes the relaxation. A pair may be
//   in several sets. Each set uses up the part of the weight that its bound
//   rests on (the dual solution), and only the rest counts in the next set.
//
//      capacity --------+-----------------
//                       | missing          a + b + c exceed the bytes above the
//                 +-----+                  release; a and c may share min(a, c)
//                 |  c  |                  bytes for the weight of their pair
//           +-----+-----+
//           |  b  |
//      +----+-----+
//      | a  |
//      +----+------------ release
//
// If the buffers that are not placed fall into parts without rules between
// them, each part is searched alone, for the penalty that the others leave.
//
// Buffers with permitted overlaps are kept apart. A plan that is found is
// correct, but then the search proves nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SHARINGTREE_H
#define MEMPLAN_LIB_CORE_SHARINGTREE_H

#include "Search/SearchControl.h"
#include "Sharing/SharingModel.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

class SharingTree {
public:
  /// The most buffers of a model that is searched.
  static constexpr uint32_t bufferLimit = 512;
  /// `model` must have at most that many, and must outlive the search.
  explicit SharingTree(const SharingModel &model);

  /// Searches for a plan of at most `capacity` bytes that pays less than
  /// `budget`, and with `onlyFirst` ends at the first one. Otherwise it goes on
  /// to the least penalty. Returns true if the search came to an end, so that
  /// without a plan there is none.
  bool run(int64_t capacity, int64_t budget, bool onlyFirst, int64_t nodeLimit,
           SearchControl &control);

  /// What the plan found pays; -1 if none was found.
  int64_t penalty() const { return found; }
  /// By buffer.
  const std::vector<int64_t> &offsets() const { return solution; }
  /// What every plan of at most `capacity` bytes pays at least, without a
  /// search; INT64_MAX if there is no such plan.
  int64_t boundAt(int64_t capacity);

private:
  /// A pair of buffers with a soft conflict whose sharing saves bytes.
  struct Pair {
    BufferIndex a, b;
    int64_t weight, saved;
  };
  /// A set of buffers of which each two are apart or have a soft conflict.
  struct Group {
    std::vector<BufferIndex> buffers;
    std::vector<uint32_t> pairs;
  };
  struct Turn {
    int64_t offset;
    int64_t rank;
    bool operator<(const Turn &other) const {
      return offset != other.offset ? offset < other.offset : rank < other.rank;
    }
  };
  struct Candidate {
    Turn turn;
    BufferIndex buffer;
    int64_t cost;
  };

  void findGroups();
  void findTwins();
  void findJoint();
  bool start(int64_t limit);
  std::vector<Candidate> collect(const std::vector<BufferIndex> &part,
                                 Turn last, int64_t budget, int64_t least);
  int64_t search(const std::vector<BufferIndex> &part, Turn last,
                 int64_t budget);
  int64_t searchParts(const std::vector<BufferIndex> &buffers, Turn turn,
                      int64_t budget);
  std::vector<std::vector<BufferIndex>>
  split(const std::vector<BufferIndex> &buffers);
  int64_t bound(const std::vector<BufferIndex> &part, int64_t from,
                int64_t budget);
  int64_t releaseFor(BufferIndex b, int64_t slack) const;
  int64_t boundGroup(const Group &group);
  void place(BufferIndex b, int64_t offset);
  void remove(BufferIndex b, size_t trailSize);
  bool stopped();

  const SharingModel &model;
  SpotFinder finder;
  std::vector<BufferIndex> free;
  std::vector<int64_t> rank;
  /// By buffer: one with the same rules, size and alignment, which comes first,
  /// or UINT32_MAX.
  std::vector<BufferIndex> twin;
  /// By buffer: the first buffer of the set that pairs of all or none connect
  /// it with, or UINT32_MAX.
  std::vector<BufferIndex> joint;
  std::vector<Pair> pairs;
  std::vector<Group> groups;

  int64_t capacity = 0, nodeLimit = 0, nodeCount = 0, found = -1;
  int64_t pinnedPenalty = 0;
  bool onlyFirst = false, hitLimit = false;
  SearchControl *control = nullptr;
  std::vector<int64_t> offset, solution;
  /// By buffer that is not placed: its spots.
  std::vector<std::vector<Spot>> spots;
  /// The spots before each placement, to be restored.
  struct Undo {
    BufferIndex buffer;
    std::vector<Spot> spots;
  };
  std::vector<Undo> trail;
  /// Scratch: the rest of the weight of each pair, and for each buffer its last
  /// mark, its release and its least cost.
  std::vector<int64_t> left;
  std::vector<uint64_t> marked;
  uint64_t mark = 0;
  std::vector<int64_t> releaseOf, leastOf;
  /// The groups of the part.
  std::vector<uint32_t> near;
  struct Job {
    int64_t release, size;
    BufferIndex buffer;
  };
  std::vector<Job> jobs;
  struct Saving {
    int64_t weight, saved;
    uint32_t pair;
  };
  std::vector<Saving> savings;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SHARINGTREE_H
