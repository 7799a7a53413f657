//===- WindowSearch.cpp - Threshold search in a window of ops -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/WindowSearch.h"

#include <algorithm>

using namespace memplan::graph;

WindowSearch::WindowSearch(const LiveModel &model, const Schedule &order,
                           size_t first, size_t end)
    : count(end - first), windowOps(order.begin() + first, order.begin() + end),
      made(count), scratch(count), takeovers(count) {
  constexpr uint32_t absent = UINT32_MAX;
  std::vector<uint32_t> localOp(model.size(), absent),
      leftAll(model.items.size());
  for (uint32_t item = 0; item < leftAll.size(); ++item)
    leftAll[item] = static_cast<uint32_t>(model.touchedBy.size(item));
  startLive = model.firstBytes;
  for (size_t k = 0; k < first; ++k) {
    startLive += model.made[order[k]];
    for (uint32_t item : model.touched[order[k]])
      if (--leftAll[item] == 0 && model.items[item].isReleased)
        startLive -= model.items[item].bytes;
  }
  for (uint32_t k = 0; k < count; ++k)
    localOp[windowOps[k]] = k;

  std::vector<uint32_t> localItem(model.items.size(), absent);
  std::vector<std::vector<uint32_t>> touches(count), preds(count), succs(count);
  for (uint32_t k = 0; k < count; ++k) {
    OpId op = windowOps[k];
    made[k] = model.made[op];
    scratch[k] = model.scratch[op];
    for (uint32_t item : model.touched[op]) {
      if (localItem[item] == absent) {
        localItem[item] = static_cast<uint32_t>(items.size());
        items.push_back({model.items[item].bytes, 0, false});
      }
      LocalItem &local = items[localItem[item]];
      local.isReleased =
          ++local.touches == leftAll[item] && model.items[item].isReleased;
      touches[k].push_back(localItem[item]);
    }
    for (uint32_t other : model.after[op])
      if (localOp[other] != absent) {
        succs[k].push_back(localOp[other]);
        preds[localOp[other]].push_back(k);
      }
  }
  for (uint32_t k = 0; k < count; ++k)
    for (Takeover entry : model.takeovers[windowOps[k]])
      takeovers[k].push_back(
          {localItem[entry.made], localItem[entry.taken], entry.bytes});
  touched = Lists(touches);
  before = Lists(preds);
  after = Lists(succs);

  left.resize(items.size());
}

int64_t WindowSearch::growth(uint32_t op) const {
  int64_t bytes = made[op];
  for (uint32_t item : touched[op])
    if (left[item] == 1 && items[item].isReleased)
      bytes -= items[item].bytes;
  return bytes;
}

int64_t WindowSearch::liveAt(uint32_t op) const {
  return live + made[op] + scratch[op] -
         takenBytes(takeovers[op], [&](uint32_t item) {
           return left[item] == 1 && items[item].isReleased;
         });
}

void WindowSearch::run(uint32_t op) {
  live += growth(op);
  for (uint32_t item : touched[op])
    --left[item];
  readyBits[op / 64] &= ~(uint64_t(1) << op % 64);
  doneBits[op / 64] |= uint64_t(1) << op % 64;
  for (uint32_t next : after[op])
    if (--waits[next] == 0)
      readyBits[next / 64] |= uint64_t(1) << next % 64;
  trail.push_back(op);
}

void WindowSearch::undo() {
  uint32_t op = trail.back();
  trail.pop_back();
  for (uint32_t next : after[op])
    if (waits[next]++ == 0)
      readyBits[next / 64] &= ~(uint64_t(1) << next % 64);
  readyBits[op / 64] |= uint64_t(1) << op % 64;
  doneBits[op / 64] &= ~(uint64_t(1) << op % 64);
  for (uint32_t item : touched[op])
    ++left[item];
  live -= growth(op);
}

uint64_t WindowSearch::hash() const {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (uint64_t word : doneBits) {
    h = (h ^ word) * 0xbf58476d1ce4e5b9;
    h ^= h >> 29;
  }
  return h;
}

bool WindowSearch::isKnownDead() const {
  auto [from, to] = deadByHash.equal_range(hash());
  for (auto entry = from; entry != to; ++entry)
    if (std::equal(doneBits.begin(), doneBits.end(),
                   deadBits.begin() + entry->second))
      return true;
  return false;
}

void WindowSearch::rememberDead() {
  if (deadByHash.size() == kMostDead)
    return;
  deadByHash.emplace(hash(), deadBits.size());
  deadBits.insert(deadBits.end(), doneBits.begin(), doneBits.end());
}

Verdict WindowSearch::search(int64_t threshold, int64_t &steps, Schedule &order,
                             const std::atomic<bool> *stop) {
  size_t words = (count + 63) / 64;
  readyBits.assign(words, 0);
  doneBits.assign(words, 0);
  deadByHash.clear();
  deadBits.clear();
  trail.clear();
  waits.resize(count);
  live = startLive;
  for (size_t i = 0; i < items.size(); ++i)
    left[i] = items[i].touches;
  for (uint32_t op = 0; op < count; ++op) {
    waits[op] = static_cast<uint32_t>(before.size(op));
    if (waits[op] == 0)
      readyBits[op / 64] |= uint64_t(1) << op % 64;
  }

  struct Frame {
    size_t trailSize;
    /// Pairs (growth in bytes, op), by rising growth.
    std::vector<std::pair<int64_t, uint32_t>> choices;
    size_t next;
  };
  std::vector<Frame> frames;
  std::vector<std::pair<int64_t, uint32_t>> fits;
  while (true) {
    // Run the ops that do not increase the live bytes; `fits` gets the other
    // ops that stay within the threshold.
    bool hasRun = true;
    while (hasRun) {
      hasRun = false;
      fits.clear();
      int64_t looked = 0;
      for (size_t w = 0; w < words && !hasRun; ++w)
        for (uint64_t bits = readyBits[w]; bits != 0; bits &= bits - 1) {
          uint32_t op = static_cast<uint32_t>(
              w * 64 + static_cast<size_t>(__builtin_ctzll(bits)));
          ++looked;
          if (liveAt(op) > threshold)
            continue;
          int64_t grows = growth(op);
          if (grows <= 0) {
            run(op);
            hasRun = true;
            break;
          }
          fits.push_back({grows, op});
        }
      steps -= 1 + looked / 16;
    }
    if (trail.size() == count) {
      order.resize(count);
      for (size_t k = 0; k < count; ++k)
        order[k] = windowOps[trail[k]];
      return Verdict::Found;
    }
    if (steps <= 0 || (stop && *stop))
      return Verdict::Limit;
    if (!fits.empty() && !isKnownDead()) {
      std::sort(fits.begin(), fits.end());
      frames.push_back({trail.size(), fits, 0});
    }
    while (true) {
      if (frames.empty())
        return Verdict::None;
      Frame &frame = frames.back();
      steps -= static_cast<int64_t>(trail.size() - frame.trailSize);
      while (trail.size() > frame.trailSize)
        undo();
      if (frame.next < frame.choices.size()) {
        run(frame.choices[frame.next++].second);
        break;
      }
      rememberDead();
      frames.pop_back();
    }
  }
}
