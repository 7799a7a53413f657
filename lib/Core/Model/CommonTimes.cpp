//===- CommonTimes.cpp - Times for buffers that never share ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CommonTimes.h"

#include "Model/Model.h"
#include "Model/Neighbours.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The most buffers of a problem that gets common times: the matrix of their
/// pairs has half a megabyte then.
constexpr size_t bufferLimit = 2048;

/// The most live ranges that the added times may take, for each buffer.
constexpr size_t rangesPerBuffer = 16;

/// The most pairs of a buffer and a section in which it is live.
constexpr size_t entryLimit = size_t(1) << 20;

/// The words of sets that the search for the heaviest set may visit; some
/// milliseconds.
constexpr int64_t searchLimit = 4000000;

/// A set of vertices.
class Bits {
public:
  explicit Bits(size_t count = 0) : words((count + 63) / 64, 0) {}

  void insert(size_t i) { words[i / 64] |= uint64_t(1) << i % 64; }
  void erase(size_t i) { words[i / 64] &= ~(uint64_t(1) << i % 64); }
  bool contains(size_t i) const { return words[i / 64] >> i % 64 & 1; }
  void intersect(const Bits &other) {
    for (size_t w = 0; w < words.size(); ++w)
      words[w] &= other.words[w];
  }
  /// The first member from `i` on, or -1.
  int64_t next(size_t i = 0) const {
    for (size_t w = i / 64; w < words.size(); ++w) {
      uint64_t word = words[w];
      if (w == i / 64)
        word &= ~uint64_t(0) << i % 64;
      if (word)
        return static_cast<int64_t>(64 * w) + __builtin_ctzll(word);
    }
    return -1;
  }
  /// 64 vertices, the first of them in the lowest bit.
  uint64_t word(size_t w) const { return words[w]; }

private:
  std::vector<uint64_t> words;
};

/// The graph of the pairs of buffers that share no byte in any plan. Its
/// vertices are the non-empty buffers, the largest first.
class Graph {
public:
  explicit Graph(const Model &model) {
    for (BufferIndex b = 0; b < model.size(); ++b)
      if (model.sizeOf(b) > 0)
        buffers.push_back(b);
    for (BufferIndex b : buffers)
      weightOf.push_back(alignTo(model.sizeOf(b), model.alignOf(b)));
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t x, size_t y) {
      return weightOf[x] != weightOf[y] ? weightOf[x] > weightOf[y] : x < y;
    });
    std::vector<BufferIndex> sorted;
    std::vector<int64_t> weights;
    vertexOf.assign(model.size(), 0);
    for (size_t i : order) {
      vertexOf[buffers[i]] = sorted.size();
      sorted.push_back(buffers[i]);
      weights.push_back(weightOf[i]);
    }
    buffers = std::move(sorted);
    weightOf = std::move(weights);
    around.assign(buffers.size(), Bits(buffers.size()));
    NeighbourIndex index(model);
    std::vector<BufferIndex> found;
    for (size_t v = 0; v < buffers.size(); ++v) {
      found.clear();
      index.collect(buffers[v], found);
      for (BufferIndex other : found)
        if (model.sizeOf(other) > 0)
          around[v].insert(vertexOf[other]);
      for (const Relation &relation : model.relations(buffers[v]))
        if (!relation.isConflict && model.sizeOf(relation.other) > 0)
          around[v].erase(vertexOf[relation.other]);
    }
  }

  size_t size() const { return buffers.size(); }

  std::vector<BufferIndex> buffers;
  std::vector<size_t> vertexOf;
  /// By vertex: the size, rounded up to the alignment.
  std::vector<int64_t> weightOf;
  std::vector<Bits> around;
};

/// Finds the heaviest set of vertices that are all neighbours of each other, by
/// branch and bound. The bound divides the candidates into groups without
/// neighbours, of which a set has at most one member each.
class HeaviestSet {
public:
  HeaviestSet(const Graph &graph, int64_t floor)
      : graph(graph), numWords((graph.size() + 63) / 64), left(numWords),
        best(floor) {
    rows.reserve(graph.size() * numWords);
    for (const Bits &around : graph.around)
      for (size_t w = 0; w != numWords; ++w)
        rows.push_back(around.word(w));
  }

  /// A set that is heavier than the floor, or none.
  std::vector<size_t> run() {
    sets.assign(numWords, 0);
    for (size_t v = 0; v < graph.size(); ++v)
      sets[v / 64] |= uint64_t(1) << v % 64;
    expand(0);
    return result;
  }

private:
  struct Candidate {
    /// The vertex times numWords: where its neighbours begin in `rows`.
    size_t row;
    /// No set of this candidate and those before it is heavier.
    int64_t bound;
  };

  /// Appends the candidates of the last set to `order`, by groups, but none if
  /// no set of them is heavier than `least`. Takes most of the time of the
  /// search.
  void sortCandidates(int64_t least) {
    const uint64_t *around = rows.data();
    uint64_t *open = left.data();
    std::copy(sets.end() - static_cast<ptrdiff_t>(numWords), sets.end(), open);
    size_t count = 0, end = 0;
    int64_t weightLeft = 0;
    for (size_t w = 0; w != numWords; ++w)
      for (uint64_t rest = open[w]; rest != 0; rest &= rest - 1) {
        weightLeft += graph.weightOf[64 * w + __builtin_ctzll(rest)];
        ++count;
        end = w + 1;
      }
    spent += static_cast<int64_t>(count * numWords);
    if (order.size() < numSorted + count)
      order.resize(2 * (numSorted + count));
    Candidate *next = order.data() + numSorted;
    int64_t sum = 0;
    for (size_t first = 0; first != end;) {
      if (open[first] == 0) {
        ++first;
        continue;
      }
      if (sum + weightLeft <= least)
        return;
      // The vertices are sorted by weight, so the first is the heaviest.
      sum += graph.weightOf[64 * first + __builtin_ctzll(open[first])];
      const Candidate *group = next;
      for (size_t w = first; w != end; ++w) {
        uint64_t rest = open[w];
        for (const Candidate *c = group; c != next && rest != 0; ++c)
          rest &= ~around[c->row + w];
        while (rest != 0) {
          size_t v = 64 * w + __builtin_ctzll(rest), row = v * numWords;
          *next++ = {row, sum};
          weightLeft -= graph.weightOf[v];
          open[w] &= ~(rest & -rest);
          rest &= (rest - 1) & ~around[row + w];
        }
      }
    }
    numSorted = static_cast<size_t>(next - order.data());
  }

  /// Tries the candidates of the last set, which it removes, beside those that
  /// are chosen.
  void expand(int64_t weight) {
    if (weight > best) {
      best = weight;
      result = chosen;
    }
    size_t set = sets.size() - numWords, begin = numSorted;
    sortCandidates(best - weight);
    while (numSorted != begin) {
      auto [row, bound] = order[--numSorted];
      if (spent > searchLimit || weight + bound <= best)
        break;
      for (size_t w = 0; w != numWords; ++w)
        sets.push_back(sets[set + w] & rows[row + w]);
      spent += static_cast<int64_t>(numWords);
      size_t v = row / numWords;
      chosen.push_back(v);
      expand(weight + graph.weightOf[v]);
      chosen.pop_back();
      sets[set + v / 64] &= ~(uint64_t(1) << v % 64);
    }
    numSorted = begin;
    sets.resize(set);
  }

  const Graph &graph;
  size_t numWords;
  /// By vertex, the words of its neighbours.
  std::vector<uint64_t> rows;
  /// By level of the search, the candidates as a set; and the same, sorted, as
  /// the first `numSorted` of `order`.
  std::vector<uint64_t> sets;
  std::vector<Candidate> order;
  size_t numSorted = 0;
  /// Candidates that are in no group yet.
  std::vector<uint64_t> left;
  int64_t best, spent = 0;
  std::vector<size_t> chosen, result;
};

class TimeAdder {
public:
  explicit TimeAdder(const Problem &problem)
      : problem(problem), model(problem), graph(model),
        open(graph.size(), Bits(graph.size())), result(problem) {}

  std::optional<Problem> run() {
    for (const Conflict &conflict : problem.conflicts)
      if (problem.buffers[conflict.first].size > 0 &&
          problem.buffers[conflict.second].size > 0)
        setOpen(graph.vertexOf[conflict.first],
                graph.vertexOf[conflict.second]);
    for (const Buffer &buffer : problem.buffers)
      for (const LiveRange &range : buffer.ranges)
        time = std::max(time, range.end);
    int64_t load = heaviestLoad();
    std::vector<size_t> heaviest = HeaviestSet(graph, load).run();
    addTime(heaviest);
    extendSections(std::max(load, weigh(heaviest)));
    for (size_t v = 0; v < graph.size(); ++v)
      for (int64_t other = open[v].next(v); other >= 0 && !isFull();
           other = open[v].next(other))
        addTime(growPair(v, static_cast<size_t>(other)));
    keepOpen();
    return std::move(result);
  }

private:
  bool isFull() const {
    return added > rangesPerBuffer * graph.size() + 1024 ||
           time > (int64_t(1) << 61);
  }
  void setOpen(size_t a, size_t b) {
    open[a].insert(b);
    open[b].insert(a);
  }

  /// The weight of the heaviest section.
  int64_t heaviestLoad() const {
    std::vector<int64_t> change(model.numSections() + 1, 0);
    for (size_t v = 0; v < graph.size(); ++v)
      if (!model.hasOverlaps(graph.buffers[v]))
        for (const SectionRange &range : model.ranges(graph.buffers[v])) {
          change[range.begin] += graph.weightOf[v];
          change[range.end] -= graph.weightOf[v];
        }
    int64_t load = 0, most = 0;
    for (int64_t c : change)
      most = std::max(most, load += c);
    return most;
  }

  /// Adds the largest of the candidates that are neighbours of each other.
  void grow(std::vector<size_t> &set, Bits candidates) const {
    for (int64_t v = candidates.next(); v >= 0; v = candidates.next(v)) {
      set.push_back(static_cast<size_t>(v));
      candidates.intersect(graph.around[v]);
    }
  }

  /// A maximal set with the two vertices, which are neighbours.
  std::vector<size_t> growPair(size_t a, size_t b) const {
    std::vector<size_t> set = {a, b};
    Bits candidates = graph.around[a];
    candidates.intersect(graph.around[b]);
    grow(set, std::move(candidates));
    return set;
  }

  int64_t weigh(const std::vector<size_t> &set) const {
    int64_t weight = 0;
    for (size_t v : set)
      weight += graph.weightOf[v];
    return weight;
  }

  /// Adds a maximal set for each section whose buffers are not one already.
  /// Where buffers have several live ranges, others may be live together with
  /// each of them, at other times. Leaves out sets that are much lighter than
  /// the heaviest one: they constrain little.
  void extendSections(int64_t heaviest) {
    if (model.isPlain())
      return;
    std::vector<std::vector<size_t>> live(model.numSections());
    size_t entries = 0;
    for (size_t v = 0; v < graph.size(); ++v)
      for (const SectionRange &range : model.ranges(graph.buffers[v]))
        for (uint32_t s = range.begin; s < range.end; ++s, ++entries) {
          if (entries > entryLimit)
            return;
          live[s].push_back(v);
        }
    std::set<std::vector<size_t>> seen;
    for (const std::vector<size_t> &section : live) {
      if (isFull())
        return;
      std::vector<size_t> set;
      Bits candidates(graph.size());
      for (size_t v : section)
        candidates.insert(v);
      grow(set, std::move(candidates));
      size_t before = set.size();
      if (set.empty())
        continue;
      Bits others = graph.around[set.front()];
      for (size_t v : set)
        others.intersect(graph.around[v]);
      grow(set, std::move(others));
      if (set.size() == before || weigh(set) < heaviest / 4 * 3)
        continue;
      std::sort(set.begin(), set.end());
      if (seen.insert(set).second)
        addTime(set);
    }
  }

  /// Adds a time at which the buffers of the set are live.
  void addTime(const std::vector<size_t> &set) {
    for (size_t i = 0; i < set.size(); ++i) {
      result.buffers[graph.buffers[set[i]]].ranges.push_back({time, time + 1});
      for (size_t j = 0; j < set.size(); ++j)
        open[set[i]].erase(set[j]);
    }
    added += set.size();
    time += !set.empty();
  }

  /// Leaves only the conflicts that are still open, and drops the permitted
  /// overlaps of pairs in conflict, as a conflict has precedence.
  void keepOpen() {
    auto isOpen = [&](const Conflict &conflict) {
      const std::vector<Buffer> &buffers = problem.buffers;
      return buffers[conflict.first].size > 0 &&
             buffers[conflict.second].size > 0 &&
             open[graph.vertexOf[conflict.first]].contains(
                 graph.vertexOf[conflict.second]);
    };
    auto isPermitted = [&](const PermittedOverlap &overlap) {
      Slice<Relation> relations = model.relations(overlap.first);
      return std::any_of(
          relations.begin(), relations.end(), [&](const Relation &relation) {
            return relation.other == overlap.second && !relation.isConflict;
          });
    };
    std::vector<Conflict> conflicts;
    std::copy_if(problem.conflicts.begin(), problem.conflicts.end(),
                 std::back_inserter(conflicts), isOpen);
    result.conflicts = std::move(conflicts);
    std::vector<PermittedOverlap> overlaps;
    std::copy_if(problem.overlaps.begin(), problem.overlaps.end(),
                 std::back_inserter(overlaps), isPermitted);
    result.overlaps = std::move(overlaps);
    for (Buffer &buffer : result.buffers)
      normalizeRanges(buffer.ranges);
  }

  const Problem &problem;
  Model model;
  Graph graph;
  /// By vertex: the vertices in conflict with it that no added time has with
  /// it.
  std::vector<Bits> open;
  Problem result;
  int64_t time = INT64_MIN;
  size_t added = 0;
};

} // namespace

std::optional<Problem> detail::addCommonTimes(const Problem &problem) {
  bool hasHoles =
      std::any_of(problem.buffers.begin(), problem.buffers.end(),
                  [](const Buffer &b) { return b.ranges.size() > 1; });
  if ((problem.conflicts.empty() && !hasHoles) ||
      problem.buffers.size() > bufferLimit)
    return std::nullopt;
  return TimeAdder(problem).run();
}
