//===- CalleeContract.h - What a declared function says --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the attributes of a function without a body say of its arguments, which
// planning and its verifier believe.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_CALLEECONTRACT_H
#define MEMPLAN_IR_CALLEECONTRACT_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan {

/// True if the function does not write the argument: as to one-shot
/// bufferization, or to LLVM.
bool isDeclaredReadOnly(mlir::FunctionOpInterface function, unsigned number);

/// True if the function may write argument `written` at the bytes of argument
/// `read`, where both begin at the same byte: it reads no byte through `read`
/// after it has written it (memplan.overwrites).
bool isDeclaredInPlace(mlir::FunctionOpInterface function, unsigned read,
                       unsigned written);

} // namespace memplan

#endif // MEMPLAN_IR_CALLEECONTRACT_H
