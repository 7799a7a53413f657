//===- Generators.cpp - Problems for benchmarks ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generators.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/Solver.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::bench;

namespace {

/// splitmix64.
class Random {
public:
  explicit Random(uint64_t seed = 42) : state(seed) {}
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
  uint64_t state;
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
  // Blocks of 64 layers; the activations of a single long nest would all be
  // live at once.
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
  // Waves of large buffers that end at different times, with small buffers
  // between them that are live for several waves.
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

namespace {

/// A piece of the square: ranges of time and, in KiB, of addresses.
struct Piece {
  int64_t start, end, low, high;
  int64_t area() const { return (end - start) * (high - low); }
};

/// Four pieces around a fifth.
void cutPinwheel(Random &random, std::vector<Piece> &pieces, size_t which) {
  Piece p = pieces[which];
  int64_t t1 = p.start + random.in(1, p.end - p.start - 2);
  int64_t t2 = random.in(t1 + 1, p.end - 1);
  int64_t a1 = p.low + random.in(1, p.high - p.low - 2);
  int64_t a2 = random.in(a1 + 1, p.high - 1);
  pieces[which] = {p.start, t2, p.low, a1};
  pieces.push_back({t2, p.end, p.low, a2});
  pieces.push_back({t1, p.end, a2, p.high});
  pieces.push_back({p.start, t1, a1, p.high});
  pieces.push_back({t1, t2, a1, a2});
}

void cutInTwo(Random &random, std::vector<Piece> &pieces, size_t which) {
  Piece &p = pieces[which];
  int64_t time = p.end - p.start, bytes = p.high - p.low;
  bool acrossTime = random.in(0, time + bytes - 1) < time;
  if (random.chance(33))
    acrossTime = !acrossTime;
  if ((acrossTime ? time : bytes) < 2)
    return;
  Piece rest = p;
  if (acrossTime)
    rest.start = p.end = p.start + random.in(1, time - 1);
  else
    rest.low = p.high = p.low + random.in(1, bytes - 1);
  pieces.push_back(rest);
}

} // namespace

Problem memplan::bench::generateTight(Cut cut, int64_t n,
                                      int64_t percentTakenOut) {
  Random random(1000 * uint64_t(cut) + 10 * uint64_t(n) +
                uint64_t(percentTakenOut));
  std::vector<Piece> pieces = {{0, 1024, 0, 1024}};
  auto any = [&] { return size_t(random.in(0, int64_t(pieces.size()) - 1)); };
  while (int64_t(pieces.size()) < 100 * n / (100 - percentTakenOut)) {
    size_t which = any();
    for (int k = 0; k < 3 && cut != Cut::Any; ++k) {
      size_t other = any();
      if (pieces[other].area() > pieces[which].area())
        which = other;
    }
    const Piece &p = pieces[which];
    if (cut == Cut::Pinwheels && random.chance(25) && p.end - p.start >= 4 &&
        p.high - p.low >= 4)
      cutPinwheel(random, pieces, which);
    else
      cutInTwo(random, pieces, which);
  }
  for (size_t i = pieces.size(); i > 1; --i)
    std::swap(pieces[i - 1], pieces[random.next() % i]);
  pieces.resize(std::min(pieces.size(), size_t(n)));
  Builder builder;
  for (const Piece &p : pieces)
    builder.add(p.start, p.end, 1024 * (p.high - p.low));
  builder.problem.capacity = 1024 * 1024;
  return std::move(builder.problem);
}

/// A geometrically distributed life with the given mean.
static int64_t geometricLife(Random &random, int64_t mean) {
  int64_t life = 1;
  while (random.in(1, mean) > 1)
    ++life;
  return life;
}

static int64_t drawLife(Random &random, Lives lives, int64_t n, bool isOdd) {
  switch (lives) {
  case Lives::Uniform:
    return random.in(1, isOdd ? 200 : 100);
  case Lives::Exponential:
    return geometricLife(random, isOdd ? 100 : 60);
  case Lives::Mixed:
    return random.chance(20) ? random.in(1, isOdd ? 2000 : 1000)
                             : random.in(1, 20);
  case Lives::Long:
    return random.in(1, n / 20);
  }
  return 1;
}

Problem memplan::bench::generateFewSizes(Lives lives, int64_t n, int64_t sizes,
                                         uint64_t seed) {
  Builder builder;
  Random &random = builder.random;
  random = Random(1000 * uint64_t(lives) + seed);
  std::vector<int64_t> size, weightUpTo;
  for (int64_t k = 0, sum = 0; k < sizes; ++k) {
    size.push_back(64 * random.in(1, 1024));
    weightUpTo.push_back(sum += random.in(1, 1000));
  }
  for (int64_t i = 0; i < n; ++i) {
    int64_t start = random.in(0, n - 1);
    int64_t drawn = random.in(1, weightUpTo.back());
    size_t which =
        size_t(std::lower_bound(weightUpTo.begin(), weightUpTo.end(), drawn) -
               weightUpTo.begin());
    builder.add(start, start + drawLife(random, lives, n, seed % 2 == 1),
                size[which]);
  }
  return std::move(builder.problem);
}

Problem memplan::bench::generateSharing(Sharing features, uint64_t seed) {
  Builder builder;
  Random &random = builder.random;
  random = Random(7000 * uint64_t(features) + seed);
  constexpr int64_t unit = 256, pipes = 3, soon = 4;
  int64_t n = random.in(10, 60), steps = random.in(n / 2, n);
  int64_t mostUnits = random.chance(50) ? 8 : 24;
  std::vector<int64_t> pipeOf;
  for (int64_t i = 0; i < n; ++i) {
    int64_t start = random.in(0, steps - 1);
    int64_t life = random.chance(15) ? random.in(6, 12) : random.in(1, 5);
    builder.add(start, start + life, unit * random.in(1, mostUnits));
    builder.problem.buffers.back().alignment = random.chance(50) ? 32 : 1;
    pipeOf.push_back(random.in(0, pipes - 1));
  }
  Problem &problem = builder.problem;
  int64_t mostWeight = random.chance(50) ? 1 : 9;
  for (BufferIndex a = 0; a < n; ++a)
    for (BufferIndex b = 0; b < n; ++b) {
      int64_t gap =
          problem.buffers[b].ranges[0].start - problem.buffers[a].ranges[0].end;
      if (gap < 0 || gap > soon || pipeOf[a] == pipeOf[b])
        continue;
      problem.softConflicts.push_back({a, b, random.in(1, mostWeight)});
      if (features == Sharing::Banks && random.chance(30))
        problem.softConflicts.push_back(
            {a, b, random.in(1, mostWeight), SoftConflict::Kind::Bank});
      if (features == Sharing::AllOrNone && random.chance(30))
        problem.allOrNone.push_back({a, b});
    }
  if (features == Sharing::Banks)
    problem.bankSize = unit * 32;
  return std::move(problem);
}

int64_t memplan::bench::sharingCapacity(const Problem &problem, uint64_t seed) {
  Problem apart = problem;
  apart.softConflicts.clear();
  apart.allOrNone.clear();
  apart.bankSize.reset();
  SolveOptions options;
  options.effort = Effort::Low;
  int64_t least = solve(apart, options).arenaSize;
  for (const SoftConflict &soft : problem.softConflicts)
    apart.conflicts.push_back({soft.first, soft.second});
  int64_t most = solve(apart, options).arenaSize;
  return least + (most - least) * int64_t(seed % 4) / 4;
}
