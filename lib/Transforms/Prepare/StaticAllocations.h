//===- StaticAllocations.h - Sizes that are constants -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STATICALLOCATIONS_H
#define MEMPLAN_LIB_TRANSFORMS_STATICALLOCATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// True if makeAllocationsStatic would change the module.
bool hasConstantSizes(mlir::ModuleOp module);

/// Gives allocations (memref.alloc, memref.alloca) whose sizes are constants,
/// or computed from constants, a type of static shape, and casts them to the
/// type that they had:
///
///   %a = memref.alloc(%c4) : memref<?xf32>
///   // becomes
///   %0 = memref.alloc() : memref<4xf32>
///   %a = memref.cast %0 : memref<4xf32> to memref<?xf32>
///
/// Functions that have an arena stay as they are.
void makeAllocationsStatic(mlir::ModuleOp module);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STATICALLOCATIONS_H
