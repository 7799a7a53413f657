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

/// The lines of the columns that are numbers of a buffer.
static std::string describeColumns() {
  std::string lines;
  forEachField<Buffer>([&](const auto &field) {
    if (std::string_view meaning = field.meaning; !meaning.empty()) {
      std::string name(field.name);
      name.resize(25, ' ');
      lines += "\n  " + name + std::string(meaning);
    }
  });
  return lines;
}

ParseResult memplan::tool::parseOptions(int argc, char **argv, Options &options,
                                        std::string &message) {
  CommandLine commandLine(
      "memplan-solve [options] [FILE]",
      std::string(
          R"(Assigns offsets to buffers in one arena. FILE is a report in JSON (of any memplan
tool), or CSV with these columns:

  id,lower,upper,size      live on [lower, upper); required columns)") +
          describeColumns() + R"(
  offset                   bytes; pins the buffer there
  ranges                   further live ranges, e.g. "9-12 15-20"
  gaps                     times at which it is not live, e.g. "9-12"
  soft                     buffers with which it should share no byte, and what
                           the plan pays if it does, e.g. "b:3 c:1"
  soft_banks               the same for buffers in one bank (--bank-size)
  all_or_none              buffers with which it begins at the same byte or
                           shares none, e.g. "b c"

The column names of minimalloc are accepted, too: buffer, buffer_id, begin, start,
end, which is the last time at which the buffer is live, and hint, which is ignored.
Other columns are ignored with a warning. Gaps with windows ("2-3@1:3") are an error.

Writes the plan to standard output and a summary to standard error.)");
  commandLine.positional("the problem; '-' or none: standard input",
                         options.input);
  addSolveFlags(commandLine, options.solve);
  addCapacityFlag(commandLine,
                  "find a plan within BYTES (also 64K, 1M, or for each memory "
                  "space of a report: 1:64K,2:8192); without it, minimise",
                  options.capacities);
  commandLine.bytes("--bank-size=BYTES",
                    "no buffer crosses a multiple of BYTES",
                    [&](int64_t bytes) { options.bankSize = bytes; });
  commandLine.choice(
      "--format=F",
      "csv or json, html (a page), svg, map (text), none; default: as the "
      "ending of the output file says, or as the input",
      {"csv", "json", "html", "map", "svg", "none"}, options.format);
  commandLine.value("--function=NAME",
                    "choose the problem of this function in a report",
                    options.arena.function);
  commandLine.value("--memory-space=NAME",
                    "choose the problem of this memory space in a report",
                    options.arena.memorySpace);
  commandLine.value("--loop=N",
                    "choose the problem of this parallel loop in a report, by "
                    "its loop_number; none: of the function itself",
                    options.arena.loop);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    options.output);
  commandLine.flag("--verify", "do not solve, but verify the plan of the input",
                   options.verify);
  commandLine.flag("--quiet", "print errors only", options.quiet);
  commandLine.epilogue(R"(exit codes:
  0  solved: a plan was found (or, with --verify, is correct)
  1  infeasible: it is proven that no plan fits the capacity or the pins
  2  limit: a limit ended the search without a plan within the capacity, or,
     for exact, without a proof, or Ctrl-C or SIGTERM ended it before a proof;
     the best plan so far is written
  3  invalid: bad options, file or problem, or the plan is wrong
)");
  return commandLine.parse({argv + 1, argv + argc}, message);
}
