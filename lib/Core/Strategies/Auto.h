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

/// What the portfolio did: for Plan::strategy and Plan::message.
struct AutoReport {
  std::string winner;
  std::string message;
};

/// Search nodes that an effort may spend on so many buffers.
int64_t nodesOf(Effort effort, uint32_t buffers);

/// Replays of placement orders that an effort may spend on top of them.
int64_t replaysOf(Effort effort, uint32_t buffers);

/// The portfolio. `goal` is the capacity, or -1 to minimise.
AutoReport solveAuto(const Model &model, int64_t goal, Effort effort,
                     Standing &standing, SearchControl &control);

/// Complete search. Returns why it stopped.
std::string solveExact(const Model &model, int64_t goal, Standing &standing,
                       SearchControl &control);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_AUTO_H
