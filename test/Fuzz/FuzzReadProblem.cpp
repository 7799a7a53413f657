//===- FuzzReadProblem.cpp - Readers of problems and plans
//------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Problems and plans as CSV and JSON, and the lists of capacities. A text that
// is read and written is read again as the same.

#include "Bytes.h"

#include "memplan/Core/BySpace.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Render.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"
#include "memplan/Report/Picture.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"

using namespace memplan;
using namespace memplan::fuzz;

static void requireError(size_t line, const std::string &message) {
  require(!message.empty(), "an error has no message");
  require(message.find('\n') == std::string::npos || line > 0,
          "an error has several lines");
}

/// Writes and draws a problem with its plan; what is written is read again.
static void write(const Problem &problem, const Plan &plan) {
  if (plan.hasOffsets())
    (void)renderText(problem, plan);
  Report report = makeReport(problem, plan, Strategy::BestFit, "fuzz");
  (void)formatSvg(report);
  (void)formatText(report);
  std::string text = formatJson(report);
  std::vector<ReportedProblem> again;
  TextError error;
  require(parseReport(text, again, error) && again.size() == 1,
          "a written report is not read");
  const Problem &read = again.front().problem;
  require(haveEqualFields(read, problem) && read.buffers == problem.buffers,
          "a report changes a problem");
}

static void use(const Problem &problem) {
  if (!check(problem).empty() || problem.buffers.size() > 64)
    return;
  SolveOptions options;
  options.strategy = Strategy::BestFit;
  Plan plan = solve(problem, options);
  require(plan.status != PlanStatus::Invalid || hasFormulas(problem),
          "a problem that check() accepts has no plan");
  write(problem, plan);
}

static void readCsv(std::string_view text, CsvOffsets offsets) {
  Problem problem, again;
  Plan plan, planAgain;
  CsvError error;
  if (!parseCsv(text, offsets, problem, plan, error))
    return requireError(error.line, error.message);
  if (offsets == CsvOffsets::Plan) {
    std::string written = formatCsv(problem, plan);
    require(parseCsv(written, offsets, again, planAgain, error),
            "a written plan is not read");
    require(planAgain.offsets == plan.offsets &&
                planAgain.arenaSize == plan.arenaSize &&
                formatCsv(again, planAgain) == written,
            "a written plan is read as another one");
    if (check(problem).empty())
      (void)verify(problem, plan);
  }
  use(problem);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  std::string reason;
  if (std::optional<Capacities> capacities = Capacities::parse(text, reason)) {
    std::string written = capacities->format();
    std::optional<Capacities> again = Capacities::parse(written, reason);
    require(again && again->format() == written,
            "written capacities are read as others");
    return 0;
  }
  require(!reason.empty(), "capacities are rejected without a reason");
  if (size_t start = text.find_first_not_of(" \t\r\n");
      start == text.npos || text[start] != '{') {
    readCsv(text, CsvOffsets::Pins);
    readCsv(text, CsvOffsets::Plan);
    return 0;
  }
  std::vector<ReportedProblem> problems;
  TextError error;
  if (!parseReport(text, problems, error))
    requireError(error.line, error.message);
  for (const ReportedProblem &reported : problems)
    use(reported.problem);
  return 0;
}
