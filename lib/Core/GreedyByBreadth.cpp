//===- GreedyByBreadth.cpp - Fullest time first ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the sections of the time line from the fullest (most live bytes) down
// and places what is live there and not yet placed, largest first, each at the
// lowest offset that is free during its whole life. The peak is packed while
// everything is empty, which is why this order often meets the bound.
//
// Source: "Greedy by Breadth", Pisarchyk and Lee, arXiv 2001.03288, section 5,
// with sections of time in the place of operators.
// Complexity: O(n log n) for the order and that of the placer. Tie-breaks:
// fuller section, then the earlier one, then larger size, then index.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"

#include <tuple>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The fullest section of a range, the earliest of equals, in O(log n).
class FullestSection {
public:
  explicit FullestSection(std::vector<int64_t> loads)
      : loads(std::move(loads)) {
    while (leaves < this->loads.size())
      leaves *= 2;
    best.assign(2 * leaves, UINT32_MAX);
    for (uint32_t s = 0; s < this->loads.size(); ++s)
      best[leaves + s] = s;
    for (size_t node = leaves; node-- > 1;)
      best[node] = fuller(best[2 * node], best[2 * node + 1]);
  }

  uint32_t find(SectionRange range) const {
    uint32_t left = UINT32_MAX, right = UINT32_MAX;
    size_t begin = range.begin + leaves, end = range.end + leaves;
    for (; begin < end; begin /= 2, end /= 2) {
      if (begin % 2)
        left = fuller(left, best[begin++]);
      if (end % 2)
        right = fuller(best[--end], right);
    }
    return fuller(left, right);
  }

  /// The fuller of two sections, the first one of equals; UINT32_MAX is none.
  uint32_t fuller(uint32_t a, uint32_t b) const {
    if (a == UINT32_MAX || b == UINT32_MAX)
      return std::min(a, b);
    return loads[b] > loads[a] ? b : a;
  }

  int64_t load(uint32_t section) const { return loads[section]; }

private:
  std::vector<int64_t> loads;
  size_t leaves = 1;
  std::vector<uint32_t> best;
};

} // namespace

std::vector<BufferIndex> detail::breadthOrder(const Model &model) {
  FullestSection fullest(model.sectionLoads());
  return orderBy(model, [&](BufferIndex b) {
    uint32_t section = UINT32_MAX;
    for (const SectionRange &range : model.ranges(b))
      section = fullest.fuller(section, fullest.find(range));
    int64_t load = section == UINT32_MAX ? 0 : fullest.load(section);
    return std::make_tuple(-load, section, -model.sizeOf(b));
  });
}

Placement detail::greedyByBreadth(const Model &model) {
  return placeInOrder(model, breadthOrder(model), Fit::First);
}
