//===- TreeSearch.h - Complete search at a fixed capacity ----- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complete depth-first search for a plan within a fixed capacity.
//
// Source: the ideas of M. Moffitt, "MiniMalloc: A Lightweight Memory Allocator
// for Hardware-Accelerated Machine Learning", ASPLOS 2023 (canonical solutions,
// section inference, dominance, decomposition, hatless pruning), with a release
// date bound in the place of its section inference.
//
// If any plan fits, then one with the least sum of offsets does, in which no
// buffer can be moved down. Sort it by (offset, rank), for any ranking of the
// buffers: each buffer lies at exactly the lowest place above its neighbours
// that come earlier (its *release*), so the plan is rebuilt by placing buffers
// in that order, each at its release, and only such sequences are tried. Every
// rule below says that a partial sequence is no beginning of that plan:
//
// - Release dates. Of one section's unplaced buffers none starts below its
//   release nor below the last offset placed. Stacking them by release without
//   waste (1|r_j|Cmax) gives the least end the section can have.
// - Dominance. A place at or above the end that an unplaced buffer would have
// at
//   its release leaves that buffer room to move down.
// - Passed buffers. One that comes before the last placed (offset, rank) missed
//   its turn: a neighbour must still lift it, and if all are placed it is lost.
// - Symmetry. Of buffers alike in everything the lower index comes first.
//
// Backjumping. Every failure comes with a claim (E, U): the placed buffers E
// leave no room for the unplaced ones U above them, whatever happens elsewhere.
//
// - A section that overflows: U are its buffers that the bound counted, E the
//   buffers that their releases lie on. If the bound used the turn, every
//   member of U whose turn has passed adds the claim that refuted it.
// - A node without candidates left: start with the buffer u whose end at its
//   release is least, and add to E what each member of U lies on and the claim
//   that refuted it, until nothing changes. In a plan with the least sum of
//   offsets for E and U alone, the member of U that comes first lies at its
//   release, where it has been refuted, or so high that u could move down.
//
// When the placement just undone is not in E, the claim holds without it: the
// node has failed, and its other candidates need not be tried. Otherwise the
// claim, less that buffer, is why its turn has passed.
//
// Where no unplaced buffer crosses a boundary between sections, the two sides
// are searched on their own. Pins are obstacles that a release steps over.
// Conflicts make neighbours of buffers that are not live together. Permitted
// overlaps are not used: a plan found is right, but with any in the problem
// "exhausted" proves nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_TREESEARCH_H
#define MEMPLAN_LIB_CORE_TREESEARCH_H

#include "Model/Model.h"
#include "Search/Deadline.h"
#include "Strategies/AddressTree.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::detail {

enum class SearchOutcome { Found, Exhausted, Limit };

/// The static half, shared by any number of searches (and threads).
class SearchSpace {
public:
  /// Neighbour lists may be quadratic; `fits` says whether the model's are
  /// small enough to search.
  static bool fits(const Model &model);
  explicit SearchSpace(const Model &model);

  const Model &model;
  /// The unpinned, non-empty buffers in the order of their first section. An
  /// item is an index of this list.
  std::vector<BufferIndex> buffers;
  std::vector<int64_t> size, align;
  /// Sections from the first to the last that the item, or one that it
  /// conflicts with, is live in.
  std::vector<SectionRange> hull;
  std::vector<uint32_t> neighbourBegin, neighbourData;
  /// The smallest size among the item's neighbours, -1 without any.
  std::vector<int64_t> leastNeighbour;
  /// The item alike in everything with the next lower index, or UINT32_MAX.
  std::vector<uint32_t> twin;
  std::vector<uint32_t> sectionBegin, sectionItems;
  /// Pinned bytes by section, and around each item (only when there are pins).
  std::vector<AddressSet> sectionPins, itemPins;

  Slice<uint32_t> neighbours(uint32_t item) const {
    return {neighbourData.data() + neighbourBegin[item],
            neighbourData.data() + neighbourBegin[item + 1]};
  }
  Slice<uint32_t> itemsOf(uint32_t section) const {
    return {sectionItems.data() + sectionBegin[section],
            sectionItems.data() + sectionBegin[section + 1]};
  }
  /// The lowest aligned place at or above `at` that no pin obstructs.
  int64_t stepOverPins(uint32_t item, int64_t at) const;

private:
  void sortNeighbours();
  void findTwins();
  void buildPins();
};

class TreeSearch {
public:
  explicit TreeSearch(const SearchSpace &space, Deadline deadline = Deadline());

  /// Searches for a plan of at most `capacity` bytes. `ranking` holds one
  /// distinct number an item. Ends with Limit after `nodeLimit` placements or
  /// when `cancel` becomes true or the deadline has passed.
  SearchOutcome run(int64_t capacity, const std::vector<uint32_t> &ranking,
                    int64_t nodeLimit, const std::atomic<bool> &cancel);

  /// After Found: an offset for every buffer of the model.
  std::vector<int64_t> offsets() const;
  int64_t nodes() const { return nodeCount; }
  /// By item: how often the last run failed for want of a place for it.
  const std::vector<uint32_t> &failures() const { return failed; }

private:
  /// A point of the canonical order.
  struct Turn {
    int64_t offset;
    int64_t rank;
    bool operator<(const Turn &other) const {
      return offset != other.offset ? offset < other.offset : rank < other.rank;
    }
  };
  struct Undo {
    uint32_t item;
    int64_t release;
    uint32_t raiser;
    uint32_t reason;
  };
  static constexpr uint32_t none = UINT32_MAX;

  /// When an unplaced item would be placed at its release.
  Turn turnOf(uint32_t item) const { return {release[item], (*rank)[item]}; }
  /// Of the items of a part: the one whose end at its release is least, the
  /// first turn and the greatest release.
  struct Outlook {
    uint32_t dominant = none;
    Turn first{INT64_MAX, 0};
    int64_t latest = 0;
  };
  bool search(size_t partBegin, size_t partEnd, Turn last);
  bool searchAfter(size_t partBegin, size_t partEnd, uint32_t item, Turn turn,
                   int64_t latest);
  bool searchParts(size_t begin, size_t end, Turn turn);
  Outlook collect(size_t partBegin, size_t partEnd, Turn last);
  bool place(uint32_t item, Turn turn, int64_t latest);
  void undo(size_t mark, size_t count);
  void takeOut(uint32_t item);
  void putBack(size_t count);
  bool sectionsFit(SectionRange sections, Turn turn,
                   int64_t latest = INT64_MAX);
  bool passedFit(size_t partBegin, size_t partEnd, Turn turn);
  bool sectionFits(uint32_t section, Turn turn);
  enum class Glance { Fits, Overflows, Unclear };
  Glance glance(const uint32_t *items, const uint32_t *itemsEnd,
                Turn turn) const;
  bool listJobs(const uint32_t *items, const uint32_t *itemsEnd,
                uint32_t section, Turn turn);
  bool stopped() const;

  bool sortJobs();
  void keepOrder(uint32_t *items);
  int64_t liftedRelease(uint32_t item, Turn turn);
  void blame();
  void blameAlone(uint32_t item);
  void claimItem(uint32_t item);
  void closeClaim();
  void keepReason(uint32_t item);

  const SearchSpace &space;
  Deadline deadline;
  int64_t capacity = 0;
  const std::vector<uint32_t> *rank = nullptr;
  const std::atomic<bool> *cancel = nullptr;
  int64_t nodeLimit = 0, nodeCount = 0;
  bool hitLimit = false;
  std::vector<uint32_t> failed;
  std::vector<int64_t> release;
  /// The placed item that the release lies on.
  std::vector<uint32_t> raiser;
  /// Where in `reasons` it says why the item cannot be placed at its release,
  /// or `none` while its turn has not passed.
  std::vector<uint32_t> reason;
  std::vector<char> placed;
  std::vector<Undo> trail;
  /// Stacks that the recursion shares: the items of each part still unplaced,
  /// in the order of their first section, and the candidates of each node.
  std::vector<uint32_t> parts;
  std::vector<uint32_t> candidates;

  /// A claim is two bit sets of items, placed and unplaced: with the placed
  /// ones where they are, the unplaced ones do not fit above them.
  using Bits = std::vector<uint64_t>;
  size_t words = 0;
  Bits claimPlaced, claimUnplaced;
  std::vector<uint32_t> claimWork;
  /// A stack of claims, the two sets one behind the other.
  Bits reasons;

  struct Job {
    int64_t release;
    int64_t size;
    uint32_t item; ///< `none` for pinned bytes.
    bool usesTurn; ///< The release is due to the turn, not to a neighbour.
  };
  std::vector<Job> jobs;
  /// space.sectionItems: of each section first the unplaced items, in the order
  /// of its last check, and how many these are.
  std::vector<uint32_t> sectionItems, unplacedIn;
  /// The sizes of these, summed up.
  std::vector<int64_t> bytesIn;
  /// The placed items in the order of their placing, and where in the lists of
  /// their sections they were.
  std::vector<uint32_t> order, takenFrom;
  /// Sections that overflowed lately, tried first.
  std::array<uint32_t, 4> lastFailed;
  uint32_t nextFailed = 0;
  /// By section: the last pass of passedFit that saw it.
  std::vector<uint64_t> checked;
  uint64_t checkId = 0;
  /// By item: liftedRelease, and the check that asked for it.
  std::vector<int64_t> lifted;
  std::vector<uint64_t> liftTurn;
  uint64_t turnId = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_TREESEARCH_H
