//===- SearchBackward.cpp - Beam search from the end ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute/Searches.h"

#include <queue>
#include <tuple>

using namespace memplan::graph;

namespace {

class Search {
public:
  Search(const LiveSets &sets, TriplePeaks &triples, int64_t budget,
         BackwardRule rule, int64_t &steps)
      : sets(sets), triples(triples), numbers(triples.numbersOf(sets)),
        budget(budget), rule(rule), steps(steps), nothing(sets.atEnd().size()),
        current(nothing), table(sets.atEnd().size()),
        levels(sets.steps.size() + 1) {}

  BackwardBound runExactly(int64_t upper) {
    isExact = true;
    limit = upper;
    Bits set = sets.atEnd();
    if (sets.bytesOf(set) <= budget)
      reach(set, 0, none, addPath(none, none));
    while (!cheapest.empty()) {
      int64_t least = std::get<0>(cheapest.top());
      if (steps <= 0)
        return {least, std::nullopt};
      uint32_t path = take(cheapest);
      if (path != none && extend(path))
        return {least, sequenceOf(path)};
    }
    return {upper, std::nullopt};
  }

  std::optional<Sequence> run(size_t width) {
    Bits set = sets.atEnd();
    if (sets.bytesOf(set) <= budget)
      reach(set, 0, none, addPath(none, none));
    // A step back never increases the number of nodes that must still run.
    for (size_t left = levels.size(); left-- > 0;) {
      Level &level = levels[left];
      for (size_t k = 0; k < 2 * width && steps > 0;) {
        auto &queue = k % 2 == 0 ? level.byRule : level.byFlops;
        if (queue.empty())
          break;
        uint32_t path = take(queue);
        if (path == none)
          continue;
        if (extend(path))
          return sequenceOf(path);
        ++k;
      }
      level = {};
    }
    return std::nullopt;
  }

private:
  static constexpr uint32_t none = RepeatModel::none;

  /// The last step of a path from the end to a set.
  struct Path {
    uint32_t set, step, parent;
    int64_t flops;
    bool isDone;
  };
  using Entry = std::tuple<int64_t, int64_t, uint32_t>;
  using Queue =
      std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;
  struct Level {
    Queue byRule, byFlops;
  };

  void reach(Bits &set, int64_t flops, uint32_t step, uint32_t parent) {
    size_t numPaths = paths.size();
    if (step != none)
      parent = addPath(step, parent);
    auto goOn = [&](const LiveSets::Step &next) {
      flops += next.flops;
      parent =
          addPath(static_cast<uint32_t>(&next - sets.steps.data()), parent);
    };
    // A free step may have to run again, so it is not always the cheapest.
    do
      if (!isExact)
        sets.stepBackFreely(set, budget, goOn);
    while (stepToLighter(set, goOn));
    size_t count = 0;
    forEachBit(set, [&](uint32_t) { ++count; });
    steps -= static_cast<int64_t>(4 + 2 * set.size() + count / 2);
    // The bound for triples with a new piece; all other triples are known to be
    // within the budget.
    bool takesAll = rule == BackwardRule::LeastPeak;
    int64_t least = triples.leastOf(numbers, set, takesAll ? nothing : current);
    if (least > budget) {
      paths.resize(numPaths);
      return;
    }
    auto [number, isNew] = table.insert(set);
    if (isNew)
      fewest.push_back(flops);
    if (!isNew && fewest[number] <= flops) {
      paths.resize(numPaths);
      return;
    }
    fewest[number] = flops;
    paths[parent].set = number;
    paths[parent].flops = flops;
    // The nodes that must still run cost their FLOPs in any case.
    sets.stepsBehind(set, behind);
    size_t left = 0;
    int64_t all = flops;
    forEachBit(behind, [&](uint32_t s) {
      ++left;
      all += sets.steps[s].flops;
    });
    int64_t bytes = sets.bytesOf(set);
    if (isExact) {
      if (all < limit)
        cheapest.push({all, static_cast<int64_t>(left), ~parent});
      return;
    }
    // ~parent: of equal entries the newest comes first.
    int64_t first = rule == BackwardRule::LeastPeak ? least : bytes;
    levels[left].byRule.push({first, bytes, ~parent});
    levels[left].byFlops.push({all, bytes, ~parent});
  }

  /// Goes back by one step that needs no more bytes than it makes and that does
  /// not have to run again before; returns false if there is none.
  template <typename Visit> bool stepToLighter(Bits &set, Visit visit) {
    for (size_t w = set.size(); w-- > 0;)
      for (uint64_t rest = set[w]; rest != 0;) {
        uint32_t bit = 63 - static_cast<uint32_t>(__builtin_clzll(rest));
        rest ^= uint64_t(1) << bit;
        uint32_t maker = sets.pieces[w * 64 + bit].maker;
        if (maker == none)
          continue;
        const LiveSets::Step &step = sets.steps[maker];
        if (!sets.becomesLighter(step, set) ||
            sets.bytesAt(step, set) > budget ||
            !sets.stepBack(step, set, before) || sets.isBehind(maker, before))
          continue;
        set.swap(before);
        visit(step);
        return true;
      }
    return false;
  }

  uint32_t addPath(uint32_t step, uint32_t parent) {
    paths.push_back({none, step, parent, 0, false});
    return static_cast<uint32_t>(paths.size() - 1);
  }

  /// The path at the head of the queue, or none if it was taken before or a
  /// better path to its set is known.
  uint32_t take(Queue &queue) {
    uint32_t number = ~std::get<2>(queue.top());
    queue.pop();
    Path &path = paths[number];
    if (path.isDone || fewest[path.set] != path.flops)
      return none;
    path.isDone = true;
    return number;
  }

  /// Takes every step back from the path's set; returns true if the set is the
  /// start.
  bool extend(uint32_t number) {
    table.read(paths[number].set, current);
    if (sets.isStart(current))
      return true;
    int64_t flops = paths[number].flops;
    forEachBit(current, [&](uint32_t piece) {
      uint32_t maker = sets.pieces[piece].maker;
      if (maker == none)
        return;
      const LiveSets::Step &step = sets.steps[maker];
      if (sets.bytesAt(step, current) <= budget &&
          sets.stepBack(step, current, next))
        reach(next, flops + step.flops, maker, number);
    });
    return false;
  }

  Sequence sequenceOf(uint32_t number) const {
    Sequence sequence;
    for (; number != none; number = paths[number].parent)
      if (paths[number].step != none)
        sequence.push_back(sets.steps[paths[number].step].node);
    return sequence;
  }

  const LiveSets &sets;
  TriplePeaks &triples;
  std::vector<uint32_t> numbers;
  int64_t budget;
  BackwardRule rule;
  int64_t &steps;
  Bits nothing, behind, current, next, before;
  SetTable table;
  /// By the number of nodes that must still run.
  std::vector<Level> levels;
  std::vector<Path> paths;
  /// By set of the table: the FLOPs of the best path to it.
  std::vector<int64_t> fewest;
  /// The exact search: the open sets, by the FLOPs of all steps that must run,
  /// and the FLOPs from which on they are left out.
  bool isExact = false;
  Queue cheapest;
  int64_t limit = INT64_MAX;
};

} // namespace

std::optional<Sequence> memplan::graph::searchBackward(
    const RepeatModel &model, const LiveSets &sets, TriplePeaks &triples,
    int64_t budget, size_t width, BackwardRule rule, int64_t &steps) {
  std::optional<Sequence> sequence =
      Search(sets, triples, budget, rule, steps).run(width);
  // The sets do not have inputs that are live at the start only.
  if (sequence && model.peakOf(*sequence) > budget)
    return std::nullopt;
  return sequence;
}

BackwardBound memplan::graph::boundBackward(const LiveSets &sets,
                                            TriplePeaks &triples,
                                            int64_t budget, int64_t upper,
                                            int64_t &steps) {
  return Search(sets, triples, budget, BackwardRule::Lightest, steps)
      .runExactly(upper);
}
