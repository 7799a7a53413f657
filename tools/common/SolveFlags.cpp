//===- SolveFlags.cpp - Options of the solver -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SolveFlags.h"

using namespace memplan;
using namespace memplan::tool;

void tool::addSolveFlags(CommandLine &commandLine, SolveOptions &options) {
  commandLine.custom("--strategy=NAME",
                     "naive, linear-scan, greedy (= greedy-by-size), "
                     "greedy-by-breadth, best-fit, hill-climb, exact, auto "
                     "(default)",
                     [&](const std::string &name) -> std::string {
                       std::optional<Strategy> strategy = parseStrategy(name);
                       if (!strategy)
                         return "is not one of " + listStrategies();
                       options.strategy = *strategy;
                       return "";
                     });
  commandLine.custom(
      "--effort=LEVEL",
      "effort of auto and hill-climb: low, normal (default), high",
      [&](const std::string &name) -> std::string {
        std::optional<Effort> effort = parseEffort(name);
        if (!effort)
          return "is not one of " + listEfforts();
        options.effort = *effort;
        return "";
      });
  commandLine.flag("--minimize", "with a capacity, go on to the least arena",
                   options.minimize);
  commandLine.number("--node-limit=N",
                     "stop after N search nodes; reproducible",
                     options.nodeLimit);
  // The largest limit is longer than any run and does not overflow the clock's
  // nanoseconds.
  commandLine.number("--time-limit-ms=N",
                     "stop after N ms; the plan then depends on the machine",
                     options.timeLimitMs, 0, INT64_MAX / 10000000);
  commandLine.number("--seed=N", "seed of the random restarts (default 0)",
                     options.seed);
  commandLine.number("--threads=N",
                     "search with N threads, 0 for all cores (default 1); the "
                     "result does not depend on it",
                     options.threads, 0, 1024);
}

void tool::addCapacityFlag(CommandLine &commandLine, std::string help,
                           Capacities &capacities) {
  commandLine.custom("--capacity=BYTES", std::move(help),
                     [&](const std::string &text) -> std::string {
                       std::string error;
                       std::optional<Capacities> parsed =
                           Capacities::parse(text, error);
                       if (!parsed)
                         return "is no capacity: " + error;
                       capacities = std::move(*parsed);
                       return "";
                     });
}
