//===- Sides.h - What a cut may not change ----------------------*- C++ -*-===//
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

/// What of a joint graph belongs where before anything is decided.
struct Sides {
  explicit Sides(const OpGraph &graph);

  /// noOp for inputs and constants.
  std::vector<OpId> maker;
  /// Per value: an input's index in OpGraph::inputs, or -1.
  std::vector<int32_t> input;
  /// Per value: there is no forward run without it or that can have it: made of
  /// tangents or backward random state, or ordered after what is.
  std::vector<bool> isBackwardValue;
  std::vector<bool> isBackwardOp;
  /// Ops that the forward outputs need, or whose effects must take place.
  std::vector<bool> isForwardOp;
  /// Ops that an output needs or whose effects must take place.
  std::vector<bool> isLive;
  /// Per value: it is the very range of an operand of the op that made it, so
  /// the op that makes it is a view that can always be run again.
  std::vector<bool> isAlias;
  std::vector<bool> isRepeatable;
};

/// Which ops run in the backward function again, and what it takes instead.
struct Cut {
  /// Per value: the backward function takes it if it needs it.
  std::vector<bool> isSaved;
  int64_t capacity = 0;
  int64_t flow = 0;
};

Cut cutDefault(const OpGraph &graph, const Sides &sides,
               const std::vector<RecomputeTag> &tags);
Cut cutBytes(const OpGraph &graph, const Sides &sides,
             const std::vector<RecomputeTag> &tags,
             const PartitionOptions &options);
Cut cutTorch(const OpGraph &graph, const Sides &sides,
             const std::vector<RecomputeTag> &tags,
             const PartitionOptions &options);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_SIDES_H
