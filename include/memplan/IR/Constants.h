//===- Constants.h - Constants before and after conversion -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline may convert arith to the LLVM dialect before it plans. Its index
// constants are then llvm.mlir.constant of an integer, cast to index.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_CONSTANTS_H
#define MEMPLAN_IR_CONSTANTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace memplan {

/// The number, if it is a constant integer or index, converted or not.
std::optional<int64_t> getConstantNumber(mlir::OpFoldResult value);

/// Makes constants for a function: converted where its own are.
class ConstantMaker {
public:
  /// Reads the function, or the op of one, once.
  explicit ConstantMaker(mlir::Operation *op);

  /// Of type index, at the builder's place.
  mlir::Value createIndex(mlir::OpBuilder &builder, mlir::Location loc,
                          int64_t value) const;
  /// Of type i1.
  mlir::Value createBit(mlir::OpBuilder &builder, mlir::Location loc,
                        bool value) const;

private:
  /// That of a converted index; null where constants are not converted.
  mlir::IntegerType converted;
};

} // namespace memplan

#endif // MEMPLAN_IR_CONSTANTS_H
