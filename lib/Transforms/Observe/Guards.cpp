//===- Guards.cpp - Checks of slots at run time ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe/Guards.h"

#include "Observe/SlotEvents.h"
#include "memplan-c/Runtime.h"
#include "memplan/Analysis/Copies.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace memplan;

/// The kind of poison for buffers of this element type.
static int64_t getPoisonKind(Type element) {
  if (auto vector = dyn_cast<VectorType>(element))
    element = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (element.isF16())
    return MEMPLAN_F16;
  if (element.isBF16())
    return MEMPLAN_BF16;
  if (element.isF32())
    return MEMPLAN_F32;
  if (element.isF64())
    return MEMPLAN_F64;
  return MEMPLAN_BYTES;
}

/// The bits of a poisoned element (lib/Runtime/Guard.c); std::nullopt for types
/// of which other elements often have these bits.
static std::optional<APInt> getPoison(Type element) {
  switch (getPoisonKind(element)) {
  case MEMPLAN_F16:
    return APInt(16, 0x7DA5);
  case MEMPLAN_BF16:
    return APInt(16, 0x7FA5);
  case MEMPLAN_F32:
    return APInt(32, 0x7FA5A5A5);
  case MEMPLAN_F64:
    return APInt(64, 0x7FF5A5A5A5A5A5A5);
  default:
    break;
  }
  if (element.isInteger(32))
    return APInt(32, 0xA5A5A5A5);
  if (element.isInteger(64))
    return APInt(64, 0xA5A5A5A5A5A5A5A5);
  return std::nullopt;
}

/// True if the memref may be a planned buffer.
static bool mayBePlanned(Value memref) {
  Value root = getViewRoot(memref);
  if (Operation *definition = root.getDefiningOp())
    return !isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
        definition);
  auto argument = cast<BlockArgument>(root);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return !function || !argument.getOwner()->isEntryBlock() ||
         getArgumentAttr(argument, MemplanDialect::kArenaAttr) != nullptr;
}

/// The host can access it.
static bool isDefaultSpace(Value memref) {
  return !cast<MemRefType>(memref.getType()).getMemorySpace();
}

static bool isChecked(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && isDefaultSpace(memref) &&
         !isa<VectorType, ComplexType>(type.getElementType()) &&
         getPoison(type.getElementType()) && mayBePlanned(memref);
}

/// An i1: the element is poison.
static Value createIsPoison(OpBuilder &builder, Location loc, Value element) {
  APInt poison = *getPoison(element.getType());
  Type bits = builder.getIntegerType(poison.getBitWidth());
  if (element.getType() != bits)
    element = arith::BitcastOp::create(builder, loc, bits, element);
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(bits, poison));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, element,
                               constant);
}

/// Checks the element that a load has returned.
static void checkElement(Operation *load, Value memref, RuntimeCalls &calls) {
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  Location loc = load->getLoc();
  Value isPoison = createIsPoison(builder, loc, load->getResult(0));
  auto found = scf::IfOp::create(builder, loc, isPoison,
                                 /*withElseRegion=*/false);
  builder.setInsertionPointToStart(found.thenBlock());
  calls.call(builder, "memplanGuardRead", {load},
             {RuntimeCalls::createAddress(builder, loc, memref),
              RuntimeCalls::createIndex(builder, loc, 1)});
}

/// Checks all elements of a memref before the op that reads them.
static void checkElements(Operation *op, Value memref, RuntimeCalls &calls) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<MemRefType>(memref.getType());
  Value zero = RuntimeCalls::createIndex(builder, loc, 0);
  Value one = RuntimeCalls::createIndex(builder, loc, 1);
  SmallVector<Value> begins, ends, steps;
  for (int64_t i = 0; i != type.getRank(); ++i) {
    begins.push_back(zero);
    steps.push_back(one);
    ends.push_back(memref::DimOp::create(
        builder, loc, memref, RuntimeCalls::createIndex(builder, loc, i)));
  }
  auto count = [&](OpBuilder &inner, Location at, ValueRange indices,
                   ValueRange counts) -> scf::ValueVector {
    Value element = memref::LoadOp::create(inner, at, memref, indices);
    Value more = arith::IndexCastUIOp::create(
        inner, at, inner.getIndexType(), createIsPoison(inner, at, element));
    return {arith::AddIOp::create(inner, at, counts.front(), more)};
  };
  Value total = begins.empty() ? count(builder, loc, {}, zero).front()
                               : scf::buildLoopNest(builder, loc, begins, ends,
                                                    steps, zero, count)
                                     .results.front();
  calls.call(builder, "memplanGuardRead", {op},
             {RuntimeCalls::createAddress(builder, loc, memref), total});
}

/// True if loops over all values of the dimensions access every element: each
/// index is a dimension, or a sum of dimensions.
static bool coversAll(AffineMap map) {
  std::function<bool(AffineExpr)> isSum = [&](AffineExpr expr) {
    if (isa<AffineDimExpr>(expr))
      return true;
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    return sum && sum.getKind() == AffineExprKind::Add && isSum(sum.getLHS()) &&
           isSum(sum.getRHS());
  };
  return llvm::all_of(map.getResults(), isSum);
}

/// Checks what the op reads. A copy takes poison along, unless it leaves the
/// planned memory.
static void checkReads(Operation *op, RuntimeCalls &calls) {
  if (std::optional<PlainCopy> copy = matchPlainCopy(op)) {
    if (isChecked(copy->source) && !mayBePlanned(copy->target))
      checkElements(op, copy->source, calls);
    return;
  }
  if (isa<memref::LoadOp, affine::AffineLoadOp>(op)) {
    Value memref = op->getOperand(0);
    if (isChecked(memref))
      checkElement(op, memref, calls);
    return;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (structured.payloadUsesValueFromOperand(&operand) &&
        isChecked(operand.get()) &&
        coversAll(structured.getMatchingIndexingMap(&operand)))
      checkElements(op, operand.get(), calls);
}

/// Checks the arena before it ends.
static void checkEnd(Operation *end, Value arena, RuntimeCalls &calls) {
  OpBuilder builder(end);
  Location loc = end->getLoc();
  calls.call(builder, "memplanGuardEnd", {end},
             {RuntimeCalls::createAddress(builder, loc, arena),
              RuntimeCalls::createBytes(builder, loc, arena)});
}

LogicalResult memplan::insertGuards(FunctionOpInterface function,
                                    RuntimeCalls &calls) {
  SmallVector<Operation *> readers, releases;
  SmallVector<Value> arenas;
  bool hasViews = false;
  function.getFunctionBody().walk([&](Operation *op) {
    if (isOnDevice(op) ||
        op->getParentOfType<FunctionOpInterface>() != function)
      return;
    if (isa<linalg::LinalgOp>(op->getParentOp()))
      return;
    hasViews |= isa<ViewOp>(op);
    if (isa<ReleaseOp>(op))
      releases.push_back(op);
    else if (auto arena = dyn_cast<ArenaOp>(op);
             arena && arena.getMemory() != ArenaMemory::Heap)
      arenas.push_back(arena.getArena());
    else
      readers.push_back(op);
  });
  for (BlockArgument argument : function.getArguments())
    if (getArgumentAttr(argument, MemplanDialect::kArenaAttr))
      arenas.push_back(argument);
  SlotEvents slots(function);
  if (slots.slots.empty()) {
    // A function may have views of its callees' arenas alone.
    if (hasViews && !isObserved(function))
      return function.emitError()
             << "its slots are not marked: memplan-observe has not run before "
                "planning";
    return success();
  }
  for (const SlotEvent &event : slots.events) {
    ViewOp view = event.view;
    if (!isDefaultSpace(view.getResult()))
      continue;
    OpBuilder builder(event.before);
    Location loc = event.op->getLoc();
    SmallVector<Value> operands{event.createBase(builder)};
    auto type = cast<MemRefType>(view.getType());
    if (event.isBirth) {
      operands.push_back(
          RuntimeCalls::createAddress(builder, loc, view.getResult()));
      operands.push_back(
          RuntimeCalls::createBytes(builder, loc, view.getResult()));
      operands.push_back(
          RuntimeCalls::createIndex(builder, loc, event.slot->guard));
      operands.push_back(RuntimeCalls::createIndex(
          builder, loc, getPoisonKind(type.getElementType())));
    }
    calls.call(builder,
               event.isBirth ? "memplanGuardBirth" : "memplanGuardDeath",
               event.getSite(), operands);
  }
  // What an op reads is checked after the births and deaths before the op.
  for (Operation *op : readers)
    checkReads(op, calls);
  for (Operation *release : releases)
    if (isDefaultSpace(release->getOperand(0)))
      checkEnd(release, release->getOperand(0), calls);
  for (Operation *end : findReturns(function))
    for (Value arena : arenas)
      if (isDefaultSpace(arena))
        checkEnd(end, arena, calls);
  return success();
}
