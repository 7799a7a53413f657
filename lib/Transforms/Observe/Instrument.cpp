//===- Instrument.cpp - The memplan-instrument pass -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe/SlotEvents.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/IR/Views.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANINSTRUMENT
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct InstrumentPass : memplan::impl::MemplanInstrumentBase<InstrumentPass> {
  using MemplanInstrumentBase::MemplanInstrumentBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> functions;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && !isOnDevice(function))
        functions.push_back(function);
    });
    RuntimeCalls calls;
    for (FunctionOpInterface function : functions) {
      SlotEvents slots(function);
      if (hasArena(function) && slots.slots.empty())
        emitWarning(function.getLoc())
            << "no slot of @" << function.getName()
            << " is observed: its plan is lowered already; plan with "
               "lower=false";
      // Found before calls are inserted.
      SmallVector<Operation *> memory, users;
      function.getFunctionBody().walk([&](Operation *op) {
        if (isOnDevice(op) ||
            op->getParentOfType<FunctionOpInterface>() != function)
          return;
        if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, ArenaOp,
                ReleaseOp>(op))
          memory.push_back(op);
        else if (uses && mayUseSlot(op))
          users.push_back(op);
      });
      // A use comes after the births before the same op.
      for (const SlotEvent &event : slots.events)
        observe(event, calls);
      for (Operation *op : users)
        observeUses(op, slots, calls);
      for (Operation *op : memory)
        observeMemory(op, calls);
      if (slots.slots.empty() && !isObserved(function) &&
          llvm::any_of(memory, [](Operation *op) { return isa<ArenaOp>(op); }))
        function.emitRemark() << "its slots are not observed: memplan-observe "
                                 "has not run before planning";
    }
  }

private:
  static void observe(const SlotEvent &event, RuntimeCalls &calls) {
    OpBuilder builder(event.before);
    Location loc = event.op->getLoc();
    SmallVector<Value> operands{event.createBase(builder)};
    if (event.isBirth) {
      ViewOp view = event.view;
      operands.push_back(
          RuntimeCalls::createAddress(builder, loc, view.getResult()));
      operands.push_back(
          RuntimeCalls::createBytes(builder, loc, view.getResult()));
    }
    operands.push_back(RuntimeCalls::createIndex(builder, loc, event.point));
    calls.call(builder,
               event.isBirth ? "memplanObserveBirth" : "memplanObserveDeath",
               event.getSite(), operands);
  }

  /// True for ops that access memory, other than single elements.
  static bool mayUseSlot(Operation *op) {
    if (!readPoint(op) || getViewSource(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      return false;
    return !isa<memref::LoadOp, memref::StoreOp, affine::AffineLoadOp,
                affine::AffineStoreOp, memref::DimOp, RegionBranchOpInterface,
                OutputOp, RenewOp>(op);
  }

  static void observeUses(Operation *op, const SlotEvents &slots,
                          RuntimeCalls &calls) {
    OpBuilder builder(op);
    llvm::SmallDenseSet<Value> done;
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      Value root = getViewRoot(operand);
      auto slot = slots.slots.find(root.getDefiningOp());
      // The arena is the source of the view, so the root may be the arena.
      for (Value at = operand; slot == slots.slots.end() && at != root;) {
        Operation *view = at.getDefiningOp();
        slot = slots.slots.find(view);
        at = getViewSource(view);
      }
      if (slot == slots.slots.end() ||
          !done.insert(slot->first->getResult(0)).second)
        continue;
      Location loc = op->getLoc();
      Value view = slot->first->getResult(0);
      Site site{op, slot->second.slot,
                cast<MemRefType>(view.getType()).getMemorySpace(),
                slot->second.loop};
      calls.call(
          builder, "memplanObserveUse", site,
          {RuntimeCalls::createAddress(builder, loc, view),
           RuntimeCalls::createIndex(builder, loc, readPoint(op)->second)});
    }
  }

  static void observeMemory(Operation *op, RuntimeCalls &calls) {
    OpBuilder builder(op);
    bool isEnd = isa<memref::DeallocOp, ReleaseOp>(op);
    Value memory = isEnd ? op->getOperand(0) : op->getResult(0);
    auto type = dyn_cast<MemRefType>(memory.getType());
    if (isEnd) {
      if (!type)
        return;
      Site site{op, "", type.getMemorySpace()};
      calls.call(builder, "memplanObserveFree", site,
                 RuntimeCalls::createAddress(builder, op->getLoc(), memory));
      return;
    }
    Site site{op, nameOf(op), type.getMemorySpace()};
    auto arena = dyn_cast<ArenaOp>(op);
    if (arena && arena.getMemory() == ArenaMemory::Global)
      return;
    builder.setInsertionPointAfter(op);
    Value bytes = RuntimeCalls::createBytes(builder, op->getLoc(), memory);
    calls.call(
        builder, "memplanObserveAlloc", site,
        {RuntimeCalls::createAddress(builder, op->getLoc(), memory), bytes});
    if (isa<memref::AllocaOp>(op) ||
        (arena && arena.getMemory() == ArenaMemory::Stack))
      observeEndOfScope(op, site, calls);
  }

  /// Memory on the stack is free where control leaves its scope.
  static void observeEndOfScope(Operation *op, const Site &site,
                                RuntimeCalls &calls) {
    Operation *scope =
        op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    if (!scope)
      return;
    DominanceInfo dominance(scope);
    for (Region &region : scope->getRegions())
      for (Block &block : region) {
        Operation *end = block.empty() ? nullptr : &block.back();
        if (!end || !end->hasTrait<OpTrait::IsTerminator>() ||
            end->getNumSuccessors() != 0 ||
            !dominance.properlyDominates(op, end))
          continue;
        OpBuilder builder(end);
        calls.call(builder, "memplanObserveFree", site,
                   RuntimeCalls::createAddress(builder, op->getLoc(),
                                               op->getResult(0)));
      }
  }

  static std::string nameOf(Operation *allocation) {
    if (isa<ArenaOp>(allocation) ||
        allocation->hasAttr(MemplanDialect::kArenaAttr))
      return "arena";
    if (auto name =
            allocation->getAttrOfType<StringAttr>(MemplanDialect::kBufferAttr))
      return name.str();
    return "";
  }
};
} // namespace
