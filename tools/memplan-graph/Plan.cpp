//===- Plan.cpp - memplan-graph plan --------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MemoryFlags.h"
#include "PlanFlags.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/Trace.h"

using namespace memplan;
using namespace memplan::tool;

namespace {

struct PlanOptions {
  std::string input = "-", output = "-";
  /// The format of the trace if the input is a trace: a name of TraceForm or
  /// "auto".
  std::optional<std::string> trace;
  graph::MemoryOptions memory;
  PlanFlags flags;
};

bool solveGraph(PlanOptions &options, std::string &name,
                std::vector<graph::SolvedSpace> &solved) {
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(options.input, graph, schedule))
    return false;
  name = graph.name;
  graph::ScheduleMemory memory =
      graph::runSchedule(graph, schedule, options.memory);
  return solveSpaces(
      memory.spaces,
      graph::buildProblems(graph, memory, options.flags.alignment),
      options.flags, solved);
}

bool solveTrace(PlanOptions &options, std::vector<graph::SolvedSpace> &solved) {
  graph::Trace trace;
  if (!loadTrace(options.input, *options.trace, trace))
    return false;
  if (!solveSpaces(trace.spaces,
                   graph::buildProblems(trace, options.flags.alignment),
                   options.flags, solved))
    return false;
  for (graph::SolvedSpace &space : solved)
    for (uint32_t s = 0; s < trace.spaces.size(); ++s) {
      if (trace.spaces[s] != space.name)
        continue;
      int64_t bytes =
          trace.reservedBytes[s].value_or(graph::touchedBytes(trace, s));
      // Fewer bytes than were live mean that the pointers are not addresses.
      if (bytes >= space.peakBytes)
        space.allocatorBytes = bytes;
    }
  return true;
}

} // namespace

int tool::runPlan(const Arguments &args) {
  PlanOptions options;
  CommandLine commandLine(
      "memplan-graph plan [OPTIONS] [FILE]",
      "Plans the memory that the schedule allocates, with one arena for each "
      "memory\nspace, and prints the profile's peak and the arena. With "
      "--trace, "
      "plans the\nallocations of a recorded run and also prints the bytes that "
      "its allocator used.\nExit codes are those of memplan-solve.");
  commandLine.positional("the graph or trace; '-' or none: standard input",
                         options.input);
  addTraceFlag(commandLine, options.trace);
  addMemoryFlags(commandLine, options.memory);
  addPlanFlags(commandLine, options.flags);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    options.output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  std::string name, error;
  std::vector<graph::SolvedSpace> solved;
  if (!(options.trace ? solveTrace(options, solved)
                      : solveGraph(options, name, solved)))
    return ExitInvalid;
  std::optional<std::string> text =
      formatSpaces(name, solved, options.flags, error);
  if (!text)
    return fail(error);
  int code = writeResult(options.output, *text);
  if (code != ExitDone)
    return code;
  if (options.flags.isInterrupted)
    std::fprintf(stderr, "memplan-graph: interrupted: the best plan so far is "
                         "written\n");
  return exitCodeOf(solved, options.flags);
}
