//===- LiveSets.cpp - Sets of live pieces, from the end -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute/LiveSets.h"

#include <algorithm>

using namespace memplan::graph;

static void setBit(Bits &bits, uint32_t i) {
  bits[i / 64] |= uint64_t(1) << i % 64;
}

static bool hasBit(const Bits &bits, uint32_t i) {
  return bits[i / 64] >> i % 64 & 1;
}

LiveSets::LiveSets(const RepeatModel &model, Follow follow, size_t maxItems) {
  pieceOf.assign(model.items.size(), RepeatModel::none);
  size_t n = model.nodes.size();
  auto isHeld = [&](uint32_t i) {
    return model.items[i].isKept && model.items[i].maker == RepeatModel::none;
  };
  // Bytes while a node runs and no other item is live.
  std::vector<int64_t> alone(n);
  for (uint32_t k = 0; k < n; ++k) {
    alone[k] = model.nodes[k].scratch;
    for (const std::vector<uint32_t> *list :
         {&model.nodes[k].needs, &model.nodes[k].makes})
      for (uint32_t i : *list)
        alone[k] += isHeld(i) ? 0 : model.items[i].bytes;
  }

  // Inputs first, then in the order of the nodes, so that an item comes behind
  // the items from which it is made.
  std::vector<uint32_t> items;
  for (uint32_t i = 0; i < model.items.size(); ++i)
    if (isHeld(i))
      held += model.items[i].bytes;
    else if (model.items[i].maker == RepeatModel::none)
      items.push_back(i);
  for (const RepeatModel::Node &node : model.nodes)
    items.insert(items.end(), node.makes.begin(), node.makes.end());
  if (follow == Follow::Heavy) {
    // Remove the items that no output needs.
    std::vector<bool> isNeeded(model.items.size());
    for (uint32_t i : items)
      isNeeded[i] = model.items[i].isKept;
    for (uint32_t k = static_cast<uint32_t>(n); k-- > 0;)
      for (uint32_t made : model.nodes[k].makes)
        if (isNeeded[made])
          for (uint32_t i : model.nodes[k].needs)
            isNeeded[i] = true;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](uint32_t i) { return !isNeeded[i]; }),
                items.end());
  }
  if (follow == Follow::Heavy && items.size() > maxItems) {
    // A small output may need much memory while it is made.
    auto weight = [&](uint32_t i) {
      const RepeatModel::Item &item = model.items[i];
      return item.isKept ? std::max(item.bytes, alone[item.maker]) : item.bytes;
    };
    std::vector<uint32_t> byWeight = items;
    std::stable_sort(
        byWeight.begin(), byWeight.end(),
        [&](uint32_t a, uint32_t b) { return weight(a) > weight(b); });
    std::vector<bool> isLight(model.items.size());
    for (size_t k = maxItems; k < byWeight.size(); ++k)
      isLight[byWeight[k]] = true;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](uint32_t i) { return isLight[i]; }),
                items.end());
  }
  for (uint32_t i : items) {
    pieceOf[i] = static_cast<uint32_t>(pieces.size());
    pieces.push_back({model.items[i].bytes, RepeatModel::none});
  }

  // A piece of 0 bytes represents that a node has run, for dependences without
  // memory.
  std::vector<uint32_t> ran(n, RepeatModel::none);
  std::vector<std::vector<uint32_t>> otherwise(n);
  std::vector<uint32_t> unneeded;
  if (follow == Follow::All) {
    std::vector<bool> isNeeded(n);
    auto ranPiece = [&](uint32_t node) {
      if (ran[node] == RepeatModel::none) {
        ran[node] = static_cast<uint32_t>(pieces.size());
        pieces.push_back({0, RepeatModel::none});
      }
      return ran[node];
    };
    for (uint32_t i : items)
      if (model.items[i].isKept)
        isNeeded[model.items[i].maker] = true;
    for (uint32_t k = 0; k < n; ++k) {
      const RepeatModel::Node &node = model.nodes[k];
      for (uint32_t i : node.needs)
        if (model.items[i].maker != RepeatModel::none)
          isNeeded[model.items[i].maker] = true;
      for (uint32_t other : node.before)
        if (std::none_of(node.needs.begin(), node.needs.end(), [&](uint32_t i) {
              return model.items[i].maker == other;
            })) {
          otherwise[k].push_back(ranPiece(other));
          isNeeded[other] = true;
        }
    }
    for (uint32_t k = 0; k < n; ++k)
      if (!isNeeded[k])
        unneeded.push_back(ranPiece(k));
  }

  size_t words = pieces.size() / 64 + 1;
  end.resize(words);
  makeable.resize(words);
  for (uint32_t i : items)
    if (model.items[i].isKept)
      setBit(end, pieceOf[i]);
  for (uint32_t piece : unneeded)
    setBit(end, piece);
  for (uint32_t k = 0; k < n; ++k) {
    const RepeatModel::Node &node = model.nodes[k];
    Step step{k,           node.flops,  false,    Bits(words),
              Bits(words), Bits(words), alone[k], {}};
    for (uint32_t i : node.makes)
      if (pieceOf[i] != RepeatModel::none)
        setBit(step.makes, pieceOf[i]);
    if (ran[k] != RepeatModel::none)
      setBit(step.makes, ran[k]);
    if (std::all_of(step.makes.begin(), step.makes.end(),
                    [](uint64_t word) { return word == 0; }))
      continue;
    for (uint32_t i : node.needs)
      if (pieceOf[i] != RepeatModel::none)
        setBit(step.needs, pieceOf[i]);
    for (uint32_t piece : otherwise[k])
      setBit(step.needs, piece);
    for (size_t w = 0; w < words; ++w)
      step.touches[w] = step.needs[w] | step.makes[w];
    if (follow == Follow::All) {
      step.runsOnce = !node.canRepeat || node.makes.empty();
    } else {
      // Relaxed, so that every schedule of the graph is a path: any node that
      // may run twice, with all reuse by ties.
      step.runsOnce =
          std::any_of(node.makes.begin(), node.makes.end(), [&](uint32_t i) {
            return !model.items[i].mayBeMadeAgain;
          });
      step.bytes -= node.otherTies;
    }
    step.takeovers = node.takeovers;
    forEachBit(step.makes, [&](uint32_t piece) {
      pieces[piece].maker = static_cast<uint32_t>(steps.size());
    });
    for (size_t w = 0; w < words; ++w)
      makeable[w] |= step.makes[w];
    steps.push_back(std::move(step));
  }

  size_t stepWords = steps.size() / 64 + 1;
  behind.assign(pieces.size(), Bits(stepWords));
  Bits all(stepWords);
  for (uint32_t s = 0; s < steps.size(); ++s) {
    stepsBehind(steps[s].needs, all);
    setBit(all, s);
    forEachBit(steps[s].makes, [&](uint32_t piece) { behind[piece] = all; });
  }
}

int64_t LiveSets::bytesOf(const Bits &live) const {
  int64_t bytes = held;
  forEachBit(live, [&](uint32_t piece) { bytes += pieces[piece].bytes; });
  return bytes;
}

int64_t LiveSets::bytesAt(const Step &step, const Bits &after) const {
  int64_t bytes = held + step.bytes;
  for (size_t w = 0; w < after.size(); ++w)
    for (uint64_t rest = after[w] & ~step.touches[w]; rest != 0;
         rest &= rest - 1)
      bytes +=
          pieces[w * 64 + static_cast<size_t>(__builtin_ctzll(rest))].bytes;
  if (step.takeovers.empty())
    return bytes;
  return bytes - takenBytes(step.takeovers, [&](uint32_t item) {
           return pieceOf[item] == RepeatModel::none ||
                  !hasBit(after, pieceOf[item]);
         });
}

void LiveSets::stepsBehind(const Bits &live, Bits &all) const {
  all.assign(steps.size() / 64 + 1, 0);
  forEachBit(live, [&](uint32_t piece) {
    for (size_t w = 0; w < all.size(); ++w)
      all[w] |= behind[piece][w];
  });
}

bool LiveSets::stepBack(const Step &step, const Bits &after,
                        Bits &before) const {
  before.resize(after.size());
  for (size_t w = 0; w < after.size(); ++w)
    before[w] = (after[w] & ~step.makes[w]) | step.needs[w];
  return !step.runsOnce ||
         !isBehind(static_cast<uint32_t>(&step - steps.data()), before);
}

bool LiveSets::becomesLighter(const Step &step, const Bits &after) const {
  int64_t more = 0;
  for (size_t w = 0; w < after.size(); ++w) {
    for (uint64_t rest = step.needs[w] & ~after[w]; rest != 0; rest &= rest - 1)
      more += pieces[w * 64 + static_cast<size_t>(__builtin_ctzll(rest))].bytes;
    for (uint64_t rest = step.makes[w] & after[w]; rest != 0; rest &= rest - 1)
      more -= pieces[w * 64 + static_cast<size_t>(__builtin_ctzll(rest))].bytes;
  }
  return more <= 0;
}

bool LiveSets::isBehind(uint32_t step, const Bits &live) const {
  for (size_t w = 0; w < live.size(); ++w)
    for (uint64_t rest = live[w]; rest != 0; rest &= rest - 1)
      if (hasBit(behind[w * 64 + static_cast<size_t>(__builtin_ctzll(rest))],
                 step))
        return true;
  return false;
}

bool LiveSets::isStart(const Bits &live) const {
  for (size_t w = 0; w < live.size(); ++w)
    if (live[w] & makeable[w])
      return false;
  return true;
}

bool LiveSets::isFree(const Step &step, const Bits &live, int64_t bytes) const {
  for (size_t w = 0; w < live.size(); ++w)
    if (step.needs[w] & ~(live[w] & ~step.makes[w]))
      return false;
  Bits before;
  return bytesAt(step, live) <= bytes &&
         (!step.runsOnce || stepBack(step, live, before));
}

std::pair<uint32_t, bool> SetTable::insert(const Bits &set) {
  if (2 * count >= slots.size()) {
    std::vector<uint32_t> old(slots.size() * 2);
    old.swap(slots);
    for (uint32_t number : old)
      if (number != 0)
        slots[slotOf(&sets[(number - 1) * words])] = number;
  }
  size_t slot = slotOf(set.data());
  if (slots[slot] != 0)
    return {slots[slot] - 1, false};
  sets.insert(sets.end(), set.begin(), set.end());
  slots[slot] = static_cast<uint32_t>(++count);
  return {static_cast<uint32_t>(count - 1), true};
}

size_t SetTable::slotOf(const uint64_t *set) const {
  uint64_t hash = 0;
  for (size_t w = 0; w < words; ++w) {
    hash = (hash ^ set[w]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  size_t slot = hash & (slots.size() - 1);
  while (slots[slot] != 0 &&
         !std::equal(set, set + words, &sets[(slots[slot] - 1) * words]))
    slot = (slot + 1) & (slots.size() - 1);
  return slot;
}
