//===- GreedyByBreadth.cpp - Fullest section first ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits the sections from the one with the most live bytes down. In each
// section, it places the live buffers that are not placed yet, the largest
// first, each at the lowest offset that is free during its whole life. This
// order often meets the bound because it packs the peak while the arena is
// empty.
//
// Source: "Greedy by Breadth", Pisarchyk and Lee, arXiv 2001.03288, section 5,
// with sections instead of operators.
// Complexity: O(n log n) for the order, and that of Placer with Fit::First.
// Tie-breaks: fuller section, then the earlier one, then larger size, then
// index.
//
//===----------------------------------------------------------------------===//

#include "Search/FullestSection.h"
#include "Strategies/Strategies.h"

#include <tuple>

using namespace memplan;
using namespace memplan::detail;

std::vector<BufferIndex> detail::breadthOrder(const Model &model) {
  FullestSection fullest(model.sectionLoads());
  return orderBy(model, [&](BufferIndex b) {
    uint32_t section = fullest.find(model.ranges(b));
    int64_t load = section == UINT32_MAX ? 0 : fullest.load(section);
    return std::make_tuple(-load, section, -model.sizeOf(b));
  });
}

Placement detail::greedyByBreadth(const Model &model) {
  return placeInOrder(model, breadthOrder(model), Fit::First);
}
