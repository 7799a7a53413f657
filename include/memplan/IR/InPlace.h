//===- InPlace.h - Ops that may write over what they read -------*- C++ -*-===//
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

/// True for an op that may say of its operands that it writes one over another:
/// it implements the interface, or calls a function.
bool mayDeclareInPlace(mlir::Operation *op);

/// True if it says so: mayOverwrite of the interface, or memplan.overwrites of
/// `callee`, the function that it calls (null if it is none that is known).
bool declaresInPlace(mlir::Operation *op, mlir::FunctionOpInterface callee,
                     mlir::OpOperand &read, mlir::OpOperand &written);

} // namespace memplan

#endif // MEMPLAN_IR_INPLACE_H
