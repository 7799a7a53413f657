//===- PlanDiagnostics.h - Remarks and errors of planning -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLANDIAGNOSTICS_H
#define MEMPLAN_LIB_TRANSFORMS_PLANDIAGNOSTICS_H

#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Transforms/Passes.h"

namespace memplan {

/// One remark a buffer (planned at which offset, or why not) and one an arena,
/// through the remark engine, category "plan-memory".
void emitRemarks(const FunctionProblem &problem);

/// Says that a recursive function has an arena for each activation.
void emitRecursionRemark(const FunctionProblem &problem);

/// Emits an error when the problem has no plan that may be used: it is invalid,
/// or the capacity is exceeded. Says by how much and which buffers are live at
/// the peak. `buffers` are those of `problem`, which was read from `op`.
mlir::LogicalResult checkPlan(ProblemOp op, llvm::ArrayRef<BufferOp> buffers,
                              const Problem &problem, const Plan &plan);

/// Emits an error at `loc` unless the options make sense.
mlir::LogicalResult checkOptions(mlir::Location loc, int64_t alignment,
                                 int64_t capacity, int64_t maxParallelOps);

/// The same of those that say what calls and parallel loops become.
mlir::LogicalResult checkCallOptions(mlir::Location loc, PlanScope scope,
                                     llvm::ArrayRef<std::string> entryPoints,
                                     int64_t maxWorkers,
                                     int64_t parallelWorkers);

/// The same of a number of workers, which is called `option`.
mlir::LogicalResult checkWorkers(mlir::Location loc, llvm::StringRef option,
                                 int64_t workers, int64_t least);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANDIAGNOSTICS_H
