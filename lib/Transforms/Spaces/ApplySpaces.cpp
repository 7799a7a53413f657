//===- ApplySpaces.cpp - Buffers in their memory spaces -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/ApplySpaces.h"

#include "Prepare/Accesses.h"
#include "memplan/Core/Solver.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace memplan;

Prefetches memplan::findPrefetches(const SpaceRows &rows,
                                   const SpaceAssignment &assignment,
                                   const ProgramOrder &order,
                                   int64_t distance) {
  Prefetches prefetches;
  prefetches.begin.resize(assignment.pieces.size());
  if (distance <= 0)
    return prefetches;
  Problem placement =
      getPlacement(rows.problem, assignment.steps, assignment.pieces);
  SolveOptions options;
  options.effort = Effort::Low;
  for (auto [i, piece] : llvm::enumerate(assignment.pieces)) {
    if (!assignment.steps[piece.buffer][piece.first].copyIn)
      continue;
    const auto &accesses = rows.movable[piece.buffer].accesses;
    // The ops before which the copy may stand, the nearest first.
    SmallVector<Operation *> places;
    Operation *op = accesses[piece.first].place;
    while (static_cast<int64_t>(places.size()) < distance) {
      op = op->getPrevNode();
      if (!op || op == accesses[piece.first - 1].place)
        break;
      places.push_back(op);
    }
    LiveRange &range = placement.buffers[i].ranges.front();
    int64_t needed = range.start;
    for (Operation *place : llvm::reverse(places)) {
      range.start = order.begin(place);
      PlanStatus status = solve(placement, options).status;
      if (status == PlanStatus::Optimal || status == PlanStatus::Feasible) {
        prefetches.begin[i] = place;
        const SpaceBuffer &buffer = rows.problem.buffers[piece.buffer];
        prefetches.bytes += buffer.size * buffer.times;
        break;
      }
      range.start = needed;
    }
  }
  return prefetches;
}

static MemRefType inSpace(MemRefType type, Attribute space) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         type.getLayout(), space);
}

namespace {
/// Rewrites one buffer.
class BufferRewriter {
public:
  BufferRewriter(const MovableBuffer &buffer, const SpacePair &spaces,
                 std::vector<SpacedAllocation> &allocations)
      : buffer(buffer), spaces(spaces), allocations(allocations) {}

  void run(ArrayRef<SpaceStep> steps, ArrayRef<SpacePiece> pieces,
           ArrayRef<Operation *> prefetches);

private:
  /// Memory that stands for the buffer from `begin` on.
  struct Target {
    Value memory;
    Operation *begin;
    llvm::DenseMap<Value, Value> views;

    Target(Value memory, Operation *begin) : memory(memory), begin(begin) {}
  };

  Value allocate(Attribute space, Operation *before);
  Target &getHome();
  void redirect(OpOperand &use, Target &target);
  Value getView(Value view, Target &target);

  const MovableBuffer &buffer;
  const SpacePair &spaces;
  std::vector<SpacedAllocation> &allocations;
  /// The buffer in the slow space.
  std::optional<Target> home;
};
} // namespace

/// An allocation like the original one, in another space.
Value BufferRewriter::allocate(Attribute space, Operation *before) {
  Operation *copy = buffer.allocation->clone();
  copy->getResult(0).setType(inSpace(buffer.getType(), space));
  OpBuilder(before).insert(copy);
  allocations.push_back({buffer.allocation, copy, nullptr});
  return copy->getResult(0);
}

BufferRewriter::Target &BufferRewriter::getHome() {
  if (!home) {
    Value memory = buffer.allocation->getResult(0);
    if (buffer.getType().getMemorySpace() != spaces.slow)
      memory = allocate(spaces.slow, buffer.allocation);
    home = Target{memory, buffer.allocation};
  }
  return *home;
}

/// The view of the target that corresponds to a view of the buffer.
Value BufferRewriter::getView(Value view, Target &target) {
  if (view == buffer.allocation->getResult(0))
    return target.memory;
  Value &known = target.views[view];
  if (known)
    return known;
  Operation *op = view.getDefiningOp();
  Value source = getViewSource(op);
  IRMapping mapping;
  mapping.map(source, getView(source, target));
  // A view from before the target begins is created where the target does.
  Operation *place = target.begin->getBlock()->findAncestorOpInBlock(*op);
  bool isEarlier = place && place->isBeforeInBlock(target.begin);
  OpBuilder builder(isEarlier ? target.begin : op);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(
      inSpace(cast<MemRefType>(view.getType()),
              cast<MemRefType>(target.memory.getType()).getMemorySpace()));
  // The recursion may have moved the entry.
  return target.views[view] = copy->getResult(0);
}

void BufferRewriter::redirect(OpOperand &use, Target &target) {
  if (target.memory != buffer.allocation->getResult(0))
    use.set(getView(use.get(), target));
}

void BufferRewriter::run(ArrayRef<SpaceStep> steps, ArrayRef<SpacePiece> pieces,
                         ArrayRef<Operation *> prefetches) {
  Location loc = buffer.allocation->getLoc();
  bool isFast = buffer.getType().getMemorySpace() == spaces.fast;
  bool hasCopies = llvm::any_of(
      steps, [](const SpaceStep &step) { return step.copyIn || step.copyOut; });
  bool isOnePiece =
      pieces.size() == 1 && !hasCopies &&
      pieces.front().last - pieces.front().first + 1 == steps.size() &&
      llvm::all_of(steps, [](const SpaceStep &step) { return step.fast; });
  if ((isFast && isOnePiece) || (!isFast && pieces.empty()))
    return;
  if (isOnePiece || pieces.empty()) {
    // In one space all the time: the allocation and its views change.
    Target target{
        allocate(isOnePiece ? spaces.fast : spaces.slow, buffer.allocation),
        buffer.allocation};
    allocations.back().last = nullptr;
    for (const MovableBuffer::Access &access : buffer.accesses)
      for (OpOperand *use : access.uses)
        redirect(*use, target);
    if (buffer.deallocation)
      buffer.deallocation->setOperand(0, target.memory);
    return;
  }
  size_t next = 0;
  std::optional<Target> piece;
  size_t pieceNumber = 0;
  for (auto [k, step] : llvm::enumerate(steps)) {
    const MovableBuffer::Access &access = buffer.accesses[k];
    if (step.held && !step.kept) {
      Operation *begin = access.place;
      if (step.copyIn && prefetches[next])
        begin = prefetches[next];
      // The copies of other pieces stand before the same op: the allocation of
      // this one, too, so that its views may.
      piece = Target{allocate(spaces.fast, begin), begin};
      pieceNumber = allocations.size() - 1;
      if (step.copyIn) {
        Value from = getHome().memory;
        OpBuilder builder(begin);
        memref::CopyOp::create(builder, loc, from, piece->memory);
      }
      ++next;
    }
    for (OpOperand *use : access.uses)
      redirect(*use, step.fast ? *piece : getHome());
    Operation *last = access.place;
    if (step.copyOut) {
      Value to = getHome().memory;
      OpBuilder builder(access.place->getContext());
      builder.setInsertionPointAfter(access.place);
      last = memref::CopyOp::create(builder, loc, piece->memory, to);
    }
    if (step.held)
      allocations[pieceNumber].last = last;
  }
}

std::vector<SpacedAllocation>
memplan::applySpaces(const SpaceRows &rows, const SpaceAssignment &assignment,
                     const Prefetches &prefetches, const SpacePair &spaces) {
  std::vector<SpacedAllocation> allocations;
  ArrayRef<SpacePiece> pieces = assignment.pieces;
  ArrayRef<Operation *> begins = prefetches.begin;
  for (auto [b, buffer] : llvm::enumerate(rows.movable)) {
    size_t count = llvm::count_if(pieces, [&, b = b](const SpacePiece &piece) {
      return piece.buffer == b;
    });
    BufferRewriter(buffer, spaces, allocations)
        .run(assignment.steps[b], pieces.take_front(count),
             begins.take_front(count));
    pieces = pieces.drop_front(count);
    begins = begins.drop_front(count);
  }
  return allocations;
}

void memplan::finishSpaces(const SpaceRows &rows,
                           const std::vector<SpacedAllocation> &allocations) {
  llvm::DenseMap<Operation *, Operation *> deallocations;
  for (const MovableBuffer &buffer : rows.movable)
    if (buffer.deallocation &&
        buffer.deallocation->getOperand(0) == buffer.allocation->getResult(0))
      deallocations[buffer.allocation] = buffer.deallocation;
  llvm::SmallSetVector<Operation *, 16> originals;
  for (const SpacedAllocation &allocation : allocations) {
    originals.insert(allocation.original);
    Operation *deallocation = deallocations.lookup(allocation.original);
    if (!deallocation)
      continue;
    // A piece is freed at its end, the buffer in the slow space where the
    // original one is.
    OpBuilder builder(deallocation);
    if (allocation.last)
      builder.setInsertionPointAfter(allocation.last);
    memref::DeallocOp::create(builder, deallocation->getLoc(),
                              allocation.allocation->getResult(0));
  }
  for (Operation *original : originals) {
    // Views of it that nothing uses any more.
    SmallVector<Operation *> unused;
    std::function<void(Value)> collect = [&](Value memory) {
      for (Operation *user : memory.getUsers())
        if (getViewSource(user) == memory && user->getNumResults() == 1) {
          collect(user->getResult(0));
          if (llvm::all_of(user->getResult(0).getUsers(), [&](Operation *op) {
                return llvm::is_contained(unused, op);
              }))
            unused.push_back(user);
        }
    };
    collect(original->getResult(0));
    for (Operation *view : unused)
      if (view->use_empty())
        view->erase();
    if (!llvm::all_of(original->getUsers(), llvm::IsaPred<memref::DeallocOp>))
      continue;
    for (Operation *user : llvm::make_early_inc_range(original->getUsers()))
      user->erase();
    original->erase();
  }
}
