//===- DistributeWorkers.cpp - Parallel loops of few workers --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/DistributeWorkers.h"

#include "memplan/Analysis/ParallelFrames.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// True if this file can rewrite the loop: a parallel loop without results and
/// with at least one iteration; affine.parallel with constant bounds.
static bool canDistribute(Operation *loop) {
  if (!isParallelLoop(loop) || loop->getNumResults() != 0 ||
      getIterationCount(loop) == 0)
    return false;
  return !isa<affine::AffineParallelOp>(loop) || getIterationCount(loop);
}

/// True if the body allocates buffers that a frame can hold, and the frames of
/// all workers together do not overflow.
static bool allocatesForFrame(Operation *loop, FunctionOpInterface function,
                              const ModuleAliases &aliases, int64_t workers) {
  std::unique_ptr<WorkerFrame> frame = makeWorkerFrame(
      loop, function, aliases, PlanningOptions(), WorkerFrames(), FrameNeeds());
  return hasPlannedBuffers(frame->problem) &&
         llvm::all_of(frame->problem.arenas, [&](const ArenaProblem &arena) {
           return getFrameStride(getMostBytes(arena.problem),
                                 arena.problem.arenaAlignment, workers)
               .has_value();
         });
}

/// The loops of the function to change, inner ones first.
static SmallVector<Operation *> findLoops(FunctionOpInterface function,
                                          const ModuleAliases &aliases,
                                          int64_t workers) {
  auto isReachable = [&](Operation *loop) {
    for (Operation *op = loop->getParentOp(); op != function;
         op = op->getParentOp())
      if (!isTransparent(op) && !hasWorkers(op, workers) && !canDistribute(op))
        return false;
    return true;
  };
  llvm::DenseSet<Operation *> useful;
  SmallVector<Operation *> loops;
  // Inner loops first: their frames are part of the frames around them.
  function.getFunctionBody().walk([&](Operation *op) {
    if (!isParallelLoop(op) || !isReachable(op) ||
        op->getParentOfType<FunctionOpInterface>() != function)
      return;
    bool keeps = hasWorkers(op, workers);
    if (!keeps && !canDistribute(op))
      return;
    if (!useful.contains(op) &&
        !allocatesForFrame(op, function, aliases, workers))
      return;
    for (Operation *outer = op; outer != function; outer = outer->getParentOp())
      useful.insert(outer);
    if (!keeps)
      loops.push_back(op);
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// scf
//===----------------------------------------------------------------------===//

namespace {
/// Creates index arithmetic, folded where it is constant.
class Indices {
public:
  Indices(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  template <typename Op> Value create(Value a, Value b) {
    return builder.createOrFold<Op>(loc, a, b);
  }
  /// The number of iterations from `begin` to below `end`. It is unsigned: the
  /// difference of two signed numbers may exceed the signed range.
  Value countSteps(Value begin, Value end, Value step) {
    Value last =
        create<arith::SubIOp>(create<arith::SubIOp>(end, begin), constant(1));
    Value count =
        create<arith::AddIOp>(create<arith::DivUIOp>(last, step), constant(1));
    Value any = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, begin, end);
    return builder.createOrFold<arith::SelectOp>(loc, any, count, constant(0));
  }
  /// The quotient, rounded up, of unsigned numbers.
  Value divideUp(Value a, Value b) {
    Value rest = create<arith::SubIOp>(b, constant(1));
    return create<arith::DivUIOp>(create<arith::AddIOp>(a, rest), b);
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// The dimensions of a loop as SSA values, and its number of iterations.
struct Dimensions {
  SmallVector<Value> begins, steps, counts;
  Value total;
};
} // namespace

static Dimensions computeDimensions(Operation *loop, OpBuilder &builder) {
  Indices indices(builder, loop->getLoc());
  auto bounds = cast<LoopLikeOpInterface>(loop);
  auto toValue = [&](OpFoldResult bound) {
    return getValueOrCreateConstantIndexOp(builder, loop->getLoc(), bound);
  };
  Dimensions result;
  for (auto [lower, upper, step] :
       llvm::zip_equal(*bounds.getLoopLowerBounds(),
                       *bounds.getLoopUpperBounds(), *bounds.getLoopSteps())) {
    result.begins.push_back(toValue(lower));
    result.steps.push_back(toValue(step));
    result.counts.push_back(indices.countSteps(
        result.begins.back(), toValue(upper), result.steps.back()));
    result.total =
        result.total
            ? indices.create<arith::MulIOp>(result.total, result.counts.back())
            : result.counts.back();
  }
  return result;
}

/// Moves the body of `loop` into `block`, before its terminator.
static void moveBody(Operation *loop, Block *block, ArrayRef<Value> variables) {
  Block &body = loop->getRegion(0).front();
  body.back().erase();
  for (auto [old, variable] : llvm::zip_equal(body.getArguments(), variables))
    old.replaceAllUsesWith(variable);
  block->getOperations().splice(block->back().getIterator(),
                                body.getOperations());
  loop->erase();
}

/// The loop over the workers, with an empty body.
static Operation *createWorkerLoop(Operation *loop, int64_t workers,
                                   OpBuilder &builder) {
  Location loc = loop->getLoc();
  Operation *result;
  if (isa<scf::ForallOp>(loop)) {
    result =
        scf::ForallOp::create(builder, loc, {builder.getIndexAttr(workers)},
                              ValueRange(), std::nullopt);
  } else {
    Indices indices(builder, loc);
    result = scf::ParallelOp::create(
        builder, loc, ValueRange{indices.constant(0)},
        ValueRange{indices.constant(workers)}, ValueRange{indices.constant(1)},
        [](OpBuilder &, Location, ValueRange) {});
  }
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    result->setDiscardableAttr(attribute.getName(), attribute.getValue());
  return result;
}

static void distributeScf(Operation *loop, int64_t workers) {
  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  Dimensions dims = computeDimensions(loop, builder);
  Value share =
      Indices(builder, loc)
          .divideUp(dims.total, Indices(builder, loc).constant(workers));
  Operation *outer = createWorkerLoop(loop, workers, builder);

  Block &block = outer->getRegion(0).front();
  builder.setInsertionPoint(&block.back());
  Indices indices(builder, loc);
  Value begin = indices.create<arith::MulIOp>(block.getArgument(0), share);
  Value end = indices.create<arith::MinUIOp>(
      indices.create<arith::AddIOp>(begin, share), dims.total);
  // For a worker without iterations `begin` is not below `end`.
  auto inner =
      scf::ForOp::create(builder, loc, begin, end, indices.constant(1));

  builder.setInsertionPoint(inner.getBody()->getTerminator());
  SmallVector<Value> variables(dims.counts.size());
  Value rest = inner.getInductionVar();
  for (size_t i = variables.size(); i-- > 0;) {
    Value number = rest;
    if (i != 0) {
      number = indices.create<arith::RemUIOp>(rest, dims.counts[i]);
      rest = indices.create<arith::DivUIOp>(rest, dims.counts[i]);
    }
    variables[i] = indices.create<arith::AddIOp>(
        dims.begins[i], indices.create<arith::MulIOp>(number, dims.steps[i]));
  }
  moveBody(loop, inner.getBody(), variables);
}

//===----------------------------------------------------------------------===//
// affine
//===----------------------------------------------------------------------===//

/// The same with affine maps, so that the subscripts in the body stay affine.
static void distributeAffine(affine::AffineParallelOp loop, int64_t workers) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto ranges = getIterationRanges(loop);
  int64_t total = *getIterationCount(loop);
  int64_t share = (total - 1) / workers + 1;
  auto outer = affine::AffineParallelOp::create(
      builder, loc, TypeRange(), ArrayRef<arith::AtomicRMWKind>(),
      ArrayRef<int64_t>{workers});
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    outer->setDiscardableAttr(attribute.getName(), attribute.getValue());

  Block &block = outer.getRegion().front();
  builder.setInsertionPoint(&block.back());
  AffineExpr number = builder.getAffineDimExpr(0);
  AffineMap begin = AffineMap::get(1, 0, number * share);
  AffineMap end = AffineMap::get(
      1, 0, {number * share + share, builder.getAffineConstantExpr(total)},
      builder.getContext());
  ValueRange worker = block.getArguments();
  auto inner =
      affine::AffineForOp::create(builder, loc, worker, begin, worker, end);

  builder.setInsertionPoint(inner.getBody()->getTerminator());
  SmallVector<Value> variables(ranges->size());
  int64_t below = 1;
  for (size_t i = variables.size(); i-- > 0;) {
    const IterationRange &range = (*ranges)[i];
    AffineExpr own = number.floorDiv(below);
    if (i != 0)
      own = own % range.count;
    below *= range.count;
    variables[i] = affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(1, 0, own * range.step + range.begin),
        inner.getInductionVar());
  }
  moveBody(loop, inner.getBody(), variables);
}

bool memplan::distributeWorkers(ModuleOp module, int64_t workers,
                                CalleeTrust trust) {
  SmallVector<Operation *> loops;
  {
    ModuleAliases aliases(module, trust);
    for (FunctionOpInterface function : aliases.getFunctions())
      if (!hasArena(function) && !aliases.getDeviceMark(function))
        loops.append(findLoops(function, aliases, workers));
  }
  for (Operation *loop : loops)
    if (auto affine = dyn_cast<affine::AffineParallelOp>(loop))
      distributeAffine(affine, workers);
    else
      distributeScf(loop, workers);
  return !loops.empty();
}
