//===- BufferSizes.h - Sizes of buffers -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_BUFFERSIZES_H
#define MEMPLAN_LIB_ANALYSIS_BUFFERSIZES_H

#include "memplan/Analysis/EntryValues.h"
#include "memplan/Analysis/FunctionProblem.h"
#include "memplan/Analysis/SizeFormulas.h"

namespace memplan {

/// Finds the sizes of the buffers of a function whose shapes are dynamic: as
/// formulas that are known at its entry, or as bounds. Sizes of static shapes
/// are no matter of this class (ElementSize.h).
class BufferSizes {
public:
  /// With `atGreatestSizes` each buffer has a slot of its greatest size.
  BufferSizes(FunctionProblem &problem, const ProgramOrder &order,
              bool atGreatestSizes)
      : problem(problem), order(order), atGreatestSizes(atGreatestSizes),
        formulas(problem.function), values(problem.function) {}

  /// Sets the formula of a dynamic size, or the greatest size, or the reason
  /// why neither is known at the entry of the function.
  void describe(BufferRecord &record, int64_t elementBytes);

  /// Chooses symbols and hints, and gives each record its size at the first
  /// hint. A size that is computed although control does not reach the
  /// allocation may have any value, so the buffer is planned only if memory of
  /// that size exists anyway.
  void settle();

private:
  /// Gives the buffer a slot of the greatest size that it may have; false if no
  /// such size is known, or if the size is needed before it is known.
  bool boundSize(BufferRecord &record, int64_t elementBytes, bool isVariable);

  FunctionProblem &problem;
  const ProgramOrder &order;
  bool atGreatestSizes;
  SizeFormulas formulas;
  EntryValues values;
};

/// True if control reaches the op whenever it enters the function.
bool isAlwaysReached(mlir::Operation *op, mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_BUFFERSIZES_H
