//===- SearchSpace.cpp - The immutable data of the tree search ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Neighbours.h"
#include "Search/TreeSearch.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;
using namespace memplan::detail;

/// The most entries of the neighbour and section lists together. An entry has
/// four bytes, so the lists take about 256 MiB at most, and twice as much while
/// they are sorted.
static constexpr int64_t listLimit = int64_t(1) << 26;

/// The most items. The search recurses once for each item and copies the list
/// of the unplaced items at each level.
static constexpr uint32_t itemLimit = 4096;

bool SearchSpace::fits(const Model &model) {
  std::vector<int64_t> live(model.numSections() + 1, 0);
  std::vector<int64_t> starts(model.numSections() + 1, 0);
  for (BufferIndex b = 0; b < model.size(); ++b)
    for (const SectionRange &range : model.ranges(b)) {
      ++live[range.begin];
      --live[range.end];
      ++starts[range.begin];
    }
  if (model.size() - model.pinned().size() > itemLimit)
    return false;
  int64_t entries = 0, count = 0;
  for (uint32_t s = 0; s < model.numSections(); ++s) {
    count += live[s];
    // A buffer that begins here has at most `count` neighbours that began
    // before it or with it, and each pair is in two lists. The section lists
    // all `count` live buffers.
    entries += 2 * starts[s] * count + count;
    if (entries > listLimit)
      return false;
  }
  return true;
}

SearchSpace::SearchSpace(const Model &model) : model(model) {
  for (BufferIndex b = 0; b < model.size(); ++b)
    if (!model.isPinned(b) && model.sizeOf(b) > 0)
      buffers.push_back(b);
  auto hullOf = [&](BufferIndex b) {
    SectionRange result = model.hull(b);
    for (const Relation &relation : model.relations(b)) {
      SectionRange other = model.hull(relation.other);
      result.begin = std::min(result.begin, other.begin);
      result.end = std::max(result.end, other.end);
    }
    return result;
  };
  std::sort(buffers.begin(), buffers.end(), [&](BufferIndex a, BufferIndex b) {
    uint32_t beginA = hullOf(a).begin, beginB = hullOf(b).begin;
    return beginA != beginB ? beginA < beginB : a < b;
  });
  std::vector<uint32_t> itemOf(model.size(), UINT32_MAX);
  for (uint32_t item = 0; item < buffers.size(); ++item) {
    itemOf[buffers[item]] = item;
    size.push_back(model.sizeOf(buffers[item]));
    align.push_back(model.alignOf(buffers[item]));
    hull.push_back(hullOf(buffers[item]));
  }

  NeighbourIndex index(model);
  std::vector<BufferIndex> around;
  neighbourBegin.push_back(0);
  for (uint32_t item = 0; item < buffers.size(); ++item) {
    around.clear();
    index.collect(buffers[item], around);
    int64_t least = -1;
    for (BufferIndex other : around)
      if (itemOf[other] != UINT32_MAX) {
        neighbourData.push_back(itemOf[other]);
        if (least < 0 || model.sizeOf(other) < least)
          least = model.sizeOf(other);
      }
    leastNeighbour.push_back(least);
    neighbourBegin.push_back(static_cast<uint32_t>(neighbourData.size()));
  }
  sortNeighbours();

  sectionBegin.assign(model.numSections() + 2, 0);
  for (uint32_t pass = 0; pass < 2; ++pass) {
    for (uint32_t item = 0; item < buffers.size(); ++item)
      for (const SectionRange &range : model.ranges(buffers[item]))
        for (uint32_t s = range.begin; s < range.end; ++s) {
          if (pass == 0)
            ++sectionBegin[s + 2];
          else
            sectionItems[sectionBegin[s + 1]++] = item;
        }
    if (pass == 0) {
      std::partial_sum(sectionBegin.begin(), sectionBegin.end(),
                       sectionBegin.begin());
      sectionItems.resize(sectionBegin.back());
    }
  }
  findTwins();
  buildPins();
}

/// Sorts all neighbour lists by item in linear time. Because the relation is
/// symmetric, the loop fills every list in ascending order if it visits the
/// items in order and appends each one to the lists of its neighbours.
void SearchSpace::sortNeighbours() {
  std::vector<uint32_t> sorted(neighbourData.size());
  std::vector<uint32_t> next(neighbourBegin.begin(), neighbourBegin.end() - 1);
  for (uint32_t item = 0; item < buffers.size(); ++item)
    for (uint32_t other : neighbours(item))
      sorted[next[other]++] = item;
  neighbourData = std::move(sorted);
}

void SearchSpace::findTwins() {
  twin.assign(buffers.size(), UINT32_MAX);
  auto key = [&](uint32_t item) {
    return std::make_tuple(hull[item].begin, hull[item].end, size[item],
                           align[item]);
  };
  std::vector<uint32_t> items(buffers.size());
  std::iota(items.begin(), items.end(), 0);
  items.erase(std::remove_if(items.begin(), items.end(),
                             [&](uint32_t item) {
                               return !model.relations(buffers[item]).empty();
                             }),
              items.end());
  std::sort(items.begin(), items.end(), [&](uint32_t a, uint32_t b) {
    return key(a) != key(b) ? key(a) < key(b) : a < b;
  });
  for (size_t i = 1; i < items.size(); ++i) {
    if (key(items[i]) != key(items[i - 1]))
      continue;
    Slice<SectionRange> a = model.ranges(buffers[items[i - 1]]);
    Slice<SectionRange> b = model.ranges(buffers[items[i]]);
    if (std::equal(a.begin(), a.end(), b.begin(), b.end(),
                   [](const SectionRange &x, const SectionRange &y) {
                     return x.begin == y.begin && x.end == y.end;
                   }))
      twin[items[i]] = items[i - 1];
  }
}

void SearchSpace::buildPins() {
  if (model.pinned().empty())
    return;
  sectionPins.resize(model.numSections());
  itemPins.resize(buffers.size());
  for (BufferIndex b : model.pinned()) {
    AddressRange bytes{model.pinOf(b), model.pinOf(b) + model.sizeOf(b)};
    for (const SectionRange &range : model.ranges(b))
      for (uint32_t s = range.begin; s < range.end; ++s)
        sectionPins[s].insert(bytes);
  }
  NeighbourIndex index(model);
  std::vector<BufferIndex> around;
  for (uint32_t item = 0; item < buffers.size(); ++item) {
    around.clear();
    index.collect(buffers[item], around);
    for (BufferIndex b : around)
      if (model.isPinned(b))
        itemPins[item].insert(
            {model.pinOf(b), model.pinOf(b) + model.sizeOf(b)});
  }
}

int64_t SearchSpace::stepOverPins(uint32_t item, int64_t at) const {
  at = alignTo(at, align[item]);
  if (itemPins.empty())
    return at;
  const std::vector<AddressRange> &pins = itemPins[item].ranges();
  auto pin = std::lower_bound(
      pins.begin(), pins.end(), at,
      [](const AddressRange &r, int64_t at) { return r.high <= at; });
  for (; pin != pins.end() && pin->low < at + size[item]; ++pin)
    at = std::max(at, alignTo(pin->high, align[item]));
  return at;
}
