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

/// Checks of each global arena of the functions that only one call of its
/// function uses it at a time. No other op inside `root` may name the variable,
/// and the variable must not be constant. The function must not be called again
/// before it returns, and no two calls of it may run at the same time. The
/// check follows each func.call of a func.func; any other op that names a
/// function may call it at any time. Callers outside of `root` are assumed to
/// wait until the function returns. Emits an error for each violation. Cost:
/// none without a global arena, otherwise linear in the ops inside `root`.
mlir::LogicalResult
checkGlobalArenas(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
                  mlir::Operation *root);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_GLOBALS_H
