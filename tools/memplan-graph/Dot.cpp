//===- Dot.cpp - memplan-graph dot ----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Dot.h"
#include "Commands.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runDot(const Arguments &args) {
  std::string input = "-", output = "-";
  CommandLine commandLine(
      "memplan-graph dot [OPTIONS] [FILE]",
      "Draws the graph in Graphviz's language, for `dot -Tsvg`.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  commandLine.value("--output=FILE", "instead of standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  return writeResult(output, graph::formatDot(graph, &schedule));
}
