//===- CallTrees.h - Arenas shared along calls ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_CALLTREES_H
#define MEMPLAN_TRANSFORMS_CALLTREES_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/BuildProblem.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace memplan {

/// The functions whose signatures may change.
enum class Signatures {
  /// Private functions that the module calls.
  Private,
  /// Private and public functions that the module calls.
  Called,
  /// All functions with a body, called or not.
  All
};

/// Turns fresh results into out-params: if a function returns memory that it
/// allocates and that nothing else keeps, it gets a memref argument instead,
/// and its callers allocate the memory, where planning can place it. If control
/// flow joins several allocations to a result, no two of them may be live at
/// once. Functions keep their signatures if their symbol has uses other than
/// func.call, if they run on a device, or if they or a caller have an arena.
void promoteToOutParams(mlir::ModuleOp module, CalleeTrust trust,
                        Signatures signatures = Signatures::Private);

/// The functions whose arena can be part of their callers' arenas: they are not
/// recursive, their symbol is used by func.call only, and no call is inside an
/// op whose regions may run at the same time, except parallel loops with at
/// most `maxWorkers` iterations. `signatures` says which functions may change.
llvm::DenseSet<mlir::Operation *>
findFrameFunctions(mlir::ModuleOp module, const ModuleAliases &aliases,
                   int64_t maxWorkers, Signatures signatures);

/// The functions that get their arenas from their callers, if some call of them
/// has no frame to pass on.
llvm::SetVector<mlir::Operation *>
findUnservedCallees(llvm::ArrayRef<FunctionProblem> problems,
                    const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_CALLTREES_H
