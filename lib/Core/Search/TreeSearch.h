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
// If any plan fits the capacity, then a plan with the least sum of offsets
// fits, too, and in this plan no buffer can move down. Sort its buffers by
// (offset, rank), for any ranking. Then each buffer lies at its *release*: the
// lowest aligned offset above all of its neighbours that come earlier. So the
// plan can be rebuilt by placing the buffers in this order, each at its
// release, and the search tries only such sequences. The *turn* of an unplaced
// buffer is its position in the order: the pair of its release and its rank.
// Every rule below rejects partial sequences that are not the beginning of such
// a plan:
//
// - Release dates. In each section, no unplaced buffer starts below its release
//   or below the last offset placed. If the section's unplaced buffers are
//   stacked in the order of these limits, each as low as its limit allows,
//   their end is the least possible one (1|r_j|Cmax). It must not exceed the
//   capacity.
// - Dominance. No buffer is placed at or above the end that another unplaced
//   buffer would have at its own release, because that buffer, which comes
//   later and at least as high, could then move down.
// - Passed buffers. A buffer whose turn is before the turn of the last buffer
//   placed cannot be placed at its release anymore. Some unplaced neighbour
//   must lift it, and if there is none, the sequence fails.
// - Symmetry. Among buffers with equal live ranges, sizes and alignments, and
//   without relations, the one with the lower index comes first.
//
// Backjumping. Every failure has a claim (E, U): while the placed buffers E
// keep their offsets, the unplaced buffers U do not fit above them, wherever
// the other buffers are.
//
// - A section overflows. U has the buffers that the bound counted, and E has
//   the placed buffers that their releases lie on. If the bound used the
//   current turn, then the claim for each member of U whose turn has passed is
//   added.
// - A node has no candidate left. U starts with the buffer u whose end at its
//   release is least. For each member of U, the buffer that its release lies on
//   is added to E, and the claim for its passed turn to both sets, until
//   nothing changes. Proof: in a plan with the least sum of offsets for E and U
//   alone, the first member of U lies either at its release, where a claim
//   excludes it, or so high that u could move down.
//
// If the buffer whose placement was just undone is not in E, the claim holds
// without it. Then the node has failed and its other candidates are skipped.
// Otherwise the claim without that buffer is the reason for its passed turn.
//
// If no unplaced buffer crosses a boundary between sections, the two sides are
// searched separately. Pins are obstacles that a release steps over. A conflict
// makes two buffers neighbours even if they are never live together. Permitted
// overlaps are not used: a plan found is correct, but in a problem with
// permitted overlaps "exhausted" proves nothing.
//
// Complexity: exponential in the number of buffers in the worst case. A node
// takes time linear in the unplaced buffers of its part, the neighbours of the
// buffer placed and the contents of the sections that have to be checked.
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

enum class SearchOutcome {
  Found,     ///< There is a plan.
  Exhausted, ///< The search space has no plan of this capacity.
  Limit      ///< Stopped by a limit before either was known.
};

/// The immutable data of a tree search, which several searches, also in
/// different threads, can share.
class SearchSpace {
public:
  /// True if at most 4096 buffers are not pinned, and the neighbour and section
  /// lists, which may be quadratic in the number of buffers, have at most 2^26
  /// entries together (estimated without conflicts).
  static bool fits(const Model &model);
  /// `model` must outlive the space. Takes time and memory in proportion to the
  /// lists.
  explicit SearchSpace(const Model &model);

  const Model &model;
  /// The unpinned, non-empty buffers by the first section of their hulls. An
  /// *item* is an index into this list.
  std::vector<BufferIndex> buffers;
  /// By item, in bytes.
  std::vector<int64_t> size, align;
  /// By item: the sections from the first to the last in which the item or a
  /// buffer with a relation to it is live.
  std::vector<SectionRange> hull;
  std::vector<uint32_t> neighbourBegin, neighbourData;
  /// By item: the smallest size among its neighbours in bytes, or -1.
  std::vector<int64_t> leastNeighbour;
  /// By item: among the items with equal live ranges, size and alignment, and
  /// without relations, the next one with a lower index, or UINT32_MAX.
  std::vector<uint32_t> twin;
  std::vector<uint32_t> sectionBegin, sectionItems;
  /// The bytes of the pinned buffers that are live in a section, by section,
  /// and of the pinned neighbours of an item, by item. Both are empty without
  /// pins.
  std::vector<AddressSet> sectionPins, itemPins;

  Slice<uint32_t> neighbours(uint32_t item) const {
    return {neighbourData.data() + neighbourBegin[item],
            neighbourData.data() + neighbourBegin[item + 1]};
  }
  Slice<uint32_t> itemsOf(uint32_t section) const {
    return {sectionItems.data() + sectionBegin[section],
            sectionItems.data() + sectionBegin[section + 1]};
  }
  /// The lowest aligned offset at or above `at` at which the item overlaps no
  /// pinned neighbour.
  int64_t stepOverPins(uint32_t item, int64_t at) const;

private:
  void sortNeighbours();
  void findTwins();
  void buildPins();
};

class TreeSearch {
public:
  explicit TreeSearch(const SearchSpace &space, Deadline deadline = Deadline());

  /// Searches for a plan of at most `capacity` bytes. `ranking` has a distinct
  /// number for each item. A node is one placement of an item. Returns Limit
  /// after `nodeLimit` nodes, or once `cancel` is true or the deadline passed.
  SearchOutcome run(int64_t capacity, const std::vector<uint32_t> &ranking,
                    int64_t nodeLimit, const std::atomic<bool> &cancel);

  /// After Found: an offset for every buffer of the model.
  std::vector<int64_t> offsets() const;
  /// The nodes of the last run.
  int64_t nodes() const { return nodeCount; }
  /// By item: in how many failures of the last run the item itself, or a set of
  /// items of one section that it belongs to, did not fit.
  const std::vector<uint32_t> &failures() const { return failed; }

private:
  /// A position in the order of placements.
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

  /// The turn of an unplaced item.
  Turn turnOf(uint32_t item) const { return {release[item], (*rank)[item]}; }
  /// Facts about the items of a part.
  struct Outlook {
    /// The item whose end at its release is least.
    uint32_t dominant = none;
    /// The earliest turn.
    Turn first{INT64_MAX, 0};
    /// The greatest release.
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
  /// By item: the placed item that its release lies on, or `none`.
  std::vector<uint32_t> raiser;
  /// By item: the index in `reasons` of the claim for which it cannot be placed
  /// at its release, or `none` if the search has not excluded that.
  std::vector<uint32_t> reason;
  std::vector<char> placed;
  std::vector<Undo> trail;
  /// Stacks that the levels of the recursion share: the unplaced items of each
  /// part, by the first section of their hulls, and the candidates of each
  /// node.
  std::vector<uint32_t> parts;
  std::vector<uint32_t> candidates;

  /// The current claim: two bit sets of items, E (placed) and U (unplaced), of
  /// `words` words each.
  using Bits = std::vector<uint64_t>;
  size_t words = 0;
  Bits claimPlaced, claimUnplaced;
  /// The items of U for which closeClaim still has to add raiser and reason.
  std::vector<uint32_t> claimWork;
  /// A stack of claims; each has the words of E, then those of U.
  Bits reasons;

  /// An unplaced item or the pinned bytes in the bound of a section.
  struct Job {
    int64_t release;
    int64_t size;
    uint32_t item; ///< `none` for pinned bytes.
    bool usesTurn; ///< The turn determines the release, not a neighbour.
  };
  std::vector<Job> jobs;
  /// As space.sectionItems, but the list of each section begins with the
  /// unplaced items, in the order of the last check of the section; unplacedIn
  /// has their number.
  std::vector<uint32_t> sectionItems, unplacedIn;
  /// By section: the bytes of the unplaced items.
  std::vector<int64_t> bytesIn;
  /// The placed items in the order of placement, and their positions in the
  /// lists of their sections before.
  std::vector<uint32_t> order, takenFrom;
  /// The last sections that overflowed. They are checked first.
  std::array<uint32_t, 4> lastFailed;
  uint32_t nextFailed = 0;
  /// By section: the value of checkId when passedFit last checked it.
  std::vector<uint64_t> checked;
  uint64_t checkId = 0;
  /// By item: the result of liftedRelease, valid if liftTurn equals turnId, the
  /// number of the current check.
  std::vector<int64_t> lifted;
  std::vector<uint64_t> liftTurn;
  uint64_t turnId = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_TREESEARCH_H
