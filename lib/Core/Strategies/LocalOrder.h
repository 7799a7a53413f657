//===- LocalOrder.h - Placement orders with fewer cache misses -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offset of a buffer depends only on the earlier buffers of the order that
// are live together with it. So an order may be changed without changing the
// plan if any two buffers that are live together keep their relative order.
// An order by size jumps between distant sections, and in a large problem each
// jump misses the caches. Here the sections are cut into chunks, and the
// buffers of a chunk come together as far as possible:
//
//   order            a b c x d e f       x lives in both chunks
//   first chunk      a   c x     f
//   second chunk       b   x d e
//   new order        a c b x f d e
//
// A buffer that is live in several chunks comes when it is the next buffer of
// each of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_LOCALORDER_H
#define MEMPLAN_LIB_CORE_LOCALORDER_H

#include "Model/Model.h"

#include <vector>

namespace memplan::detail {

/// An order that gives the same plan with fewer jumps. Returns `order` itself
/// if it has few jumps, if the problem is small or has conflicts or permitted
/// overlaps, or if a buffer is live in more than two chunks on average. O(n +
/// S) for n buffers and S sections.
std::vector<BufferIndex> localOrder(const Model &model,
                                    std::vector<BufferIndex> order);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_LOCALORDER_H
