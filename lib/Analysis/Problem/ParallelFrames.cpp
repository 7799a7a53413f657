//===- ParallelFrames.cpp - Buffers private to iterations -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/Steps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

/// Iterations that are mapped to processors may each have their own memory.
static bool hasMapping(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  return op->hasAttr("mapping") &&
         !(forall && forall.getDeviceMappingAttrs().empty());
}

static bool isOfParallelKind(Operation *op) {
  return isa<scf::ParallelOp, scf::ForallOp, affine::AffineParallelOp>(op);
}

/// True if the results of reductions are numbers, and not memory.
static bool hasNumberResults(Operation *op) {
  return llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

bool memplan::isParallelLoop(Operation *op) {
  return isOfParallelKind(op) && hasNumberResults(op) && !hasMapping(op) &&
         op->getRegion(0).hasOneBlock();
}

std::optional<SmallVector<IterationRange, 2>>
memplan::getIterationRanges(Operation *loop) {
  SmallVector<IterationRange, 2> ranges;
  auto add = [&](Value variable, std::optional<int64_t> begin,
                 std::optional<int64_t> end, std::optional<int64_t> step) {
    int64_t extent;
    if (!begin || !end || !step || *step < 1 ||
        llvm::SubOverflow(*end, *begin, extent))
      return false;
    int64_t count = extent <= 0 ? 0 : (extent - 1) / *step + 1;
    ranges.push_back({variable, *begin, *step, count});
    return true;
  };
  if (auto affine = dyn_cast<affine::AffineParallelOp>(loop)) {
    auto constant = [](AffineMap map) {
      std::optional<int64_t> value;
      if (map.isSingleConstant())
        value = map.getSingleConstantResult();
      return value;
    };
    for (auto [i, variable] : llvm::enumerate(affine.getIVs()))
      if (!add(variable, constant(affine.getLowerBoundMap(i)),
               constant(affine.getUpperBoundMap(i)), affine.getSteps()[i]))
        return std::nullopt;
    return ranges;
  }
  // Constants of the LLVM dialect do not count: computing the offsets of the
  // workers would introduce arith again.
  auto bounds = cast<LoopLikeOpInterface>(loop);
  auto variables = bounds.getLoopInductionVars();
  auto lower = bounds.getLoopLowerBounds(), upper = bounds.getLoopUpperBounds();
  auto steps = bounds.getLoopSteps();
  if (!variables || !lower || !upper || !steps)
    return std::nullopt;
  for (auto [variable, begin, end, step] :
       llvm::zip_equal(*variables, *lower, *upper, *steps))
    if (!add(variable, getConstantIntValue(begin), getConstantIntValue(end),
             getConstantIntValue(step)))
      return std::nullopt;
  return ranges;
}

std::optional<int64_t> memplan::getIterationCount(Operation *loop) {
  auto ranges = getIterationRanges(loop);
  if (!ranges)
    return std::nullopt;
  int64_t product = 1;
  for (const IterationRange &range : *ranges)
    if (llvm::MulOverflow(product, range.count, product))
      return std::nullopt;
  return product;
}

bool memplan::hasWorkers(Operation *op, int64_t maxWorkers) {
  if (!isParallelLoop(op))
    return false;
  std::optional<int64_t> count = getIterationCount(op);
  return count && *count >= 1 && *count <= maxWorkers;
}

std::string memplan::describeWorkers(Operation *op, int64_t maxWorkers) {
  if (maxWorkers == 0 || hasWorkers(op, maxWorkers))
    return "";
  if (!isOfParallelKind(op))
    return "";
  if (!isParallelLoop(op))
    return hasMapping(op) ? "; it has a mapping" : "; it has results";
  std::optional<int64_t> count = getIterationCount(op);
  if (count == 0)
    return ", though it has none";
  if (count)
    return "; there are " + std::to_string(*count) +
           " of them and workers is " + std::to_string(maxWorkers);
  return "; their number is not known";
}

std::unique_ptr<WorkerFrame>
memplan::makeWorkerFrame(Operation *loop, FunctionOpInterface function,
                         const ModuleAliases &aliases,
                         const PlanningOptions &options,
                         const WorkerFrames &inner, const FrameNeeds &frames) {
  auto frame = std::make_unique<WorkerFrame>();
  if (hasWorkers(loop, options.maxWorkers))
    frame->count = *getIterationCount(loop);
  frame->order = std::make_unique<ProgramOrder>(loop->getRegion(0));
  frame->graph = std::make_unique<AliasGraph>(loop, *frame->order, aliases);
  // The capacity limits the arena of the function, not a single frame.
  PlanningOptions own = options;
  own.capacities = {};
  frame->problem = buildBodyProblem(loop, function, aliases, *frame->order,
                                    *frame->graph, own, inner, frames);
  return frame;
}

std::vector<BufferRecord>
memplan::makeWorkerRecords(const WorkerFrames &workers,
                           const ProgramOrder &order) {
  std::vector<BufferRecord> records;
  for (const std::unique_ptr<WorkerFrame> &frame : workers.frames) {
    Operation *loop = frame->problem.parallel;
    if (frame->count == 0 || !order.isNumbered(loop) ||
        order.isInsideOpaque(loop))
      continue;
    for (const WorkerFrame::Arena &arena : frame->arenas) {
      const ArenaProblem &own = frame->problem.arenas[arena.position];
      BufferRecord record;
      record.name = "workers" + std::to_string(records.size());
      record.origin = loop;
      record.size = frame->count * arena.stride;
      record.type = MemRefType::get(
          {record.size}, Builder(loop->getContext()).getI8Type(),
          MemRefLayoutAttrInterface(), own.memorySpace);
      record.alignment = own.problem.arenaAlignment;
      record.lifetime = {{order.begin(loop), order.end(loop)}};
      record.frame = arena.position;
      record.workers = frame.get();
      records.push_back(std::move(record));
    }
  }
  return records;
}

bool memplan::hasIterationArenas(const FunctionProblem &problem) {
  return problem.workers &&
         llvm::any_of(problem.workers->frames,
                      [](const std::unique_ptr<WorkerFrame> &frame) {
                        return frame->count == 0;
                      });
}

bool memplan::isRunByWorkers(Operation *op, FunctionOpInterface function,
                             int64_t maxWorkers) {
  for (op = op->getParentOp(); op != function; op = op->getParentOp())
    if (!isTransparent(op) && !hasWorkers(op, maxWorkers))
      return false;
  return true;
}

std::optional<int64_t>
memplan::getFrameStride(int64_t arenaBytes, int64_t alignment, int64_t count) {
  int64_t stride = static_cast<int64_t>(llvm::alignTo(
      static_cast<uint64_t>(arenaBytes), static_cast<uint64_t>(alignment)));
  // Workers with empty buffers still need addresses of their own.
  stride = std::max(stride, alignment);
  int64_t total;
  if (llvm::MulOverflow(stride, count, total) || total > kMaxBufferBytes)
    return std::nullopt;
  return stride;
}

LogicalResult memplan::setStrides(WorkerFrame &frame) {
  for (WorkerFrame::Arena &arena : frame.arenas) {
    const ArenaProblem &own = frame.problem.arenas[arena.position];
    std::optional<int64_t> stride =
        getFrameStride(own.plan.arenaSize, own.problem.arenaAlignment,
                       std::max<int64_t>(frame.count, 1));
    if (!stride)
      return frame.problem.parallel->emitError()
             << "has frames of workers that need more than can be planned";
    arena.stride = *stride;
  }
  return success();
}

/// Sets the strides to upper bounds; false if the frames may need more than can
/// be planned.
static bool layOut(WorkerFrame &frame) {
  for (auto [position, arena] : llvm::enumerate(frame.problem.arenas)) {
    if (arena.records.empty())
      continue;
    std::optional<int64_t> stride = getFrameStride(
        getMostBytes(arena.problem), arena.problem.arenaAlignment,
        std::max<int64_t>(frame.count, 1));
    if (!stride)
      return false;
    frame.arenas.push_back({static_cast<unsigned>(position), *stride});
  }
  return true;
}

/// True if ops in the loop may run at once for other reasons than the loop,
/// which the program order of its body does not express.
static bool hasOtherConcurrency(Operation *loop) {
  WalkResult walk = loop->walk([](Operation *op) {
    bool isAsync = isa_and_nonnull<async::AsyncDialect>(op->getDialect()) ||
                   llvm::any_of(op->getResultTypes(), [](Type type) {
                     return isa<gpu::AsyncTokenType>(type);
                   });
    return isAsync || isInStep(op) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

namespace {
class FrameFinder {
public:
  FrameFinder(FunctionOpInterface function, const ModuleAliases &aliases,
              const PlanningOptions &options, const FrameNeeds &frames)
      : function(function), aliases(aliases), options(options), frames(frames),
        found(std::make_shared<WorkerFrames>()) {}

  std::shared_ptr<WorkerFrames> run() {
    if (findCoroutine(aliases.getOrder(function)) ||
        aliases.getDeviceMark(function))
      return found;
    unsigned count = 0;
    walkAllocations(function,
                    [&](Operation *op) { found->numberOf[op] = count++; });
    function.getFunctionBody().walk([&](Operation *op) {
      if (hasPlace(op) &&
          op->getParentOfType<FunctionOpInterface>() == function &&
          isReached(op))
        visit(op);
    });
    dropUnplaced();
    return found;
  }

private:
  /// True if allocations of an iteration can be planned: in the frame of a
  /// worker, or in an arena of the iteration.
  bool hasPlace(Operation *op) const {
    return hasWorkers(op, options.maxWorkers) ||
           (options.iterationArenas && isParallelLoop(op) &&
            getIterationCount(op) != 0);
  }

  /// True if all ops around it are sequential control flow or such loops.
  bool isReached(Operation *op) const {
    for (op = op->getParentOp(); op != function; op = op->getParentOp())
      if (!isTransparent(op) && !hasPlace(op))
        return false;
    return true;
  }

  /// True if an arena for each iteration saves allocations, and only has
  /// buffers in the default memory space that the terminator does not use.
  static bool deservesArena(const WorkerFrame &frame) {
    int64_t count = 0;
    for (const BufferRecord &record : frame.problem.buffers) {
      if (record.isPlanned() && record.type.getMemorySpace())
        return false;
      // The frames of workers stand for several allocations.
      if (record.isPlanned())
        count += record.workers ? 2 : 1;
    }
    Operation &end = frame.problem.parallel->getRegion(0).front().back();
    WalkResult walk = end.walk([](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    return count >= 2 && !walk.wasInterrupted();
  }

  void visit(Operation *loop) {
    bool allocates = false;
    walkAllocations(loop, [&](Operation *) { allocates = true; });
    if (!frames.empty())
      loop->walk([&](func::CallOp) { allocates = true; });
    if (!allocates || hasOtherConcurrency(loop))
      return;
    std::unique_ptr<WorkerFrame> frame =
        makeWorkerFrame(loop, function, aliases, options, *found, frames);
    FunctionProblem &problem = frame->problem;
    if (frame->count == 0 && !deservesArena(*frame))
      return;
    for (const BufferRecord &record : problem.buffers)
      if (!record.isPlanned())
        found->reasons.try_emplace(
            record.origin, WorkerFrames::Reason{record.reason, record.culprit});
    if (!llvm::any_of(problem.buffers, [](const BufferRecord &record) {
          return record.isPlanned();
        }))
      return;
    if (!layOut(*frame)) {
      tooLargeFor[loop] = loop;
      for (const BufferRecord &record : problem.buffers)
        if (record.isPlanned() && !record.frame)
          found->reasons[record.origin] = getTooLarge(loop);
      return;
    }
    for (const BufferRecord &record : problem.buffers)
      if (record.isPlanned() && !record.frame)
        found->frameOf[record.origin] = frame.get();
    found->frames.push_back(std::move(frame));
  }

  WorkerFrames::Reason getTooLarge(Operation *loop) const {
    return {"is in frames of workers that may need more than 2^48 bytes", loop};
  }

  /// Removes frames inside another parallel loop if that has no frame to place
  /// them in. Arenas of iterations need none.
  void dropUnplaced() {
    llvm::DenseSet<Operation *> kept;
    // In reverse order, outer loops come before inner ones.
    for (std::unique_ptr<WorkerFrame> &frame : llvm::reverse(found->frames)) {
      Operation *loop = frame->problem.parallel, *around = loop->getParentOp();
      while (around != function && !hasPlace(around))
        around = around->getParentOp();
      if (frame->count == 0 || around == function || kept.contains(around)) {
        kept.insert(loop);
        continue;
      }
      Operation *tooLarge = tooLargeFor.lookup(around);
      if (tooLarge)
        tooLargeFor[loop] = tooLarge;
      for (const BufferRecord &record : frame->problem.buffers)
        if (found->frameOf.erase(record.origin) && tooLarge)
          found->reasons[record.origin] = getTooLarge(tooLarge);
      frame.reset();
    }
    llvm::erase(found->frames, nullptr);
  }

  FunctionOpInterface function;
  const ModuleAliases &aliases;
  const PlanningOptions &options;
  const FrameNeeds &frames;
  std::shared_ptr<WorkerFrames> found;
  /// For each loop whose frames are too large, or that is inside of such a
  /// loop: the loop with too large frames.
  llvm::DenseMap<Operation *, Operation *> tooLargeFor;
};
} // namespace

std::shared_ptr<WorkerFrames> memplan::findWorkerFrames(
    FunctionOpInterface function, const ModuleAliases &aliases,
    const PlanningOptions &options, const FrameNeeds &frames) {
  return FrameFinder(function, aliases, options, frames).run();
}
