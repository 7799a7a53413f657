//===- FullestSection.h - Range maximum over section loads ---- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_FULLESTSECTION_H
#define MEMPLAN_LIB_CORE_FULLESTSECTION_H

#include "Model/Model.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::detail {

/// A segment tree over the sections that finds the section with the highest
/// load in a range, the earliest one of several. S sections: O(S) to build,
/// O(log S) a query.
class FullestSection {
public:
  /// `loads` has the live bytes of each section.
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

  /// The fullest section of the range; UINT32_MAX if the range is empty.
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

  /// The fuller of two sections, `a` if they are equally full. UINT32_MAX
  /// stands for no section.
  uint32_t fuller(uint32_t a, uint32_t b) const {
    if (a == UINT32_MAX || b == UINT32_MAX)
      return std::min(a, b);
    return loads[b] > loads[a] ? b : a;
  }

  int64_t load(uint32_t section) const { return loads[section]; }

  /// The fullest section of all the ranges; UINT32_MAX if there are no ranges.
  uint32_t find(Slice<SectionRange> ranges) const {
    uint32_t section = UINT32_MAX;
    for (const SectionRange &range : ranges)
      section = fuller(section, find(range));
    return section;
  }

private:
  std::vector<int64_t> loads;
  size_t leaves = 1;
  std::vector<uint32_t> best;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_FULLESTSECTION_H
