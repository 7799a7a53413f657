//===- Generators.cpp - Problems to measure on ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generators.h"

using namespace memplan;
using namespace memplan::bench;

namespace {

/// splitmix64.
class Random {
public:
  uint64_t next() {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int64_t in(int64_t low, int64_t high) {
    return low + int64_t(next() % uint64_t(high - low + 1));
  }
  bool chance(int percent) { return in(1, 100) <= percent; }

private:
  uint64_t state = 42;
};

class Builder {
public:
  void add(int64_t start, int64_t end, int64_t size) {
    Buffer b;
    b.id = std::to_string(problem.buffers.size());
    b.size = size;
    b.ranges.push_back({start, end});
    problem.buffers.push_back(std::move(b));
  }
  int64_t count() const { return int64_t(problem.buffers.size()); }

  Random random;
  Problem problem;
};

void layered(Builder &b, int64_t n) {
  int64_t width = 64 * 1024;
  for (int64_t t = 0; b.count() < n; t += 10) {
    // Widths drift as in networks: halve, double, or stay.
    int64_t drift = b.random.in(0, 9);
    if (drift == 0 && width > 4096)
      width /= 2;
    if (drift == 1 && width < 1024 * 1024)
      width *= 2;
    int64_t skip = b.random.chance(15) ? 10 * b.random.in(2, 12) : 0;
    b.add(t, t + 12 + skip, width);
    for (int64_t k = b.random.in(1, 4); k > 0; --k) {
      int64_t start = t + b.random.in(0, 7);
      b.add(start, start + b.random.in(1, 4),
            width * b.random.in(1, 9) / 4 / 64 * 64 + 64);
    }
  }
}

void training(Builder &b, int64_t n) {
  // Blocks of 64 layers: one long nest alone would be live all at once.
  constexpr int64_t layers = 64;
  for (int64_t block = 0; b.count() < n; ++block) {
    int64_t base = block * layers * 40;
    int64_t end = base + layers * 40;
    for (int64_t k = 0; k < layers && b.count() < n; ++k) {
      int64_t forward = base + 20 * k, backward = end - 20 * k - 20;
      int64_t size = 256 * b.random.in(16, 512);
      b.add(forward, backward + 10, size);
      b.add(forward + 2, forward + b.random.in(4, 9), 2 * size);
      b.add(backward, backward + 25, size);
      b.add(backward + 3, backward + b.random.in(6, 12),
            256 * b.random.in(16, 1024));
    }
  }
}

void mallocLike(Builder &b, int64_t n) {
  for (int64_t t = 0; b.count() < n; ++t) {
    int64_t size = b.random.in(1, 64) * (int64_t(1) << b.random.in(0, 7));
    int64_t life = b.random.in(1, 8);
    if (b.random.chance(10))
      life = b.random.in(1, 200);
    if (b.random.chance(1))
      life = b.random.in(1, 2000);
    b.add(t, t + life, size);
  }
}

void adversarial(Builder &b, int64_t n) {
  // Waves: large neighbours that leave at different times, small ones placed
  // between them that stay for several waves.
  for (int64_t t = 0; b.count() < n; t += 16) {
    int64_t unit = 1024 * b.random.in(3, 9);
    for (int64_t k = 0; k < 4; ++k) {
      b.add(t + k, t + 4 + 3 * k, unit * (k + 2));
      b.add(t + k + 1, t + 16 * b.random.in(1, 6) + k, 64 * b.random.in(1, 9));
    }
    b.add(t + 9, t + 15, unit * 11);
  }
}

} // namespace

const std::vector<std::string> &memplan::bench::families() {
  static const std::vector<std::string> names = {"layered", "training",
                                                 "malloc", "adversarial"};
  return names;
}

Problem memplan::bench::generate(const std::string &family, int64_t n) {
  Builder builder;
  if (family == "layered")
    layered(builder, n);
  else if (family == "training")
    training(builder, n);
  else if (family == "malloc")
    mallocLike(builder, n);
  else
    adversarial(builder, n);
  return std::move(builder.problem);
}
