//===- Ties.h - Results in the place of operands ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_MODEL_TIES_H
#define MEMPLAN_LIB_GRAPH_MODEL_TIES_H

#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <vector>

namespace memplan::graph {

/// Whether the result of the tie fits into the operand's place whenever the
/// operand dies at the op: the same space, enough bytes, the alignment, and
/// nothing else of the op that reads or shows that memory.
bool fitsInPlace(const OpGraph &graph, const Op &op, InPlaceTie tie);

/// What an op makes may take the place of something of as many bytes that dies
/// at the op. Storages, or the numbers that a search has for them.
struct Takeover {
  uint32_t made, taken;
  int64_t bytes;
};

struct Takeovers {
  /// In the order in which a profile tries them: those of one `made` stand
  /// together. Nothing is taken by two.
  std::vector<Takeover> list;
  /// Bytes of what may take a place in ways that the list does not have: a part
  /// of a storage, or what two results may take.
  int64_t otherBytes = 0;
  /// The list has all that may happen.
  bool isComplete = true;
};
Takeovers findTakeovers(const OpGraph &graph, const Op &op);

/// Bytes that an op makes in the place of others, where `dies(taken)` says what
/// dies at it: what is made takes the first that does.
template <typename Dies>
int64_t takenBytes(const std::vector<Takeover> &entries, Dies dies) {
  int64_t bytes = 0;
  const Takeover *last = nullptr;
  for (const Takeover &entry : entries)
    if ((!last || last->made != entry.made) && dies(entry.taken)) {
      bytes += entry.bytes;
      last = &entry;
    }
  return bytes;
}

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_MODEL_TIES_H
