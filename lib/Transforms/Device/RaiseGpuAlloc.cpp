//===- RaiseGpuAlloc.cpp - The memplan-raise-gpu-alloc pass ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANRAISEGPUALLOC
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

/// True for an op that has finished when control passes it: it has no tokens.
static bool isSynchronous(gpu::AsyncOpInterface op) {
  return !op.getAsyncToken() && op.getAsyncDependencies().empty();
}

static void raise(gpu::AllocOp op) {
  MemRefType type = op.getType();
  auto space = GpuAllocAttr::get(op.getContext(),
                                 op.getHostShared() ? GpuMemory::HostShared
                                                    : GpuMemory::Device,
                                 type.getMemorySpace());
  MemRefType raised = MemRefType::get(type.getShape(), type.getElementType(),
                                      type.getLayout(), space);
  OpBuilder builder(op);
  auto alloc = memref::AllocOp::create(builder, op.getLoc(), raised,
                                       op.getDynamicSizes(),
                                       op.getSymbolOperands(), IntegerAttr());
  alloc->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  auto cast = memref::MemorySpaceCastOp::create(builder, op.getLoc(), type,
                                                alloc.getMemref());
  for (Operation *user :
       llvm::make_early_inc_range(op.getMemref().getUsers())) {
    auto dealloc = dyn_cast<gpu::DeallocOp>(user);
    if (!dealloc || !isSynchronous(dealloc))
      continue;
    builder.setInsertionPoint(dealloc);
    auto raisedDealloc =
        memref::DeallocOp::create(builder, dealloc.getLoc(), alloc);
    raisedDealloc->setDiscardableAttrs(dealloc->getDiscardableAttrDictionary());
    dealloc.erase();
  }
  op.getMemref().replaceAllUsesWith(cast.getResult());
  op.erase();
}

namespace {
struct RaiseGpuAllocPass
    : memplan::impl::MemplanRaiseGpuAllocBase<RaiseGpuAllocPass> {
  void runOnOperation() override {
    SmallVector<gpu::AllocOp> allocs;
    getOperation()->walk([&](gpu::AllocOp op) {
      if (isSynchronous(op) && !op->hasAttr(MemplanDialect::kArenaAttr))
        allocs.push_back(op);
    });
    llvm::for_each(allocs, raise);
  }
};
} // namespace
