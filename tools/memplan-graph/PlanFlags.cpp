//===- PlanFlags.cpp - Options of planning and its output -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFlags.h"

#include "common/Interruption.h"
#include "common/ProgressLine.h"
#include "common/SolveFlags.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/Csv.h"
#include "memplan/Core/Render.h"
#include "memplan/Core/Verify.h"
#include "memplan/Report/Picture.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::tool;

void tool::addPlanFlags(CommandLine &commandLine, PlanFlags &flags) {
  addSolveFlags(commandLine, flags.solve);
  addCapacityFlag(
      commandLine,
      "the capacity of each arena (also 64K, 1M, or for each memory "
      "space: 1:64K,2:8192)",
      flags.capacities);
  commandLine.bytes("--alignment=BYTES",
                    "least alignment of a buffer, a power of two (64)",
                    [&](int64_t bytes) { flags.alignment = bytes; });
  commandLine.custom("--memory-space=NAME", "plan this memory space only",
                     [&](const std::string &name) -> std::string {
                       flags.space = name;
                       return "";
                     });
  commandLine.choice(
      "--format=F", "text (default), json, csv, map, svg, or html",
      {"text", "json", "csv", "map", "svg", "html"}, flags.format);
}

bool tool::solveSpaces(const std::vector<std::string> &names,
                       std::vector<graph::ProblemInSpace> problems,
                       PlanFlags &flags,
                       std::vector<graph::SolvedSpace> &solved) {
  constexpr int64_t most = int64_t(1) << 40;
  if (flags.alignment < 1 || flags.alignment > most ||
      (flags.alignment & (flags.alignment - 1)) != 0) {
    fail("--alignment: " + std::to_string(flags.alignment) +
         " is not a power of two up to " + std::to_string(most));
    return false;
  }
  Interruption interruption;
  for (graph::ProblemInSpace &space : problems) {
    const std::string &name = names[space.space];
    if (flags.space && *flags.space != name)
      continue;
    space.problem.capacity = flags.capacities.find(name);
    std::vector<Issue> issues = check(space.problem);
    for (const Issue &issue : issues)
      fail(issue.message);
    if (!issues.empty())
      return false;
    Plan plan = solveWithProgress(space.problem, flags.solve,
                                  /*isWanted=*/true, &interruption.flag());
    int64_t peak = findPeak(space.problem).bytes;
    solved.push_back(
        {name, std::move(space.problem), std::move(plan), peak, {}});
  }
  flags.isInterrupted = interruption.hasCome();
  if (flags.space && solved.empty()) {
    fail("--memory-space: nothing is allocated in space '" + *flags.space +
         "'");
    return false;
  }
  return true;
}

std::optional<std::string>
tool::formatSpaces(const std::string &graphName,
                   const std::vector<graph::SolvedSpace> &solved,
                   const PlanFlags &flags, std::string &error) {
  if (flags.format == PlanFormat::Text)
    return graph::formatPlansText(solved);
  if (flags.format == PlanFormat::Json)
    return graph::formatPlansJson(graphName, solved);
  if (solved.size() != 1) {
    error = "this format shows one memory space; choose one of " +
            std::to_string(solved.size()) + " with --memory-space";
    return std::nullopt;
  }
  const graph::SolvedSpace &space = solved.front();
  if (!space.plan.hasOffsets() && !space.problem.buffers.empty())
    return "";
  if (std::string reason = whyNotCsv(space.problem);
      flags.format == PlanFormat::Csv && !reason.empty()) {
    error = "the problem " + reason + ", which CSV cannot say; JSON can";
    return std::nullopt;
  }
  if (flags.format == PlanFormat::Csv)
    return formatCsv(space.problem, space.plan);
  if (flags.format == PlanFormat::Map)
    return renderText(space.problem, space.plan);
  Report report = graph::makeSpaceReport(graphName, space);
  return flags.format == PlanFormat::Html ? formatHtml(report)
                                          : formatSvg(report);
}

int tool::exitCodeOf(const std::vector<graph::SolvedSpace> &solved,
                     const PlanFlags &flags) {
  int code = flags.isInterrupted ? ExitLimit : ExitDone;
  for (const graph::SolvedSpace &space : solved)
    switch (space.plan.status) {
    case PlanStatus::Optimal:
    case PlanStatus::Feasible:
      break;
    case PlanStatus::Infeasible:
      code = std::max<int>(code, ExitInfeasible);
      break;
    case PlanStatus::Limit:
      code = std::max<int>(code, ExitLimit);
      break;
    case PlanStatus::Invalid:
      code = std::max<int>(code, ExitInvalid);
      break;
    }
  return code;
}
