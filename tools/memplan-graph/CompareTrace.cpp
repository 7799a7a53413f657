//===- CompareTrace.cpp - memplan-graph compare-trace ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "memplan/Report/Observation.h"

#include <cstdio>

using namespace memplan;
using namespace memplan::tool;

static int reject(const std::string &path, const TextError &error) {
  printErrorAt(path, error);
  return ExitInvalid;
}

static std::string formatRow(const ObservationComparison::Row &row) {
  std::string text = "@" + row.name.function;
  if (row.name.loop)
    text += " loop " + std::to_string(*row.name.loop);
  if (row.name.memorySpace != "0")
    text += " in space " + row.name.memorySpace;
  text += ": planned " + std::to_string(row.plannedBytes) + " bytes";
  if (row.isDynamic)
    text += " (at the first hint)";
  if (!row.observed)
    return text + ", not used\n";
  return text + ", used " + std::to_string(row.observed->extentBytes) +
         ", live at the peak " + std::to_string(row.observed->peakBytes) +
         ", lives " + std::to_string(row.numLives) + "\n";
}

int tool::runCompareTrace(const Arguments &args) {
  std::string plan, trace, page, output = "-";
  CommandLine commandLine(
      "memplan-graph compare-trace --plan=FILE [OPTIONS] [TRACE]",
      "Compares what an instrumented program has recorded\n"
      "(MEMPLAN_OBSERVE_JSON, docs/observe.md) with its plan: offsets, lives "
      "and peaks.\n"
      "Names each slot and op that disagrees. The exit code is 1 if there is "
      "one.");
  commandLine.positional("what was recorded; '-' or none: standard input",
                         trace);
  commandLine.value("--plan=FILE", "the JSON report of the plan", plan);
  commandLine.value("--html=FILE",
                    "also write the page of the plan with the lives drawn "
                    "over it",
                    page);
  commandLine.value("--output=FILE", "write to FILE, not to standard output",
                    output);
  if (std::optional<int> code = parseOrExit(commandLine, args))
    return *code;
  if (plan.empty())
    return fail("no --plan: the JSON report of the plan");
  if (trace.empty())
    trace = "-";
  std::string report, text;
  TextError error;
  std::vector<ReportedProblem> problems;
  if (!readFile(plan, report))
    return ExitInvalid;
  if (!parseReport(report, problems, error))
    return reject(plan, error);
  Observation observation;
  if (!readFile(trace, text))
    return ExitInvalid;
  if (!parseObservation(text, observation, error))
    return reject(trace, error);

  ObservationComparison compared = compare(problems, observation);
  std::string result;
  for (const ObservationComparison::Row &row : compared.arenas)
    result += formatRow(row);
  if (observation.counts.dropped > 0)
    result += "only the last events are compared: " +
              std::to_string(observation.counts.dropped) + " were dropped\n";
  for (const std::string &difference : compared.differences)
    result += "disagrees: " + difference + "\n";
  if (!compared.differences.empty())
    result += std::to_string(compared.differences.size()) + " differences\n";
  else if (compared.isAnyCompared())
    result += "the program and the plan agree\n";
  else
    result += "no slot was born: there is nothing to compare\n";
  if (!page.empty())
    if (int code = writeResult(page, makeObservedPage(report, compared));
        code != ExitDone)
      return code;
  int code = writeResult(output, result);
  return code != ExitDone || compared.differences.empty() ? code
                                                          : ExitInfeasible;
}
