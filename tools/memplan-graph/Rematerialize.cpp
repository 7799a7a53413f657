//===- Rematerialize.cpp - memplan-graph rematerialize --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Rematerialize.h"
#include "Commands.h"
#include "MemoryFlags.h"
#include "common/Interruption.h"
#include "memplan/Core/ByteSize.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/Profile.h"

#include <cstdio>
#include <cstdlib>

using namespace memplan;
using namespace memplan::tool;

namespace {

std::string percent(int64_t part, int64_t whole) {
  int64_t tenths = whole == 0
                       ? 0
                       : static_cast<int64_t>(static_cast<double>(part) * 1000 /
                                                  static_cast<double>(whole) +
                                              0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string report(const graph::RematerializeResult &result, int64_t budget) {
  std::string text = "budget: " + std::to_string(budget) + " bytes, " +
                     std::string(graph::nameOf(result.status)) +
                     (result.reason.empty() ? "" : ": " + result.reason) + "\n";
  if (result.status == graph::RematerializeStatus::Infeasible)
    return text;
  return text + "peak: " + std::to_string(result.point.peak) +
         " bytes\nrepeated: " + std::to_string(result.point.repeats) +
         " ops, " + std::to_string(result.point.extraFlops) +
         " FLOPs; at least " + std::to_string(result.flopsBound) +
         " FLOPs are needed\n";
}

/// The results for budgets from 100 to 30 percent of the peak of the given
/// schedule, as CSV.
std::string sweep(const graph::RematerializeFrontier &frontier, int64_t peak,
                  int64_t flops) {
  std::string text = "percent,budget,status,peak,repeats,extra_flops,"
                     "extra_percent,flops_bound,peak_bound\n";
  for (int64_t part = 100; part >= 30; part -= 5) {
    int64_t budget = peak / 100 * part + peak % 100 * part / 100;
    graph::RematerializeResult result = frontier.within(budget);
    text += std::to_string(part) + "," + std::to_string(budget) + "," +
            std::string(graph::nameOf(result.status)) + ",";
    if (result.status == graph::RematerializeStatus::Infeasible)
      text += ",,,";
    else
      text += std::to_string(result.point.peak) + "," +
              std::to_string(result.point.repeats) + "," +
              std::to_string(result.point.extraFlops) + "," +
              percent(result.point.extraFlops, flops);
    text += "," + std::to_string(result.flopsBound) + "," +
            std::to_string(result.peakBound) + "\n";
  }
  return text;
}

} // namespace

int tool::runRematerialize(const Arguments &args) {
  std::string input = "-", output = "-", graphOutput;
  std::optional<int64_t> budget;
  // In percent of the peak of the given schedule.
  std::optional<double> share;
  graph::RematerializeOptions options;
  bool isSweep = false;
  CommandLine commandLine(
      "memplan-graph rematerialize --budget=N [OPTIONS] [FILE]",
      "Finds a schedule whose peak is at most N bytes, with few additional "
      "FLOPs. It may\nhave another order and run ops again. Every input is "
      "held "
      "and counted unless an\noption says otherwise.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  commandLine.custom(
      "--budget=N",
      "the highest peak, in bytes (also 64K, 1M), or 60%: a share of the peak "
      "of the schedule that the graph has",
      [&](const std::string &text) -> std::string {
        budget.reset();
        share.reset();
        if (text.empty() || text.back() != '%') {
          budget = parseByteSize(text);
          return budget ? ""
                        : "is neither bytes, such as 4096, 64K or 1M, nor "
                          "a share, such as 60%";
        }
        char *end = nullptr;
        double percent = std::strtod(text.c_str(), &end);
        if (end != &text.back() || !(percent > 0 && percent <= 100))
          return "is no share from 0% to 100%";
        share = percent;
        return "";
      });
  commandLine.flag("--sweep",
                   "print a table of budgets from 100 to 30 percent of the "
                   "peak, as CSV",
                   isSweep);
  commandLine.number("--steps=N", "search steps (default 10000000)",
                     options.steps);
  addMemoryFlags(commandLine, options.memory);
  commandLine.value("--graph=FILE", "write the graph with the new schedule",
                    graphOutput);
  commandLine.value("--output=FILE",
                    "write the report to FILE, not to standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  if ((budget || share) == isSweep)
    return fail(
        "one of --budget=N and --sweep is needed; --sweep tries budgets "
        "of 100 to 30 percent of the peak");
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadReorderable(input, graph, schedule))
    return ExitInvalid;

  auto getPeak = [&] {
    return graph::buildProfile(graph, schedule, options.memory).peakBytes();
  };
  if (share)
    budget =
        static_cast<int64_t>(static_cast<double>(getPeak()) * *share / 100);
  Interruption interruption;
  options.stop = &interruption.flag();
  auto end = [&](int code) {
    if (code == ExitInvalid || !interruption.hasCome())
      return code;
    std::fprintf(stderr, "memplan-graph: interrupted: what was found so far is "
                         "written\n");
    return int(ExitLimit);
  };
  graph::RematerializeFrontier frontier(graph, schedule, options,
                                        budget.value_or(0));
  if (isSweep) {
    int64_t flops = 0;
    for (graph::OpId op : schedule)
      flops += graph.ops[op].flops;
    return end(writeResult(output, sweep(frontier, getPeak(), flops)));
  }
  graph::RematerializeResult result = frontier.within(*budget);
  int code = writeResult(output, report(result, *budget));
  if (code == ExitDone && !graphOutput.empty() &&
      result.status != graph::RematerializeStatus::Infeasible)
    code = writeResult(graphOutput,
                       graph::formatGraph(graph, &result.point.schedule));
  if (code != ExitDone)
    return code;
  switch (result.status) {
  case graph::RematerializeStatus::Infeasible:
    // A proof holds, whatever ended the search.
    return ExitInfeasible;
  case graph::RematerializeStatus::Unknown:
    return end(ExitLimit);
  case graph::RematerializeStatus::Optimal:
  case graph::RematerializeStatus::Feasible:
    break;
  }
  return end(ExitDone);
}
