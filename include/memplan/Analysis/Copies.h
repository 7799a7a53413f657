//===- Copies.h - Ops that only copy, and the bytes they copy ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_COPIES_H
#define MEMPLAN_ANALYSIS_COPIES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memplan {

/// Each element of `target` becomes the element of `source` with the same
/// indices. Both have one element type and as many dimensions.
struct PlainCopy {
  mlir::Value source, target;
};

/// What the op copies, if that is all it does: memref.copy, linalg.copy, and a
/// linalg.generic that yields its input, with one permutation of the loops for
/// both operands.
std::optional<PlainCopy> matchPlainCopy(mlir::Operation *op);

/// Elements of a memref that views of it reach.
struct Slice {
  /// What the views are of: an allocation, an argument, a memplan.view.
  mlir::Value root;
  /// Bytes from the beginning of the root to the first element.
  int64_t begin;
  /// Of dimensions with more than one element, how many there are, and bytes
  /// from one to the next.
  llvm::SmallVector<int64_t, 4> sizes, strides;
  /// Bytes of one element.
  int64_t element;

  /// Bytes from the first element to behind the last one; nothing if they leave
  /// gaps, or come in another order.
  std::optional<int64_t> getContiguousBytes() const;
};

/// The elements that the memref is, if shape, strides and offset are constant.
/// The root has the identity layout, unless it is the memref itself.
std::optional<Slice> findSlice(mlir::Value memref);

/// The root that the memref is all of, in the order of its elements: views of
/// it are followed while that is so. Null if shape or layout do not tell.
mlir::Value findWholeRoot(mlir::Value memref);

/// True for the target of a copy, and for what a linalg op writes once each
/// element of, if it reads none of it through the operand.
bool overwritesAll(mlir::OpOperand &operand);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_COPIES_H
