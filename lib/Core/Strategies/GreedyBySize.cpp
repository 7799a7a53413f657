//===- GreedyBySize.cpp - Largest first -----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the largest buffers first, each at the lowest offset that is free
// during its whole life. So large buffers determine the height while the arena
// is empty, and small ones fill the gaps.
//
// Source: "Greedy by Size for Offset Calculation", Pisarchyk and Lee,
// "Efficient Memory Management for Deep Neural Net Inference",
// arXiv 2001.03288, section 5. A buffer gets the lowest gap instead of the
// narrowest one, as in TFLite Micro's greedy planner, because this scales to a
// million buffers.
// Complexity: that of Placer with Fit::First. Tie-breaks: larger size, then
// earlier start, then index.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Strategies.h"

using namespace memplan;
using namespace memplan::detail;

Placement detail::greedyBySize(const Model &model) {
  std::vector<BufferIndex> order = orderBy(model, [&](BufferIndex b) {
    return std::make_pair(-model.sizeOf(b),
                          model.problem.buffers[b].ranges.front().start);
  });
  return placeInOrder(model, order, Fit::First);
}
