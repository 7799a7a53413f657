//===- Options.cpp - The command line -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::tool;

static constexpr const char *helpText =
    R"(usage: memplan-solve [options] [file]

Assigns every buffer of a problem an offset in one arena, as small as it can.
Reads CSV from the file or, without one or with '-', from standard input:

  id,lower,upper,size      live on [lower, upper); required columns
  alignment                bytes, a power of two (default 1)
  offset                   a pin
  ranges                   further live ranges, e.g. "9-12 15-20"

Writes the plan to standard output and a summary to standard error.

options:
  --strategy=NAME    naive, linear-scan, greedy (= greedy-by-size),
                     greedy-by-breadth, best-fit, hill-climb, exact,
                     auto (default)
  --capacity=BYTES   find a plan within BYTES; without it, minimise
  --effort=LEVEL     of auto and hill-climb: low, normal (default), high
  --node-limit=N     stop after N search nodes; reproducible
  --time-limit-ms=N  stop after N ms; what is found then depends on the machine
  --seed=N           of the random restarts (default 0)
  --threads=N        search with N threads, 0 for all cores (default 1); the
                     result does not depend on it
  --format=F         csv (default), json, map (text), svg, none
  --output=FILE      instead of standard output
  --verify           do not solve: verify the plan in column 'offset'
  --quiet            no summary and no progress
  --help             this text

exit codes:
  0  solved: a plan was found (or, with --verify, is correct)
  1  infeasible: proven that no plan fits the capacity or the pins
  2  limit: a limit ended the search without a plan within the capacity, or,
     for exact, without a proof; the best plan so far is written
  3  invalid: bad options, file or problem, or the plan is wrong
)";

namespace {

bool parseNumber(const std::string &text, int64_t &value) {
  value = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    std::optional<int64_t> tens = checkedMul(value, 10);
    std::optional<int64_t> sum =
        tens ? checkedAdd(*tens, c - '0') : std::nullopt;
    if (!sum)
      return false;
    value = *sum;
  }
  return !text.empty();
}

std::optional<Format> parseFormat(const std::string &name) {
  if (name == "csv")
    return Format::Csv;
  if (name == "json")
    return Format::Json;
  if (name == "map")
    return Format::Map;
  if (name == "svg")
    return Format::Svg;
  if (name == "none")
    return Format::None;
  return std::nullopt;
}

/// Sets what `name` names; returns why it cannot, or "".
std::string setOption(const std::string &name, const std::string &value,
                      Options &options) {
  auto bad = [&](const char *expected) {
    return "--" + name + ": '" + value + "' is not " + expected;
  };
  if (name == "strategy") {
    std::optional<Strategy> strategy = parseStrategy(value);
    if (!strategy)
      return bad("a strategy (see --help)");
    options.solve.strategy = *strategy;
    return "";
  }
  if (name == "effort") {
    std::optional<Effort> effort = parseEffort(value);
    if (!effort)
      return bad("one of low, normal, high");
    options.solve.effort = *effort;
    return "";
  }
  if (name == "format") {
    std::optional<Format> format = parseFormat(value);
    if (!format)
      return bad("one of csv, json, map, svg, none");
    options.format = *format;
    return "";
  }
  if (name == "output") {
    options.output = value;
    return value.empty() ? "--output: the file name is empty" : "";
  }
  int64_t number;
  if (!parseNumber(value, number))
    return bad("a number from 0 to 2^63 - 1");
  if (name == "capacity")
    options.capacity = number;
  else if (name == "node-limit")
    options.solve.nodeLimit = number;
  else if (name == "time-limit-ms")
    // Longer than any run, and no overflow in the clock's nanoseconds.
    options.solve.timeLimitMs = std::min<int64_t>(number, INT64_MAX / 10000000);
  else if (name == "seed")
    options.solve.seed = static_cast<uint64_t>(number);
  else if (name == "threads" && number <= 1024)
    options.solve.threads = static_cast<unsigned>(number);
  else
    return bad("a number from 0 to 1024");
  return "";
}

bool isValued(const std::string &name) {
  for (const char *known :
       {"strategy", "capacity", "effort", "node-limit", "time-limit-ms", "seed",
        "threads", "format", "output"})
    if (name == known)
      return true;
  return false;
}

} // namespace

OptionsResult memplan::tool::parseOptions(int argc, char **argv,
                                          Options &options,
                                          std::string &message) {
  bool hasInput = false;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg == "--help" || arg == "-h") {
      message = helpText;
      return OptionsResult::Help;
    }
    if (arg == "--verify") {
      options.verify = true;
      continue;
    }
    if (arg == "--quiet") {
      options.quiet = true;
      continue;
    }
    if (arg.rfind("--", 0) != 0) {
      if (hasInput) {
        message = "more than one file: '" + arg + "'";
        return OptionsResult::Error;
      }
      hasInput = true;
      options.input = arg;
      continue;
    }
    // --name=value or --name value
    size_t equals = arg.find('=');
    std::string name = arg.substr(2, equals - 2);
    if (equals == std::string::npos)
      name = arg.substr(2);
    if (!isValued(name)) {
      message = "unknown option '" + arg + "' (see --help)";
      return OptionsResult::Error;
    }
    if (equals == std::string::npos && i + 1 >= argc) {
      message = "option '" + arg + "' needs a value";
      return OptionsResult::Error;
    }
    std::string value =
        equals == std::string::npos ? argv[++i] : arg.substr(equals + 1);
    message = setOption(name, value, options);
    if (!message.empty())
      return OptionsResult::Error;
  }
  return OptionsResult::Run;
}
