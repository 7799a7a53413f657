//===- BestFit.cpp - By start time, best fit ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the buffers in the order in which they become live, each in the
// narrowest gap that is large enough during its whole life, or above all others
// if there is no such gap. For buffers with one live range and without pins, a
// run-time best-fit allocator makes the same choices.
//
// Source: the rule of upstream MLIR's static memory planner and of XLA's heap
// simulator, with exact gaps.
// Complexity: that of StartOrder, otherwise that of Placer with Fit::Best.
// Tie-breaks: earlier start, then larger size, then index; among equally narrow
// gaps the lowest.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Strategies.h"

using namespace memplan;
using namespace memplan::detail;

Placement detail::bestFit(const Model &model, int64_t limit) {
  std::vector<BufferIndex> order = orderBy(model, [&](BufferIndex b) {
    return std::make_pair(model.problem.buffers[b].ranges.front().start,
                          -model.sizeOf(b));
  });
  return placeInOrder(model, order, Fit::Best, limit);
}
