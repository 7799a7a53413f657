//===- Accesses.cpp - Accesses to an allocation, in block order -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/Accesses.h"

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/ProgramOrder.h"
#include "memplan/Analysis/Steps.h"
#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace memplan;

bool memplan::isAllocation(Operation *op) {
  return isa_and_present<memref::AllocOp, memref::AllocaOp>(op) &&
         cast<MemRefType>(op->getResult(0).getType()).getLayout().isIdentity();
}

/// A view that neither reads nor writes, of memory in one space.
static bool isPlainView(OpOperand &use) {
  Operation *op = use.getOwner();
  if (getViewSource(op) != use.get() || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return false;
  auto from = dyn_cast<MemRefType>(use.get().getType());
  auto to = dyn_cast<MemRefType>(op->getResult(0).getType());
  return from && to && from.getMemorySpace() == to.getMemorySpace();
}

bool memplan::isShapeQuery(Operation *op) {
  return isa<memref::DimOp, memref::RankOp>(op);
}

bool memplan::mayGoOn(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isOfDevice(op) || startsAsyncWork(op))
      return true;
  return false;
}

bool memplan::isInOrder(Operation *allocation, ArrayRef<Access> accesses) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  return !isWorkgroupSpace(type.getMemorySpace()) && !mayGoOn(allocation) &&
         llvm::none_of(accesses, [&](const Access &access) {
           Operation *op = access.use->getOwner();
           return llvm::any_of(op->getOperandTypes(), isTensor) ||
                  llvm::any_of(op->getResultTypes(), isTensor);
         });
}

/// The effects of the op on the memory of the operand. Empty if they are
/// unknown, may outlast the op, or include another name for the memory.
static SmallVector<MemoryEffects::EffectInstance> getEffects(OpOperand &use) {
  Operation *op = use.getOwner();
  SmallVector<MemoryEffects::EffectInstance> effects;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (interface && !isa<CallOpInterface>(op) && !mayGoOn(op) &&
      !op->hasTrait<OpTrait::IsTerminator>() &&
      llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    interface.getEffectsOnValue(use.get(), effects);
  return effects;
}

bool memplan::onlyReads(OpOperand &use) {
  SmallVector<MemoryEffects::EffectInstance> effects = getEffects(use);
  return isShapeQuery(use.getOwner()) ||
         (!effects.empty() &&
          llvm::all_of(effects,
                       [](const MemoryEffects::EffectInstance &effect) {
                         return isa<MemoryEffects::Read>(effect.getEffect());
                       }));
}

bool memplan::keepsNoName(OpOperand &use) {
  return isShapeQuery(use.getOwner()) || !getEffects(use).empty();
}

std::optional<SmallVector<Access>>
memplan::collectFewAccesses(Operation *allocation, size_t most) {
  SmallVector<Access> accesses;
  SmallVector<Value> names = {allocation->getResult(0)};
  Block *block = allocation->getBlock();
  size_t count = 0;
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      if (++count > most)
        return std::nullopt;
      if (isPlainView(use))
        names.push_back(use.getOwner()->getResult(0));
      else
        accesses.push_back(
            {block->findAncestorOpInBlock(*use.getOwner()), &use});
    }
  llvm::stable_sort(accesses, [](const Access &a, const Access &b) {
    if (!a.place || !b.place || a.place == b.place)
      return a.place && !b.place;
    return a.place->isBeforeInBlock(b.place);
  });
  return accesses;
}

SmallVector<Access> memplan::collectAccesses(Operation *allocation) {
  return *collectFewAccesses(allocation, SIZE_MAX);
}

ArrayRef<Access> memplan::takePlace(ArrayRef<Access> &rest) {
  Operation *place = rest.front().place;
  ArrayRef<Access> here = rest.take_while(
      [&](const Access &access) { return access.place == place; });
  rest = rest.drop_front(here.size());
  return here;
}

void memplan::walkOrderedFunctions(
    ModuleOp module, llvm::function_ref<void(FunctionOpInterface)> visit) {
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (hasArena(function) || function.isExternal())
      return WalkResult::skip();
    WalkResult walk = function->walk([](Operation *inner) {
      return isInStep(inner) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!walk.wasInterrupted())
      visit(function);
    return WalkResult::skip();
  });
}
