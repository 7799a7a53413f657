//===- SharingModel.cpp - Problems in which sharing costs -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing/SharingModel.h"

#include "Model/Neighbours.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

/// The most pairs of buffers that are live together; their rules take some
/// 100 MB.
static constexpr int64_t pairLimit = 1000000;

bool SharingModel::fits(const Model &model) {
  std::vector<int64_t> starts(model.numSections() + 1, 0),
      change(model.numSections() + 1, 0);
  for (BufferIndex b = 0; b < model.size(); ++b)
    for (const SectionRange &range : model.ranges(b)) {
      ++starts[range.begin];
      ++change[range.begin];
      --change[range.end];
    }
  int64_t live = 0, pairs = 0;
  for (uint32_t s = 0; s < model.numSections(); ++s) {
    live += change[s];
    pairs += starts[s] * live;
    if (pairs > pairLimit)
      return false;
  }
  return true;
}

SharingModel::SharingModel(const Model &model)
    : model(model), bankSize(model.problem.bankSize.value_or(0)) {
  struct Entry {
    BufferIndex buffer;
    SharingRule rule;
  };
  std::vector<Entry> entries;
  auto addBoth = [&](BufferIndex a, BufferIndex b, SharingRule rule) {
    if (model.sizeOf(a) == 0 || model.sizeOf(b) == 0)
      return;
    rule.other = b;
    entries.push_back({a, rule});
    rule.other = a;
    entries.push_back({b, rule});
  };
  NeighbourIndex index(model);
  std::vector<BufferIndex> around;
  for (BufferIndex b = 0; b < model.size(); ++b) {
    around.clear();
    if (model.sizeOf(b) > 0)
      index.collect(b, around);
    for (BufferIndex other : around)
      if (b < other)
        addBoth(b, other, {0, /*isApart=*/true});
  }
  for (const SoftConflict &soft : model.problem.softConflicts) {
    SharingRule rule{0};
    (soft.kind == SoftConflict::Kind::Bank ? rule.bankWeight : rule.weight) =
        soft.weight;
    if (soft.weight > 0)
      addBoth(soft.first, soft.second, rule);
  }
  for (const AllOrNone &pair : model.problem.allOrNone)
    addBoth(pair.first, pair.second,
            {0, /*isApart=*/false, /*isAllOrNone=*/true});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry &x, const Entry &y) {
                     return x.buffer != y.buffer ? x.buffer < y.buffer
                                                 : x.rule.other < y.rule.other;
                   });
  ruleBegin.assign(model.size() + 1, 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &entry = entries[i];
    if (i > 0 && entries[i - 1].buffer == entry.buffer &&
        entries[i - 1].rule.other == entry.rule.other) {
      SharingRule &known = ruleData.back();
      known.isApart |= entry.rule.isApart;
      known.isAllOrNone |= entry.rule.isAllOrNone;
      known.weight += entry.rule.weight;
      known.bankWeight += entry.rule.bankWeight;
      continue;
    }
    ruleData.push_back(entry.rule);
    ++ruleBegin[entry.buffer + 1];
  }
  for (BufferIndex b = 0; b < model.size(); ++b)
    ruleBegin[b + 1] += ruleBegin[b];
}

int64_t SharingModel::align(BufferIndex b, int64_t at) const {
  at = alignTo(at, model.alignOf(b));
  // A bank size is a multiple of every alignment.
  if (bankSize > 0 && at % bankSize + model.sizeOf(b) > bankSize)
    at += bankSize - at % bankSize;
  return at;
}

int64_t SharingModel::costOf(const SharingRule &rule, BufferIndex b, int64_t at,
                             int64_t otherAt) const {
  int64_t cost = 0;
  if (rule.bankWeight > 0 && at / bankSize == otherAt / bankSize)
    cost = rule.bankWeight;
  if (at >= otherAt + model.sizeOf(rule.other) ||
      otherAt >= at + model.sizeOf(b))
    return cost;
  if (rule.isAllOrNone && at != otherAt)
    return -1;
  if (rule.isApart) {
    Slice<Relation> relations = model.relations(b);
    bool isPermitted = std::any_of(
        relations.begin(), relations.end(), [&](const Relation &relation) {
          return relation.other == rule.other && !relation.isConflict &&
                 relation.minDelta <= at - otherAt &&
                 at - otherAt <= relation.maxDelta;
        });
    if (!isPermitted)
      return -1;
  }
  return cost + rule.weight;
}

/// The offsets from `first` to `last` are forbidden or cost something.
void SpotFinder::add(int64_t first, int64_t last, int64_t forbids,
                     int64_t cost) {
  first = std::max<int64_t>(first, 0);
  if (first > last)
    return;
  events.push_back({first, forbids, cost});
  events.push_back({last + 1, -forbids, -cost});
}

void SpotFinder::addRule(BufferIndex b, const SharingRule &rule,
                         int64_t otherAt) {
  // Both share a byte at the offsets from `first` to `last`.
  int64_t first = otherAt - model.model.sizeOf(b) + 1;
  int64_t last = otherAt + model.model.sizeOf(rule.other) - 1;
  if (rule.isAllOrNone) {
    add(first, otherAt - 1, 1, 0);
    add(otherAt + 1, last, 1, 0);
  }
  if (rule.weight > 0)
    add(first, last, 0, rule.weight);
  if (rule.bankWeight > 0) {
    int64_t bank = otherAt - otherAt % model.bankSize;
    add(bank, bank + model.bankSize - 1, 0, rule.bankWeight);
  }
  if (!rule.isApart)
    return;
  // The permitted overlaps are sorted by the difference of the offsets.
  int64_t from = first;
  for (const Relation &relation : model.model.relations(b))
    if (relation.other == rule.other && !relation.isConflict &&
        otherAt + relation.maxDelta >= from) {
      add(from, std::min(last, otherAt + relation.minDelta - 1), 1, 0);
      from = otherAt + relation.maxDelta + 1;
    }
  add(from, last, 1, 0);
}

const std::vector<Spot> &SpotFinder::find(BufferIndex b,
                                          const std::vector<int64_t> &offsets,
                                          bool keepAll) {
  events.clear();
  spots.clear();
  for (const SharingRule &rule : model.rules(b))
    if (offsets[rule.other] >= 0)
      addRule(b, rule, offsets[rule.other]);
  std::sort(events.begin(), events.end(),
            [](const Event &x, const Event &y) { return x.at < y.at; });
  int64_t from = 0, forbids = 0, cost = 0;
  auto endStretch = [&](int64_t end) {
    int64_t at = model.align(b, from);
    if (forbids == 0 && at < end &&
        (keepAll || spots.empty() || cost < spots.back().cost))
      spots.push_back({at, cost});
  };
  for (const Event &event : events) {
    if (event.at > from) {
      endStretch(event.at);
      from = event.at;
    }
    forbids += event.forbids;
    cost += event.cost;
  }
  endStretch(INT64_MAX);
  return spots;
}
