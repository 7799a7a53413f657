//===- Auto.h - The portfolio and complete search ------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_AUTO_H
#define MEMPLAN_LIB_CORE_AUTO_H

#include "Search/Minimize.h"
#include "Search/SearchControl.h"
#include "memplan/Core/Solver.h"

#include <string>

namespace memplan::detail {

/// A report of the portfolio's run.
struct AutoReport {
  /// The stage that found the plan, for Plan::strategy; empty if none is better
  /// than the placement given.
  std::string winner;
  /// The stages, their results and the reason for the end, for Plan::message.
  std::string message;
};

/// The number of search nodes that an effort may spend on a problem with this
/// number of buffers.
int64_t nodesOf(Effort effort, uint32_t buffers);

/// The number of replays of placement orders that an effort may spend in
/// addition to the nodes.
int64_t replaysOf(Effort effort, uint32_t buffers);

/// The `auto` strategy: a portfolio of the others. `goal` is the capacity in
/// bytes, or -1 to minimise the arena. On entry `standing` needs only its
/// bound, and may have a placement to improve; afterwards standing.best is a
/// correct placement.
AutoReport solveAuto(const Model &model, int64_t goal, Effort effort,
                     Standing &standing, SearchControl &control);

/// The `exact` strategy: complete search, with the same contract. Returns the
/// reason for the end, for Plan::message.
std::string solveExact(const Model &model, int64_t goal, Standing &standing,
                       SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_AUTO_H
