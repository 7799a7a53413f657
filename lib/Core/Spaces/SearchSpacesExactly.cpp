//===- SearchSpacesExactly.cpp - Branch and bound over steps --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/Multipliers.h"
#include "Spaces/SpaceSearch.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

namespace {
class ExactSearch {
public:
  ExactSearch(const SpaceProblem &problem, const RowModel &model,
              Multipliers &multipliers, int64_t nodeLimit,
              SpaceAssignment &best)
      : problem(problem), model(model), multipliers(multipliers),
        nodesLeft(nodeLimit), best(best), used(model.numSections + 1) {
    for (const Row &row : model.rows)
      decisions.emplace_back(row.accesses.size());
  }

  bool run() {
    visit();
    return isComplete;
  }

private:
  struct Branch {
    size_t row, access;
    bool isHeld;
    /// The more likely choice.
    Choice first;
  };

  int64_t getTarget() const { return best.hasSteps() ? best.cost : kNever; }

  void add(Sections held, int64_t bytes) {
    used[held.begin] += bytes;
    used[held.end] -= bytes;
  }
  bool isWithinCapacity() const {
    int64_t sum = 0;
    for (int64_t change : used)
      if ((sum += change) > model.capacity)
        return false;
    return true;
  }

  bool fits(const std::vector<Steps> &steps) {
    std::fill(used.begin(), used.end(), 0);
    for (size_t r = 0; r < steps.size(); ++r)
      forEachHeld(model.rows[r], steps[r],
                  [&](Sections held) { add(held, model.rows[r].size); });
    return isWithinCapacity();
  }

  /// False if what is decided holds too many bytes.
  bool decisionsFit() {
    std::fill(used.begin(), used.end(), 0);
    for (size_t r = 0; r < decisions.size(); ++r) {
      const Row &row = model.rows[r];
      for (size_t k = 0; k < decisions[r].size(); ++k) {
        if (decisions[r][k].held == Choice::Yes ||
            row.accesses[k].slowCost == kNever)
          add(row.accesses[k].span, row.size);
        if (decisions[r][k].kept == Choice::Yes)
          add({row.accesses[k - 1].span.end, row.accesses[k].span.begin},
              row.size);
      }
    }
    return isWithinCapacity();
  }

  /// Takes the steps over if they are better and can be placed. Returns true if
  /// it is not known whether they can.
  bool take(const std::vector<Steps> &steps) {
    int64_t cost = 0;
    for (size_t r = 0; r < steps.size(); ++r)
      cost += getCost(model.rows[r], steps[r]);
    if (cost >= getTarget() || !fits(steps))
      return false;
    std::vector<SpacePiece> pieces = findPieces(steps);
    bool isProven;
    if (!placePieces(problem, steps, pieces, true, isProven, nullptr))
      return !isProven;
    best.steps = steps;
    best.pieces = std::move(pieces);
    best.cost = cost;
    best.status = PlanStatus::Feasible;
    return false;
  }

  /// The undecided step whose share is closest to a half, in bytes.
  std::optional<Branch> choose() {
    std::optional<Branch> chosen;
    double most = -1;
    const auto &shares = multipliers.getShares();
    for (size_t r = 0; r < decisions.size(); ++r)
      for (size_t k = 0; k < decisions[r].size(); ++k) {
        auto consider = [&](Choice choice, double share, bool isHeld) {
          double worth = std::min(share, 1 - share) + 1e-3;
          worth *= static_cast<double>(model.rows[r].size + 1);
          if (choice != Choice::Free || worth <= most)
            return;
          most = worth;
          chosen = Branch{r, k, isHeld, share > 0.5 ? Choice::Yes : Choice::No};
        };
        consider(decisions[r][k].held, shares[r][k].held, true);
        if (k > 0 && model.rows[r].accesses[k].needsContents)
          consider(decisions[r][k].kept, shares[r][k].kept, false);
      }
    return chosen;
  }

  void visit() {
    if (nodesLeft <= 0) {
      isComplete = false;
      return;
    }
    --nodesLeft;
    ++best.nodes;
    if (!decisionsFit())
      return;
    bool isUnknown = false;
    int64_t bound = multipliers.improve(
        40, getTarget(), decisions,
        [&](const std::vector<Steps> &steps) { isUnknown = take(steps); });
    if (bound >= getTarget())
      return;
    std::optional<Branch> branch = choose();
    if (!branch) {
      // All is decided, so the last steps were the only ones.
      isComplete &= !isUnknown;
      return;
    }
    std::vector<double> prices = multipliers.getPrices();
    for (bool isFirst : {true, false}) {
      Choice other = branch->first == Choice::Yes ? Choice::No : Choice::Yes;
      Decision &decision = decisions[branch->row][branch->access];
      (branch->isHeld ? decision.held : decision.kept) =
          isFirst ? branch->first : other;
      multipliers.setPrices(prices);
      visit();
      (branch->isHeld ? decision.held : decision.kept) = Choice::Free;
    }
  }

  const SpaceProblem &problem;
  const RowModel &model;
  Multipliers &multipliers;
  int64_t nodesLeft;
  SpaceAssignment &best;
  std::vector<int64_t> used;
  std::vector<std::vector<Decision>> decisions;
  bool isComplete = true;
};
} // namespace

bool detail::searchExactly(const SpaceProblem &problem, const RowModel &model,
                           Multipliers &multipliers, int64_t nodeLimit,
                           SpaceAssignment &best) {
  return ExactSearch(problem, model, multipliers, nodeLimit, best).run();
}
