//===- OpTable.cpp - memplan-graph table ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpTable.h"
#include "Commands.h"
#include "PairFlags.h"

using namespace memplan;
using namespace memplan::tool;

namespace {
enum class Format { Text, Csv, Json };
} // namespace

int tool::runTable(const Arguments &args) {
  std::string input = "-", output = "-", backward;
  Format format = Format::Text;
  std::vector<std::string> saved;
  CommandLine commandLine(
      "memplan-graph table [OPTIONS] [FILE]",
      "Prints a table with a row for each op of the forward function: the "
      "memory\n"
      "that it saves, the memory that its backward ops need, parameters and "
      "FLOPs;\nand the sums by scope. FILE is a joint graph, or, with "
      "--backward, "
      "a forward\ngraph.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  addPairFlags(commandLine, backward, saved);
  commandLine.choice("--format=F", "text (default), csv or json",
                     {"text", "csv", "json"}, format);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (backward.empty() && !saved.empty())
    return fail("--saved: needs --backward");
  if (!backward.empty()) {
    GraphPair pair;
    if (!loadPair(input, backward, saved, pair))
      return ExitInvalid;
    std::vector<graph::GraphIssue> issues =
        graph::joinPair(pair.forward, pair.backward, pair.saved, graph);
    for (const graph::GraphIssue &issue : issues)
      fail(backward + ": " + issue.message);
    if (!issues.empty())
      return ExitInvalid;
  } else if (!loadGraph(input, graph, schedule)) {
    return ExitInvalid;
  }
  graph::OpTable table = graph::buildOpTable(graph);
  return writeResult(output,
                     format == Format::Json  ? formatOpTableJson(graph, table)
                     : format == Format::Csv ? formatOpTableCsv(graph, table)
                                             : formatOpTableText(graph, table));
}
