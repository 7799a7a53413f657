//===- Commands.h - The subcommands of memplan-graph ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One subcommand a file: it declares its options (CommandLine), loads its graph
// and returns an exit code. The table in memplan-graph.cpp lists them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H

#include "common/CommandLine.h"
#include "memplan/Graph/OpGraph.h"

#include <string>
#include <vector>

namespace memplan::tool {

/// Exit codes, documented in --help.
enum ExitCode {
  ExitDone = 0,       ///< The result was written.
  ExitInfeasible = 1, ///< Proven: what was asked for is impossible.
  ExitLimit = 2,      ///< A limit ended the search; the best so far is written.
  ExitInvalid = 3,    ///< Bad options, file or graph.
};

/// What follows the subcommand's name on the command line.
using Arguments = std::vector<std::string>;

int runCheck(const Arguments &args);
int runDot(const Arguments &args);
int runPartition(const Arguments &args);
int runPlan(const Arguments &args);
int runProfile(const Arguments &args);
int runRematerialize(const Arguments &args);
int runReorder(const Arguments &args);
int runTable(const Arguments &args);

/// Parses; where there is nothing to run (help, or an error, both printed)
/// returns the exit code.
std::optional<int> parseOrExit(const CommandLine &commandLine,
                               const Arguments &args);

/// Prints the error and returns ExitInvalid.
int fail(const std::string &message);

/// Reads a graph and its schedule (program order where the file has none).
/// Prints FILE:LINE:COLUMN: error: ... and returns false when it is refused.
bool loadGraph(const std::string &path, graph::OpGraph &graph,
               graph::Schedule &schedule);

/// Writes the text; returns ExitDone, or ExitInvalid with a message.
int writeResult(const std::string &path, const std::string &text);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_COMMANDS_H
