//===- Orders.h - Orders of ops ---------------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of these order the ops of a LiveModel; an order is a permutation of
// 0 .. size() - 1.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H
#define MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H

#include "Order/LiveModel.h"

namespace memplan::graph {

/// Of the ops that are ready the one with the lowest peak so far, then the one
/// that leaves least live, then the first. O(ops * ready ops).
Schedule lpmfOrder(const LiveModel &model);
/// From the last ops back: an op's operands right before it, larger ones first.
Schedule dfsOrder(const LiveModel &model);
/// By the number of ops on the longest way to the op.
Schedule bfsOrder(const LiveModel &model);

/// Moves single ops, accepts what is worse ever more rarely. `moves` full
/// evaluations.
Schedule annealOrder(const LiveModel &model, const Schedule &start,
                     int64_t moves, uint64_t seed);

/// No order's peak is lower: an op needs what it touches, its scratch, what is
/// held, and all that ops before it make for ops after it. O(n^2) bit tests and
/// memory in bits up to `maxClosure` ops; beyond them without the last part.
int64_t orderBound(const LiveModel &model, size_t maxClosure = 12000);

/// Lowers the order's peak by threshold searches: over all ops of each stretch
/// that nothing crosses in any order, and where that takes more than its share
/// of `steps`, in windows around the peak. `bound` is raised where a search
/// proves that no order is better. Returns the steps taken.
int64_t improveOrder(const LiveModel &model, Schedule &order, int64_t &bound,
                     int64_t steps);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_ORDERS_H
