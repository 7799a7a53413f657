//===- Commands.h - The subcommands of memplan-graph ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each subcommand has its own file. It declares its options (CommandLine),
// loads its graph and returns an exit code. The table in memplan-graph.cpp
// lists the subcommands.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H

#include "common/CommandLine.h"
#include "memplan/Graph/OpGraph.h"
#include "memplan/Graph/Trace.h"

#include <string>
#include <vector>

namespace memplan::tool {

/// Exit codes, documented in --help.
enum ExitCode {
  ExitDone = 0,       ///< The result was written.
  ExitInfeasible = 1, ///< It is proven that the request is impossible.
  ExitLimit =
      2, ///< A limit ended the search; the best result so far is written.
  ExitInvalid = 3, ///< Bad options, file or graph.
};

/// The arguments after the name of the subcommand.
using Arguments = std::vector<std::string>;

int runCheck(const Arguments &args);
int runCompareTrace(const Arguments &args);
int runDot(const Arguments &args);
int runPartition(const Arguments &args);
int runPlan(const Arguments &args);
int runProfile(const Arguments &args);
int runRematerialize(const Arguments &args);
int runReorder(const Arguments &args);
int runTable(const Arguments &args);

/// Parses the arguments. Returns std::nullopt if the command is to run;
/// otherwise prints the help text or the error and returns the exit code.
std::optional<int> parseOrExit(const CommandLine &commandLine,
                               const Arguments &args);

/// Prints the error and returns ExitInvalid.
int fail(const std::string &message);

/// Prints the error with its place in the file.
void printErrorAt(const std::string &path, const TextError &error);

/// Reads a text. On failure prints the error and returns false.
bool readFile(const std::string &path, std::string &text);

/// Reads a graph and its schedule (program order if the file has none). On
/// failure prints "FILE:LINE:COLUMN: error: ..." and returns false.
bool loadGraph(const std::string &path, graph::OpGraph &graph,
               graph::Schedule &schedule);

/// Likewise. Fails, too, if the schedule runs an op twice.
bool loadReorderable(const std::string &path, graph::OpGraph &graph,
                     graph::Schedule &schedule);

/// Adds --trace=FORM, which sets `form` to a name of TraceForm or "auto".
void addTraceFlag(CommandLine &commandLine, std::optional<std::string> &form);

/// Reads a trace in that form. On failure prints the error and returns false.
bool loadTrace(const std::string &path, const std::string &form,
               graph::Trace &trace);

/// Writes the text. Returns ExitDone, or prints an error and returns
/// ExitInvalid.
int writeResult(const std::string &path, const std::string &text);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H
