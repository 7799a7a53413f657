//===- OpEffects.cpp - Effects of ops on memory ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs/OpEffects.h"

#include "memplan/IR/Views.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

void OpEffects::add(Value memory, bool reads, bool writes) {
  for (MemoryAccess &access : accesses)
    if (access.memory == memory) {
      access.reads |= reads;
      access.writes |= writes;
      return;
    }
  accesses.push_back({memory, reads, writes});
}

void OpEffects::add(const OpEffects &other) {
  for (const MemoryAccess &access : other.accesses)
    add(access.memory, access.reads, access.writes);
  isBarrier |= other.isBarrier;
  isSpeculatable &= other.isSpeculatable;
}

/// False for tokens and other types that stand for work that goes on elsewhere.
static bool isPlainType(Type type) {
  return isa<ShapedType, IntegerType, FloatType, IndexType, ComplexType,
             BaseMemRefType, TensorType, NoneType>(type);
}

void EffectAnalysis::addOwnEffects(Operation *op, OpEffects &effects) {
  if (!llvm::all_of(op->getOperandTypes(), isPlainType) ||
      !llvm::all_of(op->getResultTypes(), isPlainType))
    effects.isBarrier = true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    addCall(call, effects);
    return;
  }
  // Later reads of the memory are effects of the uses of the tensor.
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op)) {
    effects.add(toTensor.getBuffer(), true, false);
    return;
  }
  if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
    effects.add(reshape.getShape(), true, false);
    return;
  }
  if (getViewSource(op))
    return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      effects.isBarrier = true;
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  interface.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    if (isa<MemoryEffects::Allocate>(instance.getEffect()))
      continue;
    Value memory = instance.getValue();
    if (!memory || !isa<BaseMemRefType>(memory.getType())) {
      effects.isBarrier = true;
      continue;
    }
    bool reads = isa<MemoryEffects::Read>(instance.getEffect());
    effects.add(memory, reads, !reads);
  }
}

OpEffects EffectAnalysis::getEffects(Operation *op) {
  OpEffects effects;
  op->walk([&](Operation *inner) { addOwnEffects(inner, effects); });
  if (!isa<CallOpInterface>(op))
    effects.isSpeculatable &= isSpeculatable(op);
  return effects;
}

void EffectAnalysis::addCall(CallOpInterface call, OpEffects &effects) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  const OpEffects *summary =
      callee && !callee.isExternal() ? getCalleeEffects(callee) : nullptr;
  if (!summary) {
    effects.isBarrier = true;
    effects.isSpeculatable = false;
    for (Value operand : call.getArgOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        effects.add(operand, true, true);
    return;
  }
  effects.isBarrier |= summary->isBarrier;
  effects.isSpeculatable &= summary->isSpeculatable;
  for (const MemoryAccess &access : summary->accesses) {
    unsigned number = cast<BlockArgument>(access.memory).getArgNumber();
    effects.add(call.getArgOperands()[number], access.reads, access.writes);
  }
}

/// The memref behind views, followed without an alias graph; null if it is
/// neither an argument or an allocation of the function nor a constant global.
static Value findRoot(Value memory) {
  memory = getViewRoot(memory);
  if (memory.getDefiningOp<memref::AllocOp>() ||
      memory.getDefiningOp<memref::AllocaOp>())
    return memory;
  auto argument = dyn_cast<BlockArgument>(memory);
  if (argument && argument.getOwner()->isEntryBlock() &&
      isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return memory;
  // Constant globals are never written.
  if (auto global = memory.getDefiningOp<memref::GetGlobalOp>()) {
    auto symbol = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        global, global.getNameAttr());
    if (symbol && symbol.getConstant())
      return memory;
  }
  return Value();
}

const OpEffects *
EffectAnalysis::getCalleeEffects(FunctionOpInterface function) {
  auto [it, isNew] = functions.try_emplace(function);
  if (!isNew)
    return it->second.get();
  OpEffects inside;
  for (Block &block : function.getFunctionBody())
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>())
        inside.add(getEffects(&op));
  auto summary = std::make_unique<OpEffects>();
  summary->isBarrier = inside.isBarrier;
  // A graph of blocks may be a loop that does not end.
  bool isStraight = function.getFunctionBody().hasOneBlock();
  summary->isSpeculatable = inside.isSpeculatable && isStraight;
  summary->isBarrier |= !isStraight;
  for (const MemoryAccess &access : inside.accesses) {
    Value root = findRoot(access.memory);
    if (!root)
      summary->isBarrier = true;
    else if (isa<BlockArgument>(root))
      summary->add(root, access.reads, access.writes);
  }
  const OpEffects *result = summary.get();
  functions[function] = std::move(summary);
  return result;
}
