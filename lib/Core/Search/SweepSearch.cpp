//===- SweepSearch.cpp - Sweeps from the peaks outwards -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/SweepSearch.h"

#include "Model/Components.h"
#include "Search/SearchOrders.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The number of looks that take as long as a node of tree search. A *look* is
/// the unit of effort here: the visit of one live buffer by a step of a sweep.
static constexpr int64_t looksPerNode = 5000;

/// The first try of a goal may take one part of this many of the effort:
/// sweepTo makes many short tries, sweepTowards, which comes later, fewer long
/// ones.
static constexpr int64_t firstTry = 32, firstLongTry = 8;

/// Climbing may take one part of this many of the effort of a try.
static constexpr int64_t climbShare = 4;

/// A sweep fails if one part of this many of the effort of a try does not get
/// it any further.
static constexpr int64_t patienceShare = 3;

/// The looks per buffer that it takes to divide the buffers among the peaks.
static constexpr int64_t looksToDivide = 16;

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

/// The time beyond the horizon of a sweep counts for one part of this many.
static constexpr int64_t farPart = 3;

/// The steps of the first retreat of a sweep, and the most steps of any, as a
/// multiple of the number of live buffers.
static constexpr size_t firstRetreat = 8, retreatLimit = 3;

/// The most goals tried between the given one and the height reached.
static constexpr unsigned goalsBetween = 5;

namespace {

/// The parameters by which a sweep chooses a gap. `waste` and `noise` are parts
/// of 256.
struct Weights {
  /// The weight of the distances between a gap and the blocks next to it, in
  /// relation to those between the buffer and these blocks.
  int64_t waste = 256;
  /// The most that random noise adds to a cost.
  int64_t noise = 0;
  /// A warped time. Distances beyond it count for one part of `farPart`.
  int64_t horizon = INT64_MAX;
};

/// A buffer in the view of a sweep. `begin` and `end` count sections from the
/// peak on, away from it. The warped times grow in the same direction, but a
/// section is the longer, the less room it has (see warpTime).
struct Job {
  int64_t begin, end;
  int64_t warpedBegin, warpedEnd;
  int64_t size, align;
  BufferIndex buffer;
};

/// Bytes that are taken from `begin` to `end`.
struct Block {
  int64_t low, high;
  int64_t begin, end;
  int64_t warpedEnd;
  /// The step of the sweep that placed it, ofPeak or ofOthers.
  uint32_t step;
};
/// The values of Block::step for a buffer of the stack and for an obstacle.
constexpr uint32_t ofPeak = UINT32_MAX, ofOthers = UINT32_MAX - 1;

/// The blocks that are live at the peak, by offset. A sweep begins with them.
using Stack = std::vector<Block>;

/// The looks that the searches of one goal have used, and the most they may
/// use.
struct Effort {
  int64_t looks = 0, limit = 0;
  const SearchControl &control;
  bool isSpent() const { return looks >= limit || control.timeIsUp(); }
};

/// A sweep from a peak to one side. Each step places one job within the goal.
class Sweep {
public:
  Sweep(std::vector<Job> list, int64_t goal)
      : jobs(std::move(list)), goal(goal), offsets(jobs.size(), -1),
        byEnd(jobs.size()) {
    std::sort(jobs.begin(), jobs.end(), [](const Job &a, const Job &b) {
      if (a.begin != b.begin)
        return a.begin < b.begin;
      return a.size != b.size ? a.size > b.size : a.buffer < b.buffer;
    });
    std::iota(byEnd.begin(), byEnd.end(), 0);
    std::sort(byEnd.begin(), byEnd.end(), [&](uint32_t a, uint32_t b) {
      return jobs[a].end != jobs[b].end ? jobs[a].end < jobs[b].end : a < b;
    });
  }

  /// Sets the blocks that other sweeps and peaks have placed, around which this
  /// sweep has to place its jobs. None of them may be live at the peak.
  void setObstacles(std::vector<Block> blocks) {
    obstacles = std::move(blocks);
    std::sort(obstacles.begin(), obstacles.end(),
              [](const Block &a, const Block &b) {
                return a.begin != b.begin ? a.begin < b.begin : a.low < b.low;
              });
  }

  size_t size() const { return jobs.size(); }
  const Job &job(size_t step) const { return jobs[step]; }
  int64_t offset(size_t step) const { return offsets[step]; }

  /// The number of steps, at most `count`, that a sweep makes from the
  /// beginning until a job finds no gap, without going back.
  size_t glance(const Stack &stack, size_t count, Effort &effort) {
    start(stack);
    count = std::min(count, jobs.size());
    Random unused(0);
    for (; step < count; ++step)
      if (effort.isSpent() || !place(step, weights, unused, effort))
        break;
    return step;
  }

  /// Restarts the sweep with the blocks of the peak.
  void start(const Stack &blocks) {
    live = blocks;
    next = 0;
    step = farthest = 0;
    retreat = firstRetreat;
    weights = Weights();
  }

  /// Continues until every job is placed, the effort is spent or `patience`
  /// looks have brought no progress. Returns size() if every job is placed,
  /// otherwise the farthest step that found no gap.
  size_t run(const Stack &stack, int64_t patience, Random &random,
             Effort &effort) {
    int64_t since = effort.looks;
    while (step < jobs.size()) {
      if (effort.isSpent() || effort.looks - since > patience)
        return farthest;
      if (place(step, weights, random, effort)) {
        // The sweep is past the failure, which the horizon was chosen for.
        if (++step > farthest + 1) {
          weights.horizon = INT64_MAX;
          since = effort.looks;
        }
        continue;
      }
      retreat = step > farthest ? firstRetreat : retreat * 5 / 4 + 1;
      if (retreat > retreatLimit * live.size() + 16)
        retreat = firstRetreat;
      if (step > farthest)
        since = effort.looks;
      farthest = std::max(farthest, step);
      weights = choose(jobs[step].warpedBegin, random);
      uint32_t to = step - uint32_t(std::min<size_t>(step, retreat));
      goBack(stack, to, jobs[step].begin, effort);
      step = to;
    }
    return step;
  }

private:
  static Weights choose(int64_t failedAt, Random &random) {
    static constexpr int64_t wastes[] = {26, 77, 256, 768};
    Weights weights;
    weights.waste = wastes[random.below(4)];
    weights.noise = int64_t(random.below(128));
    if (random.below(10) < 7)
      weights.horizon = failedAt + 1;
    return weights;
  }

  /// The distance between two warped times.
  static int64_t distance(int64_t a, int64_t b, const Weights &weights) {
    int64_t far = std::abs(a - b);
    if (weights.horizon == INT64_MAX)
      return far;
    return std::abs(std::min(a, weights.horizon) -
                    std::min(b, weights.horizon)) +
           far / farPart;
  }

  /// Removes the blocks that have ended and places the job of the step into the
  /// best gap; returns false if no gap is large enough. The cost of a gap is
  /// how much it adds to the (warped) times during which a block is live but
  /// the one next to it is not. Half of the sum of these times is the number of
  /// gaps, integrated over time.
  bool place(uint32_t step, const Weights &weights, Random &random,
             Effort &effort) {
    const Job &job = jobs[step];
    int64_t best = INT64_MAX, offset = -1;
    int64_t gapOwn = distance(job.warpedBegin, job.warpedEnd, weights);
    auto weigh = [&](int64_t cost, int64_t before, int64_t place) {
      if (weights.noise > 0)
        cost += cost * int64_t(random.below(weights.noise + 1)) / 256;
      cost -= before;
      if (cost >= best)
        return;
      best = cost;
      offset = place;
    };
    // An end of the arena, where `below` or `above` is null, costs nothing.
    auto tryGap = [&](int64_t low, const Block *below, int64_t high,
                      const Block *above) {
      int64_t bottom = alignTo(low, job.align);
      if (high - bottom < job.size)
        return;
      auto from = [&](const Block *block, int64_t time) {
        return block ? distance(block->warpedEnd, time, weights) : 0;
      };
      int64_t ownBelow = from(below, job.warpedEnd);
      int64_t ownAbove = from(above, job.warpedEnd);
      int64_t gapBelow = from(below, job.warpedBegin);
      int64_t gapAbove = from(above, job.warpedBegin);
      int64_t before = (gapBelow + gapAbove) * weights.waste / 256;
      if (high - low == job.size)
        return weigh(ownBelow + ownAbove, before, bottom);
      weigh(ownBelow + (gapOwn + gapAbove) * weights.waste / 256, before,
            bottom);
      weigh(ownAbove + (gapOwn + gapBelow) * weights.waste / 256, before,
            (high - job.size) & -job.align);
    };
    effort.looks += int64_t(live.size()) + 4;
    live.erase(std::remove_if(
                   live.begin(), live.end(),
                   [&](const Block &block) { return block.end <= job.begin; }),
               live.end());
    for (; next < obstacles.size() && obstacles[next].begin <= job.begin;
         ++next)
      if (obstacles[next].end > job.begin)
        insert(obstacles[next]);
    const std::vector<Block> &blocks =
        next < obstacles.size() && obstacles[next].begin < job.end
            ? withObstacles(job, effort)
            : live;
    int64_t low = 0;
    const Block *below = nullptr;
    for (const Block &block : blocks) {
      if (block.low - low >= job.size)
        tryGap(low, below, block.low, &block);
      if (block.high < low)
        continue;
      low = block.high;
      below = &block;
    }
    tryGap(low, below, goal, nullptr);
    if (offset < 0)
      return false;
    offsets[step] = offset;
    insert(
        {offset, offset + job.size, job.begin, job.end, job.warpedEnd, step});
    return true;
  }

  void insert(const Block &block) {
    live.insert(std::lower_bound(live.begin(), live.end(), block.low,
                                 [](const Block &other, int64_t low) {
                                   return other.low < low;
                                 }),
                block);
  }

  /// The live blocks and the obstacles that begin before the job ends, by
  /// offset.
  const std::vector<Block> &withObstacles(const Job &job, Effort &effort) {
    met = live;
    for (size_t i = next; i < obstacles.size(); ++i) {
      if (obstacles[i].begin >= job.end)
        break;
      met.push_back(obstacles[i]);
    }
    std::sort(met.begin(), met.end(), [](const Block &a, const Block &b) {
      return a.low != b.low ? a.low < b.low : a.high < b.high;
    });
    effort.looks += 4 * int64_t(met.size());
    return met;
  }

  /// Restores `live` to its state before step `to`. `now` is the begin of the
  /// job that found no gap.
  void goBack(const Stack &stack, uint32_t to, int64_t now, Effort &effort) {
    if (to == 0) {
      live = stack;
      next = 0;
      return;
    }
    int64_t then = jobs[to].begin;
    live.erase(std::remove_if(live.begin(), live.end(),
                              [&](const Block &block) {
                                return block.step != ofPeak && block.step >= to;
                              }),
               live.end());
    for (next = 0; next < obstacles.size() && obstacles[next].begin <= then;
         ++next)
      if (obstacles[next].end > then)
        live.push_back(obstacles[next]);
    for (const Block &block : stack)
      if (block.end > then && block.end <= now)
        live.push_back(block);
    auto ended = std::upper_bound(
        byEnd.begin(), byEnd.end(), then,
        [&](int64_t time, uint32_t step) { return time < jobs[step].end; });
    for (; ended != byEnd.end() && jobs[*ended].end <= now; ++ended)
      if (*ended < to)
        live.push_back({offsets[*ended], offsets[*ended] + jobs[*ended].size,
                        jobs[*ended].begin, jobs[*ended].end,
                        jobs[*ended].warpedEnd, *ended});
    std::sort(live.begin(), live.end(),
              [](const Block &a, const Block &b) { return a.low < b.low; });
    effort.looks += 4 * int64_t(live.size());
  }

  /// The jobs in the order in which they begin. A step is an index into them.
  std::vector<Job> jobs;
  int64_t goal;
  /// By job: its offset, or -1.
  std::vector<int64_t> offsets;
  /// The jobs in the order in which they end.
  std::vector<uint32_t> byEnd;
  /// The blocks that are live at the current step, by offset.
  std::vector<Block> live;
  /// The obstacles in the order in which they begin, and the index of the first
  /// one that begins later than the current step.
  std::vector<Block> obstacles;
  size_t next = 0;
  /// The current step and the farthest one that found no gap.
  uint32_t step = 0, farthest = 0;
  /// The number of steps of the last retreat.
  size_t retreat = firstRetreat;
  Weights weights;
  /// Scratch of withObstacles.
  std::vector<Block> met;
};

/// Converts sections to the times of a sweep: from the peak on, or backwards.
struct View {
  int64_t peak;
  bool isAfter;
  /// The warped time at which each section begins, and the end of the last.
  const std::vector<int64_t> &warp;

  std::pair<int64_t, int64_t> of(SectionRange range) const {
    int64_t begin = range.begin, end = range.end;
    return isAfter ? std::make_pair(begin - peak, end - peak)
                   : std::make_pair(peak + 1 - end, peak + 1 - begin);
  }
  std::pair<int64_t, int64_t> warped(SectionRange range) const {
    return isAfter ? std::make_pair(warp[range.begin], warp[range.end])
                   : std::make_pair(-warp[range.end], -warp[range.begin]);
  }
};

/// A full section and the stack of buffers that are live in it.
class Peak {
public:
  Peak(const Model &model, const std::vector<int64_t> &warp, uint32_t section,
       int64_t goal)
      : section(section), model(&model), warp(&warp), goal(goal) {}

  View after() const { return {section, true, *warp}; }
  View before() const { return {section, false, *warp}; }

  /// The blocks of the stack with the times of the view.
  Stack seenFrom(const View &view) const {
    Stack blocks;
    int64_t at = 0;
    for (BufferIndex b : stack) {
      int64_t low = alignTo(at, model->alignOf(b));
      at = low + model->sizeOf(b);
      auto [begin, end] = view.of(model->hull(b));
      blocks.push_back(
          {low, at, begin, end, view.warped(model->hull(b)).second, ofPeak});
    }
    return blocks;
  }

  bool isWithinGoal() const {
    int64_t at = 0;
    for (BufferIndex b : stack)
      at = alignTo(at, model->alignOf(b)) + model->sizeOf(b);
    return at <= goal;
  }

  void arrange(Random &random, Effort &effort);
  void climb(Sweep &backward, Sweep &forward, Random &random, Effort &effort);

  uint32_t section;
  /// The buffers that are live in the section, from offset 0 upwards.
  std::vector<BufferIndex> stack;

private:
  /// The steps of the two sweeps, and the positions in the stack of the buffers
  /// that have ended when the worse sweep fails.
  struct Score {
    size_t worse = 0, better = 0;
    std::vector<uint32_t> gone;
    bool operator<(const Score &other) const {
      return worse != other.worse ? worse < other.worse : better < other.better;
    }
  };
  Score judge(Sweep &backward, Sweep &forward, size_t steps,
              Effort &effort) const;
  void move(const std::vector<uint32_t> &gone, Random &random);

  const Model *model;
  const std::vector<int64_t> *warp;
  int64_t goal;
};

/// Chooses the order of the stack such that buffers next to each other begin
/// and end at similar times. It is a short path through the points (begin,
/// end), which simulated annealing finds: local search that also accepts
/// changes for the worse, smaller and smaller ones.
void Peak::arrange(Random &random, Effort &effort) {
  struct Point {
    int64_t begin, end;
    BufferIndex buffer;
    double key;
  };
  std::vector<Point> path;
  path.reserve(stack.size());
  for (BufferIndex b : stack)
    path.push_back(
        {(*warp)[model->hull(b).begin], (*warp)[model->hull(b).end], b, 0});
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
    return a.key != b.key ? a.key > b.key : a.buffer < b.buffer;
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
    stack[i] = path[i].buffer;
}

Peak::Score Peak::judge(Sweep &backward, Sweep &forward, size_t steps,
                        Effort &effort) const {
  auto reach = [&](Sweep &sweep, const Stack &blocks) {
    size_t reached = sweep.glance(blocks, steps, effort);
    return reached == sweep.size() ? steps : reached;
  };
  Stack behind = seenFrom(before()), ahead = seenFrom(after());
  size_t reachedBehind = reach(backward, behind);
  size_t reachedAhead = reach(forward, ahead);
  Score score;
  score.worse = std::min(reachedBehind, reachedAhead);
  score.better = std::max(reachedBehind, reachedAhead);
  if (score.worse == steps)
    return score;
  bool isBehind = reachedBehind < reachedAhead;
  int64_t failedAt = (isBehind ? backward : forward).job(score.worse).begin;
  const Stack &blocks = isBehind ? behind : ahead;
  for (uint32_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].end <= failedAt)
      score.gone.push_back(i);
  return score;
}

/// Hill climbing on the order of the stack: keeps random changes with which the
/// sweeps get at least as far as before.
void Peak::climb(Sweep &backward, Sweep &forward, Random &random,
                 Effort &effort) {
  if (stack.size() < 2)
    return;
  size_t last = 2 * stack.size();
  for (size_t steps = std::min(firstGlance, last);; steps *= 2) {
    steps = std::min(steps, last);
    Score score = judge(backward, forward, steps, effort);
    while (score.worse < steps) {
      if (effort.isSpent())
        return;
      std::vector<BufferIndex> kept = stack;
      for (uint64_t moves = 1 + random.below(2); moves > 0; --moves)
        move(score.gone, random);
      Score next = judge(backward, forward, steps, effort);
      if (isWithinGoal() && !(next < score))
        score = std::move(next);
      else
        stack = std::move(kept);
    }
    if (steps == last)
      return;
  }
}

/// Moves or swaps a random buffer of the stack, mostly to a position in `gone`.
void Peak::move(const std::vector<uint32_t> &gone, Random &random) {
  size_t from = random.below(stack.size()), to = random.below(stack.size());
  if (gone.size() > 1 && random.below(5) > 0) {
    to = gone[random.below(gone.size())];
    if (random.below(3) > 0)
      from = gone[random.below(gone.size())];
  }
  if (random.below(2) == 0) {
    std::swap(stack[from], stack[to]);
    return;
  }
  BufferIndex buffer = stack[from];
  stack.erase(stack.begin() + from);
  stack.insert(stack.begin() + to, buffer);
}

/// The search of one component for a plan within a goal.
class SweepSearch {
public:
  /// `buffers` is the component. run() writes to `offsets`, also if it fails.
  SweepSearch(const Model &model, const std::vector<int64_t> &loads,
              const std::vector<BufferIndex> &buffers, int64_t goal,
              std::vector<int64_t> &offsets)
      : model(model), loads(loads), buffers(buffers), goal(goal),
        offsets(offsets) {
    int64_t sum = 0;
    for (BufferIndex b : buffers)
      sum += model.hull(b).end - model.hull(b).begin;
    meanLife = uint32_t(sum / int64_t(buffers.size())) + 1;
    for (BufferIndex b : buffers)
      largest = std::max(largest, model.sizeOf(b));
  }

  /// Makes tries until one succeeds, which returns true, or the effort is
  /// spent. The first try may take one part in `parts` of the effort.
  bool run(uint64_t seed, int64_t parts, Effort &effort) {
    Random random(seed);
    int64_t limit = effort.limit;
    int64_t share = std::max((limit - effort.looks) / parts + 1, looksToPass());
    for (bool isFirst = true; !effort.isSpent(); isFirst = false) {
      effort.limit = effort.looks + std::min(share, limit - effort.looks);
      bool isFound = runOnce(limit, random, effort);
      effort.limit = limit;
      if (isFound)
        return true;
      // The second try is as short as the first one; then the effort doubles.
      if (!isFirst && share < limit / 2)
        share *= 2;
    }
    return false;
  }

private:
  /// The looks that it takes to place every buffer once, if the number of live
  /// buffers is always the average one.
  int64_t looksToPass() const {
    return int64_t(buffers.size()) * int64_t(buffers.size()) /
           std::max(1u, model.numSections()) * meanLife;
  }

  /// Sets `warp`: the less room a section has below the goal, the longer it is,
  /// because a gap does the more harm there.
  void warpTime(int power) {
    warp.assign(1, 0);
    for (uint32_t s = 0; s < model.numSections(); ++s) {
      double room = double(std::max<int64_t>(0, goal - loads[s]));
      double tight = double(largest) / (room + double(largest) / 2);
      double weight = 1024;
      for (int i = 0; i < power; ++i)
        weight *= tight;
      warp.push_back(warp.back() + 1 + int64_t(weight));
    }
  }

  /// One try: stacks the fullest section and sweeps from it. If a sweep fails
  /// far from every peak, adds another peak there, and otherwise gives the
  /// stack of the sweep's peak a new order. The effort grows by that of a try
  /// with every further peak, up to `limit` looks.
  bool runOnce(int64_t limit, Random &random, Effort &effort) {
    int64_t share = effort.limit - effort.looks;
    warpTime(2 + turn++ % 2);
    peaks.clear();
    filled.clear();
    std::optional<uint32_t> next = fullest({0, model.numSections()});
    if (!next)
      return false;
    for (size_t i = addPeak(*next, effort);;) {
      Peak &peak = peaks[i];
      peak.arrange(random, effort);
      Effort mine{0, share / climbShare, effort.control};
      Sweep backward(jobsOf(peak.before(), between[i]), goal);
      Sweep forward(jobsOf(peak.after(), between[i + 1]), goal);
      peak.climb(backward, forward, random, mine);
      effort.looks += mine.looks;
      if (!peak.isWithinGoal())
        return false;
      writeStack(peak);
      std::optional<Failure> failure =
          fillIn(share / patienceShare, random, effort);
      if (!failure)
        return true;
      if (effort.isSpent())
        return false;
      if ((next = findPeak(failure->section))) {
        // The try made progress, so it may take longer.
        effort.limit = std::min(limit, effort.limit + share);
        i = addPeak(*next, effort);
        continue;
      }
      i = failure->peak;
      uint32_t section = peaks[i].section;
      filled.erase(std::remove_if(
                       filled.begin(), filled.end(),
                       [&](const std::pair<uint32_t, uint32_t> &ends) {
                         return ends.first == section || ends.second == section;
                       }),
                   filled.end());
    }
  }

  /// The fullest of those sections of the range in which a buffer begins. In
  /// any other section, the load is not higher than in the one before.
  std::optional<uint32_t> fullest(SectionRange range) const {
    std::optional<uint32_t> best;
    for (BufferIndex b : buffers) {
      uint32_t s = model.hull(b).begin;
      if (s >= range.begin && s < range.end &&
          (!best || loads[s] > loads[*best] ||
           (loads[s] == loads[*best] && s < *best)))
        best = s;
    }
    return best;
  }

  /// The section for another peak after a sweep has failed: the fullest one
  /// within the mean life of `failedAt`, but beyond the buffers of all stacks.
  /// None if meetsOtherPeaks.
  std::optional<uint32_t> findPeak(uint32_t failedAt) const {
    SectionRange range{failedAt - std::min(failedAt, meanLife),
                       failedAt + meanLife + 1};
    for (const Peak &peak : peaks)
      for (BufferIndex b : peak.stack)
        if (peak.section <= failedAt)
          range.begin = std::max(range.begin, model.hull(b).end);
        else
          range.end = std::min(range.end, model.hull(b).begin);
    std::optional<uint32_t> section = fullest(range);
    if (section && meetsOtherPeaks(*section))
      return std::nullopt;
    return section;
  }

  /// True if a buffer that is live in the section is live together with a
  /// buffer in the stack of a peak. Both would get offsets without regard to
  /// each other.
  bool meetsOtherPeaks(uint32_t section) const {
    SectionRange range{section, section + 1};
    for (BufferIndex b : buffers) {
      SectionRange hull = model.hull(b);
      if (hull.begin <= section && section < hull.end) {
        range.begin = std::min(range.begin, hull.begin);
        range.end = std::max(range.end, hull.end);
      }
    }
    for (const Peak &peak : peaks)
      for (BufferIndex b : peak.stack)
        if (model.hull(b).begin < range.end && range.begin < model.hull(b).end)
          return true;
    return false;
  }

  /// Adds a peak, divides the buffers again and returns the index of the peak.
  size_t addPeak(uint32_t section, Effort &effort) {
    effort.looks += looksToDivide * int64_t(buffers.size());
    size_t index = 0;
    while (index < peaks.size() && peaks[index].section < section)
      ++index;
    peaks.insert(peaks.begin() + index, Peak(model, warp, section, goal));
    between.assign(peaks.size() + 1, {});
    for (BufferIndex b : buffers) {
      auto after =
          std::lower_bound(peaks.begin(), peaks.end(), model.hull(b).begin,
                           [](const Peak &peak, uint32_t begin) {
                             return peak.section < begin;
                           });
      if (after == peaks.end() || after->section >= model.hull(b).end)
        between[after - peaks.begin()].push_back(b);
      else if (after->section == section)
        after->stack.push_back(b);
    }
    return index;
  }

  void writeStack(const Peak &peak) {
    Stack blocks = peak.seenFrom(peak.after());
    for (size_t i = 0; i < blocks.size(); ++i)
      offsets[peak.stack[i]] = blocks[i].low;
  }

  std::vector<Job> jobsOf(const View &view,
                          const std::vector<BufferIndex> &list) const {
    std::vector<Job> jobs;
    for (BufferIndex b : list) {
      auto [begin, end] = view.of(model.hull(b));
      auto [warpedBegin, warpedEnd] = view.warped(model.hull(b));
      jobs.push_back({begin, end, warpedBegin, warpedEnd, model.sizeOf(b),
                      model.alignOf(b), b});
    }
    return jobs;
  }

  /// The failure of a sweep: its peak and the section in which it found no gap.
  struct Failure {
    size_t peak;
    uint32_t section;
  };

  /// Sweeps between all peaks for which this is still to do. Stops at the first
  /// failure and returns it.
  std::optional<Failure> fillIn(int64_t patience, Random &random,
                                Effort &effort) {
    for (size_t i = 0; i <= peaks.size(); ++i) {
      const Peak *left = i > 0 ? &peaks[i - 1] : nullptr;
      const Peak *right = i < peaks.size() ? &peaks[i] : nullptr;
      auto ends = std::make_pair(left ? left->section : UINT32_MAX,
                                 right ? right->section : UINT32_MAX);
      if (std::find(filled.begin(), filled.end(), ends) != filled.end())
        continue;
      uint32_t valley = left && right ? valleyOf(*left, *right) : UINT32_MAX;
      std::vector<BufferIndex> first, second;
      for (BufferIndex b : between[i])
        (left && model.hull(b).begin <= valley ? first : second).push_back(b);
      std::vector<BufferIndex> others;
      if (left) {
        if (right)
          others = right->stack;
        if (auto section = sweepFrom(*left, left->after(), first, others,
                                     patience, random, effort))
          return Failure{i - 1, *section};
      }
      if (right) {
        others = first;
        if (left)
          others.insert(others.end(), left->stack.begin(), left->stack.end());
        if (auto section = sweepFrom(*right, right->before(), second, others,
                                     patience, random, effort))
          return Failure{i, *section};
      }
      filled.push_back(ends);
    }
    return std::nullopt;
  }

  /// The emptiest section between two peaks, where their sweeps meet.
  uint32_t valleyOf(const Peak &left, const Peak &right) const {
    return uint32_t(std::min_element(loads.begin() + left.section,
                                     loads.begin() + right.section) -
                    loads.begin());
  }

  /// Sweeps from a peak over the buffers of `list`, with those of `others` as
  /// obstacles. Writes the offsets, or returns the section of the failure.
  std::optional<uint32_t> sweepFrom(const Peak &peak, const View &view,
                                    const std::vector<BufferIndex> &list,
                                    const std::vector<BufferIndex> &others,
                                    int64_t patience, Random &random,
                                    Effort &effort) {
    Sweep sweep(jobsOf(view, list), goal);
    std::vector<Block> obstacles;
    for (BufferIndex b : others) {
      auto [begin, end] = view.of(model.hull(b));
      if (begin > 0)
        obstacles.push_back({offsets[b], offsets[b] + model.sizeOf(b), begin,
                             end, view.warped(model.hull(b)).second, ofOthers});
    }
    sweep.setObstacles(std::move(obstacles));
    Stack stack = peak.seenFrom(view);
    sweep.start(stack);
    for (bool isLast = false;; isLast = true) {
      size_t reached =
          sweep.run(stack, isLast ? 3 * patience : patience, random, effort);
      if (reached == sweep.size())
        break;
      SectionRange hull = model.hull(sweep.job(reached).buffer);
      uint32_t failedAt = view.isAfter ? hull.begin : hull.end - 1;
      // Only if another peak would not help, run again with more patience.
      if (isLast || findPeak(failedAt))
        return failedAt;
    }
    for (size_t step = 0; step < sweep.size(); ++step)
      offsets[sweep.job(step).buffer] = sweep.offset(step);
    return std::nullopt;
  }

  const Model &model;
  const std::vector<int64_t> &loads;
  const std::vector<BufferIndex> &buffers;
  int64_t goal;
  std::vector<int64_t> &offsets;
  uint32_t meanLife;
  /// The greatest size of a buffer in bytes, at least 1.
  int64_t largest = 1;
  /// The number of tries so far.
  int64_t turn = 0;
  /// The warped time at which each section begins, and the end of the last.
  std::vector<int64_t> warp;
  /// The peaks by section.
  std::vector<Peak> peaks;
  /// The buffers before the first peak, between two peaks and after the last.
  std::vector<std::vector<BufferIndex>> between;
  /// The pairs of peaks, by section, between which all buffers are placed.
  /// UINT32_MAX stands for no peak.
  std::vector<std::pair<uint32_t, uint32_t>> filled;
};

/// Searches the components that are higher than `goal`, with the effort of
/// `nodes` nodes in all. Returns true, with the plan in `best`, if all of them
/// are within the goal.
bool sweep(const Model &model, int64_t goal, SearchControl &control,
           int64_t nodes, int64_t parts, Placement &best) {
  std::vector<int64_t> loads = model.sectionLoads();
  std::vector<int64_t> offsets = best.offsets;
  Effort effort{0, nodes * looksPerNode, control};
  bool isReached = true;
  for (const std::vector<BufferIndex> &component : findComponents(model)) {
    bool isAbove =
        std::any_of(component.begin(), component.end(), [&](BufferIndex b) {
          return offsets[b] + model.sizeOf(b) > goal;
        });
    if (!isAbove)
      continue;
    SweepSearch search(model, loads, component, goal, offsets);
    isReached = search.run(control.seed(), parts, effort);
    if (!isReached)
      break;
  }
  control.spend(effort.looks / looksPerNode + 1);
  if (!isReached)
    return false;
  int64_t height = 0;
  for (BufferIndex b = 0; b < model.size(); ++b)
    height = std::max(height, offsets[b] + model.sizeOf(b));
  best = {std::move(offsets), height};
  return true;
}

} // namespace

void detail::sweepTo(const Model &model, int64_t goal, SearchControl &control,
                     Placement &best) {
  if (model.isPlain() && best.height > goal)
    sweep(model, goal, control, control.nodesLeft(), firstTry, best);
}

void detail::sweepTowards(const Model &model, int64_t goal,
                          SearchControl &control, Placement &best) {
  if (!model.isPlain())
    return;
  int64_t missed = goal - 1;
  for (unsigned i = 0; i <= goalsBetween && best.height - missed > 1 &&
                       best.height > goal && !control.isExhausted();
       ++i) {
    int64_t next = i == 0 ? goal : missed + (best.height - missed) / 2;
    // Each goal may take a third of the nodes left, so that nodes remain for
    // the next one if this one is out of reach.
    if (!sweep(model, next, control, control.nodesLeft() / 3 + 1, firstLongTry,
               best))
      missed = next;
  }
}
