//===- Accesses.h - Accesses to an allocation, in block order ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_ACCESSES_H
#define MEMPLAN_LIB_TRANSFORMS_ACCESSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memplan {

/// A use of an allocation, or of a view of it, by an op that is not a view.
struct Access {
  /// The op of the allocation's block that contains the use; null for a use
  /// outside of that block.
  mlir::Operation *place;
  mlir::OpOperand *use;
};

/// True for memref.alloc and memref.alloca with the identity layout.
bool isAllocation(mlir::Operation *op);

/// All accesses to the allocation, in the order of its block; those outside of
/// the block are last.
llvm::SmallVector<Access> collectAccesses(mlir::Operation *allocation);

/// The same; std::nullopt if there are more than `most` uses, views included.
/// Visits at most `most` uses.
std::optional<llvm::SmallVector<Access>>
collectFewAccesses(mlir::Operation *allocation, size_t most);

/// Removes from `rest`, which is not empty, the accesses of its first place,
/// and returns them.
llvm::ArrayRef<Access> takePlace(llvm::ArrayRef<Access> &rest);

/// True if the accesses are executed in program order. Accesses together with
/// tensors are not, because bufferization may move them; nor are accesses of
/// several threads.
bool isInOrder(mlir::Operation *allocation, llvm::ArrayRef<Access> accesses);

/// True if the op, or one around it, may still run after control has passed it,
/// or is run by many threads.
bool mayGoOn(mlir::Operation *op);

/// True for memref.dim and memref.rank.
bool isShapeQuery(mlir::Operation *op);

/// True if the op is known to only read the memory of the operand, or to query
/// its shape.
bool onlyReads(mlir::OpOperand &use);

/// True if the effects of the op on the operand are known and end with the op:
/// it creates no other name of the memory.
bool keepsNoName(mlir::OpOperand &use);

/// Calls `visit` with the functions that have a body, no arena, and no op in a
/// step: their ops run in program order.
void walkOrderedFunctions(
    mlir::ModuleOp module,
    llvm::function_ref<void(mlir::FunctionOpInterface)> visit);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ACCESSES_H
