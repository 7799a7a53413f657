//===- EmitSchedule.cpp - Ops in the order of a schedule ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes/EmitSchedule.h"

#include "memplan/IR/GraphAttributes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;
using graph::OpId;

/// Calls `visit` with each value that the op or its regions use and that is
/// defined outside of the op.
static void forEachUsedValue(Operation *op,
                             llvm::function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  if (op->getNumRegions() == 0)
    return;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    visit(value);
}

/// Clones the glue that the op uses, unless it exists.
void ScheduleEmitter::provide(Operation *op) {
  // Glue may use glue, in chains that are too long for recursion.
  llvm::SmallVector<Operation *> missing;
  auto collect = [&](Operation *user) {
    forEachUsedValue(user, [&](Value value) {
      Operation *definition = value.getDefiningOp();
      if (definition && !mapping.contains(value) && isGlue(definition) &&
          definition->getParentRegion() == &graph.function->getRegion(0))
        missing.push_back(definition);
    });
  };
  collect(op);
  // Depth first: an op is cloned after the ops that it uses.
  while (!missing.empty()) {
    Operation *glue = missing.back();
    if (mapping.contains(glue->getResult(0))) {
      missing.pop_back();
      continue;
    }
    size_t before = missing.size();
    collect(glue);
    if (missing.size() != before)
      continue;
    builder.clone(*glue, mapping);
    missing.pop_back();
  }
}

/// Erases the values and blocks inside the op from the mapping, so that its
/// regions can be cloned again.
static void forgetInside(Operation *op, IRMapping &mapping) {
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Block *block) {
      mapping.erase(block);
      for (BlockArgument argument : block->getArguments())
        mapping.erase(argument);
      for (Operation &inner : *block)
        for (Value result : inner.getResults())
          mapping.erase(result);
    });
}

void ScheduleEmitter::emitOp(OpId id) {
  Operation *op = graph.ops[id];
  provide(op);
  if (numClones[id] > 0)
    forgetInside(op, mapping);
  Operation *clone = builder.clone(*op, mapping);
  if (isRecomputed.test(id)) {
    Location name = NameLoc::get(builder.getStringAttr("recomputed"));
    clone->setLoc(FusedLoc::get(builder.getContext(), {op->getLoc(), name}));
  }
  if (numClones[id] > 0)
    clone->setAttr(kRecomputedAttr, builder.getI64IntegerAttr(numClones[id]));
  ++numClones[id];
  isRecomputed.set(id);
}

void ScheduleEmitter::emit(ArrayRef<OpId> schedule) {
  for (OpId id : schedule)
    emitOp(id);
}

Value ScheduleEmitter::get(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (Operation *op = value.getDefiningOp(); op && isGlue(op)) {
    provide(op);
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

void memplan::applySchedule(const FunctionGraph &graph,
                            ArrayRef<OpId> schedule) {
  FunctionOpInterface function = graph.getFunction();
  Block &block = function.getFunctionBody().front();
  Operation *terminator = block.getTerminator();
  std::vector<Operation *> originals;
  std::vector<memref::DeallocOp> deallocations;
  for (Operation &op : block.without_terminator()) {
    originals.push_back(&op);
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocations.push_back(dealloc);
  }
  // By storage, 1 + the position of its last use in the schedule; 0 without
  // one.
  std::vector<size_t> lastUse(graph.graph.storages.size(), 0);
  for (auto [position, id] : llvm::enumerate(schedule)) {
    const graph::Op &op = graph.graph.ops[id];
    for (graph::ValueId value :
         llvm::concat<const graph::ValueId>(op.operands, op.results))
      lastUse[graph.graph.values[value].storage] = position + 1;
  }
  std::vector<std::vector<memref::DeallocOp>> freedAfter(schedule.size() + 1);
  for (memref::DeallocOp dealloc : deallocations) {
    auto it = graph.freed.find(dealloc);
    size_t position =
        it == graph.freed.end() ? schedule.size() : lastUse[it->second];
    freedAfter[position].push_back(dealloc);
  }

  OpBuilder builder(terminator);
  IRMapping mapping;
  for (BlockArgument argument : block.getArguments())
    mapping.map(argument, argument);
  ScheduleEmitter emitter(graph, builder, mapping);
  auto free = [&](size_t position) {
    for (memref::DeallocOp dealloc : freedAfter[position])
      memref::DeallocOp::create(builder, dealloc.getLoc(),
                                emitter.get(dealloc.getMemref()));
  };
  free(0);
  for (size_t position = 0; position < schedule.size(); ++position) {
    emitter.emit(schedule[position]);
    free(position + 1);
  }
  for (OpOperand &operand : terminator->getOpOperands())
    operand.set(emitter.get(operand.get()));
  for (Operation *op : llvm::reverse(originals))
    op->dropAllUses();
  for (Operation *op : llvm::reverse(originals))
    op->erase();
}
