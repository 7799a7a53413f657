//===- FindOrder.cpp - The order of a plan --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Places.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace memplan;
using namespace memplan::detail;

bool memplan::detail::areOnePlace(const Problem &problem,
                                  const PermittedOverlap &overlap) {
  const Buffer &a = problem.buffers[overlap.first],
               &b = problem.buffers[overlap.second];
  return overlap.minDelta <= 0 && overlap.maxDelta >= 0 &&
         a.formula == b.formula && (a.formula || a.size == b.size);
}

//===----------------------------------------------------------------------===//
// The pairs
//===----------------------------------------------------------------------===//

namespace {

/// Sweeps over time with the live places by their positions.
class PairFinder {
public:
  PairFinder(const std::vector<LiveRanges> &ranges,
             const std::vector<Span> &spans,
             const std::vector<bool> &mayOverlap)
      : ranges(ranges), spans(spans), mayOverlap(mayOverlap) {}

  /// (lower, upper), sorted, each once.
  std::vector<PlacePair> run() {
    // (time, is start, place): a place that ends makes room first.
    std::vector<std::tuple<int64_t, bool, unsigned>> events;
    for (unsigned place = 0; place < ranges.size(); ++place)
      for (const LiveRange &range : ranges[place])
        if (spans[place].low < spans[place].high) {
          events.emplace_back(range.start, true, place);
          events.emplace_back(range.end, false, place);
        }
    std::sort(events.begin(), events.end());
    std::vector<Key> touched;
    for (size_t i = 0; i < events.size(); ++i) {
      auto [time, isStart, place] = events[i];
      Key key = keyOf(place);
      if (isStart)
        live.insert(key);
      else
        live.erase(key);
      touched.push_back(key);
      if (i + 1 < events.size() && std::get<0>(events[i + 1]) == time)
        continue;
      for (const Key &each : touched)
        addPairsAround(each);
      touched.clear();
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return std::move(pairs);
  }

private:
  using Key = std::pair<int64_t, unsigned>;
  Key keyOf(unsigned place) const { return {spans[place].low, place}; }

  /// The pairs of the place, if it is live, and of those directly above it.
  void addPairsAround(const Key &key) {
    auto it = live.lower_bound(key);
    if (it != live.end() && *it == key)
      addPairsBelow(it++);
    for (; it != live.end(); ++it) {
      addPairsBelow(it);
      if (!mayOverlap[it->second])
        return;
    }
  }

  void addPairsBelow(std::set<Key>::const_iterator upper) {
    int64_t lowest = spans[upper->second].low;
    for (auto it = upper; it != live.begin();) {
      --it;
      const Span &span = spans[it->second];
      // What ends below one that has been found is below it, too.
      if (span.high > spans[upper->second].low)
        continue;
      if (span.high > lowest || lowest == spans[upper->second].low)
        pairs.emplace_back(it->second, upper->second);
      else if (!mayOverlap[it->second])
        return;
      lowest = std::min(lowest, span.low);
    }
  }

  const std::vector<LiveRanges> &ranges;
  const std::vector<Span> &spans;
  const std::vector<bool> &mayOverlap;
  std::set<Key> live;
  std::vector<PlacePair> pairs;
};

} // namespace

//===----------------------------------------------------------------------===//
// The places
//===----------------------------------------------------------------------===//

Places::Places(const Problem &problem, const std::vector<int64_t> &offsets) {
  size_t count = problem.buffers.size();
  std::vector<BufferIndex> leaders(count);
  std::iota(leaders.begin(), leaders.end(), 0);
  auto leaderOf = [&](BufferIndex b) {
    while (leaders[b] != b)
      b = leaders[b] = leaders[leaders[b]];
    return b;
  };
  for (const PermittedOverlap &overlap : problem.overlaps)
    if (areOnePlace(problem, overlap) &&
        (problem.buffers[overlap.first].formula ||
         problem.buffers[overlap.first].size > 0) &&
        offsets[overlap.first] == offsets[overlap.second]) {
      BufferIndex a = leaderOf(overlap.first), b = leaderOf(overlap.second);
      leaders[std::max(a, b)] = std::min(a, b);
    }
  placeOf.resize(count);
  for (BufferIndex b = 0; b < count; ++b) {
    const Buffer &buffer = problem.buffers[b];
    if (leaderOf(b) == b) {
      placeOf[b] = unsigned(members.size());
      members.emplace_back();
      ranges.emplace_back();
      alignments.push_back(1);
    }
    unsigned place = placeOf[b] = placeOf[leaderOf(b)];
    members[place].push_back(b);
    ranges[place].insert(ranges[place].end(), buffer.ranges.begin(),
                         buffer.ranges.end());
    alignments[place] = std::max(alignments[place], buffer.alignment);
  }
  for (LiveRanges &each : ranges)
    normalizeRanges(each);
  for (const Conflict &conflict : problem.conflicts)
    conflicts.emplace_back(placeOf[conflict.first], placeOf[conflict.second]);
}

std::vector<PlacePair>
Places::findPairs(const std::vector<Span> &spans,
                  const std::vector<bool> &mayOverlap) const {
  std::vector<PlacePair> pairs = PairFinder(ranges, spans, mayOverlap).run();
  for (auto [a, b] : conflicts) {
    if (spans[a].low > spans[b].low)
      std::swap(a, b);
    if (spans[a].low < spans[a].high && spans[b].low < spans[b].high)
      pairs.emplace_back(a, b);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Removes places that another one of the list lies above.
static void dropReached(const PlaceOrder &order, std::vector<unsigned> &above) {
  std::vector<unsigned> kept;
  for (unsigned lower : above)
    if (std::none_of(above.begin(), above.end(), [&](unsigned other) {
          const std::vector<unsigned> &next = order.places[other].above;
          return std::binary_search(next.begin(), next.end(), lower);
        }))
      kept.push_back(lower);
  above = std::move(kept);
}

PlaceOrder Places::makeOrder(const Problem &problem,
                             const std::vector<Span> &spans,
                             const std::vector<bool> &mayOverlap,
                             const std::vector<int64_t> *offsets) const {
  // By their positions, each place comes after those below it.
  std::vector<unsigned> sorted(members.size()), numbers(members.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](unsigned a, unsigned b) {
    return spans[a].low < spans[b].low;
  });
  for (unsigned i = 0; i < sorted.size(); ++i)
    numbers[sorted[i]] = i;
  PlaceOrder order;
  order.places.resize(members.size());
  for (auto [lower, upper] : findPairs(spans, mayOverlap))
    order.places[numbers[upper]].above.push_back(numbers[lower]);
  for (unsigned place : placeOf)
    order.placeOf.push_back(numbers[place]);
  std::vector<int64_t> ends(members.size());
  for (unsigned i = 0; i < sorted.size(); ++i) {
    Place &place = order.places[i];
    place.members = members[sorted[i]];
    place.alignment = alignments[sorted[i]];
    std::vector<unsigned> all = std::move(place.above);
    std::sort(all.begin(), all.end());
    place.above.clear();
    for (unsigned lower : all)
      if (order.places[lower].offset)
        place.from = std::max(place.from, ends[lower]);
      else
        place.above.push_back(lower);
    const Buffer &buffer = problem.buffers[place.members.front()];
    if (!place.above.empty() || buffer.formula) {
      dropReached(order, place.above);
      continue;
    }
    place.offset = offsets ? (*offsets)[place.members.front()]
                           : alignTo(place.from, place.alignment);
    // At other sizes the arena may end below an empty buffer.
    if (buffer.size == 0 && !buffer.pinnedOffset && hasFormulas(problem))
      place.offset = 0;
    place.from = 0;
    ends[i] = *place.offset + buffer.size;
  }
  return order;
}

PlaceOrder memplan::findOrder(const Problem &problem, const Plan &plan,
                              std::vector<size_t> *lost) {
  Places places(problem, plan.offsets);
  std::vector<Span> spans(places.members.size());
  for (size_t i = 0; i < spans.size(); ++i) {
    BufferIndex b = places.members[i].front();
    spans[i] = {plan.offsets[b], plan.offsets[b] + problem.buffers[b].size};
  }
  std::vector<bool> mayOverlap(spans.size(), false);
  auto isUsed = [&](const PermittedOverlap &overlap) {
    unsigned a = places.placeOf[overlap.first],
             b = places.placeOf[overlap.second];
    return a != b && spans[a].low < spans[b].high &&
           spans[b].low < spans[a].high &&
           rangesIntersect(places.ranges[a], places.ranges[b]);
  };
  for (const PermittedOverlap &overlap : problem.overlaps)
    if (isUsed(overlap))
      mayOverlap[places.placeOf[overlap.first]] =
          mayOverlap[places.placeOf[overlap.second]] = true;
  PlaceOrder order =
      places.makeOrder(problem, spans, mayOverlap, &plan.offsets);
  for (size_t i = 0; lost && i < problem.overlaps.size(); ++i) {
    const PermittedOverlap &overlap = problem.overlaps[i];
    if (isUsed(overlap) &&
        !(order.places[order.placeOf[overlap.first]].offset &&
          order.places[order.placeOf[overlap.second]].offset))
      lost->push_back(i);
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

std::vector<int64_t> memplan::computeOffsets(const Problem &constant,
                                             const PlaceOrder &order) {
  std::vector<int64_t> ends(order.places.size()),
      offsets(constant.buffers.size());
  for (size_t i = 0; i < order.places.size(); ++i) {
    const Place &place = order.places[i];
    int64_t offset = place.offset.value_or(place.from);
    for (unsigned lower : place.above)
      offset = std::max(offset, ends[lower]);
    offset = alignTo(offset, place.alignment);
    ends[i] = offset + constant.buffers[place.members.front()].size;
    for (BufferIndex b : place.members)
      offsets[b] = offset;
  }
  return offsets;
}

int64_t memplan::getArenaSize(const Problem &constant,
                              const std::vector<int64_t> &offsets) {
  int64_t size = 0;
  for (size_t b = 0; b < offsets.size(); ++b)
    size = std::max(size, offsets[b] + constant.buffers[b].size);
  return size;
}

std::optional<Problem> memplan::evaluateAt(const Problem &problem,
                                           const std::vector<int64_t> &values) {
  SymbolValues named;
  for (size_t i = 0; i < problem.symbols.size() && i < values.size(); ++i)
    named[problem.symbols[i].name] = values[i];
  Problem result = problem;
  result.symbols.clear();
  result.hints.clear();
  for (Buffer &buffer : result.buffers) {
    if (!buffer.formula)
      continue;
    std::optional<int64_t> size = buffer.formula->evaluate(named);
    if (!size)
      return std::nullopt;
    buffer.size = std::clamp<int64_t>(*size, 0, kMostSymbolicBytes);
    buffer.formula.reset();
  }
  return result;
}

std::optional<int64_t>
memplan::getArenaSizeAt(const Problem &problem,
                        const std::vector<int64_t> &values,
                        const PlaceOrder &order) {
  std::optional<Problem> constant = evaluateAt(problem, values);
  // No offset overflows if all buffers have bytes of their own.
  std::optional<int64_t> sum = 0;
  for (size_t i = 0; constant && sum && i < constant->buffers.size(); ++i) {
    const Buffer &buffer = constant->buffers[i];
    const Place &place = order.places[order.placeOf[i]];
    sum = buffer.size < kMostSymbolicBytes ? checkedAdd(*sum, buffer.size)
                                           : std::optional<int64_t>();
    for (int64_t more : {place.alignment, place.from, place.offset.value_or(0)})
      sum = sum ? checkedAdd(*sum, more) : sum;
  }
  if (!constant || !sum)
    return std::nullopt;
  return getArenaSize(*constant, computeOffsets(*constant, order));
}

/// True if all sizes have a value that counts.
static bool haveUsualSizes(const Problem &problem,
                           const std::vector<int64_t> &values) {
  SymbolValues named;
  for (size_t i = 0; i < values.size(); ++i)
    named[problem.symbols[i].name] = values[i];
  return std::all_of(problem.buffers.begin(), problem.buffers.end(),
                     [&](const Buffer &buffer) {
                       return !buffer.formula ||
                              buffer.formula->evaluate(named).value_or(
                                  INT64_MAX) <= kMostSymbolicBytes;
                     });
}

/// The greatest value that the symbol has, if it is bounded.
static std::optional<int64_t> getGreatest(const SizeSymbol &symbol) {
  if (!symbol.greatest)
    return std::nullopt;
  int64_t by = std::max<int64_t>(symbol.multipleOf, 1);
  return std::max<int64_t>(*symbol.greatest / by * by, 0);
}

std::optional<std::vector<int64_t>>
memplan::getGreatestSizes(const Problem &problem) {
  std::vector<int64_t> values;
  for (const SizeSymbol &symbol : problem.symbols) {
    std::optional<int64_t> greatest = getGreatest(symbol);
    if (!greatest)
      return std::nullopt;
    values.push_back(*greatest);
  }
  if (values.empty() || !haveUsualSizes(problem, values))
    return std::nullopt;
  return values;
}

/// The first of `large` values that are tried where nothing is known.
static constexpr int64_t kLarge = 1024;
/// With more symbols, their corners would take long to solve.
static constexpr size_t kMostCorners = 4;

/// All symbols small, all large, and for a few symbols each one large alone:
/// the buffers that grow with it then need the most of the arena.
static std::vector<std::vector<int64_t>> makeHints(const Problem &problem,
                                                   int64_t large) {
  std::vector<int64_t> least, most;
  for (const SizeSymbol &symbol : problem.symbols) {
    int64_t by = std::max<int64_t>(symbol.multipleOf, 1);
    int64_t greatest = getGreatest(symbol).value_or(INT64_MAX / by * by);
    auto clampTo = [&](int64_t value) {
      // Multiples of a huge number overflow.
      auto multiple = alignUp(Formula(value), by);
      int64_t next =
          multiple ? multiple->getConstant().value_or(greatest) : greatest;
      return std::max<int64_t>(std::min(next, greatest), 0);
    };
    int64_t first = std::max<int64_t>(symbol.least, 1);
    least.push_back(clampTo(first));
    most.push_back(large == kLarge && symbol.greatest
                       ? greatest
                       : clampTo(std::max(first, large)));
  }
  std::vector<std::vector<int64_t>> hints = {least, most};
  for (size_t i = 0; i < least.size() && least.size() <= kMostCorners; ++i) {
    hints.push_back(least);
    hints.back()[i] = most[i];
  }
  std::vector<std::vector<int64_t>> different;
  for (std::vector<int64_t> &hint : hints)
    if (std::find(different.begin(), different.end(), hint) == different.end())
      different.push_back(std::move(hint));
  return different;
}

std::vector<std::vector<int64_t>> memplan::getHints(const Problem &problem) {
  std::vector<std::vector<int64_t>> hints = problem.hints;
  if (hints.empty()) {
    // Products of many symbols are huge at large values.
    for (int64_t large = kLarge; large != 0; large /= 2) {
      hints = makeHints(problem, large);
      if (std::all_of(hints.begin(), hints.end(), [&](const auto &values) {
            return haveUsualSizes(problem, values);
          }))
        break;
    }
    return hints;
  }
  std::optional<std::vector<int64_t>> greatest = getGreatestSizes(problem);
  if (greatest &&
      std::find(hints.begin(), hints.end(), *greatest) == hints.end())
    hints.push_back(std::move(*greatest));
  return hints;
}
