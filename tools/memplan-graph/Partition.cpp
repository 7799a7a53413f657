//===- Partition.cpp - memplan-graph partition ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Partition.h"
#include "Commands.h"
#include "EnumFlag.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/PartitionPage.h"

using namespace memplan;
using namespace memplan::tool;

int tool::runPartition(const Arguments &args) {
  std::string input = "-", output = "-", forward, backward, dot, html;
  bool asJson = false;
  graph::PartitionOptions options;
  CommandLine commandLine(
      "memplan-graph partition [OPTIONS] [FILE]",
      "Splits a joint graph into a forward and a backward function, decides "
      "what\nthe forward function saves for the backward function, and reports "
      "it.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  addEnum(commandLine, "--strategy", "what is saved (default min-cut)",
          options.strategy);
  addEnum(commandLine, "--cost-model",
          "what saving a value costs (default bytes)", options.model);
  addEnum(commandLine, "--recompute",
          "the highest class of op that is recomputed (default medium)",
          options.recompute);
  commandLine.flag("--primals-are-held",
                   "every primal is free to keep, not only static ones",
                   options.primalsAreHeld);
  commandLine.number("--max-distance=N",
                     "torch-compat: recompute no op farther from the backward "
                     "function",
                     options.maxDistance);
  commandLine.flag("--keep-peak",
                   "where the pair would peak higher than with "
                   "--strategy=default, save what is computed again there",
                   options.keepPeak);
  commandLine.number("--order-steps=N",
                     "search steps for the backward function's order",
                     options.orderSteps);
  commandLine.value("--forward=FILE", "writes the forward graph", forward);
  commandLine.value("--backward=FILE", "writes the backward graph", backward);
  commandLine.value("--dot=FILE", "writes a picture in DOT", dot);
  commandLine.value("--html=FILE",
                    "writes a page with both functions and what budgets cost",
                    html);
  commandLine.flag("--json", "the report as one JSON object", asJson);
  commandLine.value("--output=FILE", "the report; default standard output",
                    output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  if (std::string why = graph::whyNotJoint(graph); !why.empty())
    return fail("not a joint graph: " + why);

  graph::Partition partition = graph::partition(graph, options);
  int code =
      writeResult(output, asJson ? graph::partitionJson(graph, partition)
                                 : graph::partitionReport(graph, partition));
  auto write = [&](const std::string &path, const std::string &text) {
    if (code == ExitDone && !path.empty())
      code = writeResult(path, text);
  };
  if (!forward.empty())
    write(forward,
          graph::formatGraph(graph::forwardPart(graph, partition).graph));
  if (!backward.empty())
    write(backward,
          graph::formatGraph(graph::backwardPart(graph, partition).graph));
  if (!dot.empty())
    write(dot, graph::partitionDot(graph, partition));
  if (!html.empty())
    write(html, graph::partitionHtml(graph, partition,
                                     graph::RematerializeFrontier(
                                         graph, graph::programOrder(graph))
                                         .points()));
  return code;
}
