//===- SpaceSearch.cpp - Search for good assignments ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/SpaceSearch.h"

#include "memplan/Core/Solver.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

SpaceSearch::SpaceSearch(const SpaceProblem &problem, const RowModel &model)
    : problem(problem), model(model), cheapest(model.rows.size()),
      cheapestCost(model.rows.size()), used(model.numSections),
      limits(model.numSections), prices(model.numSections) {
  for (unsigned r = 0; r < model.rows.size(); ++r) {
    findCheapest(model.rows[r], prices, nullptr, cheapest[r]);
    cheapestCost[r] = detail::getCost(model.rows[r], cheapest[r]);
  }
}

void SpaceSearch::start(const std::vector<Steps> &from) {
  steps = from;
  costs.clear();
  total = 0;
  std::fill(used.begin(), used.end(), 0);
  std::fill(limits.begin(), limits.end(), model.capacity);
  changes.clear();
  pieces.clear();
  for (unsigned r = 0; r < model.rows.size(); ++r) {
    const Row &row = model.rows[r];
    costs.push_back(detail::getCost(row, steps[r]));
    total += costs.back();
    forEachHeld(row, steps[r], [&](Sections held) {
      for (unsigned s = held.begin; s < held.end; ++s)
        used[s] += row.size;
    });
  }
}

void SpaceSearch::set(unsigned r, Steps to) {
  const Row &row = model.rows[r];
  forEachHeld(row, steps[r], [&](Sections held) {
    for (unsigned s = held.begin; s < held.end; ++s)
      used[s] -= row.size;
  });
  forEachHeld(row, to, [&](Sections held) {
    for (unsigned s = held.begin; s < held.end; ++s)
      used[s] += row.size;
  });
  total -= costs[r];
  costs[r] = detail::getCost(row, to);
  total += costs[r];
  changes.emplace_back(r, std::exchange(steps[r], std::move(to)));
}

void SpaceSearch::undoTo(size_t mark) {
  while (changes.size() > mark) {
    auto [row, before] = std::move(changes.back());
    changes.pop_back();
    set(row, std::move(before));
    changes.pop_back();
  }
}

/// Closes the sections in which the row has no room beside the others, apart
/// from those that hold it already.
void SpaceSearch::closeFull(unsigned r) {
  const Row &row = model.rows[r];
  Sections life = {row.accesses.front().span.begin,
                   row.accesses.back().span.end};
  std::fill(prices.closed.begin() + life.begin,
            prices.closed.begin() + life.end + 1, 0);
  for (unsigned s = life.begin; s < life.end; ++s)
    prices.closed[s] = used[s] + row.size > limits[s];
  forEachHeld(row, steps[r], [&](Sections held) {
    std::fill(prices.closed.begin() + held.begin,
              prices.closed.begin() + held.end, 0);
  });
}

/// Sums the marks of closed sections up, so that each entry is the number of
/// closed sections before it.
static void sumUp(std::vector<unsigned> &closed, const Row &row) {
  unsigned sum = 0;
  for (unsigned s = row.accesses.front().span.begin;
       s <= row.accesses.back().span.end; ++s) {
    unsigned own = closed[s];
    closed[s] = sum;
    sum += own;
  }
}

/// Beyond this many rows times sections, several rows give way before their
/// order is found again.
static constexpr size_t kManyCells = size_t(1) << 20;

bool SpaceSearch::relieve(const std::vector<bool> &locked) {
  std::vector<unsigned> over;
  std::vector<std::pair<double, unsigned>> order;
  bool isLarge = model.rows.size() * model.numSections > kManyCells;
  while (true) {
    over.clear();
    unsigned worst = 0;
    for (unsigned s = 0; s < model.numSections; ++s) {
      if (used[s] <= limits[s])
        continue;
      if (over.empty() || used[s] - limits[s] > used[worst] - limits[worst])
        worst = s;
      over.push_back(s);
    }
    if (over.empty())
      return true;
    double bestRatio = kInfinity;
    unsigned victim = 0;
    Steps victimSteps, candidate;
    order.clear();
    for (unsigned r = 0; r < model.rows.size(); ++r) {
      const Row &row = model.rows[r];
      if (locked[r] || row.size == 0 ||
          row.accesses.front().span.begin > worst ||
          row.accesses.back().span.end <= worst)
        continue;
      bool holds = false;
      forEachHeld(row, steps[r], [&](Sections held) {
        holds |= held.begin <= worst && worst < held.end;
      });
      if (!holds)
        continue;
      closeFull(r);
      prices.closed[worst] = 1;
      sumUp(prices.closed, row);
      double cost = findCheapest(row, prices, nullptr, candidate);
      if (cost == kInfinity)
        continue;
      // The bytes and sections that it frees where there are too many.
      double freed = 0;
      auto count = [&](const Steps &of, double sign) {
        forEachHeld(row, of, [&](Sections held) {
          for (auto it = std::lower_bound(over.begin(), over.end(), held.begin);
               it != over.end() && *it < held.end; ++it)
            freed += sign * static_cast<double>(
                                std::min(used[*it] - limits[*it], row.size));
        });
      };
      count(steps[r], 1);
      count(candidate, -1);
      double ratio = (cost - static_cast<double>(costs[r])) / freed;
      if (isLarge)
        order.emplace_back(ratio, r);
      if (ratio < bestRatio) {
        bestRatio = ratio;
        victim = r;
        victimSteps = candidate;
      }
    }
    if (bestRatio == kInfinity)
      return false;
    set(victim, std::move(victimSteps));
    std::sort(order.begin(), order.end());
    for (auto [ratio, r] : order) {
      if (used[worst] <= limits[worst])
        break;
      if (r != victim && leaveFull(r, worst, candidate))
        set(r, std::move(candidate));
    }
  }
}

/// The cheapest steps of the row outside of `section`, and of all others that
/// hold too much if that is possible.
bool SpaceSearch::leaveFull(unsigned r, unsigned section, Steps &to) {
  const Row &row = model.rows[r];
  for (bool all : {true, false}) {
    closeFull(r);
    prices.closed[section] = 1;
    for (unsigned s = row.accesses.front().span.begin;
         all && s < row.accesses.back().span.end; ++s)
      prices.closed[s] |= used[s] > limits[s];
    sumUp(prices.closed, row);
    if (findCheapest(row, prices, nullptr, to) != kInfinity)
      return true;
  }
  return false;
}

bool SpaceSearch::relieve() {
  return relieve(std::vector<bool>(model.rows.size()));
}

double SpaceSearch::findCheapestInRoom(unsigned r, Steps &to) {
  closeFull(r);
  sumUp(prices.closed, model.rows[r]);
  return findCheapest(model.rows[r], prices, nullptr, to);
}

bool SpaceSearch::fill(unsigned r) {
  if (costs[r] <= cheapestCost[r])
    return false;
  Steps to;
  double cost = findCheapestInRoom(r, to);
  if (cost >= static_cast<double>(costs[r]))
    return false;
  set(r, std::move(to));
  return true;
}

void SpaceSearch::fill() {
  std::vector<unsigned> order;
  for (unsigned r = 0; r < model.rows.size(); ++r)
    if (costs[r] > cheapestCost[r])
      order.push_back(r);
  // Those first that gain most for a byte.
  auto gain = [&](unsigned r) {
    return static_cast<double>(costs[r] - cheapestCost[r]) /
           static_cast<double>(std::max<int64_t>(model.rows[r].size, 1));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return gain(a) > gain(b); });
  for (unsigned r : order)
    fill(r);
}

void SpaceSearch::exchange() {
  auto numRows = static_cast<unsigned>(model.rows.size());
  std::vector<bool> locked(numRows);
  Prices whole(model.numSections);
  // The work is bounded: a trial visits each section of each row.
  int64_t trials =
      std::min<int64_t>(4000, 250000000 / std::max<int64_t>(model.numCells, 1));
  bool isBetter = true;
  while (isBetter && trials > 0) {
    isBetter = false;
    for (unsigned r = 0; r < numRows && trials > 0; ++r) {
      // In: one row gets its cheapest steps, and others give way.
      if (costs[r] > cheapestCost[r]) {
        --trials;
        size_t mark = changes.size();
        int64_t before = total;
        locked[r] = true;
        set(r, cheapest[r]);
        bool fits = relieve(locked);
        locked[r] = false;
        if (fits)
          fill();
        if (!fits || total >= before)
          undoTo(mark);
        else
          isBetter = true;
      }
      // Out: one row leaves the fast memory, and others get its room.
      bool isHeld =
          std::any_of(steps[r].begin(), steps[r].end(),
                      [](const SpaceStep &step) { return step.held; });
      if (!isHeld)
        continue;
      --trials;
      size_t mark = changes.size();
      int64_t before = total;
      std::iota(whole.closed.begin(), whole.closed.end(), 0);
      Steps out;
      if (findCheapest(model.rows[r], whole, nullptr, out) == kInfinity)
        continue;
      set(r, std::move(out));
      // Without `r`, whose gain would be the greatest.
      for (unsigned other = 0; other < numRows; ++other)
        if (other != r)
          fill(other);
      fill();
      if (total >= before)
        undoTo(mark);
      else
        isBetter = true;
    }
  }
}

std::vector<SpacePiece> detail::findPieces(const std::vector<Steps> &steps) {
  std::vector<SpacePiece> pieces;
  for (BufferIndex b = 0; b < steps.size(); ++b)
    for (unsigned k = 0; k < steps[b].size(); ++k) {
      if (steps[b][k].kept)
        pieces.back().last = k;
      else if (steps[b][k].held)
        pieces.push_back({b, k, k});
    }
  return pieces;
}

bool detail::placePieces(const SpaceProblem &problem,
                         const std::vector<Steps> &steps,
                         std::vector<SpacePiece> &pieces, bool exactly,
                         bool &isProven, std::vector<int64_t> *ends) {
  isProven = false;
  if (pieces.empty())
    return true;
  Problem placement = getPlacement(problem, steps, pieces);
  SolveOptions options;
  options.effort = Effort::Low;
  if (exactly) {
    options.strategy = Strategy::Exact;
    options.nodeLimit = 100000;
  }
  Plan plan = solve(placement, options);
  bool fits =
      plan.status == PlanStatus::Optimal || plan.status == PlanStatus::Feasible;
  isProven = plan.status == PlanStatus::Infeasible;
  if (!fits && ends) {
    if (!plan.hasOffsets()) {
      placement.capacity.reset();
      options.strategy = Strategy::GreedyBySize;
      plan = solve(placement, options);
    }
    ends->clear();
    for (size_t i = 0; i < pieces.size(); ++i)
      ends->push_back(plan.offsets[i] + placement.buffers[i].size);
  }
  if (fits)
    for (size_t i = 0; i < pieces.size(); ++i)
      pieces[i].offset = plan.offsets[i];
  return fits;
}

bool SpaceSearch::tryPlace() {
  std::vector<SpacePiece> found = findPieces(steps);
  bool isProven;
  bool fits = placePieces(problem, steps, found, false, isProven, &ends);
  pieces = std::move(found);
  return fits;
}

/// The section with the most bytes during the piece that ends highest, of a
/// placement that is too large.
std::optional<unsigned> SpaceSearch::findFailure() const {
  auto highest = std::max_element(ends.begin(), ends.end());
  const SpacePiece &piece = pieces[static_cast<size_t>(highest - ends.begin())];
  const Row &row = model.rows[piece.buffer];
  std::optional<unsigned> fullest;
  for (unsigned s = row.accesses[piece.first].span.begin;
       s < row.accesses[piece.last].span.end; ++s)
    if (used[s] > 0 && (!fullest || used[s] > used[*fullest]))
      fullest = s;
  return fullest;
}

bool SpaceSearch::place() {
  constexpr int kMostRounds = 100;
  for (int round = 0; !tryPlace(); ++round) {
    std::optional<unsigned> section = findFailure();
    if (!section)
      return false;
    limits[*section] = used[*section] - 1;
    if (!relieve())
      return false;
    // Filled sections may fail again, so that the rounds are limited.
    if (round < kMostRounds)
      fill();
  }
  return true;
}

void SpaceSearch::fillPlaced() {
  std::fill(limits.begin(), limits.end(), model.capacity);
  std::vector<SpacePiece> placed = pieces;
  int trials = 50;
  for (unsigned r = 0; r < model.rows.size() && trials > 0; ++r) {
    size_t mark = changes.size();
    if (!fill(r))
      continue;
    --trials;
    if (tryPlace())
      placed = pieces;
    else
      undoTo(mark);
  }
  pieces = std::move(placed);
}

SpaceAssignment SpaceSearch::getAssignment() const {
  SpaceAssignment assignment;
  assignment.steps = steps;
  assignment.pieces = pieces;
  assignment.cost = total;
  assignment.status = PlanStatus::Feasible;
  return assignment;
}
