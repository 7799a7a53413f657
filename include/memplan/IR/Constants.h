//===- Constants.h - Constants before and after conversion ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline may convert arith to the LLVM dialect before it plans. An index
// constant is then an integer llvm.mlir.constant that is cast to index.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_CONSTANTS_H
#define MEMPLAN_IR_CONSTANTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace memplan {

/// The number if the value is a constant integer or index, converted or not;
/// std::nullopt otherwise.
std::optional<int64_t> getConstantNumber(mlir::OpFoldResult value);

/// Creates constants in a function, converted if its own constants are.
class ConstantMaker {
public:
  /// Walks the function, or the function around the op, once.
  explicit ConstantMaker(mlir::Operation *op);

  /// Creates a constant of type index at the builder's insertion point.
  mlir::Value createIndex(mlir::OpBuilder &builder, mlir::Location loc,
                          int64_t value) const;
  /// Creates a constant of type i1 there.
  mlir::Value createBit(mlir::OpBuilder &builder, mlir::Location loc,
                        bool value) const;

private:
  /// The LLVM type of index constants; null if constants are not converted.
  mlir::IntegerType converted;
};

/// The ops that write to `memory` or free it, directly or through views.
llvm::SmallVector<mlir::Operation *> findWrites(mlir::Value memory);

} // namespace memplan

#endif // MEMPLAN_IR_CONSTANTS_H
