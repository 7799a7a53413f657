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

/// Writes the problems of the function right before it, those of the bodies of
/// its parallel loops first; names the allocations
/// (MemplanDialect::kBufferAttr) and numbers the steps that have been split.
/// Returns the problems.
llvm::SmallVector<ProblemOp> writeProblems(FunctionProblem &problem);

/// The problems that stand right before a function, the nearest first.
llvm::SmallVector<ProblemOp> findProblems(mlir::FunctionOpInterface function);

/// The parallel loops of a function by their numbers.
llvm::SmallVector<mlir::Operation *>
numberParallelLoops(mlir::FunctionOpInterface function);

/// Takes sizes and offsets of the problem, which has been derived from the
/// program as it is, from the solved problems that state it. Emits an error and
/// fails if these are not solved, wrong, or about another program.
///
/// `plans`, if given, has the solver's own words of each.
using SolvedPlans = llvm::DenseMap<mlir::Operation *, Plan>;
mlir::LogicalResult adoptPlans(FunctionProblem &problem,
                               llvm::ArrayRef<ProblemOp> stated,
                               const SolvedPlans *plans = nullptr);

/// What the allocation of a placement is marked with (memplan.buffer): the name
/// of the buffer it is in, or an array of the names of all it may be in.
mlir::Attribute
getBufferNames(mlir::Builder &builder, const ArenaProblem &arena,
               const std::pair<unsigned, BufferIndex> &placement);

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
