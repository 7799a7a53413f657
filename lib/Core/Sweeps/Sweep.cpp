//===- Sweep.cpp - Placement of buffers in the order of time --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweeps/Sweep.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The time beyond the horizon of a sweep counts for one part of this many.
static constexpr int64_t farPart = 3;

/// The steps of the first retreat of a sweep, and the most steps of any, as a
/// multiple of the number of live buffers.
static constexpr size_t firstRetreat = 8, retreatLimit = 3;

/// The looks that it takes to sort a block into its place among others.
static constexpr int64_t looksToSort = 4;

Sweep::Sweep(std::vector<Job> list, const std::vector<Job> &stack, int64_t goal)
    : jobs(std::move(list)) {
  std::sort(jobs.begin(), jobs.end(), [](const Job &a, const Job &b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    return a.size != b.size ? a.size > b.size : a.buffer < b.buffer;
  });
  for (const Job &job : jobs)
    add({-1, -1, job.begin, job.end, job.warpedEnd});
  firstOfStack = uint32_t(nodes.size());
  for (const Job &job : stack) {
    add({-1, -1, job.begin, job.end, job.warpedEnd});
    stackSizes.push_back(job.size);
  }
  floor = uint32_t(nodes.size());
  add({0, 0, 0, INT64_MAX, 0});
  ceiling = uint32_t(nodes.size());
  add({goal, goal, 0, INT64_MAX, 0});
  sortByEnd();
}

void Sweep::setObstacles(std::vector<Block> blocks) {
  std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.low < b.low;
  });
  firstObstacle = uint32_t(nodes.size());
  for (const Block &block : blocks)
    add(block);
  sortByEnd();
}

void Sweep::add(const Block &block) {
  nodes.emplace_back();
  nodes.back().block = block;
}

void Sweep::sortByEnd() {
  byEnd.resize(nodes.size());
  std::iota(byEnd.begin(), byEnd.end(), 0);
  std::sort(byEnd.begin(), byEnd.end(), [&](uint32_t a, uint32_t b) {
    int64_t endA = nodes[a].block.end, endB = nodes[b].block.end;
    return endA != endB ? endA < endB : a < b;
  });
}

void Sweep::start(const std::vector<Placed> &stack) {
  for (uint32_t node : changes) {
    nodes[node].isLive = false;
    nodes[node].gap = none;
  }
  for (uint32_t node : gaps)
    nodes[node].gap = none;
  gaps.clear();
  uint32_t last = floor;
  for (const Placed &placed : stack) {
    uint32_t index = firstOfStack + placed.index;
    Node &node = nodes[index];
    node.block.low = placed.offset;
    node.block.high = placed.offset + stackSizes[placed.index];
    node.isLive = true;
    node.below = last;
    nodes[last].above = index;
    updateGap(last);
    last = index;
  }
  nodes[last].above = ceiling;
  nodes[ceiling].below = last;
  updateGap(last);
  live = stack.size();
  changes.clear();
  states.clear();
  ended = 0;
  next = firstObstacle;
  step = farthest = 0;
  retreat = firstRetreat;
  weights = Weights();
}

size_t Sweep::glance(size_t count, SweepEffort &effort) {
  count = std::min(count, jobs.size());
  Random unused(0);
  for (; step < count; ++step)
    if (effort.isSpent() || !place(unused, effort))
      break;
  return step;
}

size_t Sweep::run(int64_t patience, Random &random, SweepEffort &effort) {
  int64_t since = effort.looks;
  while (step < jobs.size()) {
    if (effort.isSpent() || effort.looks - since > patience)
      return farthest;
    if (place(random, effort)) {
      // The sweep is past the failure, which the horizon was chosen for.
      if (++step > farthest + 1) {
        weights.horizon = INT64_MAX;
        since = effort.looks;
      }
      continue;
    }
    retreat = step > farthest ? firstRetreat : retreat * 5 / 4 + 1;
    if (retreat > retreatLimit * live + 16)
      retreat = firstRetreat;
    if (step > farthest)
      since = effort.looks;
    farthest = std::max(farthest, step);
    weights = choose(jobs[step].warpedBegin, random);
    goBack(step - uint32_t(std::min<size_t>(step, retreat)), effort);
  }
  return step;
}

/// New weights after a failure. Most reduce the influence of the time behind
/// it.
Sweep::Weights Sweep::choose(int64_t failedAt, Random &random) {
  static constexpr int64_t wastes[] = {26, 77, 256, 768};
  Weights weights;
  weights.waste = wastes[random.below(4)];
  weights.noise = int64_t(random.below(128));
  if (random.below(10) < 7)
    weights.horizon = failedAt + 1;
  return weights;
}

/// The distance between two warped times.
int64_t Sweep::Weights::distance(int64_t a, int64_t b) const {
  int64_t far = std::abs(a - b);
  if (horizon == INT64_MAX)
    return far;
  return std::abs(std::min(a, horizon) - std::min(b, horizon)) + far / farPart;
}

void Sweep::removeGap(Node &node) {
  nodes[gaps.back()].gap = node.gap;
  gaps[node.gap] = gaps.back();
  gaps.pop_back();
  node.gap = none;
}

/// Brings `gaps` up to date for the gap above a live node.
void Sweep::updateGap(uint32_t below) {
  Node &node = nodes[below];
  bool isGap = node.block.high < nodes[node.above].block.low;
  if (isGap && node.gap == none) {
    node.gap = uint32_t(gaps.size());
    gaps.push_back(below);
  } else if (!isGap && node.gap != none) {
    removeGap(node);
  }
}

/// Adds a node to the list, between the two that it names.
void Sweep::enter(uint32_t index) {
  Node &node = nodes[index];
  nodes[node.below].above = index;
  nodes[node.above].below = index;
  node.isLive = true;
  ++live;
  updateGap(node.below);
  updateGap(index);
}

void Sweep::leave(uint32_t index) {
  Node &node = nodes[index];
  nodes[node.below].above = node.above;
  nodes[node.above].below = node.below;
  node.isLive = false;
  --live;
  if (node.gap != none)
    removeGap(node);
  updateGap(node.below);
}

void Sweep::enterAbove(uint32_t below, uint32_t index) {
  nodes[index].below = below;
  nodes[index].above = nodes[below].above;
  enter(index);
  changes.push_back(index);
}

/// The highest live node that begins below the offset.
uint32_t Sweep::findBelow(int64_t offset, SweepEffort &effort) const {
  uint32_t below = floor;
  while (nodes[below].above != ceiling &&
         nodes[nodes[below].above].block.low < offset) {
    below = nodes[below].above;
    ++effort.looks;
  }
  return below;
}

/// Brings the list to the begin of the job of this step.
void Sweep::advance(SweepEffort &effort) {
  states.push_back({changes.size(), ended, next});
  size_t before = changes.size();
  int64_t now = jobs[step].begin;
  for (; nodes[byEnd[ended]].block.end <= now; ++ended)
    if (nodes[byEnd[ended]].isLive) {
      leave(byEnd[ended]);
      changes.push_back(byEnd[ended]);
    }
  for (; next < nodes.size() && nodes[next].block.begin <= now; ++next)
    if (nodes[next].block.end > now)
      enterAbove(findBelow(nodes[next].block.low, effort), next);
  effort.looks += int64_t(changes.size() - before);
}

/// Places the job of this step into the best gap; returns false if no gap is
/// large enough. The cost of a gap is how much it adds to the (warped) times
/// during which a block is live but the one next to it is not. Half of the sum
/// of these times is the number of gaps, integrated over time.
bool Sweep::place(Random &random, SweepEffort &effort) {
  const Job &job = jobs[step];
  advance(effort);
  int64_t best = INT64_MAX, offset = -1;
  int64_t gapOwn = weights.distance(job.warpedBegin, job.warpedEnd);
  auto weigh = [&](int64_t cost, int64_t before, int64_t place) {
    if (weights.noise > 0)
      cost += cost * int64_t(random.below(weights.noise + 1)) / 256;
    cost -= before;
    if (cost >= best)
      return false;
    best = cost;
    offset = place;
    return true;
  };
  // An end of the arena, where `below` or `above` is null, costs nothing.
  auto tryGap = [&](int64_t low, const Block *below, int64_t high,
                    const Block *above) {
    int64_t bottom = alignTo(low, job.align);
    if (high - bottom < job.size)
      return false;
    auto from = [&](const Block *block, int64_t time) {
      return block ? weights.distance(block->warpedEnd, time) : 0;
    };
    int64_t ownBelow = from(below, job.warpedEnd);
    int64_t ownAbove = from(above, job.warpedEnd);
    int64_t gapBelow = from(below, job.warpedBegin);
    int64_t gapAbove = from(above, job.warpedBegin);
    int64_t before = (gapBelow + gapAbove) * weights.waste / 256;
    if (high - low == job.size)
      return weigh(ownBelow + ownAbove, before, bottom);
    bool isLower = weigh(ownBelow + (gapOwn + gapAbove) * weights.waste / 256,
                         before, bottom);
    bool isUpper = weigh(ownAbove + (gapOwn + gapBelow) * weights.waste / 256,
                         before, (high - job.size) & -job.align);
    return isLower || isUpper;
  };
  auto blockOf = [&](uint32_t node) {
    return node == floor || node == ceiling ? nullptr : &nodes[node].block;
  };
  uint32_t below = none;
  if (next < nodes.size() && nodes[next].block.begin < job.end) {
    int64_t low = 0;
    const Block *last = nullptr;
    for (const Block &block : withObstacles(job, effort)) {
      if (block.low - low >= job.size)
        tryGap(low, last, block.low, &block);
      if (block.high < low)
        continue;
      low = block.high;
      last = &block;
    }
    tryGap(low, last, nodes[ceiling].block.low, nullptr);
    if (offset >= 0)
      below = findBelow(offset, effort);
  } else {
    effort.looks += int64_t(gaps.size()) + 4;
    for (uint32_t gap : gaps) {
      uint32_t above = nodes[gap].above;
      if (tryGap(nodes[gap].block.high, blockOf(gap), nodes[above].block.low,
                 blockOf(above)))
        below = gap;
    }
  }
  if (offset < 0)
    return false;
  nodes[step].block.low = offset;
  nodes[step].block.high = offset + job.size;
  enterAbove(below, step);
  return true;
}

/// The live blocks and the obstacles that begin before the job ends, by offset.
const std::vector<Block> &Sweep::withObstacles(const Job &job,
                                               SweepEffort &effort) {
  met.clear();
  for (uint32_t i = nodes[floor].above; i != ceiling; i = nodes[i].above)
    met.push_back(nodes[i].block);
  for (uint32_t i = next; i < nodes.size(); ++i) {
    if (nodes[i].block.begin >= job.end)
      break;
    met.push_back(nodes[i].block);
  }
  std::sort(met.begin(), met.end(), [](const Block &a, const Block &b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  effort.looks += looksToSort * int64_t(met.size());
  return met;
}

/// Restores the state before step `to`.
void Sweep::goBack(uint32_t to, SweepEffort &effort) {
  const State &state = states[to];
  effort.looks += int64_t(changes.size() - state.changes);
  while (changes.size() > state.changes) {
    uint32_t node = changes.back();
    changes.pop_back();
    if (nodes[node].isLive)
      leave(node);
    else
      enter(node);
  }
  ended = state.ended;
  next = state.next;
  states.resize(to);
  step = to;
}
