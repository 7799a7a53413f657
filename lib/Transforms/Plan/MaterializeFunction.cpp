//===- MaterializeFunction.cpp - Rewrite a function to its plan -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/CallSignatures.h"
#include "Interprocedural/ThinOut.h"
#include "Plan/ObserveMarks.h"
#include "Plan/ThreadSlots.h"
#include "Plan/WorkerPlaces.h"
#include "memplan/Analysis/EntryValues.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"
#include "memplan/IR/SizeFunction.h"
#include "memplan/Transforms/Materialize.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

namespace {
/// Where the buffers of an arena are: in the arena of a function or iteration,
/// or in a frame inside it.
struct Layout {
  ArenaPlace base;
  /// By place of the plan's order, its slot; null for constant places.
  std::vector<Value> slots;
  /// The memory below each cut; null for a result that lends nothing.
  std::vector<Value> pieces;

  /// True if `base` counts from a slot of the arena around it.
  bool hasBaseSlot() const { return base.slot != nullptr; }

  /// The place of a buffer.
  ArenaPlace get(const ArenaProblem &arena, BufferIndex buffer) const {
    ArenaPlace place = base;
    if (Value slot =
            slots.empty() ? nullptr : slots[arena.plan.order->placeOf[buffer]])
      place.slot = slot;
    else
      place.offset += arena.plan.offsets[buffer];
    ArrayRef<int64_t> cuts = arena.problem.cuts;
    size_t piece = llvm::upper_bound(cuts, place.offset) - cuts.begin();
    if (piece != 0)
      place.offset -= cuts[piece - 1];
    if (piece != cuts.size())
      place.memory = pieces[piece];
    return place;
  }
};

/// The places in the order of their first buffers. The numbers of places depend
/// on where the order comes from: the solver or problem IR.
SmallVector<unsigned> sortByLeader(ArrayRef<Place> places,
                                   ArrayRef<unsigned> numbers) {
  SmallVector<unsigned> sorted(numbers);
  llvm::sort(sorted, [&](unsigned a, unsigned b) {
    return places[a].members.front() < places[b].members.front();
  });
  return sorted;
}

/// All places, in the same order as far as each comes after those that it is
/// above.
SmallVector<unsigned> sortPlaces(ArrayRef<Place> places) {
  llvm::SmallSetVector<unsigned, 16> sorted;
  SmallVector<unsigned> pending = sortByLeader(
      places, llvm::to_vector(llvm::seq<unsigned>(0, places.size())));
  std::reverse(pending.begin(), pending.end());
  while (!pending.empty()) {
    unsigned next = pending.back();
    bool isReady = true;
    SmallVector<unsigned> above = sortByLeader(places, places[next].above);
    for (unsigned below : llvm::reverse(above))
      if (!sorted.contains(below))
        pending.push_back(below), isReady = false;
    if (!isReady)
      continue;
    pending.pop_back();
    sorted.insert(next);
  }
  return sorted.takeVector();
}

/// Creates slots, and the values of sizes that they need.
class SlotMaker {
public:
  explicit SlotMaker(FunctionOpInterface function)
      : entry(OpBuilder::atBlockBegin(&function.getFunctionBody().front())),
        constants(function), sizes(function) {}

  /// Inserts at the entry, behind the sizes that have been computed so far.
  OpBuilder entry;

  /// The slots of an arena that no slot is above, and the greatest end of its
  /// constant places.
  struct Ends {
    SmallVector<Value> top;
    int64_t least = 0;
  };

  /// Creates the slots of an arena at the builder's insertion point, but the
  /// values of sizes at the entry.
  Ends createSlots(OpBuilder &builder, Location loc,
                   const FunctionProblem &problem, const ArenaProblem &arena,
                   std::vector<Value> &slots) {
    Ends ends;
    if (!arena.plan.order)
      return ends;
    std::vector<SmallVector<unsigned, 2>> recordsIn(
        arena.problem.buffers.size());
    for (const auto &placement : arena.placements)
      for (BufferIndex buffer : arena.getSlots(placement))
        recordsIn[buffer].push_back(placement.first);
    llvm::SmallSetVector<Value, 8> top;
    const std::vector<Place> &places = arena.plan.order->places;
    slots.resize(places.size());
    int64_t guard = getObserveGuard(problem.function).value_or(0);
    // What is above a place must be above these: its slot, or its guard.
    std::vector<Value> tops(places.size());
    for (unsigned number : sortPlaces(places)) {
      const Place &place = places[number];
      if (place.offset) {
        for (BufferIndex member : place.members)
          ends.least = std::max(
              ends.least, *place.offset + arena.problem.buffers[member].size);
        continue;
      }
      SmallVector<Value> above;
      for (unsigned below : sortByLeader(places, place.above)) {
        above.push_back(tops[below]);
        top.remove(tops[below]);
      }
      Value size;
      bool hasGuard = false;
      for (BufferIndex member : place.members) {
        const Buffer &buffer = arena.problem.buffers[member];
        if (!buffer.formula) {
          addSize(size, constants.createIndex(builder, loc, buffer.size));
          continue;
        }
        hasGuard |= guard > 0 && !problem.buffers[arena.records[member]].frame;
        for (unsigned record : recordsIn[member])
          addSize(size, sizes.emitBytes(entry, problem.buffers[record].origin));
      }
      slots[number] = SlotOp::create(builder, loc, builder.getIndexType(),
                                     place.from, above, size, place.alignment);
      tops[number] = slots[number];
      // A slot of its own: the verifier compares sizes of slots and buffers.
      if (hasGuard)
        tops[number] = SlotOp::create(
            builder, loc, builder.getIndexType(), /*least=*/0, tops[number],
            constants.createIndex(builder, loc, guard), /*align=*/1);
      top.insert(tops[number]);
    }
    ends.top = top.takeVector();
    return ends;
  }

  /// Creates an arena with its slots.
  Layout createArena(OpBuilder &builder, Location loc,
                     const FunctionProblem &problem,
                     const ArenaProblem &arena) {
    Layout layout;
    Ends ends = createSlots(builder, loc, problem, arena, layout.slots);
    bool isStatic = ends.top.empty();
    ArrayRef<int64_t> cuts = arena.problem.cuts;
    int64_t begin = cuts.empty() ? 0 : cuts.back();
    // All buffers may be in the memory of results.
    if (llvm::none_of(arena.plan.offsets,
                      [&](int64_t offset) { return offset >= begin; }))
      return layout;
    int64_t size = arena.plan.arenaSize - begin;
    Type type = MemRefType::get({isStatic ? size : ShapedType::kDynamic},
                                builder.getI8Type(),
                                MemRefLayoutAttrInterface(), arena.memorySpace);
    layout.base.memory = ArenaOp::create(builder, loc, type, arena.memory,
                                         isStatic ? 0 : ends.least, ends.top,
                                         arena.problem.arenaAlignment);
    return layout;
  }

  /// The dynamic extents of an allocation, as values at the entry.
  SmallVector<Value> getExtents(Operation *allocation) {
    return sizes.emitExtents(entry, allocation);
  }

private:
  /// Makes `size` the greater one. Sizes with one formula may be computed in
  /// several ways, and the verifier compares values.
  void addSize(Value &size, Value other) {
    std::optional<int64_t> a = size ? getConstantNumber(size) : std::nullopt;
    if (!size || (a && a == getConstantNumber(other)))
      size = other;
    else if (size != other)
      size = arith::MaxSIOp::create(entry, size.getLoc(), size, other);
  }

  ConstantMaker constants;
  EntryValues sizes;
};
} // namespace

/// Creates the function that sizes an arena in a memory space
/// (SizeFunction.h).
static void createSizeFunction(FunctionOpInterface function,
                               Attribute memorySpace,
                               const SlotMaker::Ends &ends) {
  Location loc = function.getLoc();
  Block &entry = function.getFunctionBody().front();
  SmallVector<Type> types;
  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> extents;
  llvm::DenseMap<Value, unsigned> values;
  Type index = IndexType::get(function.getContext());
  for (const SizeParameter &parameter : getSizeParameters(function)) {
    Value argument = entry.getArgument(parameter.argument);
    if (parameter.dimension)
      extents[{argument, *parameter.dimension}] = types.size();
    else
      values[argument] = types.size();
    types.push_back(parameter.type);
  }
  OpBuilder builder(function);
  std::string name = getSizeFunctionName(function, memorySpace);
  FunctionType type = builder.getFunctionType(types, index);
  if (Operation *declared = SymbolTable::lookupNearestSymbolFrom(
          function->getParentOp(), builder.getStringAttr(name));
      declared && isSizeDeclaration(declared, function))
    declared->erase();
  auto sizes = func::FuncOp::create(builder, loc, name, type);
  builder.setInsertionPointToStart(sizes.addEntryBlock());
  IRMapping mapping;
  for (auto [argument, number] : values)
    mapping.map(argument, sizes.getArgument(number));
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Value slot : ends.top)
    (void)getBackwardSlice(slot, &slice, options);
  for (Operation *op : slice) {
    auto dim = dyn_cast<memref::DimOp>(op);
    auto extent = extents.end();
    if (dim)
      if (std::optional<int64_t> number = getConstantNumber(dim.getIndex()))
        extent = extents.find({dim.getSource(), *number});
    if (extent != extents.end())
      mapping.map(dim.getResult(), sizes.getArgument(extent->second));
    else
      builder.clone(*op, mapping);
  }
  SmallVector<Value> top;
  for (Value slot : ends.top)
    top.push_back(mapping.lookup(slot));
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  // The offset of what is above all is the size.
  Value bytes = SlotOp::create(builder, loc, index, ends.least, top, none, 1);
  func::ReturnOp::create(builder, loc, bytes);
}

static Layout createArena(ArenaProblem &arena, const FunctionProblem &problem,
                          SlotMaker &maker) {
  FunctionOpInterface function = problem.function;
  Location loc = function.getLoc();
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  if (!problem.isFrame)
    return maker.createArena(arena.plan.order ? maker.entry : builder, loc,
                             problem, arena);
  Layout layout;
  SlotMaker::Ends ends =
      maker.createSlots(maker.entry, loc, problem, arena, layout.slots);
  Type type = MemRefType::get(
      {ends.top.empty() ? arena.plan.arenaSize : ShapedType::kDynamic},
      builder.getI8Type(), MemRefLayoutAttrInterface(), arena.memorySpace);
  unsigned position = function.getNumArguments();
  auto mark = builder.getNamedAttr(
      MemplanDialect::kArenaAttr,
      builder.getI64IntegerAttr(arena.problem.arenaAlignment));
  LogicalResult inserted = function.insertArgument(
      position, type, builder.getDictionaryAttr(mark), loc);
  assert(succeeded(inserted) && "functions with a body take arguments");
  (void)inserted;
  layout.base.memory = function.getArgument(position);
  if (!ends.top.empty())
    createSizeFunction(function, arena.memorySpace, ends);
  return layout;
}

/// Creates the arena of an iteration at the begin of the body, and its release
/// at the end.
static Layout createIterationArena(const FunctionProblem &problem,
                                   const ArenaProblem &arena,
                                   SlotMaker &maker) {
  Operation *loop = problem.parallel;
  Block &body = loop->getRegion(0).front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Layout layout = maker.createArena(builder, loop->getLoc(), problem, arena);
  builder.setInsertionPoint(body.getTerminator());
  ReleaseOp::create(builder, body.back().getLoc(), layout.base.memory);
  return layout;
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
                         const ArenaPlace &place, ValueRange extents,
                         int64_t alignment) {
  return ViewOp::create(builder, loc, type, place.memory, place.slot,
                        place.offset, place.workers, place.strides, extents,
                        alignment);
}

/// Creates the views of the buffers of an arena at their allocations, and adds
/// the places of callees and workers to `frames` and `workers`. Skips phi
/// cycles.
static void createViews(FunctionProblem &problem, ArenaProblem &arena,
                        const ProgramOrder &order, const Layout &layout,
                        SlotMaker &maker, Frames &frames,
                        WorkerPlaces &workers) {
  llvm::DenseMap<unsigned, const PhiCycle *> phiCycleOf;
  for (const PhiCycle &cycle : problem.phiCycles)
    for (unsigned index : cycle.records)
      phiCycleOf[index] = &cycle;
  for (auto [index, buffer] : arena.placements) {
    if (phiCycleOf.contains(index))
      continue;
    BufferRecord &record = problem.buffers[index];
    if (record.keepsAllocation)
      continue;
    ArenaPlace place = layout.get(arena, buffer);
    if (record.workers) {
      workers.enter(record, place);
      continue;
    }
    Operation *before = problem.getPlace(record, order);
    OpBuilder builder(before);
    SmallVector<Value> extents;
    if (!record.type.hasStaticShape())
      extents = before == record.origin
                    ? SmallVector<Value>(record.origin->getOperands())
                    : maker.getExtents(record.origin);
    ViewOp view = createView(builder, record.origin->getLoc(), record.type,
                             place, extents, record.alignment);
    if (record.frame) {
      SmallVector<Value> &memory = frames[record.origin];
      memory.resize(std::max<size_t>(memory.size(), *record.frame + 1));
      memory[*record.frame] = view;
    } else {
      copyAttributes(record.origin, view);
      markView(view, problem, arena, buffer, layout.base, layout.hasBaseSlot());
      record.origin->replaceAllUsesWith(view);
    }
  }
}

/// Creates the views that are the slots of a phi cycle, before
/// `PhiCycle::before`.
static SmallVector<Value> createSlots(const PhiCycle &cycle,
                                      const FunctionProblem &problem,
                                      const ArenaProblem &arena,
                                      const Layout &layout, SlotMaker &maker) {
  const BufferRecord &first = problem.buffers[cycle.records.front()];
  OpBuilder builder(cycle.before);
  SmallVector<Value> extents;
  if (!first.type.hasStaticShape())
    extents = maker.getExtents(first.origin);
  SmallVector<Value> views;
  for (unsigned slot = 0; slot < cycle.slots.size(); ++slot) {
    BufferIndex buffer = cycle.firstBuffer + slot;
    Operation *named = problem.buffers[arena.records[buffer]].origin;
    ViewOp view =
        createView(builder, named->getLoc(), first.type,
                   layout.get(arena, buffer), extents, first.alignment);
    copyAttributes(named, view);
    markView(view, problem, arena, buffer, layout.base, layout.hasBaseSlot());
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
  return parts;
}

/// Creates the memory of the results that lend some of it. The others keep
/// their allocations.
static void createPieces(FunctionProblem &problem, const ArenaProblem &arena,
                         Layout &layout) {
  auto builder =
      OpBuilder::atBlockBegin(&problem.function.getFunctionBody().front());
  int64_t begin = 0;
  for (auto [lender, cut] :
       llvm::zip_equal(arena.lenders, arena.problem.cuts)) {
    int64_t size = 0;
    bool lends = false;
    for (auto [index, buffer] : llvm::enumerate(arena.problem.buffers)) {
      int64_t offset = arena.plan.offsets[index];
      if (offset < begin || offset >= cut)
        continue;
      lends |= index != lender;
      size = std::max(size, offset + buffer.size - begin);
    }
    BufferRecord &record = problem.buffers[arena.records[lender]];
    record.keepsAllocation = !lends;
    layout.pieces.push_back(nullptr);
    if (lends)
      layout.pieces.back() = ArenaOp::create(
          builder, record.origin->getLoc(),
          MemRefType::get({size}, builder.getI8Type()), ArenaMemory::Returned,
          /*least=*/0, ValueRange(), arena.problem.arenaAlignment);
    begin = cut;
  }
}

/// Creates the views of an arena.
static void fillArena(Part &part, ArenaProblem &arena, const Layout &layout,
                      SlotMaker &maker, Frames &frames, WorkerPlaces &workers) {
  FunctionProblem &problem = part.problem;
  for (auto [cycle, views] : llvm::zip_equal(problem.phiCycles, part.slots)) {
    const BufferRecord &first = problem.buffers[cycle.records.front()];
    if (first.type.getMemorySpace() == arena.memorySpace)
      views = createSlots(cycle, problem, arena, layout, maker);
  }
  createViews(problem, arena, part.order, layout, maker, frames, workers);
}

static void eraseAllocations(FunctionProblem &problem) {
  for (BufferRecord &record : problem.buffers) {
    if (record.keepsAllocation)
      record.origin->removeAttr(MemplanDialect::kBufferAttr);
    if (!record.isPlanned() || record.frame || record.keepsAllocation)
      continue;
    record.origin->erase();
    record.origin = nullptr;
  }
}

void memplan::materialize(FunctionProblem &problem, const ProgramOrder &order) {
  std::vector<Part> parts = collectParts(problem, order);
  SmallVector<Value> released;
  Frames frames;
  WorkerPlaces workers;
  SlotMaker maker(problem.function);
  for (Part &part : parts)
    for (auto [position, arena] : llvm::enumerate(part.problem.arenas)) {
      if (arena.records.empty())
        continue;
      Layout layout;
      if (part.workers && part.workers->count == 0) {
        layout = createIterationArena(part.problem, arena, maker);
      } else if (part.workers) {
        layout.base =
            workers.get(part.workers, static_cast<unsigned>(position));
      } else {
        layout = createArena(arena, problem, maker);
        createPieces(problem, arena, layout);
        if (layout.base.memory && arena.isReleased &&
            arena.memory == ArenaMemory::Heap)
          released.push_back(layout.base.memory);
      }
      fillArena(part, arena, layout, maker, frames, workers);
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
  ConstantMaker constants(problem.function);
  for (Part &part : parts)
    eraseFrees(part.problem.frees, constants);
  for (Part &part : parts)
    eraseAllocations(part.problem);
  for (auto &[call, memory] : frames)
    appendOperands(cast<func::CallOp>(call), memory);
  if (!problem.isFrame)
    createReleases(released, problem.function);
}
