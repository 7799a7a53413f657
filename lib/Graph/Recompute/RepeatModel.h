//===- RepeatModel.h - What repeats are about -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op graph as the search for repeats sees it: nodes that run, pieces of
// memory that they make and need. Views of one storage are no nodes: they
// follow their source and are derived anew wherever that was made anew
// (toSchedule). An op that makes a view with the help of another storage is a
// node; what it is a view of is not made again.
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

/// Nodes in the order they run; what stands again is repeated.
using Sequence = std::vector<uint32_t>;

struct RepeatModel {
  RepeatModel(const OpGraph &graph, const Schedule &source,
              const MemoryOptions &options);

  static constexpr uint32_t none = UINT32_MAX;

  struct Item {
    int64_t bytes;
    uint32_t maker; ///< none: there from the start
    /// Needed when all has run: an output, or an input that is held.
    bool isKept;
    /// Its maker may run again.
    bool mayBeMadeAgain;
    /// The searches make it again where they need it.
    bool canBeMadeAgain;
    /// The first node that writes into it and may not run again; none: there is
    /// none. Once that has run, what the maker makes is not what it holds.
    uint32_t writer;
  };
  struct Node {
    OpId op;
    int64_t flops;
    /// Bytes while it runs beside what it makes: scratch and unclaimed rests.
    int64_t scratch;
    bool canRepeat;
    std::vector<uint32_t> makes, needs;
    /// Nodes that must have run before its first run.
    std::vector<uint32_t> before;
    /// Items that take the place of others, where ties are taken.
    std::vector<Takeover> takeovers;
    /// Bytes that ties may save in ways that `takeovers` does not have.
    int64_t otherTies;
  };

  /// Peak of a sequence by the rules of the profile. An item lasts to its last
  /// use before it is made again.
  int64_t peakOf(const Sequence &sequence) const;
  /// FLOPs of the runs beyond each op's first, those of views too.
  int64_t extraFlops(const Sequence &sequence) const;
  /// With views where they are used.
  Schedule toSchedule(const Sequence &sequence) const;
  /// The nodes of a schedule without its views.
  Sequence toSequence(const Schedule &schedule) const;

  std::vector<Item> items;
  std::vector<Node> nodes;
  /// Every schedule of the graph has a sequence with the same peak and FLOPs:
  /// what no sequence does, no schedule does.
  bool isComplete = true;
  /// peakOf may differ from the profile's.
  bool hasOtherTies = false;
  /// Inputs that nothing needs and that are not held: live at the start only.
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
