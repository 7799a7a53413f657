//===- SweepSearch.cpp - Sweeps from the peaks outwards -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweeps/SweepSearch.h"

#include "Model/Components.h"
#include "Sweeps/SweepPeak.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The number of looks that take as long as a node of tree search.
static constexpr int64_t looksPerNode = 1250;

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

/// The most goals tried between the given one and the height reached.
static constexpr unsigned goalsBetween = 5;

namespace {

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
  /// spent. The first try may take one part in `parts` of the effort, or
  /// leastLooks.
  bool run(uint64_t seed, int64_t parts, SweepEffort &effort) {
    Random random(seed);
    int64_t limit = effort.limit;
    int64_t share = std::max((limit - effort.looks) / parts + 1, leastLooks());
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
  /// The least looks of a try: those for as many gaps as there are live
  /// buffers, the average number, in every step. Shorter tries meet the goal
  /// less often.
  int64_t leastLooks() const {
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
  bool runOnce(int64_t limit, Random &random, SweepEffort &effort) {
    int64_t share = effort.limit - effort.looks;
    warpTime(2 + turn++ % 2);
    peaks.clear();
    filled.clear();
    std::optional<uint32_t> first = fullest({0, model.numSections()});
    if (!first)
      return false;
    for (size_t i = addPeak(*first, effort);;) {
      SweepPeak &peak = peaks[i];
      peak.arrange(random, effort);
      SweepEffort mine{0, share / climbShare, effort.control};
      Sweep backward = peak.makeSweep(peak.before(), between[i]);
      Sweep forward = peak.makeSweep(peak.after(), between[i + 1]);
      peak.climb(backward, forward, random, mine);
      effort.looks += mine.looks;
      if (!peak.isWithinGoal())
        return false;
      writeOffsets(peak);
      std::optional<Failure> failure =
          fillIn(share / patienceShare, random, effort);
      if (!failure)
        return true;
      if (effort.isSpent())
        return false;
      if (std::optional<uint32_t> next = findPeak(failure->section)) {
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
  /// within the mean life of `failedAt`, but beyond the buffers of all peaks.
  /// None if meetsOtherPeaks.
  std::optional<uint32_t> findPeak(uint32_t failedAt) const {
    SectionRange range{failedAt - std::min(failedAt, meanLife),
                       failedAt + meanLife + 1};
    for (const SweepPeak &peak : peaks)
      for (BufferIndex b : peak.buffers())
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
  /// buffer of a peak. Both would get offsets without regard to each other.
  bool meetsOtherPeaks(uint32_t section) const {
    SectionRange range{section, section + 1};
    for (BufferIndex b : buffers) {
      SectionRange hull = model.hull(b);
      if (hull.begin <= section && section < hull.end) {
        range.begin = std::min(range.begin, hull.begin);
        range.end = std::max(range.end, hull.end);
      }
    }
    for (const SweepPeak &peak : peaks)
      for (BufferIndex b : peak.buffers())
        if (model.hull(b).begin < range.end && range.begin < model.hull(b).end)
          return true;
    return false;
  }

  /// Adds a peak, divides the buffers again and returns the index of the peak.
  size_t addPeak(uint32_t section, SweepEffort &effort) {
    effort.looks += looksToDivide * int64_t(buffers.size());
    size_t index = 0;
    while (index < peaks.size() && peaks[index].section < section)
      ++index;
    peaks.insert(peaks.begin() + int64_t(index),
                 SweepPeak(model, warp, section, goal));
    between.assign(peaks.size() + 1, {});
    for (BufferIndex b : buffers) {
      auto after =
          std::lower_bound(peaks.begin(), peaks.end(), model.hull(b).begin,
                           [](const SweepPeak &peak, uint32_t begin) {
                             return peak.section < begin;
                           });
      if (after == peaks.end() || after->section >= model.hull(b).end)
        between[size_t(after - peaks.begin())].push_back(b);
      else if (after->section == section)
        after->add(b);
    }
    return index;
  }

  void writeOffsets(const SweepPeak &peak) {
    std::vector<int64_t> found = peak.offsets();
    for (size_t i = 0; i < found.size(); ++i)
      offsets[peak.buffers()[i]] = found[i];
  }

  /// The failure of a sweep: its peak and the section in which it found no gap.
  struct Failure {
    size_t peak;
    uint32_t section;
  };

  /// Sweeps between all peaks for which this is still to do. Stops at the first
  /// failure and returns it.
  std::optional<Failure> fillIn(int64_t patience, Random &random,
                                SweepEffort &effort) {
    for (size_t i = 0; i <= peaks.size(); ++i) {
      const SweepPeak *left = i > 0 ? &peaks[i - 1] : nullptr;
      const SweepPeak *right = i < peaks.size() ? &peaks[i] : nullptr;
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
          others = right->buffers();
        if (auto section = sweepFrom(*left, left->after(), first, others,
                                     patience, random, effort))
          return Failure{i - 1, *section};
      }
      if (right) {
        others = first;
        if (left)
          others.insert(others.end(), left->buffers().begin(),
                        left->buffers().end());
        if (auto section = sweepFrom(*right, right->before(), second, others,
                                     patience, random, effort))
          return Failure{i, *section};
      }
      filled.push_back(ends);
    }
    return std::nullopt;
  }

  /// The emptiest section between two peaks, where their sweeps meet.
  uint32_t valleyOf(const SweepPeak &left, const SweepPeak &right) const {
    return uint32_t(std::min_element(loads.begin() + left.section,
                                     loads.begin() + right.section) -
                    loads.begin());
  }

  /// Sweeps from a peak over the buffers of `list`, with those of `others` as
  /// obstacles. Writes the offsets, or returns the section of the failure.
  std::optional<uint32_t> sweepFrom(const SweepPeak &peak,
                                    const SweepView &view,
                                    const std::vector<BufferIndex> &list,
                                    const std::vector<BufferIndex> &others,
                                    int64_t patience, Random &random,
                                    SweepEffort &effort) {
    Sweep sweep = peak.makeSweep(view, list);
    std::vector<Block> obstacles;
    for (BufferIndex b : others) {
      auto [begin, end] = view.of(model.hull(b));
      if (begin > 0)
        obstacles.push_back({offsets[b], offsets[b] + model.sizeOf(b), begin,
                             end, view.warped(model.hull(b)).second});
    }
    sweep.setObstacles(std::move(obstacles));
    peak.startSweep(sweep);
    for (bool isLast = false;; isLast = true) {
      size_t reached =
          sweep.run(isLast ? 3 * patience : patience, random, effort);
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
  std::vector<SweepPeak> peaks;
  /// The buffers before the first peak, between two peaks and after the last.
  std::vector<std::vector<BufferIndex>> between;
  /// The pairs of peaks, by section, between which all buffers are placed.
  /// UINT32_MAX stands for no peak.
  std::vector<std::pair<uint32_t, uint32_t>> filled;
};

/// Searches the components that are higher than `goal`, with the effort of
/// `nodes` nodes in all. Returns true, with the plan in `best`, if all of them
/// are within the goal.
bool sweep(const Model &model, int64_t goal, uint64_t seed,
           SearchControl &control, int64_t nodes, int64_t parts,
           Placement &best) {
  std::vector<int64_t> loads = model.sectionLoads();
  std::vector<int64_t> offsets = best.offsets;
  SweepEffort effort{0, nodes * looksPerNode, control};
  bool isReached = true;
  for (const std::vector<BufferIndex> &component : findComponents(model)) {
    bool isAbove =
        std::any_of(component.begin(), component.end(), [&](BufferIndex b) {
          return offsets[b] + model.sizeOf(b) > goal;
        });
    if (!isAbove)
      continue;
    SweepSearch search(model, loads, component, goal, offsets);
    isReached = search.run(seed, parts, effort);
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

void detail::sweepTo(const Model &model, int64_t goal, uint64_t seed,
                     SearchControl &control, Placement &best) {
  if (model.isPlain() && best.height > goal)
    sweep(model, goal, seed, control, control.nodesLeft(), firstTry, best);
}

void detail::sweepTowards(const Model &model, int64_t goal, uint64_t seed,
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
    if (!sweep(model, next, seed, control, control.nodesLeft() / 3 + 1,
               firstLongTry, best))
      missed = next;
  }
}
