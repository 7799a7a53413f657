//===- Overwrites.h - Memory that ops write in place ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result in a storage that exists before its op was written in place, unless
// the op only makes views. Who reads the old contents must run before the
// write, and must not run again behind it:
//
//   s = square(p)        p and p2 share a storage. square reads p, so it runs
//   p2 = update(p)       before update, and only once; a dependence must say
//   y = f(s)             so, as square makes nothing that update reads.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_MODEL_OVERWRITES_H
#define MEMPLAN_LIB_GRAPH_MODEL_OVERWRITES_H

#include "memplan/Graph/OpGraph.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::graph {

/// A range of bytes of a storage that an op accesses.
struct Access {
  OpId op;
  /// The operand that is read, or the result that is written in place.
  ValueId value;
  int64_t begin, end;

  bool overlaps(const Access &other) const {
    return begin < other.end && other.begin < end;
  }
  bool covers(const Access &other) const {
    return begin <= other.begin && other.end <= end;
  }
};

class Overwrites {
public:
  /// Requires a graph in which every result in an existing storage has an
  /// operand in it. Linear.
  explicit Overwrites(const OpGraph &graph);

  bool isEmpty() const { return numWrites == 0; }
  /// The writes in place of a storage, in program order.
  const std::vector<Access> &of(StorageId storage) const {
    return writes[storage];
  }
  /// Whether the op accesses the bytes of its operands. An op that only makes
  /// views of them does not.
  bool accesses(OpId op) const { return !isViewOp[op]; }
  Access read(OpId op, ValueId operand) const;

  /// The first write behind the op in program order that overwrites an operand
  /// of the op, or nullptr.
  const Access *behind(OpId op) const;

private:
  const OpGraph &graph;
  std::vector<bool> isViewOp;
  std::vector<std::vector<Access>> writes;
  size_t numWrites = 0;
};

/// An op, and an op behind it in program order that accesses the same bytes.
/// One of them writes, and no dependence orders them.
struct UnorderedAccess {
  Access first, second;
  bool firstWrites;
};

/// The first pair of such ops, by the second op; std::nullopt if there is none.
/// About linear if effect edges and operands connect the pairs directly.
std::optional<UnorderedAccess> findUnordered(const OpGraph &graph);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_MODEL_OVERWRITES_H
