//===- memplan-solve.cpp - Solves planning problems -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a problem as CSV or JSON, solves it or verifies its plan, and writes
// the plan in the same form, or a picture of it.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "common/Files.h"
#include "common/Interruption.h"
#include "common/OutOfMemory.h"
#include "common/ProgressLine.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/FileKind.h"
#include "memplan/Core/Render.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"
#include "memplan/Report/Picture.h"
#include "memplan/Report/ReadReport.h"
#include "memplan/Report/Report.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using namespace memplan;
using namespace memplan::tool;

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

int fail(int code, const std::string &message) {
  printError("memplan-solve", message);
  return code;
}

/// The input: the problem, its arena if it comes from a report, and with
/// --verify its plan.
struct Input {
  ReportedProblem stated;
  Plan plan;
};

std::string renderReport(const Options &options, const Input &input,
                         const Plan &plan, double timeMs) {
  const Problem &problem = input.stated.problem;
  const std::string &name = input.stated.name.function;
  Report report = makeReport(problem, plan, options.solve.strategy,
                             name.empty() ? displayName(options.input) : name);
  report.arenas.front().memorySpace = input.stated.name.memorySpace;
  report.arenas.front().loopNumber = input.stated.name.loop;
  report.timeMs = timeMs;
  if (options.format == Format::Json)
    return formatJson(report);
  if (options.format == Format::Svg)
    return formatSvg(report);
  report.arenas.front().strategies = compareStrategies(problem, plan);
  return formatHtml(report);
}

std::string render(const Options &options, const Input &input, const Plan &plan,
                   double timeMs) {
  const Problem &problem = input.stated.problem;
  switch (options.format) {
  case Format::Input:
  case Format::Csv:
    return formatCsv(problem, plan);
  case Format::Json:
  case Format::Html:
  case Format::Svg:
    return renderReport(options, input, plan, timeMs);
  case Format::Map:
    return plan.hasOffsets() ? renderText(problem, plan) : "";
  case Format::None:
    return "";
  }
  return "";
}

/// Prints lines "key: value" to standard error, as standard output gets the
/// plan.
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
  if (plan.hasOffsets() && !problem.softConflicts.empty())
    std::fprintf(stderr, "penalty: %lld\npenalty bound: %lld\n",
                 static_cast<long long>(plan.penalty),
                 static_cast<long long>(plan.penaltyBound));
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
    printError("memplan-solve", issue.message);
  if (!issues.empty())
    return ExitInvalid;
  plan.lowerBound = lowerBound(problem);
  plan.strategy = "given";
  if (plan.arenaSize == plan.lowerBound && plan.penalty == 0)
    plan.status = PlanStatus::Optimal;
  if (!options.quiet)
    printSummary(problem, plan, 0);
  return ExitSolved;
}

int runSolve(const Options &options, const Input &input) {
  const Problem &problem = input.stated.problem;
  auto start = std::chrono::steady_clock::now();
  Interruption interruption;
  Plan plan = solveWithProgress(problem, options.solve, !options.quiet,
                                &interruption.flag());
  bool isCut = interruption.hasCome() && (plan.status == PlanStatus::Feasible ||
                                          plan.status == PlanStatus::Limit);
  double timeMs = 1000 * secondsSince(start);
  if (plan.status == PlanStatus::Invalid)
    return fail(ExitInvalid, plan.message);
  std::string text = render(options, input, plan, timeMs);
  if (std::string reason; !writeAll(options.output, text, reason))
    return fail(ExitInvalid, "cannot write " +
                                 nameFile(options.output, "standard output") +
                                 ": " + reason);
  if (!options.quiet)
    printSummary(problem, plan, timeMs);
  else if (plan.status == PlanStatus::Infeasible ||
           (plan.status == PlanStatus::Limit && !isCut))
    std::fprintf(stderr, "memplan-solve: %s: %s\n",
                 std::string(statusName(plan.status)).c_str(),
                 plan.message.c_str());
  if (isCut)
    std::fprintf(stderr,
                 "memplan-solve: interrupted: the best plan so far is "
                 "written, of %lld bytes; the lower bound is %lld\n",
                 static_cast<long long>(plan.arenaSize),
                 static_cast<long long>(plan.lowerBound));
  return isCut ? ExitLimit : exitCode(plan.status);
}

int failAt(const Options &options, size_t line, const std::string &message) {
  printError(displayName(options.input) + ":" + std::to_string(line), message);
  return ExitInvalid;
}

/// Says what the text is, if it is known and no problem.
int failToRead(const Options &options, const std::string &text, size_t line,
               const std::string &message) {
  FileKind kind = guessFileKind(text);
  bool isOther = kind != FileKind::Problem && kind != FileKind::Empty &&
                 kind != FileKind::Unknown;
  return isOther ? failAt(options, 1, "the text is " + describeFileKind(kind))
                 : failAt(options, line, message);
}

/// The first option that chooses a problem; empty if none is given.
std::string nameChoice(const ArenaChoice &choice) {
  if (!choice.function.empty())
    return "--function";
  if (!choice.memorySpace.empty())
    return "--memory-space";
  return choice.loop.empty() ? "" : "--loop";
}

int readCsv(const Options &options, const std::string &text, Input &input) {
  CsvError error;
  CsvOffsets offsets = options.verify ? CsvOffsets::Plan : CsvOffsets::Pins;
  std::vector<std::string> ignored;
  if (!parseCsv(text, offsets, input.stated.problem, input.plan, error,
                options.bankSize, &ignored))
    return failToRead(options, text, error.line, error.message);
  for (const std::string &column : ignored)
    if (!options.quiet)
      std::fprintf(stderr, "%s:1: warning: column '%s' is ignored\n",
                   displayName(options.input).c_str(), column.c_str());
  return ExitSolved;
}

/// The options that choose each of the problems, one problem in each line, at
/// most the first 20.
std::string listArenas(const std::vector<ReportedProblem> &problems,
                       const std::vector<size_t> &listed) {
  constexpr size_t kMost = 20;
  std::string list;
  for (size_t i = 0; i < listed.size() && i < kMost; ++i)
    list += "\n  " + describeArenaOptions(problems[listed[i]].name, "--");
  if (listed.size() > kMost)
    list += "\n  and " + std::to_string(listed.size() - kMost) + " more";
  return list;
}

int readJson(const Options &options, const std::string &text, Input &input) {
  std::vector<ReportedProblem> problems;
  TextError error;
  if (!parseReport(text, problems, error))
    return failToRead(options, text, error.line, error.message);
  std::vector<size_t> chosen, all, empty;
  for (size_t i = 0; i < problems.size(); ++i) {
    all.push_back(i);
    if (options.arena.accepts(problems[i].name))
      (problems[i].problem.buffers.empty() ? empty : chosen).push_back(i);
  }
  // Without another problem, choose among those without buffers.
  if (chosen.empty())
    chosen = std::move(empty);
  if (chosen.size() != 1)
    return failAt(options, 1,
                  (chosen.empty() ? "there is no problem of that name"
                                  : "one problem is solved, and there are " +
                                        std::to_string(chosen.size())) +
                      listArenas(problems, chosen.empty() ? all : chosen));
  input.stated = std::move(problems[chosen.front()]);
  if (!options.verify)
    return ExitSolved;
  for (size_t i = 0; i < input.stated.offsets.size(); ++i) {
    const Buffer &buffer = input.stated.problem.buffers[i];
    const std::optional<int64_t> &offset = input.stated.offsets[i];
    if (!offset)
      return failAt(options, 1, "slot '" + buffer.id + "' has no offset");
    input.plan.offsets.push_back(*offset);
  }
  input.plan.arenaSize = arenaSizeOf(input.stated.problem, input.plan.offsets);
  input.plan.penalty = penaltyOf(input.stated.problem, input.plan.offsets);
  return ExitSolved;
}

/// The format that the ending of the output file names.
std::optional<Format> findFormat(const std::string &path) {
  for (auto [ending, format] :
       {std::pair(".csv", Format::Csv), std::pair(".json", Format::Json),
        std::pair(".html", Format::Html), std::pair(".svg", Format::Svg)}) {
    std::string_view end(ending);
    if (path.size() > end.size() &&
        std::string_view(path).substr(path.size() - end.size()) == end)
      return format;
  }
  return std::nullopt;
}

/// Reads the problem. Returns ExitSolved, or prints an error and returns its
/// exit code.
int readInput(Options &options, Input &input) {
  std::string text;
  if (std::string reason; !readAll(options.input, text, reason))
    return fail(ExitInvalid, "cannot read " +
                                 nameFile(options.input, "standard input") +
                                 ": " + reason);
  size_t start = text.find_first_not_of(" \t\r\n");
  bool isJson = start != text.npos && text[start] == '{';
  if (std::string name = nameChoice(options.arena); !isJson && !name.empty())
    return fail(ExitInvalid,
                name + ": CSV states one problem; only a report has several");
  if (int code = isJson ? readJson(options, text, input)
                        : readCsv(options, text, input);
      code != ExitSolved)
    return code;
  Problem &problem = input.stated.problem;
  if (options.format == Format::Input)
    options.format = findFormat(options.output)
                         .value_or(isJson ? Format::Json : Format::Csv);
  if (std::string reason = whyNotCsv(problem);
      options.format == Format::Csv && !reason.empty())
    return fail(ExitInvalid,
                "the problem " + reason + ", which CSV cannot say; JSON can");
  if (!isJson && !options.capacities.bySpace.empty())
    return fail(ExitInvalid,
                "--capacity: CSV states no memory space; give one number");
  if (isJson && options.bankSize)
    problem.bankSize = options.bankSize;
  if (std::optional<int64_t> bytes =
          options.capacities.find(input.stated.name.memorySpace))
    problem.capacity = bytes;
  std::vector<Issue> issues = check(problem);
  for (const Issue &issue : issues)
    printError(displayName(options.input), issue.message);
  return issues.empty() ? ExitSolved : ExitInvalid;
}

} // namespace

int main(int argc, char **argv) {
  tool::exitIfOutOfMemory("memplan-solve");
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
  Input input;
  if (int code = readInput(options, input); code != ExitSolved)
    return code;
  return options.verify ? runVerify(options, input.stated.problem, input.plan)
                        : runSolve(options, input);
}
