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
#include "common/Interruption.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/PartitionPage.h"

#include <cstdio>

using namespace memplan;
using namespace memplan::tool;

namespace {

enum class Format { Text, Json, Html, Dot };

std::string format(Format format, const graph::OpGraph &graph,
                   const graph::Partition &partition) {
  switch (format) {
  case Format::Json:
    return graph::partitionJson(graph, partition);
  case Format::Html:
    return graph::partitionHtml(
        graph, partition,
        graph::RematerializeFrontier(graph, graph::programOrder(graph))
            .points());
  case Format::Dot:
    return graph::partitionDot(graph, partition);
  case Format::Text:
    break;
  }
  return graph::partitionReport(graph, partition);
}

} // namespace

int tool::runPartition(const Arguments &args) {
  std::string input = "-", output = "-", forward, backward;
  Format form = Format::Text;
  graph::PartitionOptions options;
  CommandLine commandLine(
      "memplan-graph partition [OPTIONS] [FILE]",
      "Splits a joint graph into a forward and a backward function, and "
      "reports\nwhich values the forward function saves for the backward "
      "function.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  addEnum(commandLine, "--strategy",
          "the choice of saved values (default min-cut)", options.strategy);
  addEnum(
      commandLine, "--recompute",
      "the highest cost class of ops that may be recomputed (default medium)",
      options.recompute);
  commandLine.flag("--primals-are-held",
                   "saving any primal costs nothing, not only static ones",
                   options.primalsAreHeld);
  commandLine.flag("--keep-peak",
                   "if the peak of the pair is higher than with "
                   "--strategy=default, save values that are recomputed there",
                   options.keepPeak);
  commandLine.number("--keep=BYTES",
                     "keep at most so many bytes, recompute as little as "
                     "possible, ops of any cost class",
                     options.budget);
  commandLine.number("--order-steps=N",
                     "search steps for the order of the backward function",
                     options.orderSteps);
  commandLine.value("--forward=FILE", "write the forward graph", forward);
  commandLine.value("--backward=FILE", "write the backward graph", backward);
  commandLine.choice("--format=F",
                     "text (default), json, html (a page with both functions "
                     "and the cost of budgets), or dot",
                     {"text", "json", "html", "dot"}, form);
  commandLine.value("--output=FILE",
                    "write the report to FILE, not to standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  if (std::string why = graph::whyNotUsable(options); !why.empty())
    return fail(why);
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadGraph(input, graph, schedule))
    return ExitInvalid;
  if (std::string why = graph::whyNotJoint(graph); !why.empty())
    return fail("not a joint graph: " + why);

  Interruption interruption;
  options.stop = &interruption.flag();
  graph::Partition partition = graph::partition(graph, options);
  int code = writeResult(output, format(form, graph, partition));
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
  if (code != ExitDone || !interruption.hasCome())
    return code;
  std::fprintf(stderr,
               "memplan-graph: interrupted: the best partition so far is "
               "written, with a peak of %lld bytes\n",
               static_cast<long long>(partition.peaks.pair));
  return ExitLimit;
}
