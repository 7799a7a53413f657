//===- DropGreedily.cpp - Greedy rematerialization ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Random.h"
#include "Recompute/Searches.h"

#include <algorithm>
#include <cmath>

using namespace memplan::graph;

namespace {

class Run {
public:
  Run(const RepeatModel &model, const Sequence &order, int64_t budget,
      const DropRule &rule, uint64_t seed, int64_t maxFlops, int64_t &steps)
      : model(model), order(order), budget(budget), rule(rule),
        maxFlops(maxFlops), steps(steps), uses(model.items.size()),
        nextUse(model.items.size()), isLive(model.items.size()),
        locks(model.items.size()), hasRun(model.nodes.size()),
        factor(model.items.size()) {
    for (size_t p = 0; p < order.size(); ++p)
      for (uint32_t item : model.nodes[order[p]].needs)
        uses[item].push_back(p);
    Random random(seed);
    for (uint32_t i = 0; i < model.items.size(); ++i) {
      const RepeatModel::Item &item = model.items[i];
      if (item.isKept)
        uses[i].push_back(order.size());
      double weight = std::pow(static_cast<double>(item.bytes) + 1, rule.bytes);
      factor[i] = std::exp2(rule.noise * random.fraction()) / weight;
      if (item.maker == RepeatModel::none && !uses[i].empty())
        makeLive(i);
    }
  }

  std::optional<Sequence> run() {
    if (live > budget)
      return std::nullopt;
    for (now = 0; now < order.size(); ++now)
      if (!runNode(order[now], 0))
        return std::nullopt;
    // Make outputs again that were dropped.
    for (uint32_t i = 0; i < model.items.size(); ++i)
      if (model.items[i].isKept) {
        if (!isLive[i] && !runNode(model.items[i].maker, 0))
          return std::nullopt;
        ++locks[i];
      }
    return std::move(sequence);
  }

private:
  static constexpr size_t never = SIZE_MAX;
  static constexpr int maxDepth = 2000;

  void makeLive(uint32_t item) {
    if (isLive[item])
      return;
    isLive[item] = true;
    liveItems.push_back(item);
    live += model.items[item].bytes;
  }

  size_t nextUseOf(uint32_t item) {
    size_t &next = nextUse[item];
    while (next < uses[item].size() && uses[item][next] <= now)
      ++next;
    return next < uses[item].size() ? uses[item][next] : never;
  }

  /// FLOPs to make the item again now, with the dropped items that its maker
  /// needs; counts at most 12 items.
  double costOf(uint32_t item) {
    double flops = 0;
    work.assign(1, item);
    seen.clear();
    for (size_t k = 0; k < work.size() && k < 12; ++k) {
      uint32_t maker = model.items[work[k]].maker;
      if (maker == RepeatModel::none ||
          std::find(seen.begin(), seen.end(), maker) != seen.end())
        continue;
      seen.push_back(maker);
      flops += static_cast<double>(model.nodes[maker].flops);
      for (uint32_t need : model.nodes[maker].needs)
        if (!isLive[need])
          work.push_back(need);
    }
    return flops;
  }

  static double power(double base, double exponent) {
    return exponent == 0     ? 1
           : exponent == 1   ? base
           : exponent == 0.5 ? std::sqrt(base)
                             : std::pow(base, exponent);
  }

  /// Drops the items with the lowest scores until `bytes` more fit into the
  /// budget; returns whether they do.
  bool makeRoom(int64_t bytes) {
    if (live + bytes <= budget)
      return true;
    scores.clear();
    for (uint32_t item : liveItems) {
      if (locks[item] != 0 || model.items[item].bytes == 0)
        continue;
      size_t next = nextUseOf(item);
      if (!model.items[item].canBeMadeAgain) {
        if (next == never)
          scores.push_back({0, item});
        continue;
      }
      size_t distance = next == never ? 4 * order.size() : next - now + 1;
      scores.push_back({power(costOf(item), rule.flops) * factor[item] /
                            power(static_cast<double>(distance), rule.distance),
                        item});
    }
    steps -= static_cast<int64_t>(scores.size());
    std::sort(scores.begin(), scores.end());
    for (auto [score, item] : scores) {
      if (live + bytes <= budget)
        break;
      isLive[item] = false;
      live -= model.items[item].bytes;
    }
    liveItems.erase(
        std::remove_if(liveItems.begin(), liveItems.end(),
                       [&](uint32_t item) { return !isLive[item]; }),
        liveItems.end());
    return live + bytes <= budget;
  }

  /// Drops items that only the running node needs and whose memory an item that
  /// it makes reuses; at most one for each item made.
  template <typename MayDrop>
  void takeOver(const RepeatModel::Node &node, MayDrop mayDrop) {
    for (const Takeover &entry : node.takeovers) {
      bool isDone = isLive[entry.made];
      for (const Takeover &other : node.takeovers)
        isDone |= other.made == entry.made && !isLive[other.taken];
      if (isDone || locks[entry.taken] != 1 || !mayDrop(entry.taken))
        continue;
      isLive[entry.taken] = false;
      live -= model.items[entry.taken].bytes;
      liveItems.erase(
          std::find(liveItems.begin(), liveItems.end(), entry.taken));
    }
  }

  bool runNode(uint32_t n, int depth) {
    const RepeatModel::Node &node = model.nodes[n];
    if (depth > maxDepth || (hasRun[n] && !node.canRepeat))
      return false;
    if (hasRun[n]) {
      flops += node.flops;
      if (flops > maxFlops)
        return false;
    }
    if (--steps < 0 || sequence.size() > 64 * model.nodes.size())
      return false;
    for (uint32_t item : node.needs)
      ++locks[item];
    for (uint32_t item : node.needs)
      if (!isLive[item] && (model.items[item].maker == RepeatModel::none ||
                            !runNode(model.items[item].maker, depth + 1)))
        return false;
    int64_t made = 0;
    for (uint32_t item : node.makes)
      made += isLive[item] ? 0 : model.items[item].bytes;
    // Reuse the memory of items without a further use first; reuse items that
    // can be made again only if there is no other room.
    takeOver(node, [&](uint32_t item) { return nextUseOf(item) == never; });
    if (!makeRoom(made + node.scratch)) {
      takeOver(node,
               [&](uint32_t item) { return model.items[item].canBeMadeAgain; });
      if (!makeRoom(made + node.scratch))
        return false;
    }
    for (uint32_t item : node.makes)
      makeLive(item);
    for (uint32_t item : node.needs)
      --locks[item];
    hasRun[n] = true;
    sequence.push_back(n);
    return true;
  }

  const RepeatModel &model;
  const Sequence &order;
  int64_t budget;
  const DropRule &rule;
  int64_t maxFlops;
  int64_t &steps;
  std::vector<std::vector<size_t>> uses;
  std::vector<size_t> nextUse;
  std::vector<bool> isLive;
  std::vector<uint32_t> locks, liveItems, work, seen;
  std::vector<bool> hasRun;
  std::vector<double> factor;
  std::vector<std::pair<double, uint32_t>> scores;
  int64_t live = 0, flops = 0;
  size_t now = 0;
  Sequence sequence;
};

} // namespace

std::optional<Sequence>
memplan::graph::dropGreedily(const RepeatModel &model, const Sequence &order,
                             int64_t budget, const DropRule &rule,
                             uint64_t seed, int64_t maxFlops, int64_t &steps) {
  return Run(model, order, budget, rule, seed, maxFlops, steps).run();
}
