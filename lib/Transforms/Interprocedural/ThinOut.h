//===- ThinOut.h - Thin out bufferization.dealloc ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_INTERPROCEDURAL_THINOUT_H
#define MEMPLAN_TRANSFORMS_INTERPROCEDURAL_THINOUT_H

#include "memplan/IR/Constants.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace memplan {

/// Replaces the op by one with the chosen memrefs and retained memrefs only.
/// The ownership results of the other retained memrefs become false. If no
/// memref is chosen, the op is erased and all its results become false.
void thinOut(mlir::bufferization::DeallocOp op, const ConstantMaker &maker,
             llvm::function_ref<bool(unsigned)> keepsMemref,
             llvm::function_ref<bool(unsigned)> keepsRetained);

/// True for an scf.if without results whose regions have no ops.
bool isEmptyConditional(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_INTERPROCEDURAL_THINOUT_H
