//===- PlanVerifierWorkers.h - Places that depend on the worker -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERWORKERS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERWORKERS_H

#include "PlanVerifierModel.h"

namespace memplan::planverifier {

/// `coefficient` times the number of an iteration, in one of the dimensions of
/// the parallel loop `loop`; the numbers are [0, count).
struct WorkerTerm {
  mlir::Operation *loop;
  /// The induction variable of the dimension.
  mlir::Value variable;
  int64_t count;
  int64_t coefficient;
};

/// An offset in bytes: a constant and terms, those of outer loops first and of
/// one loop in the order of its dimensions, none with coefficient 0.
struct WorkerOffset {
  int64_t constant = 0;
  llvm::SmallVector<WorkerTerm, 2> terms;
};

/// The value as an offset; nothing if it is not linear in the induction
/// variables of parallel loops with constant bounds that surely run.
std::optional<WorkerOffset> evaluateOffset(mlir::Value value);

/// `offset` + `value` * `factor`; nothing as above, and on overflow.
std::optional<WorkerOffset> addScaled(const WorkerOffset &offset,
                                      mlir::Value value, int64_t factor);

/// A buffer whose place in the arena depends on the worker.
struct WorkerView {
  mlir::Operation *op;
  mlir::Value value;
  unsigned arena;
  WorkerOffset offset;
  /// Bytes.
  int64_t size;
};

/// Told where a view has been placed: in the handle of its worker's frame.
using PlaceFn = llvm::function_ref<void(const WorkerView &, unsigned frame)>;

/// Splits the arenas along the terms. The views whose offsets depend in the
/// same way on the outermost loop lie in one frame of that loop: a slot of the
/// arena that belongs to the loop while it runs, and within it, for each
/// iteration, an arena of its own. Emits an error for iterations whose frames
/// share bytes, and for frames that do not lie in the arena.
mlir::LogicalResult
placeWorkerViews(Model &model, llvm::ArrayRef<WorkerView> views, PlaceFn place);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERWORKERS_H
