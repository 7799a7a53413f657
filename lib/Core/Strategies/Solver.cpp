//===- Solver.cpp - Strategies and their one entry point ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Interrupt.h"

#include "Model/CommonTimes.h"
#include "Order/SolveOrder.h"
#include "Sharing/SolveSharing.h"
#include "Strategies/Auto.h"
#include "Strategies/Greedy.h"
#include "Strategies/HillClimb.h"
#include "Strategies/SolveCuts.h"
#include "Strategies/Strategies.h"
#include "memplan/Core/Verify.h"

#include <iterator>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

// The names are in the order of the enums.

std::string_view memplan::statusName(PlanStatus status) {
  static constexpr std::string_view names[] = {
      "optimal", "feasible", "infeasible", "limit", "invalid"};
  return names[static_cast<size_t>(status)];
}

std::string_view memplan::strategyName(Strategy strategy) {
  static constexpr std::string_view names[] = {
      "naive",    "linear-scan", "greedy-by-size", "greedy-by-breadth",
      "best-fit", "hill-climb",  "exact",          "auto"};
  return names[static_cast<size_t>(strategy)];
}

static constexpr std::string_view effortNames[] = {"low", "normal", "high"};

std::string_view memplan::effortName(Effort effort) {
  return effortNames[static_cast<size_t>(effort)];
}

std::optional<Effort> memplan::parseEffort(std::string_view name) {
  for (size_t i = 0; i < std::size(effortNames); ++i)
    if (name == effortNames[i])
      return static_cast<Effort>(i);
  return std::nullopt;
}

std::string memplan::listEfforts() {
  std::string list;
  for (std::string_view name : effortNames)
    list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

const std::vector<Strategy> &memplan::allStrategies() {
  static const std::vector<Strategy> all = {
      Strategy::Naive,           Strategy::LinearScan, Strategy::GreedyBySize,
      Strategy::GreedyByBreadth, Strategy::BestFit,    Strategy::HillClimb,
      Strategy::Exact,           Strategy::Auto};
  return all;
}

/// The other name of greedy-by-size.
static constexpr std::string_view greedyAlias = "greedy";

std::string memplan::listStrategies() {
  std::string list;
  for (Strategy strategy : allStrategies()) {
    if (strategy == Strategy::GreedyBySize)
      list += ", " + std::string(greedyAlias);
    list += (list.empty() ? "" : ", ") + std::string(strategyName(strategy));
  }
  return list;
}

std::optional<Strategy> memplan::parseStrategy(std::string_view name) {
  if (name == greedyAlias)
    return Strategy::GreedyBySize;
  for (Strategy strategy : allStrategies())
    if (name == strategyName(strategy))
      return strategy;
  return std::nullopt;
}

namespace {

/// A message if the pinned buffers clash with each other, or "".
std::string findPinClash(const Problem &problem) {
  // Make a problem and a plan of the pinned buffers and verify the plan.
  std::vector<BufferIndex> pinned;
  Plan plan;
  for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
    if (problem.buffers[b].pinnedOffset) {
      pinned.push_back(b);
      plan.offsets.push_back(*problem.buffers[b].pinnedOffset);
    }
  if (pinned.empty())
    return "";
  Problem pins = selectBuffers(problem, pinned);
  pins.softConflicts.clear();
  plan.status = PlanStatus::Feasible;
  plan.arenaSize = arenaSizeOf(pins, plan.offsets);
  std::vector<Issue> issues = verify(pins, plan, /*maxIssues=*/1);
  return issues.empty() ? std::string() : "pinned " + issues.front().message;
}

/// The node budget of a strategy if the caller gave none.
int64_t defaultNodes(const Model &model, const SolveOptions &options) {
  if (options.strategy == Strategy::Exact)
    return INT64_MAX;
  if (options.strategy == Strategy::Auto)
    return nodesOf(options.effort, model.size()) +
           replaysOf(options.effort, model.size());
  // These are the replays of hill-climb, which take longer in larger problems.
  return std::max<int64_t>(4, 10 * nodesOf(options.effort, 0) /
                                  (16 + int64_t(model.size())));
}

Plan solveUntil(const Problem &problem, const SolveOptions &options,
                const std::atomic<bool> *stop);

/// Solves the problem without its permitted overlaps, too, and takes that plan
/// if it is better, and adds this to the message. Such a plan is also one of
/// the original problem, and although it obeys more constraints, the search may
/// find it more easily.
void tryApart(const Problem &problem, const SolveOptions &options,
              const std::atomic<bool> *stop, Standing &standing, Plan &plan,
              std::string &message) {
  if (problem.overlaps.empty() || standing.best.height <= standing.bound)
    return;
  Problem apart = problem;
  apart.overlaps.clear();
  Plan other = solveUntil(apart, options, stop);
  plan.nodes += other.nodes;
  if (!other.hasOffsets() || other.arenaSize >= standing.best.height)
    return;
  standing.best.offsets = std::move(other.offsets);
  standing.best.height = other.arenaSize;
  plan.strategy = std::move(other.strategy) + "/apart";
  message += "; then without permitted overlaps: " + other.message;
}

/// Runs the strategy on the model of a plain problem until the arena has `goal`
/// bytes, or to the least arena if the goal is -1. A search replaces a
/// placement in `standing` by a better one only. Returns the reason for the end
/// of a search, or "".
std::string runStrategy(const Model &model, int64_t goal,
                        const SolveOptions &options, SearchControl &control,
                        Standing &standing, Plan &plan) {
  std::string message;
  switch (options.strategy) {
  case Strategy::Naive:
    standing.best = naive(model);
    break;
  case Strategy::LinearScan:
    standing.best = linearScan(model);
    break;
  case Strategy::GreedyBySize:
    standing.best = greedyBySize(model);
    break;
  case Strategy::GreedyByBreadth:
    standing.best = greedyByBreadth(model);
    break;
  case Strategy::BestFit:
    standing.best = bestFit(model);
    break;
  case Strategy::HillClimb:
    hillClimb(model, goal, standing, control);
    message = std::to_string(control.nodes()) + " replays";
    break;
  case Strategy::Exact:
    message = solveExact(model, goal, standing, control);
    break;
  case Strategy::Auto: {
    AutoReport report =
        solveAuto(model, goal, options.effort, standing, control);
    if (!report.winner.empty())
      plan.strategy = std::move(report.winner);
    message = std::move(report.message);
    break;
  }
  }
  // With mixed alignments or pins, a simple order can lose more bytes between
  // buffers than the reuse saves. No result may be worse than no reuse.
  if (Placement none = naive(model); none.height < standing.best.height) {
    standing.best = std::move(none);
    plan.strategy = strategyName(Strategy::Naive);
    message += (message.empty() ? "no reuse is better (" : "; no reuse (") +
               std::to_string(standing.best.height) + ")";
  }
  return message;
}

/// True if one of the first orders of the searches ends their work.
bool ordersSuffice(const Model &model, const SolveOptions &options,
                   const std::atomic<bool> *stop, int64_t bound) {
  int64_t target =
      options.minimize
          ? bound
          : std::max(bound, model.problem.capacity.value_or(bound));
  GreedyResult greedy;
  runLikelyOrders(model, target, Deadline(options, stop), greedy);
  return greedy.best.height <= target;
}

/// Searches for a plan within the capacity, if there is one, and for the least
/// arena, if that is wanted. Returns the reason for the end, or "".
std::string search(const Model &model, const SolveOptions &options,
                   const std::atomic<bool> *stop, Standing &standing,
                   Plan &plan) {
  const Problem &problem = model.problem;
  SearchControl control(options, defaultNodes(model, options), stop);
  int64_t goal = problem.capacity.value_or(-1);
  std::string message =
      runStrategy(model, goal, options, control, standing, plan);
  // The search for a plan that fits comes first: the search for the least arena
  // may end without one.
  if (goal >= 0 && options.minimize && isSearch(options.strategy) &&
      standing.best.height <= goal && standing.best.height > standing.bound) {
    std::string more = runStrategy(model, -1, options, control, standing, plan);
    message += "; then " + more;
  }
  plan.nodes = control.nodes();
  if (options.strategy == Strategy::Auto)
    tryApart(problem, options, stop, standing, plan, message);
  return message;
}

Plan infeasible(Plan plan, std::string message) {
  plan.status = PlanStatus::Infeasible;
  plan.message = std::move(message);
  return plan;
}

/// Sets the status and completes the message, given arena and lower bound.
void conclude(const Problem &problem, const SolveOptions &options, Plan &plan) {
  bool isLeastWanted = !problem.capacity || options.minimize;
  bool isOptimal = plan.arenaSize == plan.lowerBound;
  if (problem.capacity && plan.arenaSize > *problem.capacity) {
    plan.status = PlanStatus::Limit;
    std::string found =
        "found " + std::to_string(plan.arenaSize) +
        " bytes, above the capacity of " + std::to_string(*problem.capacity) +
        "; the lower bound is " + std::to_string(plan.lowerBound);
    plan.message = plan.message.empty() ? found : found + "; " + plan.message;
  } else if (isOptimal) {
    plan.status = PlanStatus::Optimal;
  } else if (options.strategy == Strategy::Exact && isLeastWanted) {
    plan.status = PlanStatus::Limit;
    plan.message += "; found " + std::to_string(plan.arenaSize) +
                    " bytes, proven at least " +
                    std::to_string(plan.lowerBound) + ", gap " +
                    std::to_string(plan.arenaSize - plan.lowerBound);
  } else {
    plan.status = PlanStatus::Feasible;
  }
}

/// Solves a problem without sharing rules, given its lower bound.
void solvePlain(const Problem &problem, const Model &ownModel,
                const Model *timedModel, const SolveOptions &options,
                const std::atomic<bool> *stop, Plan &plan) {
  Standing standing;
  standing.bound = plan.lowerBound;
  // Without conflicts, a plain order and the first orders of a search do
  // without the added times.
  bool usesTimes =
      timedModel && (!problem.conflicts.empty() ||
                     (isSearch(options.strategy) &&
                      !ordersSuffice(ownModel, options, stop, standing.bound)));
  const Model &model = usesTimes ? *timedModel : ownModel;
  plan.message = search(model, options, stop, standing, plan);
  plan.lowerBound = standing.bound;
  if (problem.capacity && standing.bound > *problem.capacity) {
    plan = infeasible(std::move(plan), "proven by search: requires at least " +
                                           std::to_string(standing.bound) +
                                           " bytes but the capacity is " +
                                           std::to_string(*problem.capacity));
    return;
  }
  plan.offsets = std::move(standing.best.offsets);
  plan.arenaSize = standing.best.height;
  conclude(problem, options, plan);
}

Plan solveUntil(const Problem &problem, const SolveOptions &options,
                const std::atomic<bool> *stop) {
  Plan plan;
  plan.strategy = strategyName(options.strategy);
  std::vector<Issue> issues = check(problem, /*maxIssues=*/1);
  if (!issues.empty()) {
    plan.message = issues.front().message;
    return plan;
  }
  if (!problem.cuts.empty()) {
    plan = solveCuts(problem, options,
                     [&](const Problem &other, const SolveOptions &own) {
                       return solveUntil(other, own, stop);
                     });
    return acceptVerified(problem, std::move(plan), "defect of the strategy");
  }
  if (hasFormulas(problem))
    return solveOrder(problem, [&](const Problem &constant) {
      return solveUntil(constant, options, stop);
    });
  std::optional<Problem> timed = addCommonTimes(problem);
  std::optional<Model> timedModel;
  if (timed)
    timedModel.emplace(*timed);
  Model ownModel(problem);
  plan.lowerBound = detail::lowerBound(timed ? *timedModel : ownModel);
  if (std::string clash = findPinClash(problem); !clash.empty())
    return infeasible(std::move(plan), std::move(clash));
  if (problem.capacity && plan.lowerBound > *problem.capacity)
    return infeasible(std::move(plan), "requires at least " +
                                           std::to_string(plan.lowerBound) +
                                           " bytes but the capacity is " +
                                           std::to_string(*problem.capacity));

  if (hasSharingRules(problem))
    solveSharing(
        ownModel, options, stop,
        [&](const Problem &other, const SolveOptions &own) {
          return solveUntil(other, own, stop);
        },
        plan);
  else
    solvePlain(problem, ownModel, timed ? &*timedModel : nullptr, options, stop,
               plan);
  return acceptVerified(problem, std::move(plan), "defect of the strategy");
}

} // namespace

Plan memplan::solve(const Problem &problem, const SolveOptions &options) {
  return solveUntil(problem, options, /*stop=*/nullptr);
}

Plan memplan::solve(const Problem &problem, const SolveOptions &options,
                    const std::atomic<bool> &stop) {
  return solveUntil(problem, options, &stop);
}
