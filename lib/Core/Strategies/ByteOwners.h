//===- ByteOwners.h - Who has which bytes at a time -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells which placed buffers have bytes in an interval of addresses during one
// section. An AddressTree merges the intervals that touch and so forgets whose
// they are; a permitted overlap needs the owners, for the few sections in which
// both buffers of the pair are live.
//
// It is a segment tree over the sections. A node has the bytes of the buffers
// of whose live ranges it is a maximal part, as disjoint intervals with the
// list of their owners. The owners of a section are those at the nodes on the
// path from its leaf to the root. Buffers that are live at once have few bytes
// in common, so most intervals have one owner.
//
// Complexity for S sections and n buffers: an insertion takes O(log S log n)
// and a query O(log S log n) and the time to visit the owners, if each byte has
// a bounded number of owners at a time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_BYTEOWNERS_H
#define MEMPLAN_LIB_CORE_BYTEOWNERS_H

#include "Model/Model.h"
#include "Strategies/AddressTree.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace memplan::detail {

class ByteOwners {
public:
  explicit ByteOwners(uint32_t numSections);

  /// Notes that the buffer has the bytes during the sections.
  void insert(BufferIndex buffer, Slice<SectionRange> sections,
              AddressRange bytes);

  /// True if `accepts` is true for each buffer that has one of the bytes during
  /// the section. A buffer may be asked for several times.
  template <typename AcceptsFn>
  bool allOf(uint32_t section, AddressRange bytes, AcceptsFn accepts) const {
    for (uint32_t node = leaves + section; node > 0; node /= 2) {
      auto found = nodes.find(node);
      if (found == nodes.end())
        continue;
      const Intervals &intervals = found->second;
      auto it = intervals.upper_bound(bytes.low);
      if (it != intervals.begin() && std::prev(it)->second.high > bytes.low)
        --it;
      for (; it != intervals.end() && it->first < bytes.high; ++it)
        for (BufferIndex owner : it->second.owners)
          if (!accepts(owner))
            return false;
    }
    return true;
  }

private:
  struct Owned {
    int64_t high;
    std::vector<BufferIndex> owners;
  };
  /// By their first byte.
  using Intervals = std::map<int64_t, Owned>;

  static void split(Intervals &intervals, int64_t at);
  static void add(Intervals &intervals, BufferIndex buffer, AddressRange bytes);

  uint32_t leaves = 1;
  std::unordered_map<uint32_t, Intervals> nodes;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_BYTEOWNERS_H
