//===- SolveFlags.h - Options of the solver ---------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_SOLVEFLAGS_H
#define MEMPLAN_TOOLS_COMMON_SOLVEFLAGS_H

#include "common/CommandLine.h"
#include "memplan/Core/BySpace.h"
#include "memplan/Core/Solver.h"

namespace memplan::tool {

/// Declares --strategy, --effort, --minimize, --node-limit, --time-limit-ms,
/// --seed and --threads.
void addSolveFlags(CommandLine &commandLine, SolveOptions &options);

/// Declares --capacity, which takes one number of bytes or one for each memory
/// space.
void addCapacityFlag(CommandLine &commandLine, std::string help,
                     Capacities &capacities);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_SOLVEFLAGS_H
