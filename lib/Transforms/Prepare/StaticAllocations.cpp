//===- StaticAllocations.cpp - Sizes that are constants -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/StaticAllocations.h"

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/SizeOps.h"
#include "memplan/IR/Constants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

/// The value of an index that is constant or folds to a constant. Visits at
/// most `steps` ops.
static std::optional<int64_t> evaluate(Value value, int &steps) {
  if (std::optional<int64_t> number = getConstantNumber(value))
    return number;
  if (--steps <= 0)
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  // Upstream's fold ends the program where a slice takes steps
  // (getDroppedDims).
  if (auto dim = dyn_cast_or_null<memref::DimOp>(op)) {
    std::optional<int64_t> index = evaluate(dim.getIndex(), steps);
    Extent extent = index ? findExtent(dim.getSource(), *index) : Extent();
    return extent.values.size() == 1 && extent.extents.empty()
               ? getConstantNumber(extent.values.front())
               : std::nullopt;
  }
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = operand.getType().isIntOrIndex()
                                        ? evaluate(operand, steps)
                                        : std::nullopt;
    operands.push_back(number ? Builder(op->getContext())
                                    .getIntegerAttr(operand.getType(), *number)
                              : IntegerAttr());
  }
  // The fold may change the op.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  std::optional<int64_t> number;
  if (succeeded(copy->fold(operands, folded)) && !folded.empty())
    number = getConstantNumber(folded[cast<OpResult>(value).getResultNumber()]);
  copy->destroy();
  return number;
}

/// The static type of an allocation whose sizes are constants; null for others.
static MemRefType findStaticType(Operation *op) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op))
    return {};
  auto type = cast<MemRefType>(op->getResult(0).getType());
  // As many operands as dynamic sizes: none is of a layout.
  if (type.hasStaticShape() || !type.getLayout().isIdentity() ||
      op->getNumOperands() != static_cast<unsigned>(type.getNumDynamicDims()))
    return {};
  SmallVector<int64_t> shape(type.getShape());
  auto operand = op->operand_begin();
  for (int64_t &size : shape) {
    if (!ShapedType::isDynamic(size))
      continue;
    int steps = 32;
    std::optional<int64_t> known = evaluate(*operand++, steps);
    if (!known || *known < 0)
      return {};
    size = *known;
  }
  return MemRefType::get(shape, type.getElementType(), type.getLayout(),
                         type.getMemorySpace());
}

/// Calls `visit` for each allocation whose sizes are constants, with its static
/// type.
static void walkConstantSizes(
    ModuleOp module,
    llvm::function_ref<WalkResult(Operation *, MemRefType)> visit) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op);
        function && hasArena(function))
      return WalkResult::skip();
    MemRefType type = findStaticType(op);
    return type ? visit(op, type) : WalkResult::advance();
  });
}

bool memplan::hasConstantSizes(ModuleOp module) {
  bool found = false;
  walkConstantSizes(module, [&](Operation *, MemRefType) {
    found = true;
    return WalkResult::interrupt();
  });
  return found;
}

void memplan::makeAllocationsStatic(ModuleOp module) {
  SmallVector<std::pair<Operation *, MemRefType>> found;
  walkConstantSizes(module, [&](Operation *op, MemRefType type) {
    found.push_back({op, type});
    return WalkResult::advance();
  });
  for (auto [op, type] : found) {
    OpBuilder builder(op);
    Operation *allocation;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocation = memref::AllocOp::create(builder, op->getLoc(), type,
                                           alloc.getAlignmentAttr());
    else
      allocation = memref::AllocaOp::create(
          builder, op->getLoc(), type,
          cast<memref::AllocaOp>(op).getAlignmentAttr());
    allocation->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    // Casts to the static type are no longer needed.
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (isa<memref::CastOp>(user) && user->getResult(0).getType() == type) {
        user->replaceAllUsesWith(allocation);
        user->erase();
      }
    if (!op->use_empty())
      op->replaceAllUsesWith(memref::CastOp::create(builder, op->getLoc(),
                                                    op->getResult(0).getType(),
                                                    allocation->getResult(0)));
    op->erase();
  }
}
