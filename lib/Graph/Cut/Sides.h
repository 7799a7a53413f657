//===- Sides.h - Facts that hold for every cut ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_CUT_SIDES_H
#define MEMPLAN_LIB_GRAPH_CUT_SIDES_H

#include "memplan/Graph/Partition.h"

#include <vector>

namespace memplan::graph {

/// The ops and values of a joint graph that belong to the same function for
/// every cut, and further facts that all cuts need.
struct Sides {
  explicit Sides(const OpGraph &graph);

  /// noOp for inputs and constants.
  std::vector<OpId> maker;
  /// By value: the index of its input in OpGraph::inputs, or -1.
  std::vector<int32_t> input;
  /// By value and by op: it exists in the backward function only, as it depends
  /// on a tangent or backward random state, or runs after an op that does.
  std::vector<bool> isBackwardValue;
  std::vector<bool> isBackwardOp;
  /// By op: the forward outputs need it, or it has effects and is not a
  /// backward op.
  std::vector<bool> isForwardOp;
  /// By op: an output needs it, or it has effects.
  std::vector<bool> isLive;
  /// By value: it has the same storage and range as an operand of its maker,
  /// which may run again.
  std::vector<bool> isAlias;
  std::vector<bool> isRepeatable;
};

/// By storage: the caller holds it while the backward function runs, so saving
/// it costs nothing. These are the storages of forward outputs, of static
/// inputs and parameters, and, if `primalsAreHeld`, of all primals.
std::vector<bool> heldByCaller(const OpGraph &graph, bool primalsAreHeld);

/// The saved values that a strategy chooses.
struct Cut {
  /// By value: if the backward function needs it, it takes the saved value
  /// instead of recomputing it.
  std::vector<bool> isSaved;
  /// As Partition::cutCapacity and Partition::flow; -1 if there is no cut.
  int64_t capacity = 0;
  int64_t flow = 0;
};

/// What a cut of cutBytes costs: bytes * (bytes kept) + time * (recomputeCost
/// of the ops that run again). The sums over a graph must be below 2^58.
struct CutWeights {
  int64_t bytes = 1;
  int64_t time = 0;
};

Cut cutDefault(const OpGraph &graph, const Sides &sides,
               const std::vector<RecomputeTag> &tags);
Cut cutBytes(const OpGraph &graph, const Sides &sides,
             const std::vector<RecomputeTag> &tags,
             const PartitionOptions &options, CutWeights weights = {});

/// A cut of the frontier of kept bytes and costs.
struct BudgetedCut {
  Cut cut;
  /// As Partition::keptBytes, and the sum of recomputeCost over the recomputed
  /// ops.
  int64_t kept = 0;
  int64_t cost = 0;
  /// Only ops that may run again do so.
  bool isLegal = true;
};

/// Cuts of which each keeps more than the one before and costs less; the first
/// keeps the fewest bytes, and near the budget there are most. The options'
/// limit of cost classes does not matter.
std::vector<BudgetedCut> cutFrontier(const OpGraph &graph, const Sides &sides,
                                     const std::vector<RecomputeTag> &tags,
                                     const PartitionOptions &options,
                                     int64_t budget);

/// recomputeCost, somewhat higher for ops at the end of the forward function.
int64_t recomputeCost(const Op &op, OpId position, size_t numOps);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_SIDES_H
