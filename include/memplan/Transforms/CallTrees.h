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
#include "memplan/Analysis/PlanningProblem.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace memplan {

/// Which signatures may change.
enum class Signatures {
  /// Those of private functions that others call.
  Private,
  /// Those of all functions that others in the module call.
  Called,
  /// Those of functions that nobody in the module calls, too.
  All
};

/// Lets callers provide the memory of fresh results: a private function that
/// returns what it allocates, forwarded nowhere else, takes a memref to fill
/// instead, and its callers allocate it, where it can be planned. If control
/// flow joins several allocations to a result, no two of them may be live at
/// once. With other `signatures` public functions, too. Functions whose symbol
/// is used other than by func.call keep theirs.
void promoteToOutParams(mlir::ModuleOp module, CalleeTrust trust,
                        Signatures signatures = Signatures::Private);

/// The functions whose arena can be part of their callers' arenas: not
/// recursive, called only by func.call, and never from inside an op whose
/// regions may run at the same time, other than parallel loops of at most
/// `maxWorkers` workers. With other `signatures` not only private ones.
llvm::DenseSet<mlir::Operation *>
findFrameFunctions(mlir::ModuleOp module, const ModuleAliases &aliases,
                   int64_t maxWorkers, Signatures signatures);

/// The functions that take their arenas from their callers although some call
/// of theirs has no memory to forward.
llvm::SetVector<mlir::Operation *>
findUnservedCallees(llvm::ArrayRef<FunctionProblem> problems,
                    const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_CALLTREES_H
