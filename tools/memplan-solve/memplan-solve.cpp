//===- memplan-solve.cpp - Solves problems given as CSV -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a problem as CSV, solves it (or verifies the plan it holds) and writes
// the plan as CSV or JSON, or a map of it.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "common/Files.h"
#include "common/ProgressLine.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Render.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"
#include "memplan/Report/Picture.h"
#include "memplan/Report/Report.h"

#include <chrono>
#include <cstdio>
#include <string>

using namespace memplan;
using namespace memplan::tool;

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

int fail(int code, const std::string &message) {
  std::fprintf(stderr, "memplan-solve: error: %s\n", message.c_str());
  return code;
}

std::string renderReport(const Options &options, const Problem &problem,
                         const Plan &plan, double timeMs) {
  Report report = makeReport(problem, plan, options.solve.strategy,
                             displayName(options.input));
  report.timeMs = timeMs;
  if (options.format == Format::Json)
    return formatJson(report);
  if (options.format == Format::Svg)
    return formatSvg(report);
  report.arenas.front().strategies = compareStrategies(problem, plan);
  return formatHtml(report);
}

std::string render(const Options &options, const Problem &problem,
                   const Plan &plan, double timeMs) {
  switch (options.format) {
  case Format::Csv:
    return formatCsv(problem, plan);
  case Format::Json:
  case Format::Html:
  case Format::Svg:
    return renderReport(options, problem, plan, timeMs);
  case Format::Map:
    return plan.hasOffsets() ? renderText(problem, plan) : "";
  case Format::None:
    return "";
  }
  return "";
}

/// "key: value" lines on standard error, so that standard output holds the plan
/// alone.
void printSummary(const Problem &problem, const Plan &plan, double timeMs) {
  double ratio = plan.lowerBound > 0
                     ? double(plan.arenaSize) / double(plan.lowerBound)
                     : 1.0;
  std::string status(statusName(plan.status));
  std::fprintf(stderr, "status: %s\nstrategy: %s\nbuffers: %zu\n",
               status.c_str(), plan.strategy.c_str(), problem.buffers.size());
  if (plan.hasOffsets() || problem.buffers.empty())
    std::fprintf(stderr, "arena: %lld\n",
                 static_cast<long long>(plan.arenaSize));
  std::fprintf(stderr, "bound: %lld\n",
               static_cast<long long>(plan.lowerBound));
  if (plan.hasOffsets())
    std::fprintf(stderr, "ratio: %.6f\n", ratio);
  std::fprintf(stderr, "sum: %lld\nnodes: %lld\ntime: %.3f ms\n",
               static_cast<long long>(totalSize(problem)),
               static_cast<long long>(plan.nodes), timeMs);
  if (!plan.message.empty())
    std::fprintf(stderr, "message: %s\n", plan.message.c_str());
}

int exitCode(PlanStatus status) {
  switch (status) {
  case PlanStatus::Optimal:
  case PlanStatus::Feasible:
    return ExitSolved;
  case PlanStatus::Infeasible:
    return ExitInfeasible;
  case PlanStatus::Limit:
    return ExitLimit;
  case PlanStatus::Invalid:
    return ExitInvalid;
  }
  return ExitInvalid;
}

int runVerify(const Options &options, const Problem &problem, Plan &plan) {
  plan.status = PlanStatus::Feasible;
  std::vector<Issue> issues = verify(problem, plan);
  for (const Issue &issue : issues)
    std::fprintf(stderr, "memplan-solve: error: %s\n", issue.message.c_str());
  if (!issues.empty())
    return ExitInvalid;
  plan.lowerBound = lowerBound(problem);
  plan.strategy = "given";
  if (plan.arenaSize == plan.lowerBound)
    plan.status = PlanStatus::Optimal;
  if (!options.quiet)
    printSummary(problem, plan, 0);
  return ExitSolved;
}

int runSolve(const Options &options, const Problem &problem) {
  auto start = std::chrono::steady_clock::now();
  Plan plan = solveWithProgress(problem, options.solve, !options.quiet);
  double timeMs = 1000 * secondsSince(start);
  if (plan.status == PlanStatus::Invalid)
    return fail(ExitInvalid, plan.message);
  std::string text = render(options, problem, plan, timeMs);
  if (std::string reason; !writeAll(options.output, text, reason))
    return fail(ExitInvalid,
                "cannot write '" + options.output + "': " + reason);
  if (!options.quiet)
    printSummary(problem, plan, timeMs);
  return exitCode(plan.status);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  std::string message;
  switch (parseOptions(argc, argv, options, message)) {
  case ParseResult::Run:
    break;
  case ParseResult::Help:
    std::fputs(message.c_str(), stdout);
    return ExitSolved;
  case ParseResult::Error:
    return fail(ExitInvalid, message);
  }
  std::string text;
  if (std::string reason; !readAll(options.input, text, reason))
    return fail(ExitInvalid, "cannot read '" + options.input + "': " + reason);
  Problem problem;
  Plan plan;
  CsvError error;
  CsvOffsets offsets = options.verify ? CsvOffsets::Plan : CsvOffsets::Pins;
  if (!parseCsv(text, offsets, problem, plan, error)) {
    std::fprintf(stderr, "%s:%zu: error: %s\n",
                 displayName(options.input).c_str(), error.line,
                 error.message.c_str());
    return ExitInvalid;
  }
  problem.capacity = options.capacity;
  std::vector<Issue> issues = check(problem);
  for (const Issue &issue : issues)
    std::fprintf(stderr, "%s: error: %s\n", displayName(options.input).c_str(),
                 issue.message.c_str());
  if (!issues.empty())
    return ExitInvalid;
  return options.verify ? runVerify(options, problem, plan)
                        : runSolve(options, problem);
}
