//===- Profile.cpp - memplan-graph profile --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MemoryFlags.h"
#include "PairFlags.h"
#include "memplan/Graph/ProfileReport.h"
#include "memplan/Report/Picture.h"

#include <cstdio>

using namespace memplan;
using namespace memplan::tool;

namespace {

enum class Format { Text, Csv, Json, Html };

struct ProfileOptions {
  std::string input = "-", output = "-", backward;
  std::vector<std::string> saved;
  /// The form of the trace if the input is a trace.
  std::optional<std::string> trace;
  Format format = Format::Text;
  int64_t top = 20;
  bool withEntries = false, isInductor = false;
  graph::MemoryOptions memory;
};

int profileOne(const ProfileOptions &options) {
  graph::OpGraph graph;
  graph::Schedule schedule;
  if (options.trace) {
    graph::Trace trace;
    if (!loadTrace(options.input, *options.trace, trace))
      return ExitInvalid;
    graph = graph::makeGraph(trace);
    schedule = graph::programOrder(graph);
  } else if (!loadGraph(options.input, graph, schedule)) {
    return ExitInvalid;
  }
  if (options.isInductor) {
    std::string text;
    for (int64_t live : graph::buildInductorProfile(graph, schedule))
      text += std::to_string(live) + "\n";
    return writeResult(options.output, text);
  }
  graph::MemoryProfile profile =
      graph::buildProfile(graph, schedule, options.memory);
  switch (options.format) {
  case Format::Text:
    return writeResult(options.output, graph::formatProfileText(
                                           graph, profile, size_t(options.top),
                                           options.withEntries));
  case Format::Csv:
    return writeResult(options.output, graph::formatProfileCsv(graph, profile));
  case Format::Json:
    return writeResult(options.output,
                       graph::formatProfileJson(graph, profile));
  case Format::Html:
    return writeResult(options.output, makeProfilePage(graph::formatProfileJson(
                                           graph, profile)));
  }
  return ExitInvalid;
}

int profilePair(const ProfileOptions &options) {
  GraphPair loaded;
  if (!loadPair(options.input, options.backward, options.saved, loaded))
    return ExitInvalid;
  const graph::OpGraph &forward = loaded.forward;
  graph::PairProfile pair;
  std::vector<graph::GraphIssue> issues = graph::buildPairProfile(
      forward, loaded.forwardSchedule, loaded.backward, loaded.backwardSchedule,
      loaded.saved, options.memory, pair);
  for (const graph::GraphIssue &issue : issues)
    fail(options.backward + ": " + issue.message);
  if (!issues.empty())
    return ExitInvalid;
  switch (options.format) {
  case Format::Text:
    return writeResult(options.output,
                       graph::formatPairText(forward, pair, size_t(options.top),
                                             options.withEntries));
  case Format::Json:
    return writeResult(options.output, graph::formatPairJson(forward, pair));
  case Format::Html:
    return writeResult(options.output,
                       makeProfilePage(graph::formatPairJson(forward, pair)));
  case Format::Csv:
    break;
  }
  return fail("--format=csv: of one graph only");
}

} // namespace

int tool::runProfile(const Arguments &args) {
  ProfileOptions options;
  CommandLine commandLine(
      "memplan-graph profile [OPTIONS] [FILE]",
      "Prints the live bytes after every allocation and every release of the "
      "schedule,\nthe peak, and the allocations that are live there. With "
      "--backward, profiles a\nforward and a backward function.");
  commandLine.positional("the graph; '-' or none: standard input",
                         options.input);
  addTraceFlag(commandLine, options.trace);
  addPairFlags(commandLine, options.backward, options.saved);
  addMemoryFlags(commandLine, options.memory);
  commandLine.flag("--inductor",
                   "instead print the numbers of Inductor's estimator, by its "
                   "own rules: one in each line, two for each op",
                   options.isInductor);
  commandLine.number("--top=N",
                     "number of allocations to show at the peak, the largest "
                     "first (20)",
                     options.top);
  commandLine.flag("--entries", "also show every entry in the text",
                   options.withEntries);
  commandLine.choice(
      "--format=F",
      "text (default), csv (one line for each entry), json, or html",
      {"text", "csv", "json", "html"}, options.format);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    options.output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  if (options.trace && (options.isInductor || !options.backward.empty()))
    return fail("--trace: without --inductor and --backward");
  if (options.backward.empty() && !options.saved.empty())
    return fail("--saved: needs --backward");
  if (!options.backward.empty() && options.isInductor)
    return fail("--inductor: of one graph only");
  return options.backward.empty() ? profileOne(options) : profilePair(options);
}
