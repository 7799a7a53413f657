//===- Neighbours.h - Who is live together -------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the buffers that are live together with a given one, in time
// proportional to their number: those that become live during one of its
// ranges, from a list by start, and those that are already live when it begins,
// by a static segment tree over the sections.
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

  /// Appends to `out` every buffer that is live together with `b` or in
  /// conflict with it, once, `b` itself left out; the order is fixed but means
  /// nothing.
  void collect(BufferIndex b, std::vector<BufferIndex> &out);

  /// The buffers with a range that begins in one of the sections, once for each
  /// such range.
  Slice<BufferIndex> startingIn(SectionRange sections) const {
    return {starts.data() + startBegin[sections.begin],
            starts.data() + startBegin[sections.end]};
  }

private:
  const Model &model;
  uint32_t leaves = 1;
  /// By section: the buffers with a range that begins there.
  std::vector<uint32_t> startBegin;
  std::vector<BufferIndex> starts;
  /// By tree node: the buffers with a range that the node is a maximal part of.
  std::vector<uint32_t> nodeBegin;
  std::vector<BufferIndex> nodes;
  /// The last query that saw the buffer.
  std::vector<uint32_t> seen;
  uint32_t query = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_NEIGHBOURS_H
