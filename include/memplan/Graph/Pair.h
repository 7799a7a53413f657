//===- Pair.h - Forward and backward together -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a training step whose forward and backward functions are graphs
// of their own. The forward graph hands out its outputs and what it saves; the
// backward graph takes what was saved.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PAIR_H
#define MEMPLAN_GRAPH_PAIR_H

#include "memplan/Graph/Check.h"
#include "memplan/Graph/Profile.h"

#include <string>
#include <vector>

namespace memplan::graph {

/// An output of the forward graph and the input of the backward graph that
/// takes it: the same memory.
struct SavedValue {
  ValueId forward;
  ValueId backward;
};

/// Backward inputs and forward outputs that have the same id.
std::vector<SavedValue> matchSaved(const OpGraph &forward,
                                   const OpGraph &backward);

enum class HeldReason {
  ForwardInput, ///< a view of a primal or another input of the forward graph
  NotSaved,     ///< no output of the forward graph
};
template <> struct EnumNames<HeldReason> {
  static constexpr std::array<std::string_view, 2> names = {
      "view of a forward input", "no forward output"};
};

/// An input of the backward graph that is never released there.
struct HeldInput {
  ValueId value; ///< of the backward graph
  HeldReason reason;
};

struct PairProfile {
  MemoryProfile forward;
  /// Without the baseline. What was saved has the origin "donated"; two saved
  /// values of one forward storage count once.
  MemoryProfile backward;
  /// The backward graph whose storages `backward` speaks of: saved values lie
  /// in one storage where they do in the forward graph.
  OpGraph backwardGraph;
  /// Storages of the forward graph that are handed out, made by it, and not
  /// taken by the backward graph: there all through the backward function.
  std::vector<StorageId> baseline;
  int64_t baselineBytes = 0;
  std::vector<HeldInput> held;

  int64_t forwardPeakBytes() const { return forward.peakBytes(); }
  int64_t backwardPeakBytes() const {
    return baselineBytes + backward.peakBytes();
  }
  int64_t peakBytes() const;
};

/// Profiles both. In the backward function tangents are held as well, besides
/// what `options` says and what `held` lists; an input that is donated by its
/// own graph is released. Issues, about the backward graph, when the saved
/// values do not fit together: an input taken twice, sizes that differ, or one
/// storage that would have to lie in two. Requires graphs and schedules that
/// the checks accept.
std::vector<GraphIssue>
buildPairProfile(const OpGraph &forward, const Schedule &forwardSchedule,
                 const OpGraph &backward, const Schedule &backwardSchedule,
                 const std::vector<SavedValue> &saved,
                 const MemoryOptions &options, PairProfile &pair);

/// The joint graph of both: the forward function's ops, then the backward
/// function's, on one set of storages. What is saved is no output of it, and
/// inputs of the backward graph that are not saved and have no role are
/// tangents. Ids that both graphs have get the prefix "backward." in the
/// backward part. The issues are those of buildPairProfile.
std::vector<GraphIssue> joinPair(const OpGraph &forward,
                                 const OpGraph &backward,
                                 const std::vector<SavedValue> &saved,
                                 OpGraph &joint);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PAIR_H
