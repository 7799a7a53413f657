//===- BestFit.cpp - By start time, best fit ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the buffers in the order in which they become live and gives each the
// narrowest gap that holds it (the end of the arena when none does): what a
// run-time best-fit allocator would do, decided ahead of time.
//
// Source: the rule of upstream MLIR's static memory planner and of XLA's heap
// simulator, on exact gaps.
// Complexity: that of the placer with best fit. Tie-breaks: start, then the
// larger size, then index; among equally narrow gaps the lowest.
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
