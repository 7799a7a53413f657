//===- OpTable.cpp - memplan-graph table ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpTable.h"
#include "Commands.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runTable(const Arguments &args) {
  std::string input = "-", output = "-", format = "text";
  CommandLine commandLine(
      "memplan-graph table [OPTIONS] [FILE]",
      "Per op of a training graph's forward function: what it saves, what its\n"
      "backward needs, parameters and FLOPs; and the sums per scope.");
  commandLine.positional("the joint graph; '-' or none: standard input", input);
  commandLine.custom("--format=F", "text (default), csv or json",
                     [&](const std::string &name) -> std::string {
                       format = name;
                       bool isKnown =
                           name == "text" || name == "csv" || name == "json";
                       return isKnown ? "" : "is not one of text, csv, json";
                     });
  commandLine.value("--output=FILE", "instead of standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  graph::OpTable table = graph::buildOpTable(graph);
  return writeResult(output, format == "json" ? formatOpTableJson(graph, table)
                             : format == "csv"
                                 ? formatOpTableCsv(graph, table)
                                 : formatOpTableText(graph, table));
}
