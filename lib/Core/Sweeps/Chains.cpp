//===- Chains.cpp - Buffers that follow each other in one slot ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweeps/Chains.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

using namespace memplan;
using namespace memplan::detail;

namespace {

constexpr uint32_t none = UINT32_MAX;

/// The room of each section in bytes: a segment tree of minima. A node has the
/// minimum of its sections plus what was taken from all of them at once.
class RoomTree {
public:
  explicit RoomTree(const std::vector<int64_t> &room) {
    while (leaves < room.size())
      leaves *= 2;
    least.assign(2 * leaves, std::numeric_limits<int64_t>::max() / 2);
    taken.assign(leaves, 0);
    std::copy(room.begin(), room.end(), least.begin() + int64_t(leaves));
    for (size_t node = leaves; --node > 0;)
      least[node] = std::min(least[2 * node], least[2 * node + 1]);
  }

  /// Takes `bytes` from each section of the range, if all have them.
  bool take(SectionRange range, int64_t bytes) {
    if (minimum(1, {0, uint32_t(leaves)}, range) < bytes)
      return false;
    subtract(1, {0, uint32_t(leaves)}, range, bytes);
    return true;
  }

private:
  static bool contains(SectionRange outer, SectionRange inner) {
    return outer.begin <= inner.begin && inner.end <= outer.end;
  }
  static bool intersect(SectionRange a, SectionRange b) {
    return a.begin < b.end && b.begin < a.end;
  }

  int64_t minimum(size_t node, SectionRange sections, SectionRange range) {
    if (!intersect(sections, range))
      return std::numeric_limits<int64_t>::max() / 2;
    if (contains(range, sections))
      return least[node];
    uint32_t middle = sections.begin + (sections.end - sections.begin) / 2;
    return std::min(minimum(2 * node, {sections.begin, middle}, range),
                    minimum(2 * node + 1, {middle, sections.end}, range)) -
           taken[node];
  }

  void subtract(size_t node, SectionRange sections, SectionRange range,
                int64_t bytes) {
    if (!intersect(sections, range))
      return;
    if (contains(range, sections)) {
      least[node] -= bytes;
      if (node < leaves)
        taken[node] += bytes;
      return;
    }
    uint32_t middle = sections.begin + (sections.end - sections.begin) / 2;
    subtract(2 * node, {sections.begin, middle}, range, bytes);
    subtract(2 * node + 1, {middle, sections.end}, range, bytes);
    least[node] = std::min(least[2 * node], least[2 * node + 1]) - taken[node];
  }

  size_t leaves = 1;
  std::vector<int64_t> least, taken;
};

/// The begin or the end of a buffer, in a list of those of all buffers of equal
/// size and alignment, by section. What is linked leaves the list.
struct Event {
  uint32_t section;
  bool isEnd;
  BufferIndex buffer;
  uint32_t previous, next;
};

/// Links the buffers to chains.
class Linker {
public:
  Linker(const Model &model, RoomTree &room)
      : model(model), room(room), successor(model.size(), none) {}

  /// Returns the successor of each buffer in its chain, or none.
  std::vector<BufferIndex> run() {
    listEvents();
    for (uint32_t e = 0; e < events.size(); ++e)
      consider(e);
    while (!candidates.empty()) {
      Candidate best = candidates.top();
      candidates.pop();
      if (events[best.end].next == best.begin)
        link(best.end, best.begin);
    }
    return std::move(successor);
  }

private:
  /// An end and the begin that follows it in the list.
  struct Candidate {
    uint32_t gap;
    int64_t size;
    uint32_t end, begin;
    bool operator<(const Candidate &other) const {
      return std::tie(gap, size, end) >
             std::tie(other.gap, other.size, other.end);
    }
  };

  void listEvents() {
    for (BufferIndex b = 0; b < model.size(); ++b) {
      if (model.sizeOf(b) == 0)
        continue;
      SectionRange hull = model.hull(b);
      events.push_back({hull.begin, false, b, none, none});
      events.push_back({hull.end, true, b, none, none});
    }
    std::sort(events.begin(), events.end(),
              [&](const Event &a, const Event &b) {
                auto key = [&](const Event &e) {
                  return std::make_tuple(model.sizeOf(e.buffer),
                                         model.alignOf(e.buffer), e.section,
                                         !e.isEnd, e.buffer);
                };
                return key(a) < key(b);
              });
    for (uint32_t e = 1; e < events.size(); ++e) {
      BufferIndex a = events[e - 1].buffer, b = events[e].buffer;
      if (model.sizeOf(a) != model.sizeOf(b) ||
          model.alignOf(a) != model.alignOf(b))
        continue;
      events[e - 1].next = e;
      events[e].previous = e - 1;
    }
  }

  void consider(uint32_t end) {
    if (end == none || !events[end].isEnd)
      return;
    uint32_t begin = events[end].next;
    if (begin == none || events[begin].isEnd)
      return;
    candidates.push({events[begin].section - events[end].section,
                     model.sizeOf(events[end].buffer), end, begin});
  }

  void link(uint32_t end, uint32_t begin) {
    SectionRange gap{events[end].section, events[begin].section};
    if (gap.begin < gap.end &&
        !room.take(gap, model.sizeOf(events[end].buffer))) {
      // Any other gap that contains this one has no room either.
      events[end].next = events[begin].previous = none;
      return;
    }
    successor[events[end].buffer] = events[begin].buffer;
    uint32_t before = events[end].previous, behind = events[begin].next;
    if (before != none)
      events[before].next = behind;
    if (behind != none)
      events[behind].previous = before;
    consider(before);
  }

  const Model &model;
  RoomTree &room;
  std::vector<Event> events;
  std::priority_queue<Candidate> candidates;
  std::vector<BufferIndex> successor;
};

} // namespace

std::vector<int64_t> Chains::expand(const std::vector<int64_t> &offsets) const {
  std::vector<int64_t> result;
  result.reserve(chainOf.size());
  for (BufferIndex chain : chainOf)
    result.push_back(offsets[chain]);
  return result;
}

Chains detail::findChains(const Model &model, int64_t goal, int64_t part) {
  std::vector<int64_t> room = model.sectionLoads();
  for (int64_t &bytes : room) {
    int64_t all = std::max<int64_t>(0, goal - bytes);
    bytes = all / wholeRoom * part + all % wholeRoom * part / wholeRoom;
  }
  RoomTree tree(room);
  std::vector<BufferIndex> successor = Linker(model, tree).run();

  std::vector<char> isFirst(model.size(), 1);
  for (BufferIndex next : successor)
    if (next != none)
      isFirst[next] = 0;
  Chains chains;
  chains.chainOf.assign(model.size(), none);
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (!isFirst[b])
      continue;
    auto chain = BufferIndex(chains.problem.buffers.size());
    BufferIndex last = b;
    for (BufferIndex i = b; i != none; i = successor[i]) {
      chains.chainOf[i] = chain;
      last = i;
    }
    Buffer buffer;
    buffer.size = model.sizeOf(b);
    buffer.alignment = model.alignOf(b);
    buffer.ranges = {{model.hull(b).begin, model.hull(last).end}};
    chains.problem.buffers.push_back(std::move(buffer));
  }
  return chains;
}
