//===- InPlace.cpp - Ops that may overwrite an operand --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/InPlace.h"

#include "memplan/IR/CalleeContract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

#include "memplan/IR/InPlace.cpp.inc"

bool memplan::mayDeclareInPlace(Operation *op) {
  return isa<InPlaceInterface, func::CallOp>(op);
}

bool memplan::declaresInPlace(Operation *op, FunctionOpInterface callee,
                              OpOperand &read, OpOperand &written) {
  if (auto declares = dyn_cast<InPlaceInterface>(op))
    return declares.mayOverwrite(read, written);
  return callee && isDeclaredInPlace(callee, read.getOperandNumber(),
                                     written.getOperandNumber());
}
