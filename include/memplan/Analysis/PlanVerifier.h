//===- PlanVerifier.h - Independent check of planned IR ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PLANVERIFIER_H
#define MEMPLAN_ANALYSIS_PLANVERIFIER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// Verifies a planned function from its IR alone: nothing of the extraction or
/// of a solver is used or shared. Emits an error per violation (with a note at
/// the other op involved) and returns failure when there was one. Succeeds on
/// functions without an arena.
mlir::LogicalResult verifyPlannedFunction(mlir::FunctionOpInterface function);

/// Verifies functions of one module up to the first that fails, as above; what
/// is learned of callees is shared among them. For those who have just planned
/// them: that a buffer is read before anything is written to it, though its slot
/// was written to by the same name before it began, is then the program's own
/// doing, and no sign of an op that has moved.
mlir::LogicalResult
verifyPlannedFunctions(llvm::ArrayRef<mlir::FunctionOpInterface> functions);

/// Verifies every function inside `root`, as above; what is learned of callees
/// is shared among them.
mlir::LogicalResult verifyPlannedFunctions(mlir::Operation *root);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PLANVERIFIER_H
