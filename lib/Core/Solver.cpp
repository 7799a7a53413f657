//===- Solver.cpp - Strategies and their one entry point ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Solver.h"

#include "Auto.h"
#include "Strategies.h"
#include "memplan/Core/Verify.h"

#include <utility>

using namespace memplan;
using namespace memplan::detail;

std::string_view memplan::statusName(PlanStatus status) {
  switch (status) {
  case PlanStatus::Optimal:
    return "optimal";
  case PlanStatus::Feasible:
    return "feasible";
  case PlanStatus::Infeasible:
    return "infeasible";
  case PlanStatus::Limit:
    return "limit";
  case PlanStatus::Invalid:
    return "invalid";
  }
  return "invalid";
}

std::string_view memplan::strategyName(Strategy strategy) {
  switch (strategy) {
  case Strategy::Naive:
    return "naive";
  case Strategy::LinearScan:
    return "linear-scan";
  case Strategy::GreedyBySize:
    return "greedy-by-size";
  case Strategy::GreedyByBreadth:
    return "greedy-by-breadth";
  case Strategy::BestFit:
    return "best-fit";
  case Strategy::Auto:
    return "auto";
  }
  return "auto";
}

const std::vector<Strategy> &memplan::allStrategies() {
  static const std::vector<Strategy> all = {
      Strategy::Naive,           Strategy::LinearScan, Strategy::GreedyBySize,
      Strategy::GreedyByBreadth, Strategy::BestFit,    Strategy::Auto};
  return all;
}

std::optional<Strategy> memplan::parseStrategy(std::string_view name) {
  if (name == "greedy")
    return Strategy::GreedyBySize;
  for (Strategy strategy : allStrategies())
    if (name == strategyName(strategy))
      return strategy;
  return std::nullopt;
}

namespace {

/// Why the pinned buffers alone make the problem infeasible, or "".
std::string findPinClash(const Model &model) {
  // The pinned buffers as a problem of their own, with every offset given, are
  // a plan that the verifier can judge.
  const Problem &problem = model.problem;
  Problem pins;
  Plan plan;
  std::vector<BufferIndex> newIndex(model.size(), UINT32_MAX);
  for (BufferIndex b : model.pinned()) {
    newIndex[b] = static_cast<BufferIndex>(pins.buffers.size());
    pins.buffers.push_back(problem.buffers[b]);
    plan.offsets.push_back(model.pinOf(b));
    plan.arenaSize = std::max(plan.arenaSize, model.pinOf(b) + model.sizeOf(b));
  }
  plan.status = PlanStatus::Feasible;
  pins.arenaAlignment = problem.arenaAlignment;
  for (Conflict c : problem.conflicts) {
    c = {newIndex[c.first], newIndex[c.second]};
    if (c.first != UINT32_MAX && c.second != UINT32_MAX)
      pins.conflicts.push_back(c);
  }
  for (PermittedOverlap o : problem.overlaps) {
    o.first = newIndex[o.first];
    o.second = newIndex[o.second];
    if (o.first != UINT32_MAX && o.second != UINT32_MAX)
      pins.overlaps.push_back(o);
  }
  std::vector<Issue> issues = verify(pins, plan, /*maxIssues=*/1);
  return issues.empty() ? std::string() : "pinned " + issues.front().message;
}

void runStrategy(const Model &model, Strategy strategy, Plan &plan) {
  Placement placement;
  switch (strategy) {
  case Strategy::Naive:
    placement = naive(model);
    break;
  case Strategy::LinearScan:
    placement = linearScan(model);
    break;
  case Strategy::GreedyBySize:
    placement = greedyBySize(model);
    break;
  case Strategy::GreedyByBreadth:
    placement = greedyByBreadth(model);
    break;
  case Strategy::BestFit:
    placement = bestFit(model);
    break;
  case Strategy::Auto: {
    AutoResult result = solveAuto(model, plan.lowerBound);
    placement = std::move(result.placement);
    plan.strategy = strategyName(result.winner);
    plan.message = std::move(result.message);
    break;
  }
  }
  plan.offsets = std::move(placement.offsets);
  plan.arenaSize = placement.height;
}

Plan infeasible(Plan plan, std::string message) {
  plan.status = PlanStatus::Infeasible;
  plan.message = std::move(message);
  return plan;
}

} // namespace

Plan memplan::solve(const Problem &problem, const SolveOptions &options) {
  Plan plan;
  plan.strategy = strategyName(options.strategy);
  std::vector<Issue> issues = check(problem, /*maxIssues=*/1);
  if (!issues.empty()) {
    plan.message = issues.front().message;
    return plan;
  }
  Model model(problem);
  plan.lowerBound = detail::lowerBound(model);
  if (std::string clash = findPinClash(model); !clash.empty())
    return infeasible(std::move(plan), std::move(clash));
  if (problem.capacity && plan.lowerBound > *problem.capacity)
    return infeasible(std::move(plan), "requires at least " +
                                           std::to_string(plan.lowerBound) +
                                           " bytes but the capacity is " +
                                           std::to_string(*problem.capacity));

  runStrategy(model, options.strategy, plan);
  if (problem.capacity && plan.arenaSize > *problem.capacity) {
    plan.status = PlanStatus::Limit;
    plan.message = "found " + std::to_string(plan.arenaSize) +
                   " bytes, above the capacity of " +
                   std::to_string(*problem.capacity) + "; the lower bound is " +
                   std::to_string(plan.lowerBound);
  } else if (plan.arenaSize == plan.lowerBound) {
    plan.status = PlanStatus::Optimal;
  } else {
    plan.status = PlanStatus::Feasible;
  }
  issues = verify(problem, plan, /*maxIssues=*/1);
  if (!issues.empty()) {
    Plan refused;
    refused.strategy = plan.strategy;
    refused.message = "defect of the strategy: " + issues.front().message;
    return refused;
  }
  return plan;
}
