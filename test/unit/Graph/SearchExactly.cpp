//===- SearchExactly.cpp - Exhaustive search for repeats ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchExactly.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_map>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

struct State {
  uint64_t live, done;
  friend bool operator==(const State &a, const State &b) {
    return a.live == b.live && a.done == b.done;
  }
};

struct HashState {
  size_t operator()(const State &state) const {
    uint64_t h = state.live * 0x9e3779b97f4a7c15 ^ state.done;
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9;
    return h ^ (h >> 29);
  }
};

struct Reached {
  State state;
  int64_t flops, peak;
  uint32_t parent;
  /// The node that ran; RepeatModel::none if an item was dropped.
  uint32_t node;
};

} // namespace

ExactResult memplan::graph::test::searchExactly(const RepeatModel &model,
                                                int64_t budget, int64_t steps) {
  auto bit = [](uint32_t i) { return uint64_t(1) << i; };
  size_t n = model.nodes.size();
  std::vector<uint64_t> needs(n), makes(n), before(n);
  uint64_t kept = 0, inputs = 0, all = n == 64 ? ~uint64_t(0) : bit(n) - 1;
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t item : model.nodes[k].needs)
      needs[k] |= bit(item);
    for (uint32_t item : model.nodes[k].makes)
      makes[k] |= bit(item);
    for (uint32_t other : model.nodes[k].before)
      before[k] |= bit(other);
  }
  for (uint32_t i = 0; i < model.items.size(); ++i) {
    if (model.items[i].isKept)
      kept |= bit(i);
    if (model.items[i].maker == RepeatModel::none)
      inputs |= bit(i);
  }
  auto bytesOf = [&](uint64_t items) {
    int64_t bytes = 0;
    for (; items != 0; items &= items - 1)
      bytes += model.items[__builtin_ctzll(items)].bytes;
    return bytes;
  };

  // By FLOPs, then by peak. Both only increase along a path, so a state is best
  // when it is first taken from the queue.
  using Entry = std::tuple<int64_t, int64_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  std::vector<Reached> reached;
  std::unordered_map<State, std::pair<int64_t, int64_t>, HashState> best;
  auto reach = [&](State state, int64_t flops, int64_t peak, uint32_t parent,
                   uint32_t node) {
    std::pair<int64_t, int64_t> cost = {flops, peak};
    auto [entry, isNew] = best.try_emplace(state, cost);
    if (!isNew) {
      if (entry->second <= cost)
        return;
      entry->second = cost;
    }
    queue.push({flops, peak, static_cast<uint32_t>(reached.size())});
    reached.push_back({state, flops, peak, parent, node});
  };
  int64_t start = bytesOf(inputs);
  for (uint32_t i = 0; i < model.items.size(); ++i) {
    bool isUsed = model.items[i].isKept;
    for (uint32_t k = 0; k < n; ++k)
      isUsed |= (needs[k] >> i & 1) != 0;
    // An input that is neither held nor used is released before the first node.
    if (!isUsed)
      inputs &= ~bit(i);
  }
  if (start <= budget)
    reach({inputs, 0}, 0, start, UINT32_MAX, RepeatModel::none);
  while (!queue.empty()) {
    auto [flops, peak, index] = queue.top();
    queue.pop();
    State state = reached[index].state;
    if (best[state] != std::pair(flops, peak))
      continue;
    if (state.done == all && (state.live & kept) == kept) {
      ExactResult result{ExactStatus::Found, {}};
      for (uint32_t k = index; k != UINT32_MAX; k = reached[k].parent)
        if (reached[k].node != RepeatModel::none)
          result.sequence.push_back(reached[k].node);
      std::reverse(result.sequence.begin(), result.sequence.end());
      return result;
    }
    if (static_cast<int64_t>(reached.size()) > steps)
      return {ExactStatus::Limit, {}};
    int64_t live = bytesOf(state.live);
    for (uint32_t k = 0; k < n; ++k) {
      const RepeatModel::Node &node = model.nodes[k];
      bool isRepeat = state.done & bit(k);
      if ((isRepeat && !node.canRepeat) ||
          (needs[k] & state.live) != needs[k] ||
          (before[k] & state.done) != before[k] ||
          (isRepeat && (makes[k] & ~state.live) == 0))
        continue;
      int64_t needed = live + bytesOf(makes[k] & ~state.live) + node.scratch;
      // For each subset of the takeovers, including the empty one.
      for (uint32_t choice = 0; choice >> node.takeovers.size() == 0;
           ++choice) {
        uint64_t taken = 0, made = 0;
        bool isPossible = true;
        for (uint32_t t = 0; t < node.takeovers.size(); ++t) {
          if ((choice >> t & 1) == 0)
            continue;
          const Takeover &entry = node.takeovers[t];
          isPossible &= (state.live & ~taken & bit(entry.taken)) != 0 &&
                        ((state.live | made) & bit(entry.made)) == 0;
          taken |= bit(entry.taken);
          made |= bit(entry.made);
        }
        int64_t now = needed - bytesOf(taken);
        if (isPossible && now <= budget)
          reach({(state.live & ~taken) | makes[k], state.done | bit(k)},
                flops + (isRepeat ? node.flops : 0), std::max(peak, now), index,
                k);
      }
    }
    for (uint64_t items = state.live; items != 0; items &= items - 1) {
      uint32_t item = static_cast<uint32_t>(__builtin_ctzll(items));
      bool isHeldInput = model.items[item].isKept &&
                         model.items[item].maker == RepeatModel::none;
      if (!isHeldInput)
        reach({state.live & ~bit(item), state.done}, flops, peak, index,
              RepeatModel::none);
    }
  }
  return {ExactStatus::Infeasible, {}};
}
