//===- PlanReport.h - Reports of planned op graphs --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PLANREPORT_H
#define MEMPLAN_GRAPH_PLANREPORT_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Report/Report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// The problem of one memory space with its plan.
struct SolvedSpace {
  std::string name;
  Problem problem;
  Plan plan;
  /// The most bytes live at once.
  int64_t peakBytes = 0;
  /// For a trace: the bytes that the allocator held, or, if the trace does not
  /// have this number, the bytes of the addresses that were ever in use.
  std::optional<int64_t> allocatorBytes;
};

/// The report of the space as one arena.
Report makeSpaceReport(std::string_view graphName, const SolvedSpace &space);

/// Lines "key: value", with one block for each space.
std::string formatPlansText(const std::vector<SolvedSpace> &spaces);

/// {"format": "memplan.graph_plan", "version": 1, "graph": ..., "spaces":
/// [{"space", "peak_bytes", "plan": as formatJson of
/// memplan/Report/Report.h}]}; for a trace with "allocator_bytes" as well.
std::string formatPlansJson(std::string_view graphName,
                            const std::vector<SolvedSpace> &spaces);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PLANREPORT_H
