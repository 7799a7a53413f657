//===- Check.h - Checks of op graphs and schedules --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of op graphs and schedules. All other functions of the library
// require a graph and a schedule that the checks accept.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_CHECK_H
#define MEMPLAN_GRAPH_CHECK_H

#include "memplan/Graph/OpGraph.h"

#include <string>
#include <vector>

namespace memplan::graph {

/// The list that contains the subject of an issue: a list of OpGraph, or the
/// schedule.
enum class GraphPart {
  Graph,
  Storages,
  Values,
  Ops,
  Inputs,
  Outputs,
  Schedule
};

/// One error of a graph or a schedule.
struct GraphIssue {
  /// Lower case, no full stop, with the ids and numbers involved.
  std::string message;
  GraphPart part = GraphPart::Graph;
  /// Index in the list; 0 if `part` is Graph. For an output that the schedule
  /// does not make it is the length of the schedule.
  size_t index = 0;
};

/// Checks a graph. Errors are empty or repeated ids, indices out of range,
/// negative sizes, values that exceed their storage, alignments that are not
/// powers of two, values without or with several makers, uses before the maker,
/// views of an op without an operand in the viewed storage, storage kinds that
/// contradict the values, ties of views, effect edges that do not come from an
/// earlier op, more forward outputs than outputs, and sums of bytes or FLOPs
/// that overflow int64. Returns at most `maxIssues` issues; none means that the
/// graph is well formed. Linear.
std::vector<GraphIssue> checkGraph(const OpGraph &graph, size_t maxIssues = 16);

/// Checks a schedule of a well-formed graph. Errors are ops that do not exist,
/// operands that no earlier entry made, outputs that no entry made, effect
/// edges that are violated (if an op of `after` is in the schedule, it must run
/// before the op's first execution), repeats of an op that is impure, draws
/// from implicit random state, or precedes an op with a later effect that has
/// run, a changed order among the ops with implicit random state, and sums of
/// bytes that overflow int64. The schedule may leave out ops that no output
/// needs. Linear.
std::vector<GraphIssue> checkSchedule(const OpGraph &graph,
                                      const Schedule &schedule,
                                      size_t maxIssues = 16);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_CHECK_H
