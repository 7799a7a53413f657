//===- LinearScan.cpp - By start time, first fit --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the buffers in the order in which they become live, each at the lowest
// offset that is free during its whole life. For buffers with one live range
// and without pins, a run-time first-fit allocator makes the same choices.
//
// Source: linear scan register allocation (Wimmer and Moessenboeck, VEE 2005),
// applied to memory as in PyTorch's static memory planning: the intervals are
// visited by start, those that have ended expire, and holes in lifetimes are
// used.
// Complexity: that of StartOrder, otherwise that of Placer with Fit::First.
// Tie-breaks: earlier start, then index.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Strategies.h"

using namespace memplan;
using namespace memplan::detail;

Placement detail::linearScan(const Model &model) {
  std::vector<BufferIndex> order = orderBy(model, [&](BufferIndex b) {
    return model.problem.buffers[b].ranges.front().start;
  });
  return placeInOrder(model, order, Fit::First);
}
