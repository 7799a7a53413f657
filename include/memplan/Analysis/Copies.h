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

/// A copy of each element of `source` to the element of `target` with the same
/// indices. Both have the same element type and rank.
struct PlainCopy {
  mlir::Value source, target;
};

/// The copy that the op makes; std::nullopt if the op may do anything else.
/// Accepts memref.copy, linalg.copy, and a linalg.generic that yields its input
/// and has the same permutation of the loops for both operands.
std::optional<PlainCopy> matchPlainCopy(mlir::Operation *op);

/// The elements of a root memref that a view of it reaches.
struct Slice {
  /// The value that the views start from: an allocation, an argument, or a
  /// memplan.view.
  mlir::Value root;
  /// Bytes from the begin of the root to the first element.
  int64_t begin;
  /// For each dimension with more than one element: the number of elements, and
  /// the bytes from one to the next.
  llvm::SmallVector<int64_t, 4> sizes, strides;
  /// Bytes of one element.
  int64_t element;

  /// Bytes from the first element to the end of the last one; std::nullopt if
  /// there are gaps, or if the elements are in another order.
  std::optional<int64_t> getContiguousBytes() const;
};

/// The elements of the memref; std::nullopt if shape, strides and offset are
/// not all constant. The root has the identity layout, unless it is the memref
/// itself.
std::optional<Slice> findSlice(mlir::Value memref);

/// The root of the memref, if the memref has all elements of it in the same
/// order; the memref itself if it is no view. Null if the memref has only some
/// of the elements, or if that is not known: the layouts must be constant, and
/// views of a root of no constant shape may only cast, expand or collapse it.
mlir::Value findWholeRoot(mlir::Value memref);

/// True if the op writes every element of the operand and reads none through
/// it: the target of memref.copy, or an init of a linalg op that is indexed by
/// a permutation of the loops and not used by the body.
bool overwritesAll(mlir::OpOperand &operand);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_COPIES_H
