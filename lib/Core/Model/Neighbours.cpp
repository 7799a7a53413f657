//===- Neighbours.cpp - Buffers that are live together --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Neighbours.h"

using namespace memplan;
using namespace memplan::detail;

namespace {

/// Calls `visit` with the maximal tree nodes that make up the range.
template <typename VisitFn>
void forEachPart(uint32_t leaves, SectionRange range, VisitFn visit) {
  uint32_t begin = range.begin + leaves, end = range.end + leaves;
  for (; begin < end; begin /= 2, end /= 2) {
    if (begin % 2)
      visit(begin++);
    if (end % 2)
      visit(--end);
  }
}

void sumUp(std::vector<uint32_t> &counts) {
  for (size_t i = 1; i < counts.size(); ++i)
    counts[i] += counts[i - 1];
}

} // namespace

NeighbourIndex::NeighbourIndex(const Model &model)
    : model(model), seen(model.size(), 0) {
  while (leaves < model.numSections())
    leaves *= 2;
  startBegin.assign(model.numSections() + 2, 0);
  nodeBegin.assign(size_t(2) * leaves + 2, 0);
  // The count of list i is kept at i + 2, so that the begin of list i is at i +
  // 1 after summing up; filling the list moves that entry to its end, which is
  // the begin of list i + 1.
  for (BufferIndex b = 0; b < model.size(); ++b)
    for (const SectionRange &range : model.ranges(b)) {
      ++startBegin[range.begin + 2];
      forEachPart(leaves, range, [&](uint32_t node) { ++nodeBegin[node + 2]; });
    }
  sumUp(startBegin);
  sumUp(nodeBegin);
  starts.resize(startBegin.back());
  nodes.resize(nodeBegin.back());
  for (BufferIndex b = 0; b < model.size(); ++b)
    for (const SectionRange &range : model.ranges(b)) {
      starts[startBegin[range.begin + 1]++] = b;
      forEachPart(leaves, range,
                  [&](uint32_t node) { nodes[nodeBegin[node + 1]++] = b; });
    }
}

void NeighbourIndex::collect(BufferIndex b, std::vector<BufferIndex> &out) {
  ++query;
  seen[b] = query;
  auto visit = [&](BufferIndex other) {
    if (seen[other] == query)
      return;
    seen[other] = query;
    out.push_back(other);
  };
  for (const SectionRange &range : model.ranges(b)) {
    for (uint32_t i = startBegin[range.begin]; i < startBegin[range.end]; ++i)
      visit(starts[i]);
    for (uint32_t node = range.begin + leaves; node > 0; node /= 2)
      for (uint32_t i = nodeBegin[node]; i < nodeBegin[node + 1]; ++i)
        visit(nodes[i]);
  }
  for (const Relation &relation : model.relations(b))
    if (relation.isConflict)
      visit(relation.other);
}
