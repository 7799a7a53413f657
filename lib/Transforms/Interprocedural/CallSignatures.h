//===- CallSignatures.h - Calls whose signatures change ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_CALLSIGNATURES_H
#define MEMPLAN_LIB_TRANSFORMS_CALLSIGNATURES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

namespace memplan {

/// The returns of the function, in the order of their blocks.
llvm::SmallVector<mlir::func::ReturnOp> findExits(mlir::func::FuncOp function);

/// Appends operands to the call, without attributes.
void appendOperands(mlir::func::CallOp call, mlir::ValueRange operands);

/// Replaces the call by one without the results `taken`, which gets `memory`,
/// one additional operand for each of them, instead. Uses of such a result use
/// its operand; the attributes of the result become those of the operand.
/// Erases the call and returns the new one.
mlir::func::CallOp turnResultsIntoOperands(mlir::func::CallOp call,
                                           const llvm::BitVector &taken,
                                           mlir::ValueRange memory);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_CALLSIGNATURES_H
