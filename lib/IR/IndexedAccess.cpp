//===- IndexedAccess.cpp - Loads and stores of an element -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

std::optional<IndexedAccess> memplan::getIndexedAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return IndexedAccess{load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return IndexedAccess{store.getMemRef(), store.getIndices()};
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return IndexedAccess{load.getMemRef(), load.getMapOperands(),
                         load.getAffineMap()};
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return IndexedAccess{store.getMemRef(), store.getMapOperands(),
                         store.getAffineMap()};
  return std::nullopt;
}
