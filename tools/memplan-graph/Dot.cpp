//===- Dot.cpp - memplan-graph dot ----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Dot.h"
#include "Commands.h"
#include "memplan/Graph/Partition.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runDot(const Arguments &args) {
  std::string input = "-", output = "-";
  bool isPartition = false;
  CommandLine commandLine(
      "memplan-graph dot [OPTIONS] [FILE]",
      "Draws the graph in Graphviz's DOT language, for `dot -Tsvg`.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  commandLine.flag(
      "--partition",
      "draw the two functions of a partition of the joint graph, and the saved "
      "values",
      isPartition);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  if (!isPartition)
    return writeResult(output, graph::formatDot(graph, &schedule));
  if (std::string why = graph::whyNotJoint(graph); !why.empty())
    return fail("not a joint graph: " + why);
  return writeResult(output,
                     graph::partitionDot(graph, graph::partition(graph)));
}
