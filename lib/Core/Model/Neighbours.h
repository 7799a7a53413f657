//===- Neighbours.h - Buffers that are live together ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the buffers that are live together with a given buffer, in time
// proportional to their number. A list by start gives the buffers that become
// live during one of its ranges; a static segment tree over the sections gives
// the buffers that are live when a range begins.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_NEIGHBOURS_H
#define MEMPLAN_LIB_CORE_NEIGHBOURS_H

#include "Model/Model.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

class NeighbourIndex {
public:
  explicit NeighbourIndex(const Model &model);

  /// Appends to `out` each buffer that is live together with `b` or in conflict
  /// with it, once and without `b`. The order is deterministic but has no
  /// meaning.
  void collect(BufferIndex b, std::vector<BufferIndex> &out);

  /// The buffers with a range that begins in one of the sections; a buffer
  /// occurs once for each such range.
  Slice<BufferIndex> startingIn(SectionRange sections) const {
    return {starts.data() + startBegin[sections.begin],
            starts.data() + startBegin[sections.end]};
  }

private:
  const Model &model;
  uint32_t leaves = 1;
  /// The buffers with a range that begins in section s: starts[startBegin[s]]
  /// to starts[startBegin[s + 1]].
  std::vector<uint32_t> startBegin;
  std::vector<BufferIndex> starts;
  /// The same by tree node: the buffers with a range of which the node is a
  /// maximal part.
  std::vector<uint32_t> nodeBegin;
  std::vector<BufferIndex> nodes;
  /// By buffer: the number of the last query that visited it.
  std::vector<uint32_t> seen;
  uint32_t query = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_NEIGHBOURS_H
