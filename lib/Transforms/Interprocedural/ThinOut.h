//===- ThinOut.h - Deallocations that are in part idle -------- -*- C++ -*-===//
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

/// Leaves the chosen memrefs, and the chosen retained ones, in the op: nobody
/// owns the others. Without memrefs there is no op, nor any owner.
void thinOut(mlir::bufferization::DeallocOp op, const ConstantMaker &maker,
             llvm::function_ref<bool(unsigned)> keepsMemref,
             llvm::function_ref<bool(unsigned)> keepsRetained);

/// True for a conditional without results that does nothing any more.
bool isEmptyConditional(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_INTERPROCEDURAL_THINOUT_H
