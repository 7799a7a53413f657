//===- LocalOrder.h - An order in the cache's favour ---------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a buffer is placed depends only on the buffers before it that are live
// together with it. So an order may be changed, and gives the same plan, as
// long as of two buffers live together the same one comes first. Orders by size
// jump through all of time, and in a large problem each jump misses the caches.
// Here time is cut into chunks, and the buffers of one chunk come together:
//
//   order            a b c x d e f       x lives in both chunks
//   first chunk      a   c x     f
//   second chunk       b   x d e
//   new order        a c b x f d e
//
// What lives in several chunks waits until each of them has come to it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_LOCALORDER_H
#define MEMPLAN_LIB_CORE_LOCALORDER_H

#include "Model/Model.h"

#include <vector>

namespace memplan::detail {

/// An order that gives the same plan, or the order itself: where it is local
/// already, or the problem is small, has conflicts or permitted overlaps, or
/// most buffers live long. O(n).
std::vector<BufferIndex> localOrder(const Model &model,
                                    std::vector<BufferIndex> order);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_LOCALORDER_H
