//===- Accesses.h - What is done with an allocation in its block -*- C++
//-*-===//
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

/// A use of an allocation, or of a view of it, by something else than a view.
struct Access {
  /// The op of the allocation's block that it is in; null behind the block.
  mlir::Operation *place;
  mlir::OpOperand *use;
};

/// memref.alloc and memref.alloca, of elements that lie in the order of their
/// indices.
bool isAllocation(mlir::Operation *op);

/// All uses of the allocation, in the order of its block.
llvm::SmallVector<Access> collectAccesses(mlir::Operation *allocation);

/// The same; nothing if there are more than `most` uses and views. Cost: no
/// more than that, either.
std::optional<llvm::SmallVector<Access>>
collectFewAccesses(mlir::Operation *allocation, size_t most);

/// True if the order of the ops that access the allocation is that of the
/// program. Bufferization may move what is done with it together with tensors,
/// and threads that have it in common wait for each other.
bool isInOrder(mlir::Operation *allocation, llvm::ArrayRef<Access> accesses);

/// True if the op, or one around it, may go on when control is behind it, or is
/// run by many threads.
bool mayGoOn(mlir::Operation *op);

bool isShapeQuery(mlir::Operation *op);

/// True for an op that reads through the operand, or only looks at its shape.
bool onlyReads(mlir::OpOperand &use);

/// True for an op that gives the operand no further name.
bool keepsNoName(mlir::OpOperand &use);

/// Calls `visit` with the functions that are not planned and in which the order
/// of the ops is all there is to say of when they run.
void walkOrderedFunctions(
    mlir::ModuleOp module,
    llvm::function_ref<void(mlir::FunctionOpInterface)> visit);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ACCESSES_H
