//===- CalleeContract.h - Contracts of declared functions -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts that the attributes of a function without a body state about its
// arguments. Planning and its verifier rely on them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_CALLEECONTRACT_H
#define MEMPLAN_IR_CALLEECONTRACT_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan {

/// True if an attribute says that the function does not write the argument: one
/// of one-shot bufferization or of LLVM.
bool isDeclaredReadOnly(mlir::FunctionOpInterface function, unsigned number);

/// True if the function may write argument `written` over argument `read`, if
/// both begin at the same byte: it reads no byte through `read` after it has
/// written it (memplan.overwrites).
bool isDeclaredInPlace(mlir::FunctionOpInterface function, unsigned read,
                       unsigned written);

} // namespace memplan

#endif // MEMPLAN_IR_CALLEECONTRACT_H
