//===- Plan.cpp - memplan-graph plan --------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MemoryFlags.h"
#include "SolveFlags.h"
#include "memplan/Graph/Memory.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runPlan(const Arguments &args) {
  std::string input = "-", output = "-";
  graph::MemoryOptions memoryOptions;
  PlanFlags flags;
  CommandLine commandLine(
      "memplan-graph plan [OPTIONS] [FILE]",
      "Hands what the schedule allocates to the solver, one problem a memory "
      "space, and\nshows the profile's peak beside the arena that holds it. "
      "Exit codes are those\nof memplan-solve.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  addMemoryFlags(commandLine, memoryOptions);
  addPlanFlags(commandLine, flags);
  commandLine.value("--output=FILE", "instead of standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  graph::ScheduleMemory memory =
      graph::runSchedule(graph, schedule, memoryOptions);
  std::vector<graph::SolvedSpace> solved;
  if (!solveSpaces(memory.spaces,
                   graph::buildProblems(graph, memory, flags.alignment), flags,
                   solved))
    return ExitInvalid;
  std::string error;
  std::optional<std::string> text =
      formatSpaces(graph.name, solved, flags, error);
  if (!text)
    return fail(error);
  int code = writeResult(output, *text);
  return code == ExitDone ? exitCodeOf(solved) : code;
}
