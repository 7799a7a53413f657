//===- SharingClimb.cpp - Local search where sharing costs ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing/SharingClimb.h"

#include <algorithm>
#include <array>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The placements that a change may be compared with.
constexpr size_t memory = 32;

/// After this many changes for each buffer without a better placement, the
/// search goes back to the best one.
constexpr int64_t patience = 40;

/// SplitMix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint32_t below(uint32_t count) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<uint32_t>(z % count);
  }

private:
  uint64_t state;
};

/// A placement of buffers in an order, of which a suffix can be placed again.
class Sequence {
public:
  Sequence(const SharingModel &model, std::vector<BufferIndex> order,
           int64_t capacity)
      : order(std::move(order)), isThrifty(model.size(), 0), model(model),
        finder(model), capacity(capacity), at(model.size(), -1) {
    for (BufferIndex b = 0; b < model.size(); ++b) {
      if (model.model.isPinned(b))
        at[b] = model.model.pinOf(b);
      else if (model.model.sizeOf(b) == 0)
        at[b] = 0;
      if (at[b] >= 0)
        baseHeight = std::max(baseHeight, at[b] + model.model.sizeOf(b));
    }
    // The pinned buffers pay each other.
    for (BufferIndex b : model.model.pinned())
      for (const SharingRule &rule : model.rules(b))
        if (rule.other < b && at[rule.other] >= 0)
          basePenalty += std::max<int64_t>(
              0, model.costOf(rule, b, at[b], at[rule.other]));
    penaltyAfter.assign(this->order.size() + 1, basePenalty);
    heightAfter.assign(this->order.size() + 1, baseHeight);
  }

  /// Places the buffers from position `from` on.
  void placeFrom(size_t from) {
    for (size_t i = from; i < order.size(); ++i)
      at[order[i]] = -1;
    for (size_t i = from; i < order.size(); ++i) {
      BufferIndex b = order[i];
      const std::vector<Spot> &spots = finder.find(b, at);
      size_t chosen = 0;
      if (!isThrifty[b])
        while (chosen + 1 < spots.size() &&
               spots[chosen + 1].offset + model.model.sizeOf(b) <= capacity)
          ++chosen;
      at[b] = spots[chosen].offset;
      penaltyAfter[i + 1] = penaltyAfter[i] + spots[chosen].cost;
      heightAfter[i + 1] =
          std::max(heightAfter[i], at[b] + model.model.sizeOf(b));
    }
  }

  SharingPlacement take() const {
    return {at, penaltyAfter.back(), heightAfter.back()};
  }

  std::vector<BufferIndex> order;
  std::vector<char> isThrifty;

private:
  const SharingModel &model;
  SpotFinder finder;
  int64_t capacity;
  int64_t basePenalty = 0, baseHeight = 0;
  std::vector<int64_t> at;
  /// By position: of the buffers before it.
  std::vector<int64_t> penaltyAfter, heightAfter;
};

} // namespace

SharingPlacement detail::placeSharing(const SharingModel &model,
                                      const std::vector<BufferIndex> &order,
                                      int64_t capacity) {
  Sequence sequence(model, order, capacity);
  sequence.placeFrom(0);
  return sequence.take();
}

int64_t detail::climbSharing(const SharingModel &model,
                             std::vector<BufferIndex> order, int64_t capacity,
                             int64_t targetPenalty, int64_t targetHeight,
                             int64_t placements, uint64_t seed,
                             const SearchControl &control,
                             SharingPlacement &best) {
  auto n = static_cast<uint32_t>(order.size());
  if (n < 2)
    return 0;
  Sequence sequence(model, std::move(order), capacity);
  sequence.placeFrom(0);
  SharingPlacement current = sequence.take();
  int64_t spent = n, idle = 0;
  auto currentRank = current.rankAt(capacity);
  std::array<decltype(currentRank), memory> history;
  history.fill(currentRank);
  std::vector<BufferIndex> bestOrder = sequence.order;
  std::vector<char> bestHabits = sequence.isThrifty;
  auto bestRank = best.rankAt(capacity);
  Random random(seed);
  for (int64_t step = 0; spent < placements; ++step) {
    if (step % 64 == 0 && control.timeIsUp())
      break;
    if (std::get<0>(bestRank) == 0 && std::get<1>(bestRank) <= targetPenalty &&
        std::get<2>(bestRank) <= targetHeight)
      break;
    // Choose a buffer that pays or exceeds the capacity, or any.
    uint32_t position = random.below(n);
    for (uint32_t tries = 0; tries < 8; ++tries) {
      uint32_t other = random.below(n);
      BufferIndex b = sequence.order[other];
      bool isBad =
          current.offsets[b] + model.model.sizeOf(b) > capacity ||
          (std::get<0>(currentRank) == 0 &&
           std::any_of(model.rules(b).begin(), model.rules(b).end(),
                       [&](const SharingRule &rule) {
                         return (rule.weight > 0 || rule.bankWeight > 0) &&
                                model.costOf(rule, b, current.offsets[b],
                                             current.offsets[rule.other]) > 0;
                       }));
      if (isBad) {
        position = other;
        break;
      }
    }
    uint32_t kind = random.below(8), from = position, to = position;
    BufferIndex flipped = UINT32_MAX;
    if (kind < 3) {
      // A habit: of the buffer, or of another one that may be in its way.
      if (kind > 0)
        from = to = random.below(n);
      flipped = sequence.order[from];
      sequence.isThrifty[flipped] ^= 1;
    } else {
      to = kind < 6 ? random.below(position + 1) : random.below(n);
      if (to == from)
        continue;
      auto begin = sequence.order.begin();
      if (to < from)
        std::rotate(begin + to, begin + from, begin + from + 1);
      else
        std::rotate(begin + from, begin + from + 1, begin + to + 1);
    }
    uint32_t first = std::min(from, to);
    sequence.placeFrom(first);
    spent += n - first;
    SharingPlacement next = sequence.take();
    auto nextRank = next.rankAt(capacity);
    auto &before = history[static_cast<size_t>(step) % memory];
    if (nextRank <= currentRank || nextRank <= before) {
      current = std::move(next);
      currentRank = nextRank;
    } else {
      if (flipped != UINT32_MAX)
        sequence.isThrifty[flipped] ^= 1;
      else if (to < from)
        std::rotate(sequence.order.begin() + to,
                    sequence.order.begin() + to + 1,
                    sequence.order.begin() + from + 1);
      else
        std::rotate(sequence.order.begin() + from, sequence.order.begin() + to,
                    sequence.order.begin() + to + 1);
      sequence.placeFrom(first);
      spent += n - first;
    }
    before = std::min(before, currentRank);
    if (currentRank < bestRank) {
      best = current;
      bestRank = currentRank;
      bestOrder = sequence.order;
      bestHabits = sequence.isThrifty;
      idle = 0;
    } else if (++idle > patience * int64_t(n)) {
      idle = 0;
      sequence.order = bestOrder;
      sequence.isThrifty = bestHabits;
      sequence.placeFrom(0);
      spent += n;
      current = sequence.take();
      currentRank = current.rankAt(capacity);
      history.fill(currentRank);
    }
  }
  return spent;
}
