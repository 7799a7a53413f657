//===- Rematerialize.h - Computing again instead of keeping -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules whose peak keeps a budget of bytes: in another order, and with ops
// that run again where their results were needed long after they were made. Of
// the schedules found the one with the fewest additional FLOPs is chosen.
//
//     a b c ... x y z        a is live from the first use to z
//     a b c ... x y a z      a is made again right before z
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_REMATERIALIZE_H
#define MEMPLAN_GRAPH_REMATERIALIZE_H

#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// Every input is held and counted: what a budget means.
MemoryOptions budgetMemory();

struct RematerializeOptions {
  MemoryOptions memory = budgetMemory();
  /// Op executions that the search may simulate, and pieces of memory that it
  /// may look at; as many for the search from the end. The same number gives
  /// the same schedules on any machine.
  int64_t steps = 10000000;
  /// Search steps of the orders that the search starts from (Reorder.h).
  int64_t orderSteps = 1000000;
  uint64_t seed = 0;
};

/// A schedule with its price.
struct RematerializePoint {
  Schedule schedule;
  /// Bytes, over all memory spaces, by buildProfile.
  int64_t peak = 0;
  /// FLOPs of the executions beyond each op's first.
  int64_t extraFlops = 0;
  /// Executions beyond each op's first, views not counted.
  size_t repeats = 0;
};

enum class RematerializeStatus {
  Optimal,    ///< no schedule within the budget has fewer FLOPs
  Feasible,   ///< within the budget; extraFlops - flopsBound is the gap
  Infeasible, ///< proven: no schedule is within the budget
  Unknown,    ///< none was found, and none was ruled out
};
template <> struct EnumNames<RematerializeStatus> {
  static constexpr std::array<std::string_view, 4> names = {
      "optimal", "feasible", "infeasible", "unknown"};
};

struct RematerializeResult {
  RematerializeStatus status = RematerializeStatus::Unknown;
  /// Within the budget if Optimal or Feasible; else what has the lowest peak.
  RematerializePoint point;
  /// No schedule within the budget has fewer additional FLOPs.
  int64_t flopsBound = 0;
  /// No schedule at all has a lower peak than this, ...
  int64_t peakBound = 0;
  /// ... as this op needs it; noOp for what is held from the start or at the
  /// end, and where `needsTogether`.
  OpId boundOp = noOp;
  /// ... as whichever way the outputs are made so much is live at once
  /// somewhere.
  bool needsTogether = false;
  /// Infeasible: the proof, with numbers. Unknown: what is known.
  std::string reason;
};

struct PeakBound {
  int64_t bytes = 0;
  OpId op = noOp;
};

/// A lower bound of the peak by single ops, which costs little: at most the
/// peakBound of a result.
PeakBound boundPeak(const OpGraph &graph, const Schedule &source,
                    const MemoryOptions &memory = budgetMemory());

/// What budgets cost: found schedules none of which another one beats in both
/// peak and FLOPs, by falling peak. It does not depend on any budget, so that
/// what is chosen from it is monotone: a smaller budget never costs less.
class RematerializeFrontier {
public:
  /// Searches. `source` is a schedule without repeats of a well-formed graph.
  /// Ops are repeated only where whyNotRepeatable (Partition.h) is silent. What
  /// is found is deterministic; its time is bounded by the options' steps. The
  /// search ends with a schedule without repeats whose peak is `enough`: for
  /// one budget, or larger ones, that is an answer.
  RematerializeFrontier(const OpGraph &graph, const Schedule &source,
                        const RematerializeOptions &options = {},
                        int64_t enough = 0);

  const std::vector<RematerializePoint> &points() const { return found; }

  /// The cheapest schedule within the budget (bytes). Graphs of few ops are
  /// searched exhaustively for it. Infeasible is proven by an op that needs
  /// more than the budget, by what must be live together, or by that search.
  RematerializeResult within(int64_t budget) const;

private:
  const OpGraph &graph;
  Schedule source;
  RematerializeOptions options;
  std::vector<RematerializePoint> found;
  int64_t peakBound = 0;
};

/// The frontier's answer for one budget.
RematerializeResult rematerialize(const OpGraph &graph, const Schedule &source,
                                  int64_t budget,
                                  const RematerializeOptions &options = {});

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_REMATERIALIZE_H
