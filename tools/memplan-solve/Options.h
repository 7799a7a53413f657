//===- Options.h - Command line of memplan-solve ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANSOLVE_OPTIONS_H
#define MEMPLAN_TOOLS_MEMPLANSOLVE_OPTIONS_H

#include "common/CommandLine.h"
#include "memplan/Core/BySpace.h"
#include "memplan/Core/Solver.h"
#include "memplan/Report/ReadReport.h"

#include <cstdint>
#include <optional>
#include <string>

namespace memplan::tool {

/// Exit codes, documented in --help.
enum ExitCode {
  ExitSolved = 0, ///< A plan (within the capacity, if one was given).
  ExitInfeasible =
      1,           ///< It is proven that no plan fits the capacity or the pins.
  ExitLimit = 2,   ///< A limit or Ctrl-C ended the search before that.
  ExitInvalid = 3, ///< Bad options, file, problem, or plan to verify.
};

/// `Input` is that of the input, CSV or JSON.
enum class Format { Csv, Json, Html, Map, Svg, None, Input };

struct Options {
  std::string input = "-";
  std::string output = "-";
  Format format = Format::Input;
  /// The choice of a problem if a report has several.
  ArenaChoice arena;
  bool verify = false;
  bool quiet = false;
  Capacities capacities;
  /// In bytes; absent for that of the input.
  std::optional<int64_t> bankSize;
  SolveOptions solve;
};

/// `message` becomes the help text or the error.
ParseResult parseOptions(int argc, char **argv, Options &options,
                         std::string &message);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANSOLVE_OPTIONS_H
