//===- CheckDimBounds.h - Check the bounds of extents -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_CHECKDIMBOUNDS_H
#define MEMPLAN_LIB_TRANSFORMS_CHECKDIMBOUNDS_H

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// Makes functions assert at their entry what memplan.dim_bounds of their
/// arguments claims, one assertion for each dimension, unless the entry makes
/// sure of it already. Only functions that allocate buffers of dynamic shape
/// and are not planned yet change.
void checkDimBounds(mlir::ModuleOp module);

/// False if checkDimBounds would change nothing.
bool hasUncheckedDimBounds(mlir::ModuleOp module);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_CHECKDIMBOUNDS_H
