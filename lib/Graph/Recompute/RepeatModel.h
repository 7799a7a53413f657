//===- RepeatModel.h - The model of the repeat searches ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of an op graph that the searches for repeats use: nodes, which run,
// and items of memory, which they make and need. An op that only makes views of
// one storage is not a node: toSchedule inserts it again after its source was
// made again. An op that makes a view and uses another storage is a node, and
// the viewed storage is not made again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_RECOMPUTE_REPEATMODEL_H
#define MEMPLAN_LIB_GRAPH_RECOMPUTE_REPEATMODEL_H

#include "Model/Ties.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <vector>

namespace memplan::graph {

/// Nodes in the order in which they run; a node that occurs again is repeated.
using Sequence = std::vector<uint32_t>;

struct RepeatModel {
  RepeatModel(const OpGraph &graph, const Schedule &source,
              const MemoryOptions &options);

  static constexpr uint32_t none = UINT32_MAX;

  struct Item {
    int64_t bytes;
    uint32_t maker; ///< none: the item exists from the start
    /// Live at the end: an output or a held input.
    bool isKept;
    /// A schedule may run the maker again.
    bool mayBeMadeAgain;
    /// The model's searches may make it again: mayBeMadeAgain, less the cases
    /// that the model leaves out.
    bool canBeMadeAgain;
    /// The first node that writes into it in place and must not run again, or
    /// none. Once it has run, the maker no longer makes the item's contents.
    uint32_t writer;
  };
  struct Node {
    OpId op;
    int64_t flops;
    /// Bytes that it needs only while it runs: scratch and unclaimed rests.
    int64_t scratch;
    bool canRepeat;
    std::vector<uint32_t> makes, needs;
    /// Nodes that must run before its first run.
    std::vector<uint32_t> before;
    /// Items that may reuse the memory of others; empty without
    /// MemoryOptions::takeTies.
    std::vector<Takeover> takeovers;
    /// Bytes that ties may save in ways that are not in `takeovers`.
    int64_t otherTies;
  };

  /// The peak of a sequence in bytes, by the rules of the profile. An item is
  /// live until its last use before it is made again.
  int64_t peakOf(const Sequence &sequence) const;
  /// FLOPs of the executions beyond each op's first, including those of views.
  int64_t extraFlops(const Sequence &sequence) const;
  /// True if the sum of all bytes that the sequence allocates, and its FLOPs,
  /// are at most 2^63 - 1. Only such sequences have a peak and FLOPs, and are
  /// schedules that checkSchedule accepts.
  bool isCountable(const Sequence &sequence) const;
  /// The schedule of a sequence, with views inserted before their uses.
  Schedule toSchedule(const Sequence &sequence) const;
  /// The nodes of a schedule, without its views.
  Sequence toSequence(const Schedule &schedule) const;

  std::vector<Item> items;
  std::vector<Node> nodes;
  /// For every schedule of the graph there is a sequence with the same peak and
  /// FLOPs, so bounds on sequences hold for schedules.
  bool isComplete = true;
  /// peakOf may differ from the profile's peak, because of ties.
  bool hasOtherTies = false;
  /// Bytes of inputs that no node needs and that are not held; they are live at
  /// the start only.
  int64_t startOnly = 0;

private:
  const OpGraph &graph;
  std::vector<OpId> makers;
  std::vector<uint32_t> nodeOf; // Per op; none for views.
  std::vector<bool> isViewOp;
  bool viewsHaveFlops = false;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_RECOMPUTE_REPEATMODEL_H
