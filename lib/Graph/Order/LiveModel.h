//===- LiveModel.h - The memory of an order ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an op graph on which the memory of an order depends: which op
// makes and uses which item of memory. Without repeats, the live bytes after a
// set of ops do not depend on the order in which these ran; the searches rely
// on this.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_LIVEMODEL_H
#define MEMPLAN_LIB_GRAPH_ORDER_LIVEMODEL_H

#include "Model/Ties.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <vector>

namespace memplan::graph {

/// Lists of numbers in one array.
class Lists {
public:
  Lists() = default;
  /// Sorts each list and removes duplicates.
  explicit Lists(const std::vector<std::vector<uint32_t>> &lists);
  size_t size(size_t list) const { return first[list + 1] - first[list]; }

  struct Range {
    const uint32_t *from, *to;
    const uint32_t *begin() const { return from; }
    const uint32_t *end() const { return to; }
  };
  Range operator[](size_t list) const {
    return {items.data() + first[list], items.data() + first[list + 1]};
  }

private:
  std::vector<uint32_t> items;
  std::vector<size_t> first;
};

struct LiveModel {
  /// The ops of `source`, a schedule without repeats, in its order: op k of the
  /// model is source[k].
  LiveModel(const OpGraph &graph, const Schedule &source,
            const MemoryOptions &options);

  struct Item {
    int64_t bytes;
    /// The op that makes it; noOp for memory from before the first op.
    OpId maker;
    /// Released after the last op that makes or uses it; otherwise live to the
    /// end.
    bool isReleased;
  };

  size_t size() const { return ops.size(); }
  /// The peak of an order of the model's ops, in bytes; `live`, if given, gets
  /// the bytes that are live while each op of the order runs. Linear in the ops
  /// and the sizes of `touched`.
  int64_t peakOf(const Schedule &order,
                 std::vector<int64_t> *live = nullptr) const;
  /// The order as a schedule of the graph.
  Schedule toSchedule(const Schedule &order) const;

  std::vector<OpId> ops;
  std::vector<Item> items;
  /// By op: the ops that must run before and after it, and the items that it
  /// makes or uses.
  Lists before, after, touched;
  /// By item: the ops that make or use it.
  Lists touchedBy;
  std::vector<int64_t> scratch;
  /// By op: bytes of the items that it makes.
  std::vector<int64_t> made;
  /// By op: items that may reuse the memory of others; empty without
  /// MemoryOptions::takeTies.
  std::vector<std::vector<Takeover>> takeovers;
  /// By op: bytes that ties may save in ways that are not in `takeovers`.
  std::vector<int64_t> otherTies;
  bool hasOtherTies = false;
  /// Bytes live before the first op, with inputs that no op uses and that are
  /// released at once (startBytes) and without them (firstBytes).
  int64_t startBytes = 0;
  int64_t firstBytes = 0;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_LIVEMODEL_H
