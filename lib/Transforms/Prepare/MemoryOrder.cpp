//===- MemoryOrder.cpp - Tensors of memory that is written ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryOrder.h"

#include "memplan/IR/Views.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

static bool isOwn(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  // A global may have several names, but nobody writes to a constant.
  if (auto get = root.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    return global && global.getConstant();
  }
  return hasEffect<MemoryEffects::Allocate>(root.getDefiningOp(), root);
}

Value memplan::findOwnMemory(Value memref) {
  Value root = getViewRoot(memref);
  return isOwn(root) ? root : Value();
}

/// True if the op writes a tensor into memory that
/// memplan-protect-arguments knows: it keeps what the op overwrites.
static bool isProtected(Operation *op) {
  auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
  return write && (!isa<BaseMemRefType>(write.getDest().getType()) ||
                   findOwnMemory(write.getDest()));
}

bool memplan::hasTensorsOfMemRefs(Operation *op) {
  return op
      ->walk([](bufferization::ToTensorOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static Operation *getFunction(Block &block) {
  Operation *function = block.getParentOp();
  while (!isa<FunctionOpInterface>(function) && function->getParentOp())
    function = function->getParentOp();
  return function;
}

MemoryOrder::MemoryOrder(Block &block)
    : MemoryOrder(block, hasTensorsOfMemRefs(getFunction(block))) {}

MemoryOrder::MemoryOrder(Block &block, bool readsMemRefs) {
  if (!readsMemRefs)
    return;
  for (Operation &op : block)
    if (!isMemoryEffectFree(&op) && !isProtected(&op) &&
        !isa<bufferization::ToTensorOp, bufferization::AllocTensorOp>(op))
      writes.push_back(&op);
}
