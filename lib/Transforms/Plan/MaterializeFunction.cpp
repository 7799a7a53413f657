//===- MaterializeFunction.cpp - Rewrite a function to its plan -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/CallSignatures.h"
#include "Interprocedural/ThinOut.h"
#include "Plan/ThreadSlots.h"
#include "Plan/WorkerPlaces.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Materialize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

namespace {
using DeadOps = llvm::SmallSetVector<Operation *, 16>;
} // namespace

/// Adds the ops whose results `op` uses.
static void enqueueOperands(Operation *op, DeadOps &pending) {
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      pending.insert(definition);
}

/// True for a dead op without allocations inside. Allocations are needed until
/// they have been rewritten.
static bool isDebris(Operation *op) {
  if (!isOpTriviallyDead(op))
    return false;
  WalkResult walk = op->walk([](Operation *inner) {
    return isa<BufferAllocationInterface>(inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// Erases the deallocations of planned buffers, or their parts, with ops that
/// become dead and conditionals that become empty.
static void eraseFrees(ArrayRef<PlannedFree> frees,
                       const ConstantMaker &maker) {
  DeadOps pending;
  // A result of one deallocation may be a condition of another.
  llvm::DenseSet<Operation *> erased;
  for (const PlannedFree &free : frees) {
    erased.insert(free.op);
    if (auto dealloc = dyn_cast<bufferization::DeallocOp>(free.op)) {
      enqueueOperands(dealloc, pending);
      // No remaining memref can be the memory of a planned retained value.
      thinOut(
          dealloc, maker,
          [&](unsigned i) { return !llvm::is_contained(free.memrefs, i); },
          [&](unsigned i) { return !llvm::is_contained(free.retained, i); });
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
    bool isAllocation = isa<BufferAllocationInterface, ArenaOp>(op);
    if (isAllocation || !(isEmptyConditional(op) || isDebris(op)))
      continue;
    enqueueOperands(op, pending);
    if (Operation *guard = op->getParentOp(); isa<scf::IfOp>(guard))
      pending.insert(guard);
    op->walk([&](Operation *inner) { pending.remove(inner); });
    op->erase();
  }
}

/// By call, the memory for the callee's arenas, in their order.
using Frames = llvm::MapVector<Operation *, SmallVector<Value>>;

static Value createArena(ArenaProblem &arena, const FunctionProblem &problem) {
  FunctionOpInterface function = problem.function;
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  Type type = MemRefType::get({arena.plan.arenaSize}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), arena.memorySpace);
  if (!problem.isFrame)
    return ArenaOp::create(builder, function.getLoc(), type, arena.memory,
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

/// Creates the arena of an iteration at the begin of the body, and its release
/// at the end.
static Value createIterationArena(const ArenaProblem &arena, Operation *loop) {
  Block &body = loop->getRegion(0).front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Type type = MemRefType::get({arena.plan.arenaSize}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), arena.memorySpace);
  Value memory = ArenaOp::create(builder, loop->getLoc(), type, arena.memory,
                                 arena.problem.arenaAlignment);
  builder.setInsertionPoint(body.getTerminator());
  ReleaseOp::create(builder, body.back().getLoc(), memory);
  return memory;
}

static void createReleases(ArrayRef<Value> arenas,
                           FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody()) {
    Operation &exit = block.back();
    if (!isReturn(&exit))
      continue;
    OpBuilder builder(&exit);
    for (Value arena : arenas)
      ReleaseOp::create(builder, exit.getLoc(), arena);
  }
}

/// Copies the attributes of other dialects from the allocation to its view.
static void copyAttributes(Operation *allocation, ViewOp view) {
  for (NamedAttribute attribute : allocation->getDiscardableAttrs())
    if (!isa_and_present<MemplanDialect>(attribute.getNameDialect()))
      view->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

static ViewOp createView(OpBuilder &builder, Location loc, MemRefType type,
                         const ArenaPlace &base, int64_t offset,
                         int64_t alignment) {
  return ViewOp::create(builder, loc, type, base.memory, base.offset + offset,
                        base.workers, base.strides, alignment);
}

/// Creates the views of the buffers of an arena at their allocations, and adds
/// the places of callees and workers to `frames` and `workers`. Skips phi
/// cycles.
static void createViews(FunctionProblem &problem, ArenaProblem &arena,
                        const ProgramOrder &order, const ArenaPlace &base,
                        Frames &frames, WorkerPlaces &workers) {
  llvm::DenseMap<unsigned, const PhiCycle *> phiCycleOf;
  for (const PhiCycle &cycle : problem.phiCycles)
    for (unsigned index : cycle.records)
      phiCycleOf[index] = &cycle;
  for (auto [index, buffer] : arena.placements) {
    if (phiCycleOf.contains(index))
      continue;
    BufferRecord &record = problem.buffers[index];
    if (record.workers) {
      workers.enter(record, base, arena.plan.offsets[buffer]);
      continue;
    }
    OpBuilder builder(problem.getPlace(record, order));
    ViewOp view =
        createView(builder, record.allocation->getLoc(), record.type, base,
                   arena.plan.offsets[buffer], record.alignment);
    if (record.frame) {
      SmallVector<Value> &memory = frames[record.allocation];
      memory.resize(std::max<size_t>(memory.size(), *record.frame + 1));
      memory[*record.frame] = view;
    } else {
      copyAttributes(record.allocation, view);
      record.allocation->replaceAllUsesWith(view);
    }
  }
}

/// Creates the views that are the slots of a phi cycle, before
/// `PhiCycle::before`.
static SmallVector<Value> createSlots(const PhiCycle &cycle,
                                      const FunctionProblem &problem,
                                      const ArenaProblem &arena,
                                      const ArenaPlace &base) {
  const BufferRecord &first = problem.buffers[cycle.records.front()];
  OpBuilder builder(cycle.before);
  SmallVector<Value> views;
  for (unsigned slot = 0; slot < cycle.slots.size(); ++slot) {
    BufferIndex buffer = cycle.firstBuffer + slot;
    Operation *named = problem.buffers[arena.records[buffer]].allocation;
    ViewOp view = createView(builder, named->getLoc(), first.type, base,
                             arena.plan.offsets[buffer], first.alignment);
    copyAttributes(named, view);
    views.push_back(view);
  }
  return views;
}

namespace {
/// The problem of the function, or of the body of one of its parallel loops.
struct Part {
  Part(FunctionProblem &problem, const ProgramOrder &order,
       const WorkerFrame *workers)
      : problem(problem), order(order), workers(workers),
        slots(problem.phiCycles.size()) {}

  FunctionProblem &problem;
  const ProgramOrder &order;
  /// Null for the function.
  const WorkerFrame *workers;
  /// By phi cycle, the views that are its slots.
  std::vector<SmallVector<Value>> slots;
};
} // namespace

/// The parts, outer ones first. Also writes the numbers of split steps into the
/// program.
static std::vector<Part> collectParts(FunctionProblem &problem,
                                      const ProgramOrder &order) {
  std::vector<Part> parts;
  parts.emplace_back(problem, order, nullptr);
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame :
         llvm::reverse(problem.workers->frames))
      parts.emplace_back(frame->problem, *frame->order, frame.get());
  problem.steps.annotateSplits();
  return parts;
}

/// Creates the views of an arena at `base`.
static void fillArena(Part &part, ArenaProblem &arena, const ArenaPlace &base,
                      Frames &frames, WorkerPlaces &workers) {
  FunctionProblem &problem = part.problem;
  for (auto [cycle, views] : llvm::zip_equal(problem.phiCycles, part.slots)) {
    const BufferRecord &first = problem.buffers[cycle.records.front()];
    if (first.type.getMemorySpace() == arena.memorySpace)
      views = createSlots(cycle, problem, arena, base);
  }
  createViews(problem, arena, part.order, base, frames, workers);
}

static void eraseAllocations(FunctionProblem &problem) {
  for (BufferRecord &record : problem.buffers) {
    if (!record.isPlanned() || record.frame)
      continue;
    record.allocation->erase();
    record.allocation = nullptr;
  }
}

void memplan::materialize(FunctionProblem &problem, const ProgramOrder &order) {
  std::vector<Part> parts = collectParts(problem, order);
  SmallVector<Value> released;
  Frames frames;
  WorkerPlaces workers;
  for (Part &part : parts)
    for (auto [position, arena] : llvm::enumerate(part.problem.arenas)) {
      if (arena.records.empty())
        continue;
      ArenaPlace base;
      if (part.workers && part.workers->count == 0) {
        base.memory = createIterationArena(arena, part.problem.parallel);
      } else if (part.workers) {
        base = workers.get(part.workers, static_cast<unsigned>(position));
      } else {
        base.memory = createArena(arena, problem);
        if (arena.isReleased && arena.memory == ArenaMemory::Heap)
          released.push_back(base.memory);
      }
      fillArena(part, arena, base, frames, workers);
    }
  ReplacedOps replaced;
  for (Part &part : parts)
    for (auto [cycle, views] :
         llvm::zip_equal(part.problem.phiCycles, part.slots))
      threadSlots(cycle, part.problem, views, replaced);
  if (llvm::any_of(parts, [](const Part &part) {
        return !part.problem.phiCycles.empty();
      }))
    splitSwitchEdges(problem.function);
  ConstantMaker maker(problem.function);
  for (Part &part : parts)
    eraseFrees(part.problem.frees, maker);
  for (Part &part : parts)
    eraseAllocations(part.problem);
  for (auto &[call, memory] : frames)
    appendOperands(cast<func::CallOp>(call), memory);
  if (!problem.isFrame)
    createReleases(released, problem.function);
}
