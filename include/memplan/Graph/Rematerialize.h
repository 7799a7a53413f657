//===- Rematerialize.h - Schedules that recompute ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds schedules whose peak is within a budget of bytes. A schedule may change
// the order of the ops, and run an op again if its result is needed long after
// it was made. Among the schedules found, the one with the fewest additional
// FLOPs is chosen.
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
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// The memory that counts for a budget: every input is held.
MemoryOptions budgetMemory();

struct RematerializeOptions {
  MemoryOptions memory = budgetMemory();
  /// A limit on the search: simulated executions of ops plus items of memory
  /// considered. The backward search may spend as many again. The same number
  /// gives the same schedules on any machine.
  int64_t steps = 10000000;
  /// Search steps for each order from which the search starts (ReorderOptions).
  int64_t orderSteps = 1000000;
  uint64_t seed = 0;
  /// If given, the search ends once it is true, with the schedules found so
  /// far. Another thread or a signal handler may set it.
  const std::atomic<bool> *stop = nullptr;
};

/// A schedule with its peak and its cost.
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
  Optimal,    ///< within the budget; no such schedule has fewer FLOPs
  Feasible,   ///< within the budget; extraFlops - flopsBound is the gap
  Infeasible, ///< proven: no schedule is within the budget
  Unknown,    ///< no schedule was found, and none was ruled out
};
template <> struct EnumNames<RematerializeStatus> {
  static constexpr std::array<std::string_view, 4> names = {
      "optimal", "feasible", "infeasible", "unknown"};
};

struct RematerializeResult {
  RematerializeStatus status = RematerializeStatus::Unknown;
  /// A schedule within the budget if the status is Optimal or Feasible;
  /// otherwise the schedule with the lowest peak found.
  RematerializePoint point;
  /// No schedule within the budget has fewer additional FLOPs.
  int64_t flopsBound = 0;
  /// In bytes: no schedule has a lower peak.
  int64_t peakBound = 0;
  /// The op that needs peakBound bytes while it runs; noOp if the bound comes
  /// from held memory or from sets of buffers (needsTogether).
  OpId boundOp = noOp;
  /// The bound comes from memory that must be live at once at some point, in
  /// any order and with any repeats.
  bool needsTogether = false;
  /// Infeasible: the reason, with numbers. Unknown: the lowest peak found and
  /// the bound.
  std::string reason;
};

struct PeakBound {
  /// No schedule has a lower peak.
  int64_t bytes = 0;
  /// The op that needs so many bytes; noOp if held memory does.
  OpId op = noOp;
};

/// A lower bound of the peak by the needs of single ops. It is cheap to compute
/// and at most the peakBound of a RematerializeResult.
PeakBound boundPeak(const OpGraph &graph, const Schedule &source,
                    const MemoryOptions &memory = budgetMemory());

/// The Pareto frontier of the schedules found: no point has both a lower or
/// equal peak and fewer or equal FLOPs than another one. The points do not
/// depend on a budget, so a smaller budget never costs less.
class RematerializeFrontier {
public:
  /// Runs the search. `source` is a schedule without repeats of a well-formed
  /// graph. An op is repeated only if whyNotRepeatable (Partition.h) returns an
  /// empty text. Deterministic; the steps of the options limit the time. The
  /// search stops early at a schedule without repeats whose peak is at most
  /// `enough` bytes, which is optimal for budgets from `enough` on.
  RematerializeFrontier(const OpGraph &graph, const Schedule &source,
                        const RematerializeOptions &options = {},
                        int64_t enough = 0);

  /// By falling peak and rising FLOPs.
  const std::vector<RematerializePoint> &points() const { return found; }

  /// The cheapest schedule within the budget (in bytes). Graphs of few ops are
  /// searched exhaustively. Infeasible is proven by an op that needs more than
  /// the budget, by memory that must be live together, or by the exhaustive
  /// search.
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
