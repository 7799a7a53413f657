//===- LiveModel.h - What an order's memory depends on ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an order's memory depends on, without names: which op makes and touches
// which piece of memory. Without repeats the live bytes after a set of ops are
// the same in whatever order they ran, which is what the searches live on.
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

/// Lists of numbers, one after another.
class Lists {
public:
  Lists() = default;
  /// Keeps the lists sorted and without repetitions.
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
    /// The op that makes it; noOp for what is there before.
    OpId maker;
    /// Released after the last op that touches it; else live to the end.
    bool isReleased;
  };

  size_t size() const { return ops.size(); }
  /// The peak of an order of the model's ops; `live`, if given, gets the bytes
  /// live while each of its ops runs. O(ops + touches).
  int64_t peakOf(const Schedule &order,
                 std::vector<int64_t> *live = nullptr) const;
  /// The order as a schedule of the graph.
  Schedule toSchedule(const Schedule &order) const;

  std::vector<OpId> ops;
  std::vector<Item> items;
  /// Per op: ops before and after it, items it makes or uses.
  Lists before, after, touched;
  /// Per item: ops that make or use it.
  Lists touchedBy;
  std::vector<int64_t> scratch;
  /// Per op: bytes of the items it makes.
  std::vector<int64_t> made;
  /// Per op: items that take the place of others, where ties are taken.
  std::vector<std::vector<Takeover>> takeovers;
  /// Per op: bytes that ties may save in ways that `takeovers` does not have.
  std::vector<int64_t> otherTies;
  bool hasOtherTies = false;
  /// Live before the first op, what nobody uses included; and without that.
  int64_t startBytes = 0;
  int64_t firstBytes = 0;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_LIVEMODEL_H
