//===- Constants.cpp - Constants before and after conversion --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Constants.h"

#include "memplan/IR/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// The LLVM constant that the op casts to index; null if it is no such cast.
static LLVM::ConstantOp getConvertedIndex(Operation *op) {
  auto cast = dyn_cast_or_null<UnrealizedConversionCastOp>(op);
  if (!cast || cast.getNumOperands() != 1 || cast.getNumResults() != 1 ||
      !cast.getResult(0).getType().isIndex())
    return nullptr;
  return cast.getOperand(0).getDefiningOp<LLVM::ConstantOp>();
}

std::optional<int64_t> memplan::getConstantNumber(OpFoldResult value) {
  if (auto known = llvm::dyn_cast_if_present<Value>(value))
    if (LLVM::ConstantOp constant = getConvertedIndex(known.getDefiningOp()))
      return getConstantIntValue(constant.getResult());
  return getConstantIntValue(value);
}

memplan::ConstantMaker::ConstantMaker(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return;
  WalkResult walk = function->walk([&](Operation *inner) {
    if (isa<arith::ConstantOp>(inner))
      return WalkResult::interrupt();
    if (LLVM::ConstantOp constant = getConvertedIndex(inner);
        constant && !converted)
      converted = dyn_cast<IntegerType>(constant.getType());
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    converted = nullptr;
}

Value memplan::ConstantMaker::createIndex(OpBuilder &builder, Location loc,
                                          int64_t value) const {
  if (!converted)
    return arith::ConstantIndexOp::create(builder, loc, value);
  Value constant = LLVM::ConstantOp::create(
      builder, loc, converted, builder.getIntegerAttr(converted, value));
  return UnrealizedConversionCastOp::create(builder, loc,
                                            builder.getIndexType(), constant)
      .getResult(0);
}

Value memplan::ConstantMaker::createBit(OpBuilder &builder, Location loc,
                                        bool value) const {
  if (!converted)
    return arith::ConstantIntOp::create(builder, loc, value ? 1 : 0, 1);
  return LLVM::ConstantOp::create(builder, loc, builder.getI1Type(),
                                  builder.getBoolAttr(value));
}

SmallVector<Operation *> memplan::findWrites(Value memory) {
  SmallVector<Operation *> writes;
  SmallVector<Value> views = {memory};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (getViewSource(user) == view) {
        llvm::append_range(views, user->getResults());
        continue;
      }
      auto interface = dyn_cast<MemoryEffectOpInterface>(user);
      SmallVector<MemoryEffects::EffectInstance> effects;
      if (interface)
        interface.getEffectsOnValue(view, effects);
      if (llvm::any_of(effects,
                       [](const MemoryEffects::EffectInstance &effect) {
                         return isa<MemoryEffects::Write, MemoryEffects::Free>(
                             effect.getEffect());
                       }))
        writes.push_back(user);
    }
  }
  return writes;
}
