//===- SinkSelects.cpp - Selects of buffers where they are used -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conditional that gives one of two buffers, each written in an arm, is by
// canonicalization a select before a conditional that writes them. There the
// buffers go by their own names beside that of the select, which then cannot
// hand on the slot of one. A select does nothing to memory: it may as well
// stand where its result is first used.
//
//===----------------------------------------------------------------------===//

#include "Dealloc/RaisedFunctions.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

/// The op of the select's block before which, or in which, its result is first
/// used; null if only other blocks use it, or nothing does.
static Operation *findFirstUse(Operation *select) {
  Operation *first = nullptr;
  for (Operation *user : select->getUsers()) {
    Operation *op = select->getBlock()->findAncestorOpInBlock(*user);
    if (op && (!first || op->isBeforeInBlock(first)))
      first = op;
  }
  return first;
}

/// Where to put the select so that its operands are not used on before its
/// result is; null to leave it.
static Operation *findPlace(SelectLikeOpInterface select) {
  Operation *place = findFirstUse(select);
  if (!place)
    return nullptr;
  // Another select by the same condition is walked together with this one.
  auto isUse = [&](Operation *user, Operation *inBlock) {
    auto other = dyn_cast<SelectLikeOpInterface>(user);
    return inBlock && select->isBeforeInBlock(inBlock) &&
           inBlock->isBeforeInBlock(place) &&
           !(other && other.getCondition() == select.getCondition());
  };
  auto isUsedOn = [&](Value operand) {
    return llvm::any_of(operand.getUsers(), [&](Operation *user) {
      return isUse(user, select->getBlock()->findAncestorOpInBlock(*user));
    });
  };
  if (!isUsedOn(select.getTrueValue()) && !isUsedOn(select.getFalseValue()))
    return nullptr;
  // What a step is made of stays together.
  for (Operation *op = select; op != place->getNextNode();
       op = op->getNextNode())
    if (op->hasAttr(MemplanDialect::kStepAttr) ||
        op->hasAttr(MemplanDialect::kStreamAttr))
      return nullptr;
  return place;
}

bool memplan::sinkSelects(func::FuncOp function,
                          llvm::function_ref<void()> beforeChange) {
  // The last ones first, as they may be what others wait for.
  SmallVector<SelectLikeOpInterface> selects;
  function->walk([&](SelectLikeOpInterface select) {
    if (select->getNumResults() == 1 && isMemoryEffectFree(select) &&
        isa<BaseMemRefType>(select->getResult(0).getType()))
      selects.push_back(select);
  });
  bool changed = false;
  for (SelectLikeOpInterface select : llvm::reverse(selects)) {
    Operation *place = findPlace(select);
    if (!place)
      continue;
    if (!changed)
      beforeChange();
    changed = true;
    select->moveBefore(place);
  }
  return changed;
}
