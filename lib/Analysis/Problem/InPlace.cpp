//===- InPlace.cpp - Ops that may overwrite an operand --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/InPlace.h"

#include "memplan/IR/BufferAllocation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

/// The allocation all of whose elements the value is, in their order; null if
/// that is not known.
static Operation *findWhole(Value value) {
  for (;;) {
    auto type = dyn_cast<MemRefType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!op || !type || !type.hasStaticShape() ||
        !type.getLayout().isIdentity())
      return nullptr;
    if (asBufferAllocation(op))
      return op;
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op))
      return nullptr;
    value = op->getOperand(0);
  }
}

/// True if an op of the body uses a memref, of which it may read any element.
static bool touchesMemory(Block *body) {
  return llvm::any_of(*body, [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// True if iterations of the op that run in any order read of `read` what they
/// write of `written` and nothing else.
static bool readsWhatItWrites(Operation *op, Value read, Value written) {
  if (isa<memref::CopyOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured ||
      structured.getNumLoops() != structured.getNumParallelLoops() ||
      touchesMemory(structured.getBlock()))
    return false;
  AffineMap map;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != read && operand.get() != written)
      continue;
    AffineMap own = structured.getMatchingIndexingMap(&operand);
    if (!own.isPermutation() || (map && map != own))
      return false;
    map = own;
  }
  return true;
}

SmallVector<InPlaceOp, 2> memplan::findInPlace(Operation *op,
                                               const AliasGraph &graph) {
  SmallVector<InPlaceOp, 2> pairs;
  SmallVector<Value, 4> read;
  SmallVector<Value, 1> written;
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    read.push_back(copy.getSource());
    written.push_back(copy.getTarget());
  } else if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!structured.hasPureBufferSemantics())
      return pairs;
    read = structured.getDpsInputs();
    llvm::append_range(written, structured.getDpsInits());
  }
  for (Value to : written) {
    Operation *target = findWhole(to);
    if (!target)
      continue;
    for (Value from :
         llvm::SmallSetVector<Value, 4>(read.begin(), read.end())) {
      Operation *source = findWhole(from);
      if (!source || source == target || from.getType() != to.getType() ||
          llvm::is_contained(written, from) || !readsWhatItWrites(op, from, to))
        continue;
      AliasGraph::Id a = graph.getId(source->getResult(0));
      AliasGraph::Id b = graph.getId(target->getResult(0));
      // By another name the op might read other elements of them.
      bool isElsewhere = llvm::any_of(op->getOperands(), [&](Value other) {
        if (other == from || other == to ||
            !isa<BaseMemRefType>(other.getType()))
          return false;
        std::vector<AliasGraph::Id> sources =
            graph.getSources(graph.getId(other));
        return llvm::is_contained(sources, a) || llvm::is_contained(sources, b);
      });
      if (!isElsewhere)
        pairs.push_back({op, source, target});
    }
  }
  return pairs;
}
