//===- PlanFlags.h - Options of planning and its output ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_PLANFLAGS_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_PLANFLAGS_H

#include "Commands.h"
#include "common/CommandLine.h"
#include "memplan/Core/BySpace.h"
#include "memplan/Core/Solver.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/PlanReport.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::tool {

enum class PlanFormat { Text, Json, Csv, Map, Svg, Html };

struct PlanFlags {
  SolveOptions solve;
  Capacities capacities;
  std::optional<std::string> space;
  int64_t alignment = 64;
  PlanFormat format = PlanFormat::Text;
  /// Set by solveSpaces: Ctrl-C ended a search.
  bool isInterrupted = false;
};

/// Declares the options of addSolveFlags, and --capacity, --alignment, --space
/// and --format.
void addPlanFlags(CommandLine &commandLine, PlanFlags &flags);

/// Solves the problems of all spaces, or of --space. Prints an error and
/// returns false when there is no such space or a problem is invalid. Ctrl-C
/// ends the searches, with the best plans so far.
bool solveSpaces(const std::vector<std::string> &names,
                 std::vector<graph::ProblemInSpace> problems, PlanFlags &flags,
                 std::vector<graph::SolvedSpace> &solved);

/// The plans in the requested format. Returns std::nullopt and sets `error` if
/// the format is csv, map or svg, but several spaces are in use.
std::optional<std::string>
formatSpaces(const std::string &graphName,
             const std::vector<graph::SolvedSpace> &solved,
             const PlanFlags &flags, std::string &error);

/// The exit code of memplan-solve for the space with the worst one; after
/// Ctrl-C at least that of a limit.
int exitCodeOf(const std::vector<graph::SolvedSpace> &solved,
               const PlanFlags &flags);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_PLANFLAGS_H
