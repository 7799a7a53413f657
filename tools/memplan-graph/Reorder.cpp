//===- Reorder.cpp - memplan-graph reorder --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Reorder.h"
#include "Commands.h"
#include "EnumFlag.h"
#include "MemoryFlags.h"
#include "common/Interruption.h"
#include "memplan/Graph/GraphJson.h"

#include <cstdio>

using namespace memplan;
using namespace memplan::tool;

namespace {

std::string report(const graph::ReorderResult &result) {
  std::string text =
      "peak: " + std::to_string(result.sourcePeak) + " -> " +
      std::to_string(result.peak) + " bytes by " +
      std::string(graph::nameOf(result.strategy)) + ", " +
      (result.isOptimal ? "proven least"
                        : "bound " + std::to_string(result.bound) + " bytes") +
      ", " + std::to_string(result.steps) + " steps\n";
  for (const graph::OrderCandidate &candidate : result.candidates) {
    text += "  " + std::string(graph::nameOf(candidate.strategy)) + ": peak " +
            std::to_string(candidate.peak) + " bytes";
    if (candidate.arena)
      text += ", arena " + std::to_string(*candidate.arena) + " bytes";
    text += "\n";
  }
  return text;
}

} // namespace

int tool::runReorder(const Arguments &args) {
  std::string input = "-", output = "-", graphOutput;
  graph::ReorderOptions options;
  bool keepsPeak = false;
  int64_t seed = 0;
  CommandLine commandLine(
      "memplan-graph reorder [OPTIONS] [FILE]",
      "Finds an order of the ops with a lower peak, and reports it.");
  commandLine.positional("the graph; '-' or none: standard input", input);
  addEnum(commandLine, "--strategy", "the strategy (default auto)",
          options.strategy);
  commandLine.number("--steps=N", "search steps (default 3000000)",
                     options.steps);
  commandLine.number("--seed=N", "seed of the annealing (default 0)", seed);
  addMemoryFlags(commandLine, options.memory);
  commandLine.flag("--peak-only",
                   "auto: compare orders by peak only, without planning arenas",
                   keepsPeak);
  commandLine.value("--graph=FILE", "write the graph with the new schedule",
                    graphOutput);
  commandLine.value("--output=FILE",
                    "write the report to FILE, not to standard output", output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (!loadReorderable(input, graph, schedule))
    return ExitInvalid;
  options.seed = static_cast<uint64_t>(seed);
  options.judgeByArena = !keepsPeak;
  Interruption interruption;
  options.stop = &interruption.flag();
  graph::ReorderResult result = graph::reorder(graph, schedule, options);
  int code = writeResult(output, report(result));
  if (code == ExitDone && !graphOutput.empty())
    code = writeResult(graphOutput, graph::formatGraph(graph, &result.order));
  if (code != ExitDone || !interruption.hasCome())
    return code;
  std::fprintf(stderr,
               "memplan-graph: interrupted: the best order so far is written, "
               "with a peak of %lld bytes; the lower bound is %lld\n",
               static_cast<long long>(result.peak),
               static_cast<long long>(result.bound));
  return ExitLimit;
}
