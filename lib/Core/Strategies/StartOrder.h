//===- StartOrder.h - Placing buffers by their starts -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order by start places each buffer beside those that are live at its start:
// all earlier ones start before it, so those of them that it meets are live
// there. The taken bytes are then one set that changes over time, as in an
// allocator at run time, and no query over several sections is needed.
//
// The blocks that are live form a list by address. Between two of them may be a
// gap, which belongs to the lower one. A treap has the gaps, and each node
// knows the widest gap of its subtree. Its order is that in which the fit rule
// takes gaps (by address for Fit::First, by width and then address for
// Fit::Best), so that the first gap with room is the one to take.
//
// Source: the tree of gaps of Stephenson, "Fast fits" (SOSP 1983), balanced as
// a treap (Seidel and Aragon, Algorithmica 1996).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_STARTORDER_H
#define MEMPLAN_LIB_CORE_STARTORDER_H

#include "Strategies/Placer.h"

#include <optional>
#include <vector>

namespace memplan::detail {

/// The result of placeInOrder if the order is by start, the model is plain and
/// all buffers have one alignment; otherwise nothing. O(n log n).
std::optional<Placement> placeByStart(const Model &model,
                                      const std::vector<BufferIndex> &order,
                                      Fit fit, int64_t limit);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_STARTORDER_H
