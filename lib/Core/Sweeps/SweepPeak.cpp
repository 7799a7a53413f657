//===- SweepPeak.cpp - Where sweeps start ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweeps/SweepPeak.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The attempts per buffer to shorten the path through a stack, and the looks
/// that one takes. Only stacks from pathLeast to pathMost buffers have a path;
/// others are ordered by the times of their buffers, with noise. A smaller
/// stack has so few paths that every try would use the same one. In a larger
/// stack an attempt takes too long, as it moves up to all of the buffers.
static constexpr int64_t pathTries = 1000, looksPerTry = 4;
static constexpr size_t pathLeast = 32, pathMost = 4096;

/// The steps of the first sweeps that judge a stack. Their number doubles up to
/// twice the number of buffers in the stack.
static constexpr size_t firstGlance = 32;

std::vector<int64_t> SweepPeak::offsets() const {
  std::vector<int64_t> result(members.size());
  visit([&](uint32_t i, int64_t low) { result[i] = low; });
  return result;
}

std::vector<Job> SweepPeak::jobsOf(const SweepView &view,
                                   const std::vector<BufferIndex> &list) const {
  std::vector<Job> jobs;
  jobs.reserve(list.size());
  for (BufferIndex b : list) {
    auto [begin, end] = view.of(model->hull(b));
    auto [warpedBegin, warpedEnd] = view.warped(model->hull(b));
    jobs.push_back({begin, end, warpedBegin, warpedEnd, model->sizeOf(b),
                    model->alignOf(b), b});
  }
  return jobs;
}

Sweep SweepPeak::makeSweep(const SweepView &view,
                           const std::vector<BufferIndex> &list) const {
  return Sweep(jobsOf(view, list), jobsOf(view, members), goal);
}

void SweepPeak::startSweep(Sweep &sweep) const {
  std::vector<Sweep::Placed> stack;
  stack.reserve(members.size());
  visit([&](uint32_t i, int64_t low) { stack.push_back({i, low}); });
  sweep.start(stack);
}

/// The order is a short path through the points (begin, end), which simulated
/// annealing finds: local search that also accepts changes for the worse,
/// smaller and smaller ones.
void SweepPeak::arrange(Random &random, SweepEffort &effort) {
  struct Point {
    int64_t begin, end;
    uint32_t index;
    double key;
  };
  std::vector<Point> path;
  path.reserve(order.size());
  for (uint32_t i : order) {
    SectionRange hull = model->hull(members[i]);
    path.push_back({(*warp)[hull.begin], (*warp)[hull.end], i, 0});
  }
  // Without a path, the buffers that end soon after the peak go to the top and
  // those that began shortly before it to the bottom, with noise.
  bool isPath = path.size() >= pathLeast && path.size() <= pathMost;
  for (Point &p : path) {
    double noise = isPath ? 0 : 512 + double(random.below(1024));
    p.key = isPath ? -double(p.begin)
                   : double(p.end - (*warp)[section]) /
                         (double((*warp)[section + 1] - p.begin) * noise);
  }
  std::sort(path.begin(), path.end(), [](const Point &a, const Point &b) {
    return a.key != b.key ? a.key > b.key : a.index < b.index;
  });
  size_t count = path.size();
  // The distance is 0 if a position is outside the path. The position before
  // the first is size_t(-1).
  auto distance = [&](size_t i, size_t k) {
    return i >= count || k >= count ? 0
                                    : std::abs(path[i].begin - path[k].begin) +
                                          std::abs(path[i].end - path[k].end);
  };
  int64_t length = 0;
  for (size_t i = 0; i + 1 < count; ++i)
    length += distance(i, i + 1);
  int64_t tries = isPath ? pathTries * int64_t(count) : 0;
  for (int64_t left = tries; count > 2 && left > 0; --left) {
    size_t a = random.below(count), b = random.below(count);
    if (a > b)
      std::swap(a, b);
    if (a == b)
      continue;
    int64_t apart = distance(a - 1, a) + distance(b, b + 1);
    bool isTurn = random.below(2) == 0;
    int64_t change = isTurn
                         ? distance(a - 1, b) + distance(a, b + 1) - apart
                         : distance(a - 1, a + 1) + distance(b, a) +
                               distance(a, b + 1) - apart - distance(a, a + 1);
    int64_t most = length / int64_t(count) * left / tries * left / tries;
    if (change > 0 && change >= int64_t(random.below(uint64_t(most) + 1)))
      continue;
    if (isTurn)
      std::reverse(path.begin() + a, path.begin() + b + 1);
    else
      std::rotate(path.begin() + a, path.begin() + a + 1, path.begin() + b + 1);
  }
  // Do not take this from the effort of the try: without a good order of the
  // stack, the sweeps are worth little.
  effort.looks += looksPerTry * tries;
  effort.limit += looksPerTry * tries;
  for (size_t i = 0; i < count; ++i)
    order[i] = path[i].index;
}

SweepPeak::Score SweepPeak::judge(Sweep &backward, Sweep &forward, size_t steps,
                                  SweepEffort &effort) const {
  auto reach = [&](Sweep &sweep) {
    startSweep(sweep);
    size_t reached = sweep.glance(steps, effort);
    return reached == sweep.size() ? steps : reached;
  };
  effort.looks += int64_t(order.size());
  size_t reachedBehind = reach(backward), reachedAhead = reach(forward);
  Score score;
  score.worse = std::min(reachedBehind, reachedAhead);
  score.better = std::max(reachedBehind, reachedAhead);
  if (score.worse == steps)
    return score;
  bool isBehind = reachedBehind < reachedAhead;
  int64_t failedAt = (isBehind ? backward : forward).job(score.worse).begin;
  SweepView view = isBehind ? before() : after();
  for (uint32_t i = 0; i < order.size(); ++i)
    if (view.of(model->hull(members[order[i]])).second <= failedAt)
      score.gone.push_back(i);
  return score;
}

/// Hill climbing: keeps random changes with which the sweeps get at least as
/// far as before.
void SweepPeak::climb(Sweep &backward, Sweep &forward, Random &random,
                      SweepEffort &effort) {
  if (order.size() < 2)
    return;
  size_t last = 2 * order.size();
  for (size_t steps = std::min(firstGlance, last);; steps *= 2) {
    steps = std::min(steps, last);
    Score score = judge(backward, forward, steps, effort);
    while (score.worse < steps) {
      if (effort.isSpent())
        return;
      std::vector<uint32_t> kept = order;
      for (uint64_t moves = 1 + random.below(2); moves > 0; --moves)
        move(score.gone, random);
      Score next = judge(backward, forward, steps, effort);
      if (isWithinGoal() && !(next < score))
        score = std::move(next);
      else
        order = std::move(kept);
    }
    if (steps == last)
      return;
  }
}

/// Moves or swaps a random buffer of the stack, mostly to a position in
/// `gone`.
void SweepPeak::move(const std::vector<uint32_t> &gone, Random &random) {
  size_t from = random.below(order.size()), to = random.below(order.size());
  if (gone.size() > 1 && random.below(5) > 0) {
    to = gone[random.below(gone.size())];
    if (random.below(3) > 0)
      from = gone[random.below(gone.size())];
  }
  if (random.below(2) == 0) {
    std::swap(order[from], order[to]);
    return;
  }
  uint32_t moved = order[from];
  order.erase(order.begin() + int64_t(from));
  order.insert(order.begin() + int64_t(to), moved);
}
