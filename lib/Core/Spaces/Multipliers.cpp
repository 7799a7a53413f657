//===- Multipliers.cpp - Prices of the fast memory over time --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/Multipliers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace memplan;
using namespace memplan::detail;

/// The greatest sum of some of the sizes, at most `capacity`. The greatest
/// multiple of their divisor if that takes more than `work`, of which it takes
/// off what it used.
static int64_t findGreatestSum(std::vector<int64_t> sizes, int64_t capacity,
                               int64_t &work) {
  int64_t total = 0, unit = 0;
  for (int64_t size : sizes) {
    total = std::min(total + size, capacity + 1);
    unit = std::gcd(unit, size);
  }
  if (total <= capacity || unit == 0)
    return std::min(total, capacity);
  constexpr int64_t kMostUnits = 1 << 14;
  int64_t units = capacity / unit;
  int64_t needed = units * static_cast<int64_t>(sizes.size());
  if (units > kMostUnits || needed > work)
    return units * unit;
  work -= needed;
  std::vector<bool> isSum(static_cast<size_t>(units) + 1);
  isSum[0] = true;
  for (int64_t size : sizes)
    for (int64_t sum = units; sum >= size / unit; --sum)
      if (isSum[static_cast<size_t>(sum - size / unit)])
        isSum[static_cast<size_t>(sum)] = true;
  while (!isSum[static_cast<size_t>(units)])
    --units;
  return units * unit;
}

Multipliers::Multipliers(const RowModel &model)
    : model(model), limits(model.numSections), best(model.numSections) {
  // The rows that each section may hold, ascending. Very many take too much
  // memory: then the limit is the capacity.
  constexpr int64_t kMostCells = 20000000;
  if (model.numCells > kMostCells) {
    std::fill(limits.begin(), limits.end(), model.capacity);
    active.resize(model.numSections);
    std::iota(active.begin(), active.end(), 0);
    return;
  }
  int64_t work = 2000000000;
  std::vector<std::vector<unsigned>> mayHold(model.numSections);
  for (unsigned r = 0; r < model.rows.size(); ++r) {
    const Row &row = model.rows[r];
    if (row.size == 0 || row.size > model.capacity)
      continue;
    unsigned done = 0;
    for (size_t k = 0; k < row.accesses.size(); ++k) {
      const Row::Access &access = row.accesses[k];
      unsigned from = k > 0 && access.needsContents
                          ? row.accesses[k - 1].span.end
                          : access.span.begin;
      bool spans = access.fastCost != kNever || !access.writes;
      for (unsigned s = std::max(from, done);
           s < (spans ? access.span.end : access.span.begin); ++s)
        mayHold[s].push_back(r);
      done = access.span.end;
    }
  }
  auto isPart = [&](unsigned s, unsigned other) {
    return std::includes(mayHold[other].begin(), mayHold[other].end(),
                         mayHold[s].begin(), mayHold[s].end());
  };
  for (unsigned s = 0; s < model.numSections; ++s) {
    std::vector<int64_t> sizes;
    for (unsigned r : mayHold[s])
      sizes.push_back(model.rows[r].size);
    int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
    limits[s] = findGreatestSum(std::move(sizes), model.capacity, work);
    // Of equal neighbours the first is kept.
    bool isDominated =
        (s > 0 && isPart(s, s - 1)) ||
        (s + 1 < model.numSections && isPart(s, s + 1) && !isPart(s + 1, s));
    if (!isDominated && total > limits[s])
      active.push_back(s);
  }
}

int64_t Multipliers::improve(
    int rounds, int64_t target,
    const std::vector<std::vector<Decision>> &decisions,
    const std::function<void(const std::vector<Steps> &)> &visit) {
  size_t numRows = model.rows.size();
  std::vector<Steps> steps(numRows);
  std::vector<double> price = best, direction(model.numSections);
  std::vector<int64_t> held(model.numSections + 1);
  Prices prices(model.numSections);
  shares.assign(numRows, {});
  for (size_t r = 0; r < numRows; ++r)
    shares[r].resize(model.rows[r].accesses.size());
  double bestBound = -std::numeric_limits<double>::infinity();
  int64_t result = 0;
  double factor = 1;
  int idle = 0;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned s = 0; s < model.numSections; ++s)
      prices.price[s + 1] = prices.price[s] + price[s];
    double bound = 0, magnitude = 0;
    for (size_t r = 0; r < numRows; ++r) {
      double cost = findCheapest(model.rows[r], prices,
                                 decisions.empty() || decisions[r].empty()
                                     ? nullptr
                                     : decisions[r].data(),
                                 steps[r]);
      if (cost == std::numeric_limits<double>::infinity())
        return kNever;
      bound += cost;
      magnitude += cost;
    }
    visit(steps);
    for (unsigned s : active) {
      double limit = price[s] * static_cast<double>(limits[s]);
      bound -= limit;
      magnitude += limit;
    }
    // The error of the sums is far below 1e-10 of their size.
    double safe = bound - magnitude * 1e-10;
    if (bound > bestBound) {
      idle = bound > bestBound + 1e-4 * std::abs(bestBound) ? 0 : idle + 1;
      bestBound = bound;
      best = price;
    } else {
      ++idle;
    }
    int64_t unit = model.costUnit;
    int64_t units = static_cast<int64_t>(
        std::ceil(std::max(safe, 0.0) / static_cast<double>(unit)));
    result = std::max(result, units * unit);
    if (result >= target)
      return result;
    std::fill(held.begin(), held.end(), 0);
    for (size_t r = 0; r < numRows; ++r) {
      const Row &row = model.rows[r];
      forEachHeld(row, steps[r], [&](Sections sections) {
        held[sections.begin] += row.size;
        held[sections.end] -= row.size;
      });
      for (size_t k = 0; k < steps[r].size(); ++k) {
        Share &share = shares[r][k];
        share.held = 0.9 * share.held + (steps[r][k].held ? 0.1 : 0);
        share.kept = 0.9 * share.kept + (steps[r][k].kept ? 0.1 : 0);
      }
    }
    for (unsigned s = 0; s < model.numSections; ++s)
      held[s + 1] += held[s];
    if (idle >= 5) {
      factor *= 0.7;
      idle = 0;
      price = best;
      if (factor < 1e-4)
        break;
      continue;
    }
    double square = 0;
    for (unsigned s : active) {
      double slope = static_cast<double>(held[s] - limits[s]);
      direction[s] = slope + 0.6 * direction[s];
      if (price[s] == 0 && direction[s] < 0)
        direction[s] = 0;
      square += direction[s] * direction[s];
    }
    if (square == 0)
      break;
    // Towards the cost that is known, or a value a little above the bound.
    double aim = std::max(1e-3 * std::abs(bound), 1e-3);
    if (target != kNever)
      aim = std::max(aim, static_cast<double>(target) - bound);
    double length = factor * aim / square;
    for (unsigned s : active)
      price[s] = std::max(0.0, price[s] + length * direction[s]);
  }
  return result;
}
