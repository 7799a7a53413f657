//===- SolveOrder.h - Plans of problems with formulas -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_ORDER_SOLVEORDER_H
#define MEMPLAN_LIB_CORE_ORDER_SOLVEORDER_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"

#include <functional>

namespace memplan::detail {

/// Solves a problem with formulas that check() accepts: finds the order whose
/// arena, divided by the bound, is least at the hint at which this is greatest.
/// `solve` solves problems of constant sizes.
Plan solveOrder(const Problem &problem,
                const std::function<Plan(const Problem &)> &solve);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_ORDER_SOLVEORDER_H
