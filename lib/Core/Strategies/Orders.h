//===- Orders.h - Placement orders ---------------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The orders in which the greedy stages of the portfolio place the unpinned
// buffers, by first fit or best fit. No order is the best for every problem,
// and each one is the best for some family of problems.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ORDERS_H
#define MEMPLAN_LIB_CORE_ORDERS_H

#include "Model/Model.h"

#include <string_view>
#include <vector>

namespace memplan::detail {

enum class Order {
  Breadth,     ///< As greedy-by-breadth.
  Size,        ///< As greedy-by-size.
  TotalWidth,  ///< Load of the fullest section, then time live, then size.
  Area,        ///< Size times time live.
  BreadthLife, ///< Sections as in Breadth, then time live, then size.
  Lifetime,    ///< Time live, then size.
  Start,       ///< As linear-scan.
};

/// "breadth", "size", ... for reports.
std::string_view orderName(Order order);

/// The unpinned buffers in this order: the greatest key first (for Start the
/// earliest), ties by index. O(n log n).
std::vector<BufferIndex> orderOf(const Model &model, Order order);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_ORDERS_H
