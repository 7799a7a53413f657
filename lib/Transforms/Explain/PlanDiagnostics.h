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

/// Emits a remark for each buffer (its offset, or the reason why it is not
/// planned) and for each arena, through the remark engine, category
/// "plan-memory".
void emitRemarks(const FunctionProblem &problem);

/// Emits a remark that a recursive function allocates an arena for each
/// activation.
void emitRecursionRemark(const FunctionProblem &problem);

/// Emits a remark that a private function does not get its arena from its
/// callers, if the reason is a size that is known only when the program runs.
void emitOwnArenaRemark(const FunctionProblem &problem);

/// The arena that an error is about.
struct ArenaSite {
  mlir::Location loc;
  llvm::StringRef function;
  mlir::Attribute memorySpace;
  /// Bytes, together with the `unplanned` ones.
  std::optional<int64_t> capacity;
  int64_t unplanned;
  llvm::function_ref<mlir::Location(BufferIndex)> locate;
};

/// Emits an error and fails if the plan cannot be used: the problem is invalid,
/// the plan has no offsets, or its arena exceeds the capacity. The error states
/// the missing bytes; notes name the buffers that are live at the peak;
/// `explain` adds more: the unplanned buffers that count, and a change with
/// which the arena fits.
mlir::LogicalResult checkPlan(
    const ArenaSite &site, const Problem &problem, const Plan &plan,
    llvm::function_ref<void(mlir::InFlightDiagnostic &)> explain = nullptr);

/// Emits a remark for each of the memory spaces, which the option names,
/// without a buffer or arena: its name may be misspelt.
void remarkUnusedSpaces(mlir::Location loc,
                        llvm::ArrayRef<FunctionProblem> problems,
                        llvm::ArrayRef<std::string> spaces,
                        llvm::StringRef option);

/// Checks the capacities where no arena is planned now. Emits an error
/// for each memory space of a function whose unplanned buffers exceed it, and
/// for each arena that a function had before and that exceeds it together with
/// the other allocations. Succeeds without a capacity. Emits a remark at `loc`
/// for each memory space that has a capacity of its own and no buffer.
mlir::LogicalResult
checkUnplannedCapacity(mlir::Location loc,
                       llvm::ArrayRef<FunctionProblem> problems,
                       const PlanningOptions &options);

/// Attaches notes to the error: the unplanned buffers that count towards the
/// capacity, and the first change with which the arena fits. The changes, in
/// this order: strategy=auto, a smaller alignment, results as arguments,
/// scope=module (which `fitsInModuleScope` tries on a copy of the module).
/// The arena was solved with the options `tried`. Solves about a dozen problems
/// at most.
void explainShortage(const FunctionProblem &function, const ArenaProblem &arena,
                     const SolveOptions &tried,
                     llvm::function_ref<bool()> fitsInModuleScope,
                     mlir::InFlightDiagnostic &error);

/// Emits an error for each buffer that is not planned; fails if there is one.
mlir::LogicalResult checkAllPlanned(const FunctionProblem &problem);

/// Emits an error for each function on tensors, for which bufferization would
/// make buffers; fails if there is one.
mlir::LogicalResult checkNoTensors(mlir::ModuleOp module);

/// Emits a remark for each allocation in functions other than func.func, which
/// are not planned. With `isError` it is an error, except in a gpu.module.
mlir::LogicalResult checkForeignFunctions(mlir::ModuleOp module, bool isError);

/// If no function of the module has an allocation to plan, says so and names
/// the functions that it has: a warning if some are on tensors or are not
/// func.func, because the user probably expects a plan; otherwise a remark.
void explainNothingToPlan(mlir::ModuleOp module);

/// True if an op of the function makes a tensor.
bool isOnTensors(mlir::FunctionOpInterface function);

/// The options with which a buffer that is not planned would be, as the end of
/// a sentence; empty if none are known.
std::string describeWayOut(const BufferRecord &record);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANDIAGNOSTICS_H
