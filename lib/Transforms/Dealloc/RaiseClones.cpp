//===- RaiseClones.cpp - Clones as allocations and copies -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clone may be the same memory as its source, so neither can be planned well.
// Upstream always lowers it to an allocation and a copy. With that lowering
// before planning, the two are separate buffers.
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// The type of the allocation that replaces the clone; null if the clone has a
/// dynamic shape, or a layout to which an allocation cannot be cast.
static MemRefType getAllocatedType(bufferization::CloneOp clone) {
  auto type = dyn_cast<MemRefType>(clone.getType());
  if (!type || !type.hasStaticShape())
    return nullptr;
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  return memref::CastOp::areCastCompatible(plain, type) ? plain : nullptr;
}

bool memplan::copyClones(func::FuncOp function) {
  SmallVector<bufferization::CloneOp> clones;
  function->walk([&](bufferization::CloneOp clone) {
    if (getAllocatedType(clone))
      clones.push_back(clone);
  });
  for (bufferization::CloneOp clone : clones) {
    OpBuilder builder(clone);
    Location loc = clone.getLoc();
    Value memory =
        memref::AllocOp::create(builder, loc, getAllocatedType(clone));
    auto copy = memref::CopyOp::create(builder, loc, clone.getInput(), memory);
    // The attributes include memplan.step.
    copy->setDiscardableAttrs(clone->getDiscardableAttrDictionary());
    if (memory.getType() != clone.getType())
      memory = memref::CastOp::create(builder, loc, clone.getType(), memory);
    clone.replaceAllUsesWith(memory);
    clone.erase();
  }
  return !clones.empty();
}
