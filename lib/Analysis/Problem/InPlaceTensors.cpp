//===- InPlaceTensors.cpp - Tensor ops that may overwrite an input --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/InPlace.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

bool memplan::mayWriteOver(linalg::LinalgOp op, OpOperand &input) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.isDpsInput(&input))
    return false;
  OpOperand &init = *op.getDpsInitOperand(0);
  Operation *producer = input.get().getDefiningOp();
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
             producer) &&
         producer->getOperand(0).hasOneUse())
    producer = producer->getOperand(0).getDefiningOp();
  return init.get().getDefiningOp<tensor::EmptyOp>() &&
         !op.payloadUsesValueFromOperand(&init) &&
         op.getMatchingIndexingMap(&init).isPermutation() &&
         input.get().getType() == init.get().getType() &&
         op.getMatchingIndexingMap(&input) ==
             op.getMatchingIndexingMap(&init) &&
         isa_and_nonnull<DestinationStyleOpInterface>(producer) &&
         producer->getBlock() == op->getBlock();
}
