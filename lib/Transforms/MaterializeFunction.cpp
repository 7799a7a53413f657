//===- MaterializeFunction.cpp - Rewrite a function to its plan -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LifetimeMarkers.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

namespace {
using DeadOps = llvm::SmallSetVector<Operation *, 16>;
} // namespace

/// Values that only fed what has been erased.
static void enqueueOperands(Operation *op, DeadOps &pending) {
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      pending.insert(definition);
}

/// Drops the planned memrefs from a bufferization.dealloc. What it would have
/// said of them to the ops after it is that nobody owns them: no remaining
/// memref can be the same memory as a planned one.
static void dropMemrefs(bufferization::DeallocOp op, ArrayRef<unsigned> drop,
                        DeadOps &pending) {
  SmallVector<Value> memrefs, conditions;
  for (unsigned i = 0, e = op.getMemrefs().size(); i < e; ++i) {
    if (llvm::is_contained(drop, i))
      continue;
    memrefs.push_back(op.getMemrefs()[i]);
    conditions.push_back(op.getConditions()[i]);
  }
  enqueueOperands(op, pending);
  OpBuilder builder(op);
  if (!memrefs.empty()) {
    auto thinned = bufferization::DeallocOp::create(
        builder, op.getLoc(), memrefs, conditions, op.getRetained());
    op->replaceAllUsesWith(thinned);
  } else if (!op.getRetained().empty()) {
    Value no = arith::ConstantIntOp::create(builder, op.getLoc(), 0, 1);
    for (Value result : op->getResults())
      result.replaceAllUsesWith(no);
  }
  op->erase();
}

/// True for a conditional without results that does nothing any more.
static bool isEmptyGuard(Operation *op) {
  auto guard = dyn_cast<scf::IfOp>(op);
  return guard && guard.getNumResults() == 0 &&
         llvm::all_of(guard->getRegions(), [](Region &region) {
           return region.empty() || region.front().without_terminator().empty();
         });
}

/// True for what nothing uses any more. A dead op that contains allocations
/// stays: these are still to be rewritten.
static bool isDebris(Operation *op) {
  if (!isOpTriviallyDead(op))
    return false;
  WalkResult walk = op->walk([](Operation *inner) {
    return isa<memref::AllocOp, memref::AllocaOp, WorkspaceOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

static void eraseFrees(ArrayRef<PlannedFree> frees) {
  DeadOps pending;
  // One deallocation may be what another's condition comes from.
  llvm::DenseSet<Operation *> erased;
  for (const PlannedFree &free : frees) {
    erased.insert(free.op);
    if (auto dealloc = dyn_cast<bufferization::DeallocOp>(free.op)) {
      dropMemrefs(dealloc, free.memrefs, pending);
      continue;
    }
    enqueueOperands(free.op, pending);
    if (Operation *guard = free.op->getParentOp(); isa<scf::IfOp>(guard))
      pending.insert(guard);
    free.op->erase();
  }
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (erased.contains(op))
      continue;
    bool isAllocation =
        isa<memref::AllocOp, memref::AllocaOp, WorkspaceOp, ArenaOp>(op);
    if (isAllocation || !(isEmptyGuard(op) || isDebris(op)))
      continue;
    enqueueOperands(op, pending);
    if (Operation *guard = op->getParentOp(); isa<scf::IfOp>(guard))
      pending.insert(guard);
    op->walk([&](Operation *inner) { pending.remove(inner); });
    op->erase();
  }
}

static void insertMarkers(ViewOp view, const MarkerPlaces &places) {
  OpBuilder builder(view.getContext());
  Location loc = view.getLoc();
  for (Operation *op : places.starts) {
    builder.setInsertionPoint(op);
    LifetimeStartOp::create(builder, loc, view.getResult());
  }
  for (Operation *op : places.endsAfter) {
    builder.setInsertionPointAfter(op);
    LifetimeEndOp::create(builder, loc, view.getResult());
  }
  for (Block *block : places.endsAtStart) {
    builder.setInsertionPointToStart(block);
    LifetimeEndOp::create(builder, loc, view.getResult());
  }
}

/// The views a rotation starts with, by record and whether it is the spare.
using SpareViews = llvm::DenseMap<std::pair<unsigned, unsigned>, Value>;

/// By call, the memory it hands to its callee's arenas, in their order.
using Frames = llvm::MapVector<Operation *, SmallVector<Value>>;

static unsigned numberOfCarried(LoopLikeOpInterface loop) {
  return static_cast<unsigned>(loop.getRegionIterArgs().size());
}

static Value createArena(ArenaProblem &arena, const FunctionProblem &problem) {
  FunctionOpInterface function = problem.function;
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  Type type = MemRefType::get({arena.plan.arenaSize}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), arena.memorySpace);
  if (!problem.isFrame)
    return ArenaOp::create(builder, function.getLoc(), type,
                           arena.problem.arenaAlignment);
  unsigned position = function.getNumArguments();
  auto mark = builder.getNamedAttr(
      MemplanDialect::kArenaAttr,
      builder.getI64IntegerAttr(arena.problem.arenaAlignment));
  LogicalResult inserted = function.insertArgument(
      position, type, builder.getDictionaryAttr(mark), function.getLoc());
  assert(succeeded(inserted) && "functions with a body take arguments");
  (void)inserted;
  return function.getArgument(position);
}

static void createReleases(ArrayRef<Value> arenas,
                           FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody()) {
    auto exit = dyn_cast<func::ReturnOp>(block.back());
    if (!exit)
      continue;
    OpBuilder builder(exit);
    for (Value arena : arenas)
      ReleaseOp::create(builder, exit.getLoc(), arena);
  }
}

/// Creates the views of an arena's buffers where their allocations stand, or
/// before the loop in which they rotate.
static void createViews(FunctionProblem &problem, ArenaProblem &arena,
                        const ProgramOrder &order, Value memory,
                        ArrayRef<MarkerPlaces> places, SpareViews &spares,
                        Frames &frames) {
  llvm::DenseMap<unsigned, Operation *> loopOf;
  for (const Rotation &rotation : problem.rotations)
    for (const Rotation::Slot &slot : rotation.slots)
      loopOf[slot.record] = rotation.loop;
  for (auto [index, buffer] : arena.placements) {
    BufferRecord &record = problem.buffers[index];
    Operation *loop = loopOf.lookup(index);
    OpBuilder builder(loop ? loop : problem.getPlace(record, order));
    auto create = [&](BufferIndex place) {
      return ViewOp::create(builder, record.allocation->getLoc(), record.type,
                            memory, arena.plan.offsets[place], record.alignment,
                            /*joined=*/record.lifetime.starts.empty());
    };
    ViewOp view = create(buffer);
    if (record.frame) {
      insertMarkers(view, places[index]);
      SmallVector<Value> &memory = frames[record.allocation];
      memory.resize(std::max<size_t>(memory.size(), *record.frame + 1));
      memory[*record.frame] = view;
      continue;
    }
    if (!loop) {
      insertMarkers(view, places[index]);
      record.allocation->replaceAllUsesWith(view);
      continue;
    }
    spares[{index, false}] = view;
    if (record.hasSpare)
      spares[{index, true}] = create(buffer + 1);
  }
}

/// Gives the loop its additional arguments; returns the loop that replaces it.
static Operation *rotate(const Rotation &rotation, FunctionProblem &problem,
                         const SpareViews &spares) {
  SmallVector<Value> starts;
  for (const Rotation::Slot &slot : rotation.slots)
    starts.push_back(spares.lookup({slot.record, slot.spare}));
  auto loop = cast<LoopLikeOpInterface>(rotation.loop);
  NewYieldValuesFn getYields = [&](OpBuilder &, Location,
                                   ArrayRef<BlockArgument> added) {
    for (auto [slot, argument] : llvm::zip_equal(rotation.slots, added))
      if (!slot.spare)
        problem.buffers[slot.record]
            .allocation->getResult(0)
            .replaceAllUsesWith(argument);
    // The loop's own arguments come first in the block of the new argument.
    Block *body = added.front().getOwner();
    unsigned first = added.front().getArgNumber() - numberOfCarried(loop);
    SmallVector<Value> yields;
    for (const Rotation::Next &next : rotation.next)
      yields.push_back(next.additional
                           ? Value(added[next.position])
                           : Value(body->getArgument(first + next.position)));
    return yields;
  };
  IRRewriter rewriter(rotation.loop->getContext());
  rewriter.setInsertionPoint(rotation.loop);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, starts, /*replaceInitOperandUsesInLoop=*/false, getYields);
  assert(succeeded(replaced) && "scf.for and affine.for always can");
  return *replaced;
}

void memplan::materialize(FunctionProblem &problem, const ProgramOrder &order) {
  // Every place is found before the first op moves.
  DominanceInfo dominance(problem.function);
  std::vector<MarkerPlaces> places(problem.buffers.size());
  for (auto [index, record] : llvm::enumerate(problem.buffers))
    if (record.isPlanned())
      places[index] = findMarkerPlaces(
          record.lifetime, problem.getPlace(record, order), order, dominance);
  problem.steps.annotateSplits();

  SmallVector<Value> arenas;
  SpareViews spares;
  Frames frames;
  for (ArenaProblem &arena : problem.arenas) {
    if (arena.records.empty())
      continue;
    Value memory = createArena(arena, problem);
    arenas.push_back(memory);
    createViews(problem, arena, order, memory, places, spares, frames);
  }
  eraseFrees(problem.frees);
  // Several rotations may go through one loop.
  llvm::DenseMap<Operation *, Operation *> replacedBy;
  for (Rotation &rotation : problem.rotations) {
    Operation *original = rotation.loop;
    if (Operation *current = replacedBy.lookup(original))
      rotation.loop = current;
    replacedBy[original] = rotate(rotation, problem, spares);
  }
  for (BufferRecord &record : problem.buffers) {
    if (!record.isPlanned() || record.frame)
      continue;
    record.allocation->erase();
    record.allocation = nullptr;
  }
  for (auto &[call, memory] : frames)
    call->insertOperands(call->getNumOperands(), memory);
  if (!problem.isFrame)
    createReleases(arenas, problem.function);
}
