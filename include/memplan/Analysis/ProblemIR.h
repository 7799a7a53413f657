//===- ProblemIR.h - Problems as IR -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PROBLEMIR_H
#define MEMPLAN_ANALYSIS_PROBLEMIR_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/IR/Memplan.h"

#include "mlir/IR/Builders.h"

namespace memplan {

/// Writes the problems of the function right before it, those of the bodies of
/// its parallel loops first. Names the allocations
/// (MemplanDialect::kBufferAttr). `options` are those with which they have been
/// derived (writeOptions).
void writeProblems(FunctionProblem &problem, mlir::DictionaryAttr options);

/// The problems that stand right before a function, the nearest first.
llvm::SmallVector<ProblemOp> findProblems(mlir::FunctionOpInterface function);

/// The parallel loops of a function, in walk order; problems refer to them by
/// their positions in this list.
llvm::SmallVector<mlir::Operation *>
numberParallelLoops(mlir::FunctionOpInterface function);

/// Copies sizes, alignments and offsets from the solved problems `stated` to
/// `problem`, which has been derived from the current program with their
/// options. Emits an error and fails if they are not solved, are wrong, or do
/// not fit the program.
mlir::LogicalResult adoptPlans(FunctionProblem &problem,
                               llvm::ArrayRef<ProblemOp> stated);

/// The attribute (memplan.buffer) for the allocation of a placement: the name
/// of its buffer, or an array of the names of all buffers that it may be in.
mlir::Attribute
getBufferNames(mlir::Builder &builder, const ArenaProblem &arena,
               const std::pair<unsigned, BufferIndex> &placement);

/// Reads a memplan.problem. The ranges of views count as ranges of their
/// buffer. Offsets become pins if the op has no status or the buffer is
/// `pinned`. Buffers are in the order of `buffers`, or if that is empty in the
/// order of their ops, which it then receives.
Problem readProblem(ProblemOp op,
                    llvm::SmallVectorImpl<BufferOp> *buffers = nullptr);

/// Writes the fields of the problem itself, with the symbols of its formulas
/// and the hints.
void writeFields(ProblemOp op, const Problem &problem);
/// Creates the op of a buffer. Its pin is the offset.
BufferOp writeBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                     const Buffer &buffer);
/// Creates the ops of the pairs of buffers.
void writePairs(mlir::OpBuilder &builder, mlir::Location loc,
                const Problem &problem);

/// The order that the buffers of a solved problem state; std::nullopt if all
/// are at constant places. Emits an error and fails if they lie above each
/// other.
mlir::FailureOr<std::optional<PlaceOrder>>
readOrder(llvm::ArrayRef<BufferOp> buffers);

/// Writes the plan into the ops: offsets, `pinned` for offsets that a problem
/// without a status has, status, strategy, arena size and lower bound.
void writePlan(ProblemOp op, llvm::ArrayRef<BufferOp> buffers,
               const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROBLEMIR_H
