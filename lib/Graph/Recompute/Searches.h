//===- Searches.h - Searches for repeats ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H
#define MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H

#include "Recompute/RepeatModel.h"

#include <cstdint>
#include <optional>

namespace memplan::graph {

/// How the one to drop is chosen among what is live: the lowest
/// FLOPs^flops / (bytes^bytes * steps to its next use^distance).
struct DropRule {
  double flops, bytes, distance;
  /// Each piece's score is multiplied by a random factor up to 2^noise.
  double noise;
};

/// Runs the nodes of `order` on paper, within the budget: drops what can be
/// made again where memory is short, and makes it again where it is needed.
/// After Kirisame et al., "Dynamic Tensor Rematerialization" (ICLR 2021), with
/// the future known. Nothing if it finds no room, or exceeds `maxFlops`
/// additional FLOPs. Subtracts the executions from `steps`.
std::optional<Sequence> dropGreedily(const RepeatModel &model,
                                     const Sequence &order, int64_t budget,
                                     const DropRule &rule, uint64_t seed,
                                     int64_t maxFlops, int64_t &steps);

/// Takes repeats away, the most expensive first, as long as the peak stays
/// within the budget.
void dropRepeats(const RepeatModel &model, Sequence &sequence, int64_t budget);

enum class ExactStatus { Found, Infeasible, Limit };

struct ExactResult {
  ExactStatus status;
  Sequence sequence;
};

/// Models of up to this many nodes and pieces are searched exhaustively.
constexpr size_t maxExactNodes = 16;
constexpr size_t maxExactItems = 40;

/// The sequence within the budget with the fewest additional FLOPs, of those
/// one with the lowest peak: Dijkstra's algorithm on what is live and what has
/// run. `steps` bounds the states.
ExactResult searchExactly(const RepeatModel &model, int64_t budget,
                          int64_t steps);

/// What every sequence needs.
struct RepeatBounds {
  explicit RepeatBounds(const RepeatModel &model);

  /// No peak is lower; `op` is the node that needs it.
  int64_t peak = 0;
  uint32_t node = RepeatModel::none;
  /// No sequence within the budget has fewer additional FLOPs.
  int64_t flopsWithin(int64_t budget) const;

private:
  /// An item that is live at a node unless its maker runs again.
  struct Droppable {
    int64_t bytes, flops;
  };
  struct Need {
    int64_t bytes = 0;
    /// By falling bytes per FLOP.
    std::vector<Droppable> droppable;
  };
  std::vector<Need> needs;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_RECOMPUTE_SEARCHES_H
