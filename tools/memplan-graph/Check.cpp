//===- Check.cpp - memplan-graph check ------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "memplan/Graph/GraphJson.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runCheck(const Arguments &args) {
  std::string input = "-", output = "-";
  CommandLine commandLine("memplan-graph check [OPTIONS] [FILE]",
                          "Checks a graph and its schedule, and writes them as "
                          "JSON in the canonical\n"
                          "form, with one item in each line.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  bool isUsual = schedule == graph::programOrder(graph);
  return writeResult(output,
                     graph::formatGraph(graph, isUsual ? nullptr : &schedule));
}
