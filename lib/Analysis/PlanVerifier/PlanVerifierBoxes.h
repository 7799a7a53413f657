//===- PlanVerifierBoxes.h - Which elements an op touches -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBOXES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBOXES_H

#include "PlanVerifierLoops.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace memplan::planverifier {

/// One dimension of a box of elements: `span` elements from `offset`, counted
/// from the sum of `variables`.
struct BoxDim {
  llvm::SmallVector<mlir::Value, 1> variables;
  int64_t offset = 0;
  int64_t span = 1;
};

/// A box of elements of `memref`.
struct Box {
  mlir::Value memref;
  llvm::SmallVector<BoxDim, 4> dims;

  /// True if no variable says where it is.
  bool isConstant() const;

  /// Becomes what it is in all iterations of a loop, or what surrounds that.
  /// Returns false if the iterations leave holes in it, or if there are too
  /// many elements to count; such a box contains, and is in, no other.
  bool grow(const LoopRange &range);

  /// True if all of `other` is in this box, where the variables are the same.
  bool contains(const Box &other) const;
};

/// Everything that `memref` names; nothing if that is not known.
std::optional<Box> getWhole(mlir::Value memref);

/// The box that `op` loads from or stores to `memref`; nothing for other ops,
/// and for those of which it is not known.
std::optional<Box> getElements(mlir::Operation *op, mlir::Value memref);

/// A box that `op` surely writes, and does not read, through `memref`.
std::optional<Box> getWritten(mlir::Operation *op, mlir::Value memref);

/// True if `op` surely writes, and does not read, all that `memref` names.
bool overwritesAll(mlir::Operation *op, mlir::Value memref);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERBOXES_H
