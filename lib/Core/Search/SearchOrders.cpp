//===- SearchOrders.cpp - Rankings for tree searches ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/SearchOrders.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace memplan;
using namespace memplan::detail;

SearchOrders::SearchOrders(const SearchSpace &space) : space(space) {
  std::vector<int64_t> loads = space.model.sectionLoads();
  for (BufferIndex b : space.buffers) {
    double time = 0, sections = 0;
    int64_t fullest = 0;
    for (const LiveRange &range : space.model.problem.buffers[b].ranges)
      time += double(range.end) - double(range.start);
    for (const SectionRange &range : space.model.ranges(b)) {
      sections += range.end - range.begin;
      for (uint32_t s = range.begin; s < range.end; ++s)
        fullest = std::max(fullest, loads[s]);
    }
    width.push_back(time);
    span.push_back(sections);
    total.push_back(double(fullest));
  }
}

SearchOrders::Keys SearchOrders::keysOf(uint32_t order, uint32_t item) const {
  double size = double(space.size[item]);
  double area = size * width[item];
  switch (order) {
  case 0:
    return {total[item], area, width[item]};
  case 1:
    return {width[item], area, total[item]};
  case 2:
    return {area, total[item], width[item]};
  case 3:
    return {span[item], size, width[item]};
  case 4:
    return {size * span[item], total[item], size};
  default:
    return {size * double(space.neighbours(item).size()), total[item], size};
  }
}

/// The exponential of `sigma` times a number with about the standard normal
/// distribution, which is the sum of twelve uniform ones minus 6. Uses only
/// additions, multiplications and a division by a power of two: the functions
/// of the C library may differ between machines in the last bit, which could
/// change the order.
static double lognormal(Random &random, double sigma) {
  double sum = -6;
  for (int i = 0; i < 12; ++i)
    sum += random.unit();
  double power = 1 + sum * sigma / 1024;
  for (int i = 0; i < 10; ++i)
    power *= power;
  return power;
}

static std::vector<uint32_t>
rankBy(const std::vector<std::array<double, 3>> &keys) {
  std::vector<uint32_t> items(keys.size()), rank(keys.size());
  std::iota(items.begin(), items.end(), 0);
  std::sort(items.begin(), items.end(), [&](uint32_t a, uint32_t b) {
    return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
  });
  for (uint32_t i = 0; i < items.size(); ++i)
    rank[items[i]] = i;
  return rank;
}

std::vector<uint32_t> SearchOrders::ranking(uint32_t order) const {
  std::vector<std::array<double, 3>> keys;
  for (uint32_t item = 0; item < space.buffers.size(); ++item) {
    Keys k = keysOf(order, item);
    keys.push_back({k.first, k.second, k.third});
  }
  return rankBy(keys);
}

std::vector<uint32_t>
SearchOrders::perturbed(uint32_t order, uint64_t number, uint64_t seed,
                        const std::vector<double> &weights) const {
  // The weights determine most of the ranking. The noise only makes searches
  // with the same weights differ, so a small one suffices.
  static constexpr double sigmas[] = {0.05, 0.1, 0.05, 0.25};
  double sigma = sigmas[number % 4];
  Random random(seed * 0x9e3779b97f4a7c15u + number);
  std::vector<std::array<double, 3>> keys;
  for (uint32_t item = 0; item < space.buffers.size(); ++item) {
    Keys k = keysOf(order, item);
    double factor = weights[item] * lognormal(random, sigma);
    keys.push_back({k.first * factor, k.second, k.third});
  }
  return rankBy(keys);
}
