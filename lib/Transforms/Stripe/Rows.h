//===- Rows.h - The rows of operands that rows of a result need -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one stripe of an op needs of its operands. A 3x3 convolution with step 2
// needs three rows of its operand for a row of its result, and two rows
// further on for the next one:
//
//     row 0 of the result    rows 0 1 2 of the operand
//     row 1 of the result    rows     2 3 4             Rows{step 2, extent 3}
//
// Here two rows of the operand overlap by one row, which is computed twice if
// the op that makes the operand joins the stripe.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STRIPE_ROWS_H
#define MEMPLAN_LIB_TRANSFORMS_STRIPE_ROWS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace memplan {

/// The slices of a tensor, along one of its dimensions, that the rows of a
/// stripe need: row n needs [n * step + offset, n * step + offset + extent).
struct Rows {
  unsigned dim = 0;
  int64_t step = 1;
  int64_t extent = 1;
  int64_t offset = 0;

  bool operator==(const Rows &other) const {
    return dim == other.dim && step == other.step && extent == other.extent &&
           offset == other.offset;
  }
  bool operator!=(const Rows &other) const { return !(*this == other); }
  /// The slices that two stripes have in common.
  int64_t halo() const { return extent > step ? extent - step : 0; }
  /// The slices that a stripe of `count` rows needs.
  int64_t of(int64_t count) const { return (count - 1) * step + extent; }
  /// The slices of a stripe behind those that it has in common with the one
  /// before it.
  Rows withoutHalo() const {
    return {dim, step, extent - halo(), offset + halo()};
  }
};

/// The iterations of a structured op that a stripe may cut, by its loop, and
/// how many there are. A reduction is cut only along its outermost reduced
/// dimension: then each sum is added up in the same order.
llvm::SmallVector<std::pair<unsigned, int64_t>> getCuts(mlir::Operation *op);

/// The loop of a structured op that runs along dimension `dim` of its only
/// result. std::nullopt if the op cannot compute slices of that dimension.
std::optional<unsigned> getLoop(mlir::Operation *op, unsigned dim);

/// True if the op can compute slices of its result along dimension `dim`: a
/// concatenation cannot along the one that it concatenates, nor a reshape along
/// one that its operand does not have.
bool hasSlices(mlir::Operation *op, unsigned dim);

/// The slices of an operand of a structured op that iterations `rows` of loop
/// `rows.dim` need. std::nullopt if that is all of it, or not a range.
std::optional<Rows> getLoopRows(mlir::OpOperand &operand, Rows rows);

/// The slices of an operand that slices `rows` of the op's result need, for
/// structured ops, pads, concatenations along another dimension and reshapes.
std::optional<Rows> getOperandRows(mlir::OpOperand &operand, Rows rows);

/// True for structured ops on tensors, pads, concatenations and reshapes of
/// static shape and one result.
bool isStripable(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_ROWS_H
