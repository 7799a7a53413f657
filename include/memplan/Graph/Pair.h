//===- Pair.h - Pairs of forward and backward graphs ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a training step whose forward and backward functions are two
// graphs. The forward graph returns its outputs and the saved values; the
// backward graph has the saved values as inputs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PAIR_H
#define MEMPLAN_GRAPH_PAIR_H

#include "memplan/Graph/Check.h"
#include "memplan/Graph/Profile.h"

#include <string>
#include <vector>

namespace memplan::graph {

/// An output of the forward graph and the input of the backward graph that is
/// the same memory.
struct SavedValue {
  ValueId forward;
  ValueId backward;
};

/// The pairs of backward inputs and forward outputs that have the same id.
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

/// An input of the backward graph that is not released there.
struct HeldInput {
  ValueId value; ///< of the backward graph
  HeldReason reason;
};

struct PairProfile {
  MemoryProfile forward;
  /// Without the baseline. Saved values that the forward graph made have the
  /// origin "donated"; two saved values of one forward storage count once.
  MemoryProfile backward;
  /// The graph of `backward`: the backward graph, with saved values in one
  /// storage if they are in one storage of the forward graph.
  OpGraph backwardGraph;
  /// Storages that the forward graph makes and returns and that the backward
  /// graph does not take. They are live during the whole backward function.
  std::vector<StorageId> baseline;
  int64_t baselineBytes = 0;
  std::vector<HeldInput> held;

  int64_t forwardPeakBytes() const { return forward.peakBytes(); }
  int64_t backwardPeakBytes() const {
    return baselineBytes + backward.peakBytes();
  }
  int64_t peakBytes() const;
};

/// Profiles both graphs. In the backward graph, tangents are held in addition
/// to the origins of `options`, and so are the inputs in `held`; an input that
/// its own graph donates is released. Returns issues about the backward graph
/// if the saved values do not fit: an input that takes two values, different
/// sizes, or a backward storage that would have to lie in two places. Requires
/// graphs and schedules that the checks accept.
std::vector<GraphIssue>
buildPairProfile(const OpGraph &forward, const Schedule &forwardSchedule,
                 const OpGraph &backward, const Schedule &backwardSchedule,
                 const std::vector<SavedValue> &saved,
                 const MemoryOptions &options, PairProfile &pair);

/// The joint graph of both: the forward function's ops, then the backward
/// function's, on one set of storages. Saved values are not outputs of it.
/// Inputs of the backward graph that are neither saved nor have a role become
/// tangents. An id of the backward graph that the forward graph has as well
/// gets the prefix "backward.". The issues are those of buildPairProfile.
std::vector<GraphIssue> joinPair(const OpGraph &forward,
                                 const OpGraph &backward,
                                 const std::vector<SavedValue> &saved,
                                 OpGraph &joint);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PAIR_H
