//===- Pinwheels.cpp - Rectangles cut into five pieces --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/Pinwheels.h"

#include "Model/Model.h"

#include <algorithm>
#include <numeric>

using namespace memplan;
using namespace memplan::detail;

/// The most events of a time that is searched. With more events, equal sizes
/// are too often a coincidence, and the search would take long.
static constexpr size_t eventLimit = 32;

namespace {

using Pieces = std::array<uint32_t, 5>;
using Rectangles = std::vector<Rectangle>;

constexpr uint32_t missing = Pinwheel::missing;

/// An index of the rectangles by the time at which they begin (or end).
class Events {
public:
  Events(const Rectangles &rectangles, int64_t Rectangle::*when)
      : rectangles(rectangles), when(when), sorted(rectangles.size()) {
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
      return timeOf(a) != timeOf(b) ? timeOf(a) < timeOf(b) : a < b;
    });
  }

  Slice<uint32_t> allAt(int64_t time) const {
    auto begin =
        std::partition_point(sorted.begin(), sorted.end(),
                             [&](uint32_t i) { return timeOf(i) < time; });
    auto end = std::partition_point(
        begin, sorted.end(), [&](uint32_t i) { return timeOf(i) == time; });
    return {sorted.data() + (begin - sorted.begin()),
            sorted.data() + (end - sorted.begin())};
  }

  /// As allAt, but empty if there are more than eventLimit.
  Slice<uint32_t> at(int64_t time) const {
    Slice<uint32_t> all = allAt(time);
    return all.size() <= eventLimit ? all : Slice<uint32_t>();
  }

private:
  int64_t timeOf(uint32_t i) const { return rectangles[i].*when; }

  const Rectangles &rectangles;
  int64_t Rectangle::*when;
  std::vector<uint32_t> sorted;
};

/// Finds rectangles that satisfy the equalities of a pinwheel.
class Finder {
public:
  explicit Finder(const Rectangles &rectangles)
      : rectangles(rectangles), begins(rectangles, &Rectangle::begin),
        ends(rectangles, &Rectangle::end) {}

  /// The pinwheels with all five pieces.
  std::vector<Pieces> findWhole() const {
    std::vector<Pieces> found;
    forEachFirst([&](uint32_t first, uint32_t fourth, uint32_t middle) {
      for (uint32_t second : seconds(first, middle))
        for (uint32_t third : thirds(fourth, middle))
          if (of(third).size == of(second).size + of(middle).size)
            found.push_back({first, second, third, fourth, middle});
    });
    return found;
  }

  /// The pinwheels without `third` and those without `second`, also if the
  /// missing piece exists.
  std::vector<Pieces> findBroken() const {
    std::vector<Pieces> found;
    forEachFirst([&](uint32_t first, uint32_t fourth, uint32_t middle) {
      for (uint32_t second : seconds(first, middle))
        found.push_back({first, second, missing, fourth, middle});
      for (uint32_t third : thirds(fourth, middle))
        found.push_back({first, missing, third, fourth, middle});
    });
    return found;
  }

  /// The pinwheels without `middle`, also if it exists.
  std::vector<Pieces> findHollow() const {
    std::vector<Pieces> found;
    for (uint32_t first = 0; first < rectangles.size(); ++first)
      for (uint32_t second : begins.at(of(first).begin)) {
        if (of(second).end <= of(first).end)
          continue;
        for (uint32_t fourth : begins.at(of(first).end))
          for (uint32_t third : begins.at(of(second).end))
            if (of(third).end == of(fourth).end &&
                of(third).size > of(second).size &&
                of(third).size - of(second).size ==
                    of(first).size - of(fourth).size)
              found.push_back({first, second, third, fourth, missing});
      }
    return found;
  }

  /// True if no rectangle other than the pieces fits into the hole and begins
  /// or ends with it.
  bool isEmpty(const Rectangle &hole, const Pieces &pieces) const {
    auto isInside = [&](uint32_t i) {
      return of(i).begin >= hole.begin && of(i).end <= hole.end &&
             of(i).size <= hole.size &&
             std::find(pieces.begin(), pieces.end(), i) == pieces.end();
    };
    Slice<uint32_t> early = begins.allAt(hole.begin);
    Slice<uint32_t> late = ends.allAt(hole.end);
    return std::none_of(early.begin(), early.end(), isInside) &&
           std::none_of(late.begin(), late.end(), isInside);
  }

private:
  const Rectangle &of(uint32_t i) const { return rectangles[i]; }

  /// Calls `fn(first, fourth, middle)` for all triples that satisfy the
  /// equalities between them.
  template <typename Fn> void forEachFirst(Fn fn) const {
    for (uint32_t middle = 0; middle < rectangles.size(); ++middle) {
      int64_t time = of(middle).begin;
      for (uint32_t first : ends.at(time))
        for (uint32_t fourth : begins.at(time))
          if (of(first).size == of(fourth).size + of(middle).size &&
              of(fourth).end > of(middle).end)
            fn(first, fourth, middle);
    }
  }

  std::vector<uint32_t> seconds(uint32_t first, uint32_t middle) const {
    std::vector<uint32_t> result;
    for (uint32_t i : ends.at(of(middle).end))
      if (of(i).begin == of(first).begin)
        result.push_back(i);
    return result;
  }

  std::vector<uint32_t> thirds(uint32_t fourth, uint32_t middle) const {
    std::vector<uint32_t> result;
    for (uint32_t i : begins.at(of(middle).end))
      if (of(i).end == of(fourth).end && of(i).size > of(middle).size)
        result.push_back(i);
    return result;
  }

  const Rectangles &rectangles;
  Events begins, ends;
};

/// The rectangles of all five pieces, of which one may be missing in `pieces`.
std::array<Rectangle, 5> outline(const Pieces &pieces,
                                 const Rectangles &rectangles) {
  using P = Pinwheel;
  auto has = [&](P::Piece piece) { return pieces[piece] != missing; };
  auto of = [&](P::Piece piece) { return rectangles[pieces[piece]]; };
  int64_t begin = of(has(P::First) ? P::First : P::Second).begin;
  int64_t end = of(has(P::Third) ? P::Third : P::Fourth).end;
  int64_t early = has(P::First) ? of(P::First).end : of(P::Fourth).begin;
  int64_t late = has(P::Second) ? of(P::Second).end : of(P::Third).begin;
  int64_t middle = has(P::Middle) ? of(P::Middle).size
                                  : of(P::First).size - of(P::Fourth).size;
  int64_t second =
      has(P::Second) ? of(P::Second).size : of(P::Third).size - middle;
  int64_t fourth =
      has(P::Fourth) ? of(P::Fourth).size : of(P::First).size - middle;
  return {{{begin, early, fourth + middle},
           {begin, late, second},
           {late, end, second + middle},
           {early, end, fourth},
           {early, late, middle}}};
}

Pinwheel describe(const Pieces &pieces, const Rectangles &rectangles) {
  std::array<Rectangle, 5> all = outline(pieces, rectangles);
  const Rectangle &first = all[Pinwheel::First];
  const Rectangle &second = all[Pinwheel::Second];
  const Rectangle &third = all[Pinwheel::Third];
  return {pieces,
          {first.begin, third.end, first.size + second.size},
          {second.size, 0, 0, third.size, second.size}};
}

/// The pinwheels that have no rectangle in common with another one in `all`.
std::vector<Pieces> dropAmbiguous(const std::vector<Pieces> &all,
                                  size_t numRectangles) {
  std::vector<uint32_t> uses(numRectangles, 0);
  for (const Pieces &pieces : all)
    for (uint32_t piece : pieces)
      if (piece != missing)
        ++uses[piece];
  std::vector<Pieces> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const Pieces &pieces) {
                 return std::all_of(
                     pieces.begin(), pieces.end(), [&](uint32_t piece) {
                       return piece == missing || uses[piece] == 1;
                     });
               });
  return result;
}

} // namespace

std::vector<Pinwheel>
detail::findPinwheels(const std::vector<Rectangle> &rectangles) {
  std::vector<Pinwheel> result;
  std::vector<Pieces> found = Finder(rectangles).findWhole();
  for (const Pieces &pieces : dropAmbiguous(found, rectangles.size()))
    result.push_back(describe(pieces, rectangles));
  return result;
}

std::vector<Pinwheel>
detail::findBrokenPinwheels(const std::vector<Rectangle> &rectangles) {
  Finder finder(rectangles);
  std::vector<Pieces> found = finder.findBroken();
  std::vector<Pieces> hollow = finder.findHollow();
  found.insert(found.end(), hollow.begin(), hollow.end());
  // If time runs backwards, `third` and `fourth` have the places of `first` and
  // `second`, which finds the pinwheels without `first` and without `fourth`.
  // The complement reverses the order of times like a negation, but never
  // overflows.
  Rectangles backwards;
  for (const Rectangle &r : rectangles)
    backwards.push_back({~r.end, ~r.begin, r.size});
  for (auto [third, fourth, first, second, middle] :
       Finder(backwards).findBroken())
    found.push_back({first, second, third, fourth, middle});

  std::vector<Pinwheel> result;
  for (const Pieces &pieces : dropAmbiguous(found, rectangles.size())) {
    size_t which =
        std::find(pieces.begin(), pieces.end(), missing) - pieces.begin();
    if (finder.isEmpty(outline(pieces, rectangles)[which], pieces))
      result.push_back(describe(pieces, rectangles));
  }
  return result;
}
