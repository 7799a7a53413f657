//===- BufferAllocation.h - Ops that allocate a buffer ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_BUFFERALLOCATION_H
#define MEMPLAN_IR_BUFFERALLOCATION_H

#include "mlir/IR/OpDefinition.h"

namespace memplan {

/// The kind of memory that an op allocates, and who may share its bytes.
enum class BufferStorage : uint8_t {
  /// Lives until it is freed; control flow may forward it.
  Heap,
  /// Lives until the op around it that bounds stack allocations ends.
  Stack,
  /// Scratch of the ops that use it: control flow never coalesces it with
  /// others.
  Scratch,
  /// Scratch whose bytes no other buffer may use at any time.
  UniqueScratch
};

} // namespace memplan

#include "memplan/IR/BufferAllocation.h.inc"

namespace memplan {

/// The op as an allocation of a buffer: it implements the interface, and its
/// only result is a memref. Null otherwise.
BufferAllocationInterface asBufferAllocation(mlir::Operation *op);

/// The kind of memory that the op allocates; Heap if it does not implement the
/// interface.
BufferStorage getStorage(mlir::Operation *allocation);

/// True for an allocation of scratch, which control flow never coalesces with
/// other allocations.
bool isScratch(mlir::Operation *allocation);

/// Attaches the interface to memref.alloc, memref.alloca and memplan.workspace.
void registerBufferAllocationModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_IR_BUFFERALLOCATION_H
