//===- MemoryOrder.h - Tensors of memory that is written --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PREPARE_MEMORYORDER_H
#define MEMPLAN_LIB_TRANSFORMS_PREPARE_MEMORYORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace memplan {

/// The memref that is all of the memory of `memref`, if its name tells it from
/// other memory: an argument of a function, an allocation or a constant. Null
/// for others, such as a choice of memrefs, which may be any memory.
mlir::Value findOwnMemory(mlir::Value memref);

/// True if there are tensors inside of `op` that are made of memrefs.
bool hasTensorsOfMemRefs(mlir::Operation *op);

/// The order of the ops of a block that read tensors and of those that may
/// write memory. A tensor that is made of a memref has what is in the memory
/// when it is read: an op that reads it later may read something else.
class MemoryOrder {
public:
  explicit MemoryOrder(mlir::Block &block);

  /// `readsMemRefs` says whether the function of the block has tensors that are
  /// made of memrefs. Of a function with many blocks this is asked once.
  MemoryOrder(mlir::Block &block, bool readsMemRefs);

  /// True if no memory that `op` may read is written between it and `later`,
  /// both of the block.
  bool mayMove(mlir::Operation *op, mlir::Operation *later) const {
    return findWrite(op) == findWrite(later);
  }

private:
  /// The first op that may write and is not before `op`.
  mlir::Operation *const *findWrite(mlir::Operation *op) const {
    return llvm::partition_point(writes, [&](mlir::Operation *write) {
      return write->isBeforeInBlock(op);
    });
  }

  /// The ops that may write memory, in the order of the block; none if the
  /// function has no tensors that are made of memrefs.
  llvm::SmallVector<mlir::Operation *> writes;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PREPARE_MEMORYORDER_H
