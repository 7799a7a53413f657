//===- Interrupt.h - Solving that can be interrupted ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_INTERRUPT_H
#define MEMPLAN_CORE_INTERRUPT_H

#include "memplan/Core/Solver.h"

#include <atomic>

namespace memplan {

/// As solve(), but the search ends once `stop` is true, with the best plan so
/// far, as at a time limit. Another thread or a signal handler may set `stop`.
Plan solve(const Problem &problem, const SolveOptions &options,
           const std::atomic<bool> &stop);

} // namespace memplan

#endif // MEMPLAN_CORE_INTERRUPT_H
