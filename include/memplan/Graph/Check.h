//===- Check.h - What an op graph must be -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything else in the library may rely on what these checks accept.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_CHECK_H
#define MEMPLAN_GRAPH_CHECK_H

#include "memplan/Graph/OpGraph.h"

#include <string>
#include <vector>

namespace memplan::graph {

/// The list of OpGraph that an issue points into; Schedule: of the schedule.
enum class GraphPart {
  Graph,
  Storages,
  Values,
  Ops,
  Inputs,
  Outputs,
  Schedule
};

/// One thing wrong with a graph or a schedule.
struct GraphIssue {
  /// Lower case, no full stop, with the ids and numbers involved.
  std::string message;
  GraphPart part = GraphPart::Graph;
  /// Index in that list; 0 for the graph itself.
  size_t index = 0;
};

/// Refuses what the rest of the library may not be handed: empty or repeated
/// ids, indices out of range, negative sizes, values that leave their storage,
/// alignments that are not powers of two, values with no maker or two, uses
/// before the maker, views whose op has no operand in the viewed storage,
/// storage kinds that contradict their values, ties of views, effect edges
/// that are not from an earlier op, more forward outputs than outputs, and
/// sums of bytes or FLOPs that overflow int64. At most `maxIssues` issues; none
/// means the graph is well formed. Linear.
std::vector<GraphIssue> checkGraph(const OpGraph &graph, size_t maxIssues = 16);

/// Refuses schedules of a well-formed graph that cannot run: ops that do not
/// exist, operands that no earlier entry made, effect edges run backwards (an
/// op of `after` that stands in the schedule must stand before the first
/// execution), outputs that nothing made, repeats of ops that are impure or
/// random with implicit state or that an op with a later effect has passed, a
/// changed mutual order of ops random with implicit state, and sums of bytes
/// that overflow. Ops that nothing needs may be left out. Linear.
std::vector<GraphIssue> checkSchedule(const OpGraph &graph,
                                      const Schedule &schedule,
                                      size_t maxIssues = 16);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_CHECK_H
