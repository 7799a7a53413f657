//===- BoundTogether.cpp - Bounds by pieces live together -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a set of pieces is live together, one of them was made last. While its
// maker ran, the other pieces were live; before that, so were the pieces that
// the maker needs. The peak up to a point at which the whole set is live is at
// least
//
//     least(set) = min over the piece p made last, with rest = set without p:
//                  max(bytes while p's maker runs and the rest is live,
//                      least(rest and the pieces that p's maker needs))
//
// and least(set) >= least(subset). Two bounds use this for the heaviest pieces.
// The first computes least() for all triples of pieces; pieces are numbered in
// the order in which they are made, so the entries that a triple needs are
// computed before it. The second is a best-first search over whole sets from
// the end of the schedule; its key is the larger of the peak so far and the
// first bound. The key of the set at the head of the queue is a lower bound of
// the peak of every sequence.
//
//===----------------------------------------------------------------------===//

#include "Recompute/Searches.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

using namespace memplan::graph;

constexpr int64_t never = std::numeric_limits<int64_t>::max();

TriplePeaks::TriplePeaks(const RepeatModel &model, size_t pieces)
    : sets(model, LiveSets::Follow::Heavy, pieces), none(sets.atEnd().size()) {
  uint32_t n = static_cast<uint32_t>(sets.pieces.size());
  least.resize(indexOf(0, 0, n));
  same.resize(n);
  for (uint32_t c = 0; c < n; ++c) {
    same[c] = c;
    find(c, c, c);
    for (uint32_t b = 0; b < c; ++b) {
      find(b, c, c);
      for (uint32_t a = 0; a < b; ++a)
        find(a, b, c);
    }
  }
}

std::vector<uint32_t> TriplePeaks::numbersOf(const LiveSets &others) const {
  std::vector<uint32_t> numbers(others.pieces.size(), RepeatModel::none);
  for (size_t i = 0; i < others.pieceOf.size(); ++i)
    if (others.pieceOf[i] != RepeatModel::none)
      numbers[others.pieceOf[i]] = sets.pieceOf[i];
  return numbers;
}

int64_t TriplePeaks::leastOf(const std::vector<uint32_t> &numbers,
                             const Bits &set, const Bits &known, size_t most) {
  list.clear();
  size_t numNew = 0;
  for (bool isNew : {true, false}) {
    for (size_t w = 0; w < set.size(); ++w)
      for (uint64_t rest = set[w] & (isNew ? ~known[w] : known[w]); rest != 0;
           rest &= rest - 1) {
        uint32_t number =
            numbers[w * 64 + static_cast<size_t>(__builtin_ctzll(rest))];
        if (number != RepeatModel::none)
          list.push_back(number);
      }
    if (isNew)
      numNew = list.size();
  }
  // Pieces beyond the limit are left out, which can only lower the bound.
  list.resize(std::min(list.size(), most));
  numNew = std::min(numNew, most);
  int64_t bytes = 0;
  for (size_t i = 0; i < numNew; ++i)
    for (size_t j = i; j < list.size(); ++j)
      for (size_t k = j; k < list.size(); ++k)
        bytes = std::max(bytes, of(list[i], list[j], list[k]));
  return bytes;
}

int64_t TriplePeaks::of(uint32_t a, uint32_t b, uint32_t c) const {
  if (a > b)
    std::swap(a, b);
  if (b > c)
    std::swap(b, c);
  if (a > b)
    std::swap(a, b);
  return least[indexOf(a, a == b ? c : b, c)];
}

void TriplePeaks::find(uint32_t a, uint32_t b, uint32_t c) {
  set.assign(none.size(), 0);
  for (uint32_t piece : {a, b, c})
    set[piece / 64] |= uint64_t(1) << piece % 64;
  bool isMade = false;
  int64_t best = never;
  for (uint32_t piece : {a, b, c}) {
    uint32_t maker = sets.pieces[piece].maker;
    if (maker == RepeatModel::none)
      continue;
    isMade = true;
    const LiveSets::Step &step = sets.steps[maker];
    int64_t bytes = sets.bytesAt(step, set);
    if (bytes < best && sets.stepBack(step, set, before))
      best = std::min(best, std::max(bytes, leastOf(same, before, none)));
  }
  least[indexOf(a, b, c)] = isMade ? best : sets.bytesOf(set);
}

TogetherBound memplan::graph::boundTogether(TriplePeaks &triples, int64_t bytes,
                                            int64_t steps) {
  const LiveSets &sets = triples.sets;
  Bits set = sets.atEnd(), before, behind;
  TogetherBound bound;
  bound.byThrees =
      std::max({bytes, sets.bytesOf(set), triples.leastOfAll(set)});
  bound.bySearch = bound.byThrees;

  // By peak, then by the number of steps that must still run, so that sets near
  // the start come first.
  using Entry = std::tuple<int64_t, size_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  SetTable table(set.size());
  std::vector<int64_t> best;
  auto reach = [&](Bits &set, int64_t peak) {
    sets.stepBackFreely(set, peak, [](const LiveSets::Step &) {});
    auto [number, isNew] = table.insert(set);
    if (isNew)
      best.push_back(never);
    if (best[number] <= peak)
      return;
    best[number] = peak;
    sets.stepsBehind(set, behind);
    size_t left = 0;
    for (uint64_t word : behind)
      left += static_cast<size_t>(__builtin_popcountll(word));
    queue.push({peak, left, number});
  };
  reach(set, bound.byThrees);
  while (!queue.empty()) {
    auto [peak, left, number] = queue.top();
    queue.pop();
    if (best[number] != peak)
      continue;
    // All sets in the queue have at least this peak.
    bound.bySearch = peak;
    table.read(number, set);
    if (sets.isStart(set) || static_cast<int64_t>(table.size()) > steps)
      break;
    forEachBit(set, [&, from = peak](uint32_t piece) {
      uint32_t maker = sets.pieces[piece].maker;
      if (maker == RepeatModel::none)
        return;
      const LiveSets::Step &step = sets.steps[maker];
      if (sets.stepBack(step, set, before)) {
        int64_t to = std::max(
            {from, sets.bytesAt(step, set), triples.leastOf(before, set)});
        if (to < never)
          reach(before, to);
      }
    });
  }
  return bound;
}
