//===- Naive.cpp - No reuse -----------------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No reuse: the unpinned buffers lie one after another from offset 0, in the
// order of their indices, and skip the bytes of the pinned ones. It is the
// baseline for the savings of the other strategies, and the fallback for users
// who suspect a defect of a reuse.
//
// Source: the "naive" strategy of PyTorch's static memory planning.
// Complexity: O(n log n) to sort the pins. Tie-breaks: none needed.
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
    // Pinned buffers may overlap each other, so each one that begins below the
    // end of the buffer may move it up.
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
