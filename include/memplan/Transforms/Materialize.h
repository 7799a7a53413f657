//===- Materialize.h - Rewrite functions to their plan ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_MATERIALIZE_H
#define MEMPLAN_TRANSFORMS_MATERIALIZE_H

#include "memplan/Analysis/BuildProblem.h"

namespace memplan {

/// Rewrites the function to its solved plan: a memplan.arena at the entry of
/// the function for each arena with buffers, in the memory that
/// ArenaProblem::memory says; a memplan.view in place of each planned
/// allocation; a memplan.release of heap arenas before each return. Removes
/// deallocations of planned buffers. Every arena with buffers must have
/// offsets, and the function must not have changed since `problem` was built
/// with `order`.
void materialize(FunctionProblem &problem, const ProgramOrder &order);

/// Lowers the memplan ops of the function to memref ops. A global arena becomes
/// a memref.global in the nearest symbol table around the function, which
/// `symbols` updates.
void lowerToMemRef(mlir::FunctionOpInterface function,
                   mlir::SymbolTableCollection &symbols);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_MATERIALIZE_H
