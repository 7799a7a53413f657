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

/// What kind of memory an op allocates.
enum class BufferStorage : uint8_t {
  /// Until it is freed; control flow may hand it on.
  Heap,
  /// Until the op around it that bounds stack allocations ends.
  Stack,
  /// Scratch of the ops that use it: shares no place by way of control flow.
  Scratch,
  /// Scratch whose bytes nothing else may use at any time.
  UniqueScratch
};

} // namespace memplan

#include "memplan/IR/BufferAllocation.h.inc"

namespace memplan {

/// The op if it allocates a buffer: it implements the interface, and its only
/// result is a memref. Null otherwise.
BufferAllocationInterface asBufferAllocation(mlir::Operation *op);

/// What kind of memory the op allocates; that of the heap where it does not
/// say.
BufferStorage getStorage(mlir::Operation *allocation);

/// True for an allocation of scratch, which shares no place with others by way
/// of control flow.
bool isScratch(mlir::Operation *allocation);

/// Attaches the interface to memref.alloc, memref.alloca and memplan.workspace.
void registerBufferAllocationModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_IR_BUFFERALLOCATION_H
