//===- Reorder.h - Orders with a low peak -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders the ops of a graph for a low peak. Every op runs once, after its
// operands are made and after the ops of Op::after; ops with implicit random
// state keep their order.
//
//   a (1 MB) -> b (1 KB)      a b c d: 1 MB + 1 KB at once
//   c (1 MB) -> d (1 KB)      a c b d: 2 MB + 1 KB at once
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_REORDER_H
#define MEMPLAN_GRAPH_REORDER_H

#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace memplan::graph {

enum class OrderStrategy {
  Source,    ///< the order given
  Lpmf,      ///< least peak memory first, as Inductor's topological_sort_lpmf
  Dfs,       ///< depth first from the outputs, the larger operand first
  Bfs,       ///< as soon as the operands are there
  Threshold, ///< search for orders with ever lower peaks; may prove optimality
  Anneal,    ///< simulated annealing from the best of the simple orders
  Auto,      ///< the best of all, by peak and then by arena
};
template <> struct EnumNames<OrderStrategy> {
  static constexpr std::array<std::string_view, 7> names = {
      "source", "lpmf", "dfs", "bfs", "threshold", "anneal", "auto"};
};

struct ReorderOptions {
  OrderStrategy strategy = OrderStrategy::Auto;
  MemoryOptions memory;
  /// The limit on search states of the threshold search and moves of the
  /// annealing. The same number gives the same order on any machine.
  int64_t steps = 3000000;
  uint64_t seed = 0;
  /// Auto: solves the planning problems of the few orders with the lowest peaks
  /// and takes the order with the smallest arena, then with the lowest peak.
  bool judgeByArena = true;
  /// If given, the search ends once it is true, with the best order so far.
  /// Another thread or a signal handler may set it.
  const std::atomic<bool> *stop = nullptr;
};

/// An order that was considered; sizes in bytes.
struct OrderCandidate {
  OrderStrategy strategy;
  int64_t peak = 0;
  /// The sum of the arenas of all memory spaces; absent if they were not
  /// planned.
  std::optional<int64_t> arena;
};

struct ReorderResult {
  Schedule order;
  /// Bytes, over all memory spaces, by buildProfile.
  int64_t peak = 0;
  int64_t sourcePeak = 0;
  /// In bytes: no order has a lower peak.
  int64_t bound = 0;
  /// peak == bound.
  bool isOptimal = false;
  /// The strategy that found the order.
  OrderStrategy strategy = OrderStrategy::Source;
  int64_t steps = 0;
  std::vector<OrderCandidate> candidates;
};

/// Orders the ops of a well-formed graph. `source` is a schedule without
/// repeats (checkSchedule). The result's peak is at most that of `source`,
/// except if a simple strategy is requested by name. With `auto` and
/// judgeByArena, the arena is not larger either. Deterministic. The simple
/// orders take O(n log n), lpmf up to O(n^2), and the bound O(n^2 / 64).
/// `steps` limits the search; large graphs are searched in windows around their
/// peaks.
ReorderResult reorder(const OpGraph &graph, const Schedule &source,
                      const ReorderOptions &options = {});

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_REORDER_H
