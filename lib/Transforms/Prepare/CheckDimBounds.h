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

/// Gives the extents of arguments hints (memplan.dim_hints), in place of those
/// that they have. Each of `sizes` is NAME=VALUE with the name of an extent
/// (memplan.dim_names, or arg1_d0); a name that comes again begins the next
/// hint. Emits an error, and changes nothing, if one is none of these.
mlir::LogicalResult declareSizes(mlir::ModuleOp module,
                                 llvm::ArrayRef<std::string> sizes);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_CHECKDIMBOUNDS_H
