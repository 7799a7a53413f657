//===- CostModel.cpp - Costs of programs on a target ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/CostModel.h"

#include "memplan/IR/GraphAttributes.h"

using namespace mlir;
using namespace memplan;

int64_t CostModel::getExtent(Value shaped, unsigned dimension) {
  return sizeModel.evaluate(sizeModel.getExtent(shaped, dimension));
}

std::optional<int64_t> CostModel::getIndex(Value value) {
  return sizeModel.evaluateHinted(sizeModel.get(value));
}

int64_t CostModel::getNumElements(Value value) {
  return sizeModel.evaluate(sizeModel.getNumElements(value));
}

int64_t CostModel::getBytes(Value value) { return sizeModel.getBytes(value); }

int64_t CostModel::getElementBytes(Type elementType) {
  return sizeModel.getElementBytes(elementType, module);
}

/// True for ops without a cost model that compute nothing themselves. Others
/// without a model make a cost inexact.
static bool isFreeByNature(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<OpTrait::IsTerminator>() || isa<SymbolOpInterface>(op);
}

OpCost CostModel::getCost(Operation *op) {
  OpCost cost;
  if (auto model = dyn_cast<OpCostInterface>(op)) {
    cost = model.estimateCost(*this);
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    cost = getCalleeCost(call);
    cost.costClass = graph::CostClass::Expensive;
  } else {
    for (Region &region : op->getRegions())
      cost.add(getCost(region));
    cost.isExact &= isFreeByNature(op);
  }
  addDeviceMemory(op, cost);
  return cost;
}

OpCost CostModel::getCost(Region &region) {
  OpCost cost;
  for (Block &block : region)
    for (Operation &op : block)
      cost.add(getCost(&op));
  // It is not known how often the blocks behind the first one run.
  if (!region.empty() && !region.hasOneBlock())
    cost.isExact = false;
  return cost;
}

OpCost CostModel::getCost(FunctionOpInterface function) {
  std::pair<Operation *, unsigned> key(function, sizeModel.getScope());
  auto it = functions.find(key);
  if (it != functions.end())
    return it->second;
  OpCost cost;
  if (function.isExternal() || !active.insert(function).second) {
    cost.isExact = false;
    return cost;
  }
  cost = getCost(function.getFunctionBody());
  active.erase(function);
  functions[key] = cost;
  return cost;
}

OpCost CostModel::getCalleeCost(CallOpInterface call) {
  if (auto callee = dyn_cast_or_null<FunctionOpInterface>(
          call.resolveCallableInTable(&symbols))) {
    SizeModel::CallScope scope(sizeModel, call, callee);
    return getCost(callee);
  }
  OpCost unknown;
  unknown.isExact = false;
  return unknown;
}

StringRef CostModel::getKind(Operation *op) const {
  if (auto kind = op->getAttrOfType<StringAttr>(kKindAttr))
    return kind.getValue();
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      return symbol.getLeafReference().getValue();
  return op->getName().getStringRef();
}

static int64_t getDeviceBytes(const DeviceMemory &memory, int64_t resultBytes) {
  double scaled = memory.perResultByte * static_cast<double>(resultBytes);
  // 2^62: far beyond any memory, and exact as a double.
  int64_t bytes = static_cast<int64_t>(std::min(scaled, 0x1p62));
  return saturatingAdd(memory.bytes, bytes);
}

void CostModel::addDeviceMemory(Operation *op, OpCost &cost) {
  if (target.ops.empty())
    return;
  auto it = target.ops.find(getKind(op));
  if (it == target.ops.end())
    return;
  int64_t resultBytes = 0;
  auto add = [&](Value value) {
    if (isa<ShapedType>(value.getType()))
      resultBytes = saturatingAdd(resultBytes, getBytes(value));
  };
  for (Value result : op->getResults())
    add(result);
  // An op on memrefs has no results; its outputs are operands.
  if (op->getNumResults() == 0)
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      for (Value init : destination.getDpsInits())
        add(init);
  cost.scratchBytes = saturatingAdd(
      cost.scratchBytes, getDeviceBytes(it->second.scratch, resultBytes));
  cost.reserveBytes = saturatingAdd(
      cost.reserveBytes, getDeviceBytes(it->second.reserve, resultBytes));
}
