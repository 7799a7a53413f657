//===- Globals.h - Arenas that are variables of the module ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_GLOBALS_H
#define MEMPLAN_LIB_VERIFIER_GLOBALS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan::verifier {

/// Checks that each global arena of the functions belongs to one run of its
/// function at a time: that nothing else inside `root` names the variable, that
/// it can be written to, that the function does not come to be called again
/// before it returns, and that none of its calls may run beside another one.
/// Calls are followed where a func.call of a func.func is; whatever else names
/// a function may call it at any time. Callers outside of `root` are taken to
/// wait for a function to return. Emits an error for each arena of which this
/// does not hold. Cost: none without a global arena, else linear in the ops
/// inside `root`.
mlir::LogicalResult
checkGlobalArenas(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
                  mlir::Operation *root);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_GLOBALS_H
