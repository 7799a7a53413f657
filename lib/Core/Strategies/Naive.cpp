//===- Naive.cpp - Every buffer on its own --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No reuse: the unpinned buffers lie one after another from address 0, by
// index, stepping over the pinned ones. The yardstick of what planning saves,
// and the plan to fall back to when a reuse is suspected of a defect.
//
// Source: the "naive" strategy of PyTorch's static memory planning.
// Complexity: O(n log n) for the sort of the pins. Tie-breaks: none needed.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Strategies.h"
#include "memplan/Core/CheckedMath.h"

using namespace memplan;
using namespace memplan::detail;

Placement detail::naive(const Model &model) {
  Placement placement;
  placement.offsets.assign(model.size(), 0);
  std::vector<BufferIndex> pins = model.pinned();
  std::sort(pins.begin(), pins.end(), [&](BufferIndex a, BufferIndex b) {
    return model.pinOf(a) != model.pinOf(b) ? model.pinOf(a) < model.pinOf(b)
                                            : a < b;
  });
  for (BufferIndex b : pins) {
    placement.offsets[b] = model.pinOf(b);
    placement.height =
        std::max(placement.height, model.pinOf(b) + model.sizeOf(b));
  }
  int64_t next = 0;
  size_t nextPin = 0;
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (model.isPinned(b) || model.sizeOf(b) == 0)
      continue;
    int64_t at = alignTo(next, model.alignOf(b));
    // Pins may overlap one another in address (not in time): each one that
    // starts below the buffer's end pushes it further up.
    for (; nextPin < pins.size() &&
           model.pinOf(pins[nextPin]) < at + model.sizeOf(b);
         ++nextPin) {
      int64_t end = model.pinOf(pins[nextPin]) + model.sizeOf(pins[nextPin]);
      if (end > at)
        at = alignTo(end, model.alignOf(b));
    }
    placement.offsets[b] = at;
    next = at + model.sizeOf(b);
    placement.height = std::max(placement.height, next);
  }
  return placement;
}
