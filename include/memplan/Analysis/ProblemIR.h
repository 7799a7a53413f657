//===- ProblemIR.h - Problems as IR -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PROBLEMIR_H
#define MEMPLAN_ANALYSIS_PROBLEMIR_H

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/IR/Memplan.h"

#include "mlir/IR/Builders.h"

namespace memplan {

/// Writes the arena's problem as a memplan.problem at the insertion point.
ProblemOp writeProblem(mlir::OpBuilder &builder, mlir::Location loc,
                       const FunctionProblem &function,
                       const ArenaProblem &arena);

/// Reads a memplan.problem. Views make their buffer live when they are. Offsets
/// are pins where the op has no status or the buffer is `pinned`. Buffers keep
/// the order of their ops; `buffers`, if given, receives these.
Problem readProblem(ProblemOp op,
                    llvm::SmallVectorImpl<BufferOp> *buffers = nullptr);

/// Writes the plan into the ops: offsets, pins (which a problem without a
/// status leaves implicit), status, strategy, sizes.
void writePlan(ProblemOp op, llvm::ArrayRef<BufferOp> buffers,
               const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROBLEMIR_H
