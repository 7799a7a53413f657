//===- IndexedAccess.h - Loads and stores of an element ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_INDEXEDACCESS_H
#define MEMPLAN_IR_INDEXEDACCESS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memplan {

/// A load or a store of one element of a memref.
struct IndexedAccess {
  mlir::Value memref;
  /// The indices, or the operands that `map` computes the indices from.
  mlir::ValueRange operands;
  /// Null if the operands are the indices.
  mlir::AffineMap map = {};
};

/// The access of a memref.load, memref.store, affine.load or affine.store;
/// std::nullopt for other ops.
std::optional<IndexedAccess> getIndexedAccess(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_IR_INDEXEDACCESS_H
