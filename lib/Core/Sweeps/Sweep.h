//===- Sweep.h - Placement of buffers in the order of time ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sweep of sweep search (SweepSearch.h). It starts with the buffers that
// are live at one time, and places the others in the order in which they begin
// (or, backwards in time, end), each at the lower or the upper end of a gap.
// If no gap is large enough, it goes back some steps and repeats them with
// other weights, each time from a little further back.
//
// Complexity: a step visits the gaps, not the live buffers. Buffers enter and
// leave a list of the live ones in O(1), and each step writes down which, so
// that going back takes as long as the steps did. Only while obstacles begin
// before a buffer ends, placing it visits all live buffers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SWEEP_H
#define MEMPLAN_LIB_CORE_SWEEP_H

#include "Search/SearchControl.h"
#include "Search/SearchOrders.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// A buffer in the view of a sweep. `begin` and `end` count sections from the
/// start of the sweep on, away from it. The warped times grow in the same
/// direction, but a section is the longer, the less room it has.
struct Job {
  int64_t begin, end;
  int64_t warpedBegin, warpedEnd;
  int64_t size, align;
  BufferIndex buffer;
};

/// Bytes that are taken from `begin` to `end`, in the times of a sweep.
struct Block {
  int64_t low, high;
  int64_t begin, end;
  int64_t warpedEnd;
};

/// The looks that the searches of one goal have used, and the most they may
/// use. A *look* is the unit of effort of a sweep: the visit of one gap, or of
/// one buffer that enters or leaves the list.
struct SweepEffort {
  int64_t looks = 0, limit = 0;
  SearchControl &control;
  bool isSpent() const { return looks >= limit || control.timeIsUp(); }
};

class Sweep {
public:
  /// A sweep that places `jobs` within `goal` bytes. `stack` has the buffers
  /// that are live at its start, which start() places.
  Sweep(std::vector<Job> jobs, const std::vector<Job> &stack, int64_t goal);

  /// Sets the blocks that other sweeps have placed, around which this one has
  /// to place its jobs. None of them may be live at the start.
  void setObstacles(std::vector<Block> blocks);

  size_t size() const { return jobs.size(); }
  /// Steps and jobs have the same indices, in the order of the steps.
  const Job &job(size_t step) const { return jobs[step]; }
  int64_t offset(size_t step) const { return nodes[step].block.low; }

  /// The offset in bytes of a buffer of the stack, given by its index.
  struct Placed {
    uint32_t index;
    int64_t offset;
  };

  /// Restarts the sweep with all buffers of the stack, sorted by offset.
  void start(const std::vector<Placed> &stack);

  /// The number of steps, at most `count`, that a sweep makes from the
  /// beginning until a job finds no gap, without going back.
  size_t glance(size_t count, SweepEffort &effort);

  /// Continues until every job is placed, the effort is spent or `patience`
  /// looks have brought no progress. Returns size() if every job is placed,
  /// otherwise the farthest step that found no gap.
  size_t run(int64_t patience, Random &random, SweepEffort &effort);

private:
  static constexpr uint32_t none = UINT32_MAX;

  /// The parameters by which a sweep chooses a gap. `waste` and `noise` are
  /// parts of 256.
  struct Weights {
    /// The weight of the distances between a gap and the blocks next to it, in
    /// relation to those between the buffer and these blocks.
    int64_t waste = 256;
    /// The most that random noise adds to a cost.
    int64_t noise = 0;
    /// A warped time. Distances beyond it have less weight.
    int64_t horizon = INT64_MAX;

    int64_t distance(int64_t a, int64_t b) const;
  };

  /// A job, a buffer of the stack, an obstacle, or an end of the arena.
  struct Node {
    Block block;
    bool isLive = false;
    /// The live nodes next to it. They stay when it leaves the list, as it may
    /// have to enter it again.
    uint32_t below = none, above = none;
    /// Its index in `gaps`, or none if there is no gap above it.
    uint32_t gap = none;
  };

  /// The state before a step: the values of the fields of the same names.
  struct State {
    size_t changes;
    uint32_t ended, next;
  };

  static Weights choose(int64_t failedAt, Random &random);
  void add(const Block &block);
  void sortByEnd();

  void removeGap(Node &node);
  void updateGap(uint32_t below);
  void enter(uint32_t node);
  void leave(uint32_t node);
  void enterAbove(uint32_t below, uint32_t node);
  uint32_t findBelow(int64_t offset, SweepEffort &effort) const;
  const std::vector<Block> &withObstacles(const Job &job, SweepEffort &effort);

  void advance(SweepEffort &effort);
  bool place(Random &random, SweepEffort &effort);
  void goBack(uint32_t to, SweepEffort &effort);

  /// In the order in which they begin.
  std::vector<Job> jobs;
  /// The jobs, the buffers of the stack, the ends of the arena, and the
  /// obstacles in the order in which they begin.
  std::vector<Node> nodes;
  uint32_t firstOfStack = 0, floor = 0, ceiling = 0, firstObstacle = none;
  /// By index in the stack.
  std::vector<int64_t> stackSizes;
  /// The nodes in the order in which they end.
  std::vector<uint32_t> byEnd;
  /// The live nodes with a gap above them, in no order.
  std::vector<uint32_t> gaps;
  /// The number of live nodes, without the ends of the arena.
  size_t live = 0;
  /// The nodes that have entered or left the list, in this order.
  std::vector<uint32_t> changes;
  /// By step up to the current one.
  std::vector<State> states;
  /// The position in `byEnd` of the first node that has not ended, and the
  /// first obstacle that has not begun.
  uint32_t ended = 0, next = none;
  /// The current step and the farthest one that found no gap.
  uint32_t step = 0, farthest = 0;
  /// The number of steps of the last retreat.
  size_t retreat = 0;
  Weights weights;
  /// Scratch of withObstacles.
  std::vector<Block> met;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SWEEP_H
