//===- Reference.cpp - Random problems and exhaustive search --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "ProblemBuilder.h"

#include <algorithm>
#include <string>

using namespace memplan;
using namespace memplan::test;

uint64_t Random::next() {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int64_t Random::in(int64_t low, int64_t high) {
  return low +
         static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
}

Problem memplan::test::randomProblem(uint64_t seed,
                                     const RandomOptions &options) {
  Random random(seed);
  Problem problem;
  int n = static_cast<int>(random.in(0, options.maxBuffers));
  for (int i = 0; i < n; ++i) {
    Buffer b;
    b.id = "b" + std::to_string(i);
    b.size = random.in(random.chance(5) ? 0 : 1, options.maxSize);
    int count = options.severalRanges && random.chance(30)
                    ? static_cast<int>(random.in(2, 3))
                    : 1;
    for (int r = 0; r < count; ++r) {
      int64_t start = random.in(0, options.maxTime - 1);
      b.ranges.push_back({start, random.in(start + 1, options.maxTime)});
    }
    normalizeRanges(b.ranges);
    if (options.alignment && random.chance(40))
      b.alignment = int64_t(1) << random.in(0, 2);
    if (options.pins && random.chance(10))
      b.pinnedOffset = random.in(0, 3) * b.alignment;
    problem.buffers.push_back(std::move(b));
  }
  auto pair = [&](auto use) {
    BufferIndex a = static_cast<BufferIndex>(random.in(0, n - 1));
    BufferIndex b = static_cast<BufferIndex>(random.in(0, n - 1));
    if (a != b)
      use(a, b);
  };
  int relations = n == 0 ? 0 : n;
  for (int k = 0; options.conflicts && k < relations; ++k)
    if (random.chance(15))
      pair([&](BufferIndex a, BufferIndex b) {
        problem.conflicts.push_back({a, b});
      });
  for (int k = 0; options.overlaps && k < relations; ++k)
    if (random.chance(30))
      pair([&](BufferIndex a, BufferIndex b) {
        int64_t low = random.chance(50)
                          ? 0
                          : random.in(-options.maxSize, options.maxSize);
        int64_t high = random.chance(60) ? low : low + random.in(0, 3);
        problem.overlaps.push_back({a, b, low, high});
      });
  if (!options.sharing)
    return problem;
  if (random.chance(40)) {
    int64_t largest = 1, alignment = 1;
    for (const Buffer &b : problem.buffers) {
      largest = std::max(largest, b.size);
      alignment = std::max(alignment, b.alignment);
    }
    problem.bankSize =
        (largest + random.in(0, 3) + alignment - 1) / alignment * alignment;
  }
  for (int k = 0; k < 2 * n; ++k)
    pair([&](BufferIndex a, BufferIndex b) {
      auto kind = problem.bankSize && random.chance(40)
                      ? SoftConflict::Kind::Bank
                      : SoftConflict::Kind::Bytes;
      problem.softConflicts.push_back({a, b, random.in(0, 4), kind});
    });
  for (int k = 0; k < n; ++k)
    if (random.chance(20))
      pair([&](BufferIndex a, BufferIndex b) {
        problem.allOrNone.push_back({a, b});
      });
  return problem;
}

namespace {

class Exhaustive {
public:
  Exhaustive(const Problem &problem, int64_t capacity)
      : problem(problem), capacity(capacity),
        offsets(problem.buffers.size(), 0) {}

  bool fits(size_t i = 0) {
    if (i == problem.buffers.size())
      return true;
    const Buffer &b = problem.buffers[i];
    int64_t first = b.pinnedOffset.value_or(0);
    int64_t last = b.pinnedOffset.value_or(capacity - b.size);
    if (b.size == 0 && !b.pinnedOffset)
      last = 0;
    for (int64_t at = first; at <= last && at + b.size <= capacity;
         at += b.alignment) {
      offsets[i] = at;
      if (allowed(i) && fits(i + 1))
        return true;
    }
    return false;
  }

  /// The least penalty and arena, if that is less than `best`, which it
  /// replaces.
  void improve(std::optional<std::pair<int64_t, int64_t>> &best, size_t i = 0,
               int64_t penalty = 0, int64_t height = 0) {
    if (best && std::make_pair(penalty, height) >= *best)
      return;
    if (i == problem.buffers.size()) {
      best = {penalty, height};
      return;
    }
    const Buffer &b = problem.buffers[i];
    int64_t first = b.pinnedOffset.value_or(0);
    int64_t last = b.pinnedOffset.value_or(b.size == 0 ? 0 : capacity - b.size);
    for (int64_t at = first; at <= last && at + b.size <= capacity;
         at += b.alignment) {
      offsets[i] = at;
      if (allowed(i) && keepsSharingRules(i))
        improve(best, i + 1, penalty + paidBy(i),
                std::max(height, at + b.size));
    }
  }

private:
  bool allowed(size_t i) const {
    for (size_t j = 0; j < i; ++j)
      if (!allowedPair(j, i))
        return false;
    return true;
  }

  bool allowedPair(size_t a, size_t b) const {
    const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
    if (offsets[a] + x.size <= offsets[b] ||
        offsets[b] + y.size <= offsets[a] || x.size == 0 || y.size == 0)
      return true;
    for (const Conflict &c : problem.conflicts)
      if ((c.first == a && c.second == b) || (c.first == b && c.second == a))
        return false;
    if (!rangesIntersect(x.ranges, y.ranges))
      return true;
    for (const PermittedOverlap &o : problem.overlaps) {
      if ((o.first != a || o.second != b) && (o.first != b || o.second != a))
        continue;
      int64_t delta = offsets[o.second] - offsets[o.first];
      if (o.minDelta <= delta && delta <= o.maxDelta)
        return true;
    }
    return false;
  }

  bool share(size_t a, size_t b) const {
    for (int64_t at = offsets[a]; at < offsets[a] + problem.buffers[a].size;
         ++at)
      if (at >= offsets[b] && at < offsets[b] + problem.buffers[b].size)
        return true;
    return false;
  }

  bool keepsSharingRules(size_t i) const {
    if (problem.bankSize)
      for (int64_t k = 1; k < problem.buffers[i].size; ++k)
        if ((offsets[i] + k) % *problem.bankSize == 0)
          return false;
    for (const AllOrNone &pair : problem.allOrNone)
      if (std::max(pair.first, pair.second) == i &&
          share(pair.first, pair.second) &&
          offsets[pair.first] != offsets[pair.second])
        return false;
    return true;
  }

  /// The weights that the buffer pays with those before it.
  int64_t paidBy(size_t i) const {
    int64_t sum = 0;
    for (const SoftConflict &soft : problem.softConflicts) {
      if (std::max(soft.first, soft.second) != i ||
          problem.buffers[soft.first].size == 0 ||
          problem.buffers[soft.second].size == 0)
        continue;
      bool isPaid = soft.kind == SoftConflict::Kind::Bytes
                        ? share(soft.first, soft.second)
                        : offsets[soft.first] / *problem.bankSize ==
                              offsets[soft.second] / *problem.bankSize;
      sum += isPaid ? soft.weight : 0;
    }
    return sum;
  }

  const Problem &problem;
  int64_t capacity;
  std::vector<int64_t> offsets;
};

} // namespace

std::optional<int64_t> memplan::test::exhaustiveOptimum(const Problem &problem,
                                                        int64_t limit) {
  for (int64_t capacity = 0; capacity <= limit; ++capacity)
    if (Exhaustive(problem, capacity).fits())
      return capacity;
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>>
memplan::test::exhaustiveSharing(const Problem &problem, int64_t capacity) {
  std::optional<std::pair<int64_t, int64_t>> best;
  Exhaustive(problem, capacity).improve(best);
  return best;
}

Problem memplan::test::fewSizes(uint64_t seed, int count, int64_t life,
                                int64_t alignment) {
  Random random(seed);
  std::vector<int64_t> sizes(8);
  for (int64_t &size : sizes)
    size = random.in(100, 100000);
  ProblemBuilder builder;
  for (int i = 0; i < count; ++i) {
    int64_t start = random.in(0, count - 1);
    builder.add(std::to_string(i), sizes[random.in(0, 7)],
                {{start, start + random.in(1, life)}});
    if (random.in(0, 1) == 1)
      builder.align(alignment);
  }
  return builder.raw();
}
