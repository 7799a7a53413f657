//===- LinearScan.cpp - By start time, first fit --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the buffers in the order in which they become live and gives each the
// lowest free address: what a run-time first-fit allocator would do, decided
// ahead of time.
//
// Source: linear scan register allocation (Wimmer and Moessenboeck, VEE 2005)
// carried over to memory as in PyTorch's static memory planning: intervals by
// start, the ended ones expire, holes in lifetimes are used.
// Complexity: that of the placer. Tie-breaks: start, then index.
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
