//===- BufferAllocation.cpp - Ops that allocate a buffer ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/BufferAllocation.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace memplan;

#include "memplan/IR/BufferAllocation.cpp.inc"

namespace {
template <typename AllocLikeOp, BufferStorage storage>
struct MemRefModel : BufferAllocationInterface::ExternalModel<
                         MemRefModel<AllocLikeOp, storage>, AllocLikeOp> {
  int64_t getRequestedAlignment(Operation *op) const {
    return static_cast<int64_t>(
        cast<AllocLikeOp>(op).getAlignment().value_or(1));
  }
  BufferStorage getStorage(Operation *) const { return storage; }
};

struct WorkspaceModel
    : BufferAllocationInterface::ExternalModel<WorkspaceModel, WorkspaceOp> {
  int64_t getRequestedAlignment(Operation *op) const {
    return static_cast<int64_t>(cast<WorkspaceOp>(op).getAlign());
  }
  BufferStorage getStorage(Operation *op) const {
    return cast<WorkspaceOp>(op).getKind() == WorkspaceKind::Unique
               ? BufferStorage::UniqueScratch
               : BufferStorage::Scratch;
  }
};
} // namespace

BufferAllocationInterface memplan::asBufferAllocation(Operation *op) {
  auto allocation = dyn_cast<BufferAllocationInterface>(op);
  if (!allocation || op->getNumResults() != 1 ||
      !isa<MemRefType>(op->getResult(0).getType()))
    return nullptr;
  return allocation;
}

BufferStorage memplan::getStorage(Operation *allocation) {
  auto interface = dyn_cast<BufferAllocationInterface>(allocation);
  return interface ? interface.getStorage() : BufferStorage::Heap;
}

bool memplan::isScratch(Operation *allocation) {
  BufferStorage storage = getStorage(allocation);
  return storage == BufferStorage::Scratch ||
         storage == BufferStorage::UniqueScratch;
}

void memplan::registerBufferAllocationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    using AllocModel = MemRefModel<memref::AllocOp, BufferStorage::Heap>;
    using AllocaModel = MemRefModel<memref::AllocaOp, BufferStorage::Stack>;
    memref::AllocOp::attachInterface<AllocModel>(*context);
    memref::AllocaOp::attachInterface<AllocaModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, MemplanDialect *) {
    WorkspaceOp::attachInterface<WorkspaceModel>(*context);
  });
}
