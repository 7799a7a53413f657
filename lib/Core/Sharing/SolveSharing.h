//===- SolveSharing.h - Plans where sharing costs ---------------- -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SOLVESHARING_H
#define MEMPLAN_LIB_CORE_SOLVESHARING_H

#include "Model/Model.h"
#include "memplan/Core/Plan.h"
#include "memplan/Core/Solver.h"

#include <atomic>
#include <functional>

namespace memplan::detail {

/// True if a soft conflict costs something, or there are pairs of all or none
/// or banks. The other strategies know nothing of these.
bool hasSharingRules(const Problem &problem);

/// Searches for a plan of the model's problem that fits the capacity, pays the
/// least penalty and has the least arena, in this order, and sets all fields of
/// the plan. Its lower bound must be set. `solvePlain` solves problems without
/// sharing rules: if no pair may pay, or all may, the problem is such a one.
void solveSharing(const Model &model, const SolveOptions &options,
                  const std::atomic<bool> *stop,
                  const std::function<Plan(const Problem &,
                                           const SolveOptions &)> &solvePlain,
                  Plan &plan);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SOLVESHARING_H
