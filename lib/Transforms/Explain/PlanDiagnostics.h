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

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace memplan {

/// One remark a buffer (planned at which offset, or why not) and one an arena,
/// through the remark engine, category "plan-memory".
void emitRemarks(const FunctionProblem &problem);

/// Says that a recursive function has an arena for each activation.
void emitRecursionRemark(const FunctionProblem &problem);

/// Attaches notes to the error about a problem without a plan: what else
/// counts, what could be done.
using ExplainFn = llvm::function_ref<void(ProblemOp op, const Problem &problem,
                                          mlir::InFlightDiagnostic &error)>;

/// Emits an error when the problem has no plan that may be used: it is invalid,
/// or the capacity is exceeded. Says by how much, which buffers are live at the
/// peak, and what `explain` adds. `buffers` are those of `problem`, which was
/// read from `op`.
mlir::LogicalResult checkPlan(ProblemOp op, llvm::ArrayRef<BufferOp> buffers,
                              const Problem &problem, const Plan &plan,
                              ExplainFn explain = nullptr);

/// Emits an error for each function that needs more than the capacity although
/// nothing of it is planned now: what is not planned of a memory space without
/// an arena, and arenas that were there before with what else is allocated.
mlir::LogicalResult
checkUnplannedCapacity(llvm::ArrayRef<FunctionProblem> problems,
                       std::optional<int64_t> capacity);

/// Attaches to the error which buffers count although they are not planned, and
/// the cheapest change with which the arena fits, of those that are tried:
/// another strategy, a smaller alignment, results as arguments, and
/// scope=module, which `fitsInModuleScope` tries on a copy. `problem` is the
/// arena's with the sizes of frames; `tried` is how it was solved. At most a
/// dozen solves.
void explainShortage(const FunctionProblem &function, const ArenaProblem &arena,
                     const Problem &problem, const SolveOptions &tried,
                     llvm::function_ref<bool()> fitsInModuleScope,
                     mlir::InFlightDiagnostic &error);

/// Emits an error for each buffer that is not planned.
mlir::LogicalResult checkAllPlanned(const FunctionProblem &problem);

/// Emits a remark for each allocation in a function that is no func.func, of
/// which none is planned; with `isError` an error, but in device code.
mlir::LogicalResult checkForeignFunctions(mlir::ModuleOp module, bool isError);

/// Says why there is nothing to plan in a module, and what is there instead: a
/// warning where planning was meant for something else (tensors, functions that
/// are no func.func), a remark otherwise. Says nothing if a function allocates
/// and is not planned yet.
void explainNothingToPlan(mlir::ModuleOp module);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANDIAGNOSTICS_H
