//===- memplan-graph.cpp - Tools for op graphs ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "common/Files.h"
#include "common/OutOfMemory.h"
#include "memplan/Core/FileKind.h"
#include "memplan/Core/Version.h"
#include "memplan/Graph/GraphJson.h"

#include <cstdio>
#include <set>

using namespace memplan;
using namespace memplan::tool;

namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments &);
};

constexpr Command commands[] = {
    {"check", "check a graph and write it in canonical form", runCheck},
    {"profile", "live bytes over the schedule, and their peak", runProfile},
    {"plan", "plan the memory that the schedule allocates", runPlan},
    {"table", "memory that each op saves and its backward needs", runTable},
    {"dot", "draw the graph", runDot},
    {"partition", "split a joint graph and choose the saved values",
     runPartition},
    {"reorder", "find an order of the ops with a lower peak", runReorder},
    {"compare-trace", "compare what a program has recorded with its plan",
     runCompareTrace},
    {"rematerialize", "find a schedule within a budget that runs ops again",
     runRematerialize},
};

std::string helpText() {
  std::string text = "usage: memplan-graph COMMAND [OPTIONS] [FILE]\n\n"
                     "Computes profiles, plans, orders and partitions of a "
                     "graph of operations, given\nas JSON (docs/opgraph.md)."
                     "\n\ncommands:\n";
  for (const Command &command : commands) {
    std::string line = "  " + std::string(command.name);
    line.resize(18, ' ');
    text += line + std::string(command.summary) + "\n";
  }
  return text + R"(
memplan-graph COMMAND --help prints the options of a command.

exit codes:
  0  done
  1  infeasible: it is proven that the request is impossible; of compare-trace:
     program and plan disagree
  2  limit: a limit ended the search; the best result so far is written
  3  invalid: bad options, file or graph
)";
}

} // namespace

std::optional<int> tool::parseOrExit(const CommandLine &commandLine,
                                     const Arguments &args) {
  std::string message;
  switch (commandLine.parse(args, message)) {
  case ParseResult::Run:
    return std::nullopt;
  case ParseResult::Help:
    std::fputs(message.c_str(), stdout);
    return ExitDone;
  case ParseResult::Error:
    break;
  }
  return fail(message);
}

int tool::fail(const std::string &message) {
  printError("memplan-graph", message);
  return ExitInvalid;
}

void tool::printErrorAt(const std::string &path, const TextError &error) {
  printError(displayName(path) + ":" + std::to_string(error.line) + ":" +
                 std::to_string(error.column),
             error.message);
}

bool tool::readFile(const std::string &path, std::string &text) {
  std::string reason;
  if (readAll(path, text, reason))
    return true;
  fail("cannot read " + nameFile(path, "standard input") + ": " + reason);
  return false;
}

bool tool::loadGraph(const std::string &path, graph::OpGraph &graph,
                     graph::Schedule &schedule) {
  std::string text;
  if (!readFile(path, text))
    return false;
  TextError error;
  std::optional<graph::Schedule> stated;
  if (!graph::parseGraph(text, graph, stated, error)) {
    printErrorAt(path, error);
    return false;
  }
  schedule = stated ? std::move(*stated) : graph::programOrder(graph);
  return true;
}

bool tool::loadReorderable(const std::string &path, graph::OpGraph &graph,
                           graph::Schedule &schedule) {
  if (!loadGraph(path, graph, schedule))
    return false;
  if (std::set<graph::OpId>(schedule.begin(), schedule.end()).size() ==
      schedule.size())
    return true;
  fail("the schedule runs an op twice; without the key \"schedule\" the ops "
       "run in program order");
  return false;
}

void tool::addTraceFlag(CommandLine &commandLine,
                        std::optional<std::string> &form) {
  commandLine.custom(
      "--trace=FORM",
      "FILE is a recorded trace: csv, torch (a memory snapshot), or auto",
      [&form](const std::string &name) -> std::string {
        form = name;
        bool isKnown =
            name == "auto" || graph::parseName<graph::TraceForm>(name);
        return isKnown ? ""
                       : "is not one of auto, " +
                             graph::allNames<graph::TraceForm>();
      });
}

bool tool::loadTrace(const std::string &path, const std::string &form,
                     graph::Trace &trace) {
  std::string text;
  if (!readFile(path, text))
    return false;
  TextError error;
  if (!graph::parseTrace(text,
                         graph::parseName<graph::TraceForm>(form).value_or(
                             graph::guessTraceForm(text)),
                         trace, error)) {
    FileKind kind = guessFileKind(text);
    std::string other = kind == FileKind::Trace ? "" : describeFileKind(kind);
    if (!other.empty())
      error.message += "; the text is " + other;
    printErrorAt(path, error);
    return false;
  }
  if (trace.numUnknownFrees > 0)
    std::fprintf(stderr,
                 "memplan-graph: warning: %zu frees of memory that was "
                 "allocated before the trace are left out\n",
                 trace.numUnknownFrees);
  return true;
}

int tool::writeResult(const std::string &path, const std::string &text) {
  std::string reason;
  return writeAll(path, text, reason)
             ? int(ExitDone)
             : fail("cannot write " + nameFile(path, "standard output") + ": " +
                    reason);
}

int main(int argc, char **argv) {
  tool::exitIfOutOfMemory("memplan-graph");
  Arguments args(argv + 1, argv + argc);
  if (args.empty())
    return fail("no command, such as check or profile (see --help)");
  if (args[0] == "--version") {
    std::printf("memplan %s\n", memplan::version().data());
    return ExitDone;
  }
  if (args[0] == "--help" || args[0] == "-h") {
    std::fputs(helpText().c_str(), stdout);
    return ExitDone;
  }
  for (const Command &command : commands)
    if (command.name == args[0])
      return command.run(Arguments(args.begin() + 1, args.end()));
  std::string names;
  for (const Command &command : commands)
    names += (names.empty() ? "" : ", ") + std::string(command.name);
  return fail("unknown command '" + args[0] + "'; the commands are " + names +
              " (see --help)");
}
