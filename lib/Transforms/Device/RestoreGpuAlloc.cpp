//===- RestoreGpuAlloc.cpp - The memplan-restore-gpu-alloc pass -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANRESTOREGPUALLOC
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

/// The alignment, in bytes, of allocations by CUDA and HIP.
static constexpr uint64_t kRuntimeAlignment = 256;

/// The memory space of the memref if memplan-raise-gpu-alloc created it;
/// otherwise null.
static GpuAllocAttr getRaisedSpace(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref ? dyn_cast_or_null<GpuAllocAttr>(memref.getMemorySpace())
                : GpuAllocAttr();
}

static bool isRaised(Value value) {
  return static_cast<bool>(getRaisedSpace(value.getType()));
}

/// Emits an error and fails for an op that cannot be restored.
static LogicalResult checkRestorable(Operation *op) {
  if (isa<ArenaOp, ViewOp, RenewOp, ReleaseOp, OutputOp, WorkspaceOp>(op) &&
      (llvm::any_of(op->getOperands(), isRaised) ||
       llvm::any_of(op->getResults(), isRaised)))
    return op->emitOpError("is of memory that gpu.alloc allocates, and must be "
                           "lowered (memplan-lower) before that is restored");
  auto alloc = dyn_cast<memref::AllocOp>(op);
  if (alloc && isRaised(alloc) &&
      alloc.getAlignment().value_or(1) > kRuntimeAlignment)
    return alloc.emitOpError()
           << "asks for an alignment of " << *alloc.getAlignment()
           << " bytes; memory of gpu.alloc has " << kRuntimeAlignment;
  return success();
}

static void restore(memref::AllocOp op) {
  // The type keeps the raised space until all types are restored.
  OpBuilder builder(op);
  bool isShared =
      getRaisedSpace(op.getType()).getMemory() == GpuMemory::HostShared;
  auto alloc = gpu::AllocOp::create(
      builder, op.getLoc(), op.getType(), /*asyncToken=*/Type(),
      /*asyncDependencies=*/ValueRange(), op.getDynamicSizes(),
      op.getSymbolOperands(), isShared);
  op->removeDiscardableAttr(
      bufferization::BufferizationDialect::kManualDeallocation);
  alloc->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.replaceAllUsesWith(alloc.getMemref());
  op.erase();
}

static void restore(memref::DeallocOp op) {
  OpBuilder builder(op);
  auto dealloc = gpu::DeallocOp::create(builder, op.getLoc(),
                                        /*asyncToken=*/Type(),
                                        /*asyncDependencies=*/ValueRange(),
                                        op.getMemref());
  op->removeDiscardableAttr(
      bufferization::BufferizationDialect::kManualDeallocation);
  dealloc->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.erase();
}

namespace {
struct RestoreGpuAllocPass
    : memplan::impl::MemplanRestoreGpuAllocBase<RestoreGpuAllocPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool isRefused = false;
    SmallVector<memref::MemorySpaceCastOp> casts;
    SmallVector<memref::AllocOp> allocs;
    SmallVector<memref::DeallocOp> deallocs;
    module.walk([&](Operation *op) {
      isRefused |= failed(checkRestorable(op));
      if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && isRaised(alloc))
        allocs.push_back(alloc);
      else if (auto dealloc = dyn_cast<memref::DeallocOp>(op);
               dealloc && isRaised(dealloc.getMemref()))
        deallocs.push_back(dealloc);
      else if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op);
               cast && isRaised(cast.getSource()))
        casts.push_back(cast);
    });
    if (isRefused)
      return signalPassFailure();
    for (memref::AllocOp op : allocs)
      restore(op);
    for (memref::DeallocOp op : deallocs)
      restore(op);

    AttrTypeReplacer replacer;
    replacer.addReplacement([](BaseMemRefType type) -> std::optional<Type> {
      GpuAllocAttr raised = getRaisedSpace(type);
      if (!raised)
        return std::nullopt;
      if (auto memref = dyn_cast<MemRefType>(type))
        return MemRefType::Builder(memref).setMemorySpace(raised.getSpace());
      return UnrankedMemRefType::get(type.getElementType(), raised.getSpace());
    });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    for (memref::MemorySpaceCastOp cast : casts) {
      if (cast.getSource().getType() != cast.getType())
        continue;
      cast.replaceAllUsesWith(cast.getSource());
      cast.erase();
    }
  }
};
} // namespace
