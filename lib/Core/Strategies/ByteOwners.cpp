//===- ByteOwners.cpp - Who has which bytes at a time ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/ByteOwners.h"

#include <iterator>

using namespace memplan;
using namespace memplan::detail;

ByteOwners::ByteOwners(uint32_t numSections) {
  while (leaves < numSections)
    leaves *= 2;
}

void ByteOwners::insert(BufferIndex buffer, Slice<SectionRange> sections,
                        AddressRange bytes) {
  for (const SectionRange &range : sections) {
    uint32_t l = leaves + range.begin, r = leaves + range.end;
    for (; l < r; l /= 2, r /= 2) {
      if (l % 2)
        add(nodes[l++], buffer, bytes);
      if (r % 2)
        add(nodes[--r], buffer, bytes);
    }
  }
}

/// Makes `at` the begin of an interval, if it is inside of one.
void ByteOwners::split(Intervals &intervals, int64_t at) {
  auto it = intervals.upper_bound(at);
  if (it == intervals.begin())
    return;
  --it;
  if (it->first == at || it->second.high <= at)
    return;
  Owned upper = it->second;
  it->second.high = at;
  intervals.emplace_hint(std::next(it), at, std::move(upper));
}

void ByteOwners::add(Intervals &intervals, BufferIndex buffer,
                     AddressRange bytes) {
  split(intervals, bytes.low);
  split(intervals, bytes.high);
  int64_t at = bytes.low;
  auto it = intervals.lower_bound(at);
  while (at < bytes.high) {
    bool isOwned = it != intervals.end() && it->first == at;
    if (!isOwned) {
      int64_t high =
          it == intervals.end() ? bytes.high : std::min(it->first, bytes.high);
      it = intervals.emplace_hint(it, at, Owned{high, {}});
    }
    it->second.owners.push_back(buffer);
    at = it->second.high;
    ++it;
  }
}
