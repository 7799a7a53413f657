//===- SolveSharing.cpp - Plans where sharing costs -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages, each of which runs only while it may improve the plan:
//
//   1. A plan that pays nothing: the soft conflicts become conflicts, and the
//      problem a plain one. If it is found, only its arena can be improved, and
//      that is done already.
//   2. Greedy orders, and if they do not fit, a plan that ignores the soft
//      conflicts.
//   3. Local search, branch and bound, and plain problems in which more and
//      more soft conflicts are conflicts, for the least penalty.
//   4. For the penalty reached, the least arena: a plain problem in which the
//      pairs that do not pay are in conflict, then branch and bound.
//
//===----------------------------------------------------------------------===//

#include "Sharing/SolveSharing.h"

#include "Sharing/SharingClimb.h"
#include "Sharing/SharingTree.h"
#include "Strategies/Orders.h"
#include "Strategies/Strategies.h"
#include "memplan/Core/Bound.h"

#include <algorithm>
#include <optional>

using namespace memplan;
using namespace memplan::detail;

static constexpr int64_t never = INT64_MAX;

/// The search nodes of a plain problem that is one of many; as effort=low.
static constexpr int64_t nodesOfStep = 5000;

/// What such a problem counts for each of its buffers, as placements of local
/// search.
static constexpr int64_t placementsOfStep = 10;

bool detail::hasSharingRules(const Problem &problem) {
  return problem.bankSize || !problem.allOrNone.empty() ||
         std::any_of(problem.softConflicts.begin(), problem.softConflicts.end(),
                     [](const SoftConflict &soft) { return soft.weight > 0; });
}

namespace {

/// Nodes of branch and bound take some 10 us, the placement of a buffer by
/// local search some 1 us.
struct Budget {
  int64_t nodes, placements;
};

Budget budgetOf(const SolveOptions &options) {
  Budget budget{50000, 500000};
  if (options.strategy == Strategy::Exact)
    budget = {never, 500000};
  else if (options.effort == Effort::Low)
    budget = {1500, 50000};
  else if (options.effort == Effort::High)
    budget = {5000000, 50000000};
  if (options.nodeLimit)
    budget = {*options.nodeLimit, *options.nodeLimit};
  return budget;
}

/// A limit that every plan of a strategy meets; check() has bounded it.
int64_t unlimited(const Problem &problem) {
  int64_t top = 0, sum = 0;
  for (const Buffer &b : problem.buffers) {
    sum += b.size + b.alignment - 1 + problem.bankSize.value_or(0);
    top = std::max(top, b.pinnedOffset.value_or(0) + b.size);
  }
  return top + sum;
}

class SharingSolver {
public:
  SharingSolver(const Model &plainModel, const SolveOptions &options,
                const std::atomic<bool> *stop,
                const std::function<Plan(const Problem &, const SolveOptions &)>
                    &solvePlain,
                Plan &plan)
      : problem(plainModel.problem), options(options), solvePlain(solvePlain),
        plan(plan), control(options, never, stop), budget(budgetOf(options)),
        plainModel(plainModel),
        capacity(problem.capacity.value_or(unlimited(problem))),
        isPlainOtherwise(!problem.bankSize && problem.allOrNone.empty()) {}

  void run() {
    if (problem.buffers.empty()) {
      plan.status = PlanStatus::Optimal;
      return;
    }
    if (isPlainOtherwise && findFreePlan())
      return;
    if (!SharingModel::fits(plainModel)) {
      giveUp();
      return;
    }
    model.emplace(plainModel);
    placeGreedily();
    if (isSearch(options.strategy))
      search();
    conclude();
  }

private:
  bool fits() const { return !best.offsets.empty() && best.height <= capacity; }
  bool mayPayLess() const {
    return (!fits() || best.penalty > plan.penaltyBound) && !control.timeIsUp();
  }
  bool maySave() const {
    return fits() && best.height > plan.lowerBound && !control.timeIsUp();
  }

  void note(const std::string &text) {
    if (!plan.message.empty())
      plan.message += ", then ";
    plan.message += text;
    if (!best.offsets.empty())
      plan.message += " (penalty " + std::to_string(best.penalty) + ", " +
                      std::to_string(best.height) + ")";
  }

  /// Takes the placement if it is better.
  void take(SharingPlacement placement, std::string_view strategy) {
    if (!best.offsets.empty() &&
        best.rankAt(capacity) <= placement.rankAt(capacity))
      return;
    best = std::move(placement);
    plan.strategy = strategy;
  }

  /// The problem with the soft conflicts that `isKept` accepts as conflicts.
  template <typename IsKept> Problem withConflicts(IsKept isKept) const {
    Problem result = problem;
    result.softConflicts.clear();
    for (const SoftConflict &soft : problem.softConflicts)
      if (soft.weight > 0 && isKept(soft))
        result.conflicts.push_back({soft.first, soft.second});
    return result;
  }

  Plan solveWith(const Problem &conflicts, bool minimize) {
    SolveOptions own = options;
    own.minimize = minimize;
    if (options.nodeLimit)
      own.nodeLimit = *options.nodeLimit / 2;
    Plan result = solvePlain(conflicts, own);
    plan.nodes += result.nodes;
    return result;
  }

  /// Takes a plan of a plain problem.
  void take(const Plan &other) {
    if (other.hasOffsets())
      take({other.offsets, penaltyOf(problem, other.offsets), other.arenaSize},
           other.strategy);
  }

  bool findFreePlan() {
    Plan other = solveWith(
        withConflicts([](const SoftConflict &) { return true; }), true);
    if (other.hasOffsets() && other.arenaSize <= capacity) {
      std::string message = "no soft conflict pays";
      if (!other.message.empty())
        message += "; " + other.message;
      int64_t nodes = plan.nodes;
      plan = std::move(other);
      plan.message = std::move(message);
      plan.nodes = nodes;
      return true;
    }
    if (other.status == PlanStatus::Infeasible) {
      int64_t least = never;
      for (const SoftConflict &soft : problem.softConflicts)
        if (soft.weight > 0)
          least = std::min(least, soft.weight);
      plan.penaltyBound = least;
    }
    return false;
  }

  /// For problems of very many pairs: the soft conflicts are ignored.
  void giveUp() {
    if (!isPlainOtherwise) {
      plan.status = PlanStatus::Limit;
      plan.message = "too many buffers are live together for banks or pairs of "
                     "all or none";
      return;
    }
    take(solveWith(withConflicts([](const SoftConflict &) { return false; }),
                   options.minimize));
    note("too many buffers are live together: the soft conflicts are ignored");
    conclude();
  }

  std::vector<Order> orders() const {
    switch (options.strategy) {
    case Strategy::LinearScan:
    case Strategy::BestFit:
      return {Order::Start};
    case Strategy::GreedyBySize:
      return {Order::Size};
    case Strategy::GreedyByBreadth:
      return {Order::Breadth};
    default:
      return {Order::Breadth, Order::Size,     Order::TotalWidth,
              Order::Area,    Order::Lifetime, Order::Start};
    }
  }

  void placeGreedily() {
    int tried = 0;
    for (Order kind : orders()) {
      std::vector<BufferIndex> order;
      for (BufferIndex b : orderOf(plainModel, kind))
        if (!plainModel.isPinned(b) && plainModel.sizeOf(b) > 0)
          order.push_back(b);
      SharingPlacement placement =
          placeSharing(*model, order,
                       options.strategy == Strategy::Naive ? never : capacity);
      auto rank = placement.rankAt(capacity);
      if (bestOrder.empty() || rank < best.rankAt(capacity))
        bestOrder = order;
      take(std::move(placement), isSearch(options.strategy)
                                     ? orderName(kind)
                                     : strategyName(options.strategy));
      ++tried;
      if (control.timeIsUp())
        break;
    }
    note(std::to_string(tried) + " greedy orders");
    if (!fits() && isPlainOtherwise && isSearch(options.strategy)) {
      Plan other = solveWith(
          withConflicts([](const SoftConflict &) { return false; }), false);
      if (other.status == PlanStatus::Infeasible)
        isInfeasible = true;
      take(other);
      note("a plan that ignores the soft conflicts");
    }
  }

  void search() {
    std::optional<SharingTree> tree;
    if (options.strategy != Strategy::HillClimb &&
        plainModel.size() <= SharingTree::bufferLimit) {
      tree.emplace(*model);
      int64_t bound = tree->boundAt(capacity);
      isInfeasible |= bound == never;
      if (bound != never)
        plan.penaltyBound = std::max(plan.penaltyBound, bound);
    }
    if (isInfeasible)
      return;
    climb(budget.placements / 8, 1);
    if (tree)
      lowerPenalty(*tree, std::min<int64_t>(budget.nodes / 4, 1 << 14));
    if (isPlainOtherwise && options.strategy != Strategy::HillClimb) {
      makeConflicts(/*startsFree=*/true);
      makeConflicts(/*startsFree=*/false);
    }
    climb(budget.placements, 2);
    if (tree)
      lowerPenalty(*tree, budget.nodes);
    if (isPlainOtherwise && maySave()) {
      take(solveWith(withConflicts([&](const SoftConflict &soft) {
                       return !isPaid(soft, best.offsets);
                     }),
                     true));
      note("the least arena in which the same pairs pay");
    }
    if (tree)
      lowerArena(*tree);
  }

  bool isPaid(const SoftConflict &soft,
              const std::vector<int64_t> &offsets) const {
    int64_t a = offsets[soft.first], b = offsets[soft.second];
    return a < b + plainModel.sizeOf(soft.second) &&
           b < a + plainModel.sizeOf(soft.first);
  }

  /// Makes soft conflicts conflicts of a plain problem, the heaviest first, as
  /// long as a plan fits. Each problem starts from the plan of the one before:
  /// a pair that does not pay there needs no search. With `startsFree` no pair
  /// is a conflict at first, and a heavy pair may make lighter ones pay that
  /// did not; otherwise all that do not pay in the best plan are.
  void makeConflicts(bool startsFree) {
    if (!mayPayLess() || !fits())
      return;
    std::vector<int64_t> offsets = best.offsets;
    std::vector<const SoftConflict *> order;
    std::vector<const SoftConflict *> conflicts;
    for (const SoftConflict &soft : problem.softConflicts)
      if (soft.weight > 0)
        (startsFree || isPaid(soft, offsets) ? order : conflicts)
            .push_back(&soft);
    std::stable_sort(order.begin(), order.end(),
                     [](const SoftConflict *x, const SoftConflict *y) {
                       return x->weight > y->weight;
                     });
    SolveOptions own = options;
    own.strategy = Strategy::Auto;
    own.effort = Effort::Low;
    own.minimize = false;
    if (options.nodeLimit)
      own.nodeLimit = std::min(*options.nodeLimit, nodesOfStep);
    Problem plain = withConflicts([](const SoftConflict &) { return false; });
    for (const SoftConflict *soft : conflicts)
      plain.conflicts.push_back({soft->first, soft->second});
    int64_t left = budget.placements, tried = 0;
    for (const SoftConflict *soft : order) {
      bool isFree = !isPaid(*soft, offsets);
      if (!isFree) {
        left -= placementsOfStep * static_cast<int64_t>(plainModel.size());
        if (left < 0 || control.timeIsUp())
          break;
      }
      plain.conflicts.push_back({soft->first, soft->second});
      if (isFree)
        continue;
      Plan other = solvePlain(plain, own);
      plan.nodes += other.nodes;
      ++tried;
      if (!other.hasOffsets() || other.arenaSize > capacity) {
        plain.conflicts.pop_back();
        continue;
      }
      offsets = other.offsets;
      take(other);
    }
    if (tried > 0)
      note(std::to_string(tried) + " plain problems");
  }

  void climb(int64_t placements, uint64_t number) {
    if (!mayPayLess() && !maySave())
      return;
    // The least arena matters after the least penalty only.
    int64_t height = problem.capacity && !mayPayLess() ? capacity : 0;
    SharingPlacement placement = best;
    int64_t spent = climbSharing(*model, bestOrder, capacity, plan.penaltyBound,
                                 std::max(height, plan.lowerBound), placements,
                                 options.seed + number, control, placement);
    control.spend(spent);
    take(std::move(placement), strategyName(Strategy::HillClimb));
    note("local search of " + std::to_string(spent) + " placements");
  }

  void lowerPenalty(SharingTree &tree, int64_t nodes) {
    if (!mayPayLess())
      return;
    int64_t before = control.nodes();
    bool isComplete = tree.run(capacity, fits() ? best.penalty : never,
                               /*onlyFirst=*/false, nodes, control);
    takeTree(tree);
    if (isComplete && problem.overlaps.empty()) {
      if (fits())
        plan.penaltyBound = best.penalty;
      else
        isInfeasible = true;
    }
    noteTree("tree search", before);
  }

  void lowerArena(SharingTree &tree) {
    int64_t before = control.nodes();
    int64_t nodes = budget.nodes;
    while (maySave() && nodes > 0) {
      int64_t start = control.nodes();
      bool isComplete = tree.run(best.height - 1, best.penalty + 1,
                                 /*onlyFirst=*/true, nodes, control);
      nodes -= control.nodes() - start;
      if (tree.penalty() >= 0) {
        takeTree(tree);
        continue;
      }
      if (isComplete && problem.overlaps.empty())
        plan.lowerBound = best.height;
      break;
    }
    if (control.nodes() > before)
      noteTree("tree search for the least arena", before);
  }

  void takeTree(const SharingTree &tree) {
    if (tree.penalty() < 0)
      return;
    SharingPlacement placement{tree.offsets(), tree.penalty(), 0};
    for (BufferIndex b = 0; b < plainModel.size(); ++b)
      placement.height = std::max(placement.height,
                                  placement.offsets[b] + plainModel.sizeOf(b));
    take(std::move(placement), strategyName(Strategy::Exact));
  }

  void noteTree(const char *what, int64_t before) {
    note(std::string(what) + " of " + std::to_string(control.nodes() - before) +
         " nodes");
  }

  void conclude() {
    plan.nodes += control.nodes();
    if (isInfeasible && !fits()) {
      plan.status = PlanStatus::Infeasible;
      plan.message = "proven by search: no plan fits the capacity of " +
                     std::to_string(capacity);
      return;
    }
    plan.offsets = std::move(best.offsets);
    plan.arenaSize = best.height;
    plan.penalty = best.penalty;
    if (plan.arenaSize > capacity) {
      plan.status = PlanStatus::Limit;
      plan.penaltyBound = std::min(plan.penaltyBound, plan.penalty);
    } else if (plan.penalty == plan.penaltyBound &&
               plan.arenaSize == plan.lowerBound) {
      plan.status = PlanStatus::Optimal;
    } else {
      plan.status = options.strategy == Strategy::Exact ? PlanStatus::Limit
                                                        : PlanStatus::Feasible;
    }
  }

  const Problem &problem;
  const SolveOptions &options;
  const std::function<Plan(const Problem &, const SolveOptions &)> &solvePlain;
  Plan &plan;
  SearchControl control;
  Budget budget;
  const Model &plainModel;
  int64_t capacity;
  /// Without soft conflicts the problem is a plain one.
  bool isPlainOtherwise;
  bool isInfeasible = false;
  std::optional<SharingModel> model;
  SharingPlacement best;
  std::vector<BufferIndex> bestOrder;
};

} // namespace

void detail::solveSharing(
    const Model &model, const SolveOptions &options,
    const std::atomic<bool> *stop,
    const std::function<Plan(const Problem &, const SolveOptions &)>
        &solvePlain,
    Plan &plan) {
  SharingSolver(model, options, stop, solvePlain, plan).run();
}
