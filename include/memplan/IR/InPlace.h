//===- InPlace.h - Ops that may overwrite an operand ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_INPLACE_H
#define MEMPLAN_IR_INPLACE_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "memplan/IR/InPlace.h.inc"

namespace memplan {

/// True for an op that can declare that it may write one operand over another:
/// it implements the interface, or calls a function.
bool mayDeclareInPlace(mlir::Operation *op);

/// True if the op declares this for the two operands: by mayOverwrite of the
/// interface, or by memplan.overwrites of the function `callee` that it calls
/// (null if that is not known).
bool declaresInPlace(mlir::Operation *op, mlir::FunctionOpInterface callee,
                     mlir::OpOperand &read, mlir::OpOperand &written);

} // namespace memplan

#endif // MEMPLAN_IR_INPLACE_H
