//===- SharingTree.cpp - Complete search where sharing costs --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing/SharingTree.h"

#include <algorithm>
#include <set>

using namespace memplan;
using namespace memplan::detail;

static constexpr BufferIndex none = UINT32_MAX;

/// The most groups for each buffer.
static constexpr size_t groupsPerBuffer = 6;

/// The weight that is left of a pair that must not share bytes.
static constexpr int64_t unusable = INT64_MAX;

/// No plan: more than any penalty.
static constexpr int64_t never = INT64_MAX;

SharingTree::SharingTree(const SharingModel &model)
    : model(model), finder(model), twin(model.size(), none),
      joint(model.size(), none), spots(model.size()), marked(model.size(), 0),
      releaseOf(model.size(), 0), leastOf(model.size(), 0) {
  for (BufferIndex b = 0; b < model.size(); ++b)
    if (!model.model.isPinned(b) && model.model.sizeOf(b) > 0)
      free.push_back(b);
  // Of buffers at one offset, the one with the most rules comes first.
  std::vector<BufferIndex> order = free;
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    size_t x = model.rules(a).size(), y = model.rules(b).size();
    return x != y ? x > y : a < b;
  });
  rank.assign(model.size(), 0);
  for (size_t i = 0; i < order.size(); ++i)
    rank[order[i]] = static_cast<int64_t>(i);
  findGroups();
  findTwins();
  findJoint();
}

/// Finds groups: for each pair that may share for a price, and for each
/// section, maximal sets that are grown from the largest buffers.
void SharingTree::findGroups() {
  uint32_t n = model.size();
  // By pair of buffers: 1 if apart, 2 + the number of the pair if soft.
  std::vector<uint32_t> kind(size_t(n) * n, 0);
  for (BufferIndex a : free)
    for (const SharingRule &rule : model.rules(a)) {
      if (model.model.isPinned(rule.other))
        continue;
      // Bytes that pairs with a permitted overlap share are not counted.
      bool mayOverlap = false;
      if (rule.isApart && model.model.hasOverlaps(a))
        for (const Relation &relation : model.model.relations(a))
          mayOverlap |= relation.other == rule.other && !relation.isConflict;
      if (rule.isApart && !mayOverlap) {
        kind[size_t(a) * n + rule.other] = 1;
      } else if (rule.weight > 0 && !rule.isApart && a < rule.other) {
        auto number = static_cast<uint32_t>(pairs.size());
        pairs.push_back(
            {a, rule.other, rule.weight,
             std::min(model.model.sizeOf(a), model.model.sizeOf(rule.other))});
        kind[size_t(a) * n + rule.other] = 2 + number;
        kind[size_t(rule.other) * n + a] = 2 + number;
      }
    }
  std::vector<BufferIndex> bySize = free;
  std::sort(bySize.begin(), bySize.end(), [&](BufferIndex a, BufferIndex b) {
    int64_t x = model.model.sizeOf(a), y = model.model.sizeOf(b);
    return x != y ? x > y : a < b;
  });
  std::set<std::vector<BufferIndex>> seen;
  auto grow = [&](std::vector<BufferIndex> set, bool onlyApart) {
    auto extend = [&](bool withSoft) {
      for (BufferIndex b : bySize)
        if (std::all_of(set.begin(), set.end(), [&](BufferIndex other) {
              uint32_t k = kind[size_t(b) * n + other];
              return k == 1 || (withSoft && k >= 2);
            }))
          set.push_back(b);
    };
    extend(false);
    if (!onlyApart)
      extend(true);
    std::sort(set.begin(), set.end());
    if (groups.size() < groupsPerBuffer * n + 64 && seen.insert(set).second)
      groups.push_back({std::move(set), {}});
  };
  auto growSoft = [&](std::vector<BufferIndex> set) {
    for (BufferIndex b : bySize)
      if (std::all_of(set.begin(), set.end(), [&](BufferIndex other) {
            return kind[size_t(b) * n + other] != 0;
          }))
        set.push_back(b);
    grow(std::move(set), /*onlyApart=*/false);
  };
  std::vector<std::vector<BufferIndex>> sections(model.model.numSections());
  for (BufferIndex b : free)
    for (const SectionRange &range : model.model.ranges(b))
      for (uint32_t s = range.begin; s < range.end; ++s)
        sections[s].push_back(b);
  for (const std::vector<BufferIndex> &section : sections) {
    std::vector<BufferIndex> set;
    for (BufferIndex b : section)
      if (std::all_of(set.begin(), set.end(), [&](BufferIndex other) {
            return kind[size_t(b) * n + other] == 1;
          }))
        set.push_back(b);
    grow(set, /*onlyApart=*/true);
    grow(set, /*onlyApart=*/false);
    growSoft(std::move(set));
  }
  for (const Pair &pair : pairs) {
    grow({pair.a, pair.b}, /*onlyApart=*/false);
    growSoft({pair.a, pair.b});
  }
  for (Group &group : groups)
    for (size_t i = 0; i < group.buffers.size(); ++i)
      for (size_t j = i + 1; j < group.buffers.size(); ++j) {
        uint32_t k = kind[size_t(group.buffers[i]) * n + group.buffers[j]];
        if (k >= 2)
          group.pairs.push_back(k - 2);
      }
  left.resize(pairs.size());
}

void SharingTree::findTwins() {
  auto areEqual = [&](BufferIndex a, BufferIndex b) {
    if (model.model.sizeOf(a) != model.model.sizeOf(b) ||
        model.model.alignOf(a) != model.model.alignOf(b) ||
        model.model.hasOverlaps(a) || model.model.hasOverlaps(b))
      return false;
    auto x = model.rules(a).begin(), xEnd = model.rules(a).end();
    auto y = model.rules(b).begin(), yEnd = model.rules(b).end();
    while (true) {
      x += x != xEnd && x->other == b;
      y += y != yEnd && y->other == a;
      if (x == xEnd || y == yEnd)
        return x == xEnd && y == yEnd;
      if (x->other != y->other || x->isApart != y->isApart ||
          x->isAllOrNone != y->isAllOrNone || x->weight != y->weight ||
          x->bankWeight != y->bankWeight)
        return false;
      ++x;
      ++y;
    }
  };
  for (size_t i = 0; i < free.size(); ++i)
    for (size_t j = i; j-- > 0 && twin[free[i]] == none;)
      if (areEqual(free[i], free[j]))
        twin[free[i]] = free[j];
}

/// Numbers the sets of buffers that pairs of all or none connect.
void SharingTree::findJoint() {
  for (BufferIndex first : free) {
    if (joint[first] != none)
      continue;
    std::vector<BufferIndex> stack = {first};
    while (!stack.empty()) {
      BufferIndex b = stack.back();
      stack.pop_back();
      for (const SharingRule &rule : model.rules(b))
        if (rule.isAllOrNone && joint[rule.other] == none) {
          joint[rule.other] = first;
          stack.push_back(rule.other);
        }
    }
  }
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// What the unplaced buffers of the group pay each other at least above their
/// releases; `never` if they do not fit. Takes what that rests on off the
/// weights that are left.
int64_t SharingTree::boundGroup(const Group &group) {
  jobs.clear();
  int64_t sum = 0, latest = 0;
  for (BufferIndex b : group.buffers) {
    if (offset[b] >= 0)
      continue;
    int64_t release = releaseOf[b];
    jobs.push_back({release, model.model.sizeOf(b), b});
    sum += model.model.sizeOf(b);
    latest = std::max(latest, release);
  }
  if (latest + sum <= capacity)
    return 0;
  std::sort(jobs.begin(), jobs.end(),
            [](const Job &x, const Job &y) { return x.release > y.release; });
  // The missing bytes of the buffers whose releases are not below that of a
  // job, for the job for which these are most.
  int64_t above = 0, missing = 0, least = 0;
  for (const Job &job : jobs) {
    above += job.size;
    if (job.release + above - capacity > missing) {
      missing = job.release + above - capacity;
      least = job.release;
    }
  }
  if (missing == 0)
    return 0;
  savings.clear();
  for (uint32_t number : group.pairs) {
    const Pair &pair = pairs[number];
    if (offset[pair.a] < 0 && offset[pair.b] < 0 && left[number] != unusable &&
        releaseOf[pair.a] >= least && releaseOf[pair.b] >= least)
      savings.push_back({left[number], pair.saved, number});
  }
  std::sort(savings.begin(), savings.end(),
            [](const Saving &x, const Saving &y) {
              auto p = __int128(x.weight) * y.saved;
              auto q = __int128(y.weight) * x.saved;
              return p != q ? p < q : x.pair < y.pair;
            });
  int64_t price = 0;
  size_t last = 0;
  for (; last < savings.size() && savings[last].saved < missing; ++last) {
    price += savings[last].weight;
    missing -= savings[last].saved;
  }
  if (last == savings.size())
    return never;
  auto share = [&](int64_t bytes) {
    // Rounded up: all weights are integers.
    const Saving &rate = savings[last];
    return static_cast<int64_t>(
        (__int128(rate.weight) * bytes + rate.saved - 1) / rate.saved);
  };
  price += share(missing);
  for (size_t i = 0; i < savings.size(); ++i)
    left[savings[i].pair] -=
        i <= last ? savings[i].weight
                  : std::min(savings[i].weight, share(savings[i].saved));
  return price;
}

/// What the unplaced buffers of the part pay at least if none is below `from`;
/// at least the budget if that is too much. A spot or a pair that would bring
/// the bound to the budget is not used by a plan that pays less, so the bound
/// is computed again without them.
int64_t SharingTree::bound(const std::vector<BufferIndex> &part, int64_t from,
                           int64_t budget) {
  int64_t alone = 0;
  ++mark;
  for (BufferIndex b : part) {
    marked[b] = mark;
    leastOf[b] = never;
    for (const Spot &spot : spots[b])
      if (spot.offset + model.model.sizeOf(b) <= capacity)
        leastOf[b] = std::min(leastOf[b], spot.cost);
    if (leastOf[b] == never || from + model.model.sizeOf(b) > capacity)
      return never;
    alone += leastOf[b];
    if (alone >= budget)
      return alone;
  }
  near.clear();
  for (uint32_t g = 0; g < groups.size(); ++g) {
    int64_t bytes = 0;
    for (BufferIndex b : groups[g].buffers)
      if (marked[b] == mark && offset[b] < 0)
        bytes += model.model.sizeOf(b);
    if (bytes > 0)
      near.push_back(g);
  }
  for (size_t p = 0; p < pairs.size(); ++p)
    left[p] = pairs[p].weight;
  int64_t sum = alone;
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    int64_t before = sum;
    for (BufferIndex b : part)
      releaseOf[b] = std::max(from, releaseFor(b, budget - before));
    for (size_t p = 0; p < pairs.size(); ++p)
      left[p] = left[p] < budget - before ? pairs[p].weight : unusable;
    sum = alone;
    for (uint32_t g : near) {
      int64_t price = boundGroup(groups[g]);
      if (price == never)
        return never;
      sum += price;
      if (sum >= budget)
        return sum;
    }
    if (sum <= before)
      break;
  }
  return std::max(sum, alone);
}

/// The lowest spot of the buffer that costs less than `slack` above its
/// cheapest one.
int64_t SharingTree::releaseFor(BufferIndex b, int64_t slack) const {
  for (const Spot &spot : spots[b])
    if (spot.cost - leastOf[b] < slack)
      return spot.offset;
  return spots[b].back().offset;
}

int64_t SharingTree::boundAt(int64_t limit) {
  return start(limit) ? bound(free, 0, never) : never;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Forgets all placements but those of the pinned buffers. Returns false if
/// these do not fit.
bool SharingTree::start(int64_t limit) {
  capacity = limit;
  offset.assign(model.size(), -1);
  trail.clear();
  pinnedPenalty = 0;
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (model.model.sizeOf(b) == 0)
      offset[b] = 0;
    if (!model.model.isPinned(b))
      continue;
    offset[b] = model.model.pinOf(b);
    if (offset[b] + model.model.sizeOf(b) > capacity)
      return false;
    for (const SharingRule &rule : model.rules(b))
      if (rule.other < b && offset[rule.other] >= 0)
        pinnedPenalty += std::max<int64_t>(
            0, model.costOf(rule, b, offset[b], offset[rule.other]));
  }
  for (BufferIndex b : free)
    spots[b] = finder.find(b, offset, joint[b] != none);
  return true;
}

void SharingTree::place(BufferIndex b, int64_t at) {
  offset[b] = at;
  for (const SharingRule &rule : model.rules(b)) {
    BufferIndex other = rule.other;
    if (offset[other] >= 0)
      continue;
    trail.push_back({other, std::move(spots[other])});
    spots[other] = finder.find(other, offset, joint[other] != none);
  }
}

void SharingTree::remove(BufferIndex b, size_t trailSize) {
  offset[b] = -1;
  while (trail.size() > trailSize) {
    spots[trail.back().buffer] = std::move(trail.back().spots);
    trail.pop_back();
  }
}

bool SharingTree::stopped() {
  hitLimit = hitLimit || nodeCount >= nodeLimit ||
             (nodeCount % 64 == 0 && control->timeIsUp());
  return hitLimit;
}

/// The parts of the buffers between which there is no rule.
std::vector<std::vector<BufferIndex>>
SharingTree::split(const std::vector<BufferIndex> &buffers) {
  std::vector<std::vector<BufferIndex>> parts;
  ++mark;
  for (BufferIndex first : buffers) {
    if (marked[first] == mark)
      continue;
    std::vector<BufferIndex> part = {first};
    marked[first] = mark;
    for (size_t i = 0; i < part.size(); ++i)
      for (const SharingRule &rule : model.rules(part[i]))
        if (offset[rule.other] < 0 && marked[rule.other] != mark) {
          marked[rule.other] = mark;
          part.push_back(rule.other);
        }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The turns at which a buffer of the part may come next.
std::vector<SharingTree::Candidate>
SharingTree::collect(const std::vector<BufferIndex> &part, Turn last,
                     int64_t budget, int64_t least) {
  std::vector<Candidate> candidates;
  int64_t dominated = INT64_MAX;
  auto add = [&](BufferIndex b, const Spot &spot) {
    Turn turn{spot.offset, rank[b]};
    if (last < turn && spot.cost - leastOf[b] < budget - least &&
        spot.offset + model.model.sizeOf(b) <= capacity)
      candidates.push_back({turn, b, spot.cost});
  };
  for (BufferIndex b : part) {
    // Above the end of a buffer at its free spot it could move down.
    if (model.bankSize == 0)
      dominated =
          std::min(dominated, spots[b].back().offset + model.model.sizeOf(b));
    if (twin[b] != none && offset[twin[b]] < 0)
      continue;
    for (const Spot &spot : spots[b])
      add(b, spot);
    if (joint[b] == none)
      continue;
    // Buffers that begin at one byte move down together, so a spot of any of
    // them is one of all.
    std::set<int64_t> offered;
    for (const Spot &spot : spots[b])
      offered.insert(spot.offset);
    for (BufferIndex other : part) {
      if (joint[other] != joint[b] || other == b)
        continue;
      for (const Spot &spot : spots[other]) {
        if (model.align(b, spot.offset) != spot.offset ||
            !offered.insert(spot.offset).second)
          continue;
        int64_t cost = 0;
        for (const SharingRule &rule : model.rules(b))
          if (offset[rule.other] >= 0 && cost >= 0) {
            int64_t one =
                model.costOf(rule, b, spot.offset, offset[rule.other]);
            cost = one < 0 ? -1 : cost + one;
          }
        if (cost >= 0)
          add(b, {spot.offset, cost});
      }
    }
  }
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](const Candidate &candidate) {
                                    return candidate.turn.offset >= dominated;
                                  }),
                   candidates.end());
  std::sort(
      candidates.begin(), candidates.end(),
      [](const Candidate &x, const Candidate &y) { return x.turn < y.turn; });
  return candidates;
}

/// Returns the least penalty below the budget that the unplaced buffers of the
/// part can pay with all turns after `last`, with their offsets in `solution`,
/// or the budget if there is none or the search was stopped.
int64_t SharingTree::search(const std::vector<BufferIndex> &part, Turn last,
                            int64_t budget) {
  if (part.empty())
    return std::min<int64_t>(0, budget);
  int64_t least = bound(part, last.offset, budget);
  if (least >= budget)
    return budget;
  int64_t checked = last.offset;
  std::vector<BufferIndex> rest;
  for (const Candidate &candidate : collect(part, last, budget, least)) {
    if (candidate.cost >= budget)
      continue;
    // The bound rises with the offset.
    if (candidate.turn.offset > checked) {
      checked = candidate.turn.offset;
      if (bound(part, checked, budget) >= budget)
        break;
    }
    if (stopped())
      break;
    ++nodeCount;
    BufferIndex b = candidate.buffer;
    size_t trailSize = trail.size();
    place(b, candidate.turn.offset);
    rest.clear();
    for (BufferIndex other : part)
      if (other != b)
        rest.push_back(other);
    int64_t allowed = budget - candidate.cost;
    int64_t paid = searchParts(rest, candidate.turn, allowed);
    remove(b, trailSize);
    if (paid >= allowed)
      continue;
    solution[b] = candidate.turn.offset;
    budget = paid + candidate.cost;
    if (onlyFirst || budget <= least)
      break;
  }
  return budget;
}

/// The same for buffers that may fall into several parts.
int64_t SharingTree::searchParts(const std::vector<BufferIndex> &buffers,
                                 Turn turn, int64_t budget) {
  std::vector<std::vector<BufferIndex>> parts = split(buffers);
  if (parts.size() <= 1)
    return search(buffers, turn, budget);
  std::sort(parts.begin(), parts.end(),
            [](const auto &x, const auto &y) { return x.size() < y.size(); });
  std::vector<int64_t> least;
  int64_t sum = 0;
  for (const std::vector<BufferIndex> &part : parts) {
    least.push_back(bound(part, turn.offset, budget));
    if (least.back() >= budget - sum)
      return budget;
    sum += least.back();
  }
  std::vector<int64_t> before = solution;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t allowed = budget - (sum - least[i]);
    int64_t paid = search(parts[i], turn, allowed);
    if (paid >= allowed) {
      solution = std::move(before);
      return budget;
    }
    sum += paid - least[i];
  }
  return sum;
}

bool SharingTree::run(int64_t limit, int64_t budget, bool first, int64_t nodes,
                      SearchControl &searchControl) {
  control = &searchControl;
  onlyFirst = first;
  nodeLimit = std::min(nodes, control->nodesLeft());
  nodeCount = 0;
  hitLimit = false;
  found = -1;
  if (!start(limit))
    return true;
  solution = offset;
  int64_t allowed = budget - pinnedPenalty;
  int64_t paid = searchParts(free, Turn{0, -1}, allowed);
  if (paid < allowed)
    found = paid + pinnedPenalty;
  control->spend(nodeCount);
  return !hitLimit;
}
