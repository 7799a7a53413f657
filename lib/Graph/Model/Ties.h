//===- Ties.h - Reuse of operands' memory by ties ---------------*- C++ -*-===//
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

/// Whether a storage `wanted` may be in the bytes of the value, which is in the
/// storage `taken`: the space is the same, and bytes and alignment suffice.
bool fitsBytes(const Storage &wanted, const Storage &taken, const Value &value);

/// Whether the op has a tie of the result to the operand.
bool isTied(const Op &op, uint32_t result, size_t operand);

/// Whether the result of the tie may use the operand's memory if the operand
/// dies at the op: the space is the same, bytes and alignment suffice, no other
/// operand that is not tied reads the memory, and no result is a view of it.
bool fitsInPlace(const OpGraph &graph, const Op &op, InPlaceTie tie);

/// The memory that an op makes may reuse memory of as many bytes that dies at
/// the op. `made` and `taken` are storages, or the items that a search has for
/// them.
struct Takeover {
  uint32_t made, taken;
  int64_t bytes;
};

struct Takeovers {
  /// In the order in which a profile tries them; entries of one `made` are
  /// adjacent. No `taken` has entries of two `made`.
  std::vector<Takeover> list;
  /// Bytes of results that may reuse memory in ways that are not in the list: a
  /// part of a storage, or memory that two results may take.
  int64_t otherBytes = 0;
  /// The list has all ways to reuse memory at the op.
  bool isComplete = true;
};
/// Which results of the op may reuse the memory of which operands, by its ties.
Takeovers findTakeovers(const OpGraph &graph, const Op &op);

/// Bytes that an op makes in reused memory. Each `made` takes the first entry
/// whose `taken` dies at the op; `dies(taken)` tells whether it does.
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
