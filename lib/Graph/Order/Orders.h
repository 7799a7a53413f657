//===- Orders.h - Strategies to order ops -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strategies to order the ops of a LiveModel. An order is a permutation of 0 to
// size() - 1.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H
#define MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H

#include "Order/LiveModel.h"

#include <atomic>

namespace memplan::graph {

/// Runs, of the ready ops, the one that gives the lowest peak so far, then the
/// one that leaves the fewest bytes live, then the first. O(ops * ready ops).
Schedule lpmfOrder(const LiveModel &model);
/// Depth-first order from the last ops: an op's predecessors run right before
/// it, first the ones that make more bytes.
Schedule dfsOrder(const LiveModel &model);
/// Breadth-first order: by the number of ops on the longest path to the op.
Schedule bfsOrder(const LiveModel &model);

/// Simulated annealing that moves single ops; `moves` limits the evaluations,
/// each of which is linear. Ends once `stop`, if given, is true. Returns the
/// best order met.
Schedule annealOrder(const LiveModel &model, const Schedule &start,
                     int64_t moves, uint64_t seed,
                     const std::atomic<bool> *stop = nullptr);

/// A lower bound of the peak of every order: an op needs the items that it
/// makes or uses, its scratch, the held memory, and the items that ops before
/// it make for ops after it. The last part is left out for more than
/// `maxClosure` ops; it takes n^2 bits of memory.
int64_t orderBound(const LiveModel &model, size_t maxClosure = 12000);

/// Lowers the peak of the order by threshold searches: over all ops of each
/// segment that can be ordered separately, and, if that takes more than its
/// share of `steps`, in windows around the peak. Raises `bound` if a search
/// proves that no order has a lower peak. Ends once `stop`, if given, is true.
/// Returns the steps taken.
int64_t improveOrder(const LiveModel &model, Schedule &order, int64_t &bound,
                     int64_t steps, const std::atomic<bool> *stop = nullptr);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H
