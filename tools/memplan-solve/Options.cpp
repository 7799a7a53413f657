//===- Options.cpp - Command line of memplan-solve ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "common/CommandLine.h"
#include "common/SolveFlags.h"

using namespace memplan;
using namespace memplan::tool;

ParseResult memplan::tool::parseOptions(int argc, char **argv, Options &options,
                                        std::string &message) {
  CommandLine commandLine(
      "memplan-solve [options] [FILE]",
      R"(Assigns offsets to buffers in one arena. Reads a problem from the file or, without
one or with '-', from standard input: a report in JSON (of any memplan tool), or CSV:

  id,lower,upper,size      live on [lower, upper); required columns
  alignment                bytes, a power of two (default 1)
  offset                   a pin
  ranges                   further live ranges, e.g. "9-12 15-20"
  gaps                     times at which it is not live, e.g. "9-12"

minimalloc's names are known, too: buffer, buffer_id, begin, start, and end,
which is the last time of a buffer.

Writes the plan to standard output and a summary to standard error.)");
  commandLine.positional("the problem; '-' or none: standard input",
                         options.input);
  addSolveFlags(commandLine, options.solve);
  commandLine.bytes(
      "--capacity=BYTES",
      "find a plan within BYTES (also 64K, 1M); without it, minimise",
      [&](int64_t bytes) { options.capacity = bytes; });
  commandLine.choice(
      "--format=F",
      "csv or json (default: as the input), html (a page), svg, map (text), "
      "none",
      {"csv", "json", "html", "map", "svg", "none"}, options.format);
  commandLine.value("--function=NAME", "of a report with several problems",
                    options.arena.function);
  commandLine.value("--memory-space=NAME", "likewise",
                    options.arena.memorySpace);
  commandLine.value("--loop=N",
                    "likewise: of a parallel loop of the function, by "
                    "loop_number; none: of the function itself",
                    options.arena.loop);
  commandLine.value("--output=FILE", "instead of standard output",
                    options.output);
  commandLine.flag("--verify",
                   "do not solve: verify the plan that the problem has",
                   options.verify);
  commandLine.flag("--quiet", "no summary and no progress", options.quiet);
  commandLine.epilogue(R"(exit codes:
  0  solved: a plan was found (or, with --verify, is correct)
  1  infeasible: proven that no plan fits the capacity or the pins
  2  limit: a limit ended the search without a plan within the capacity, or,
     for exact, without a proof; the best plan so far is written
  3  invalid: bad options, file or problem, or the plan is wrong
)");
  return commandLine.parse({argv + 1, argv + argc}, message);
}
