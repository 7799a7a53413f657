//===- ParallelFrames.h - Buffers private to iterations ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a parallel loop is planned like a callee: what it allocates is
// placed in a frame, by the order of the body alone. Iterations that may run at
// once need a frame each, so the code around the loop has a buffer of so many
// frames, side by side, that is live while the loop runs:
//
//   scf.parallel (%i) = 0 to 4        frame of %i = 0   1     2     3
//     %a = alloc [1024]               |aaaaaa       |     |     |     |
//     %b = alloc [512]                |      bbb    |     |     |     |
//     %c = alloc [256]                |cc           |     |     |     |
//
// The number of frames must be known: that of the iterations, where they are
// few. Loops with more can be made to run on a fixed number of workers first
// (DistributeWorkers.h). In any other parallel loop what an iteration allocates
// becomes one allocation, its own arena, which it frees at its end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PARALLELFRAMES_H
#define MEMPLAN_ANALYSIS_PARALLELFRAMES_H

#include "memplan/Analysis/PlanningProblem.h"

namespace memplan {

/// The frames of the workers of one parallel loop. A worker is an iteration.
struct WorkerFrame {
  /// How many workers there are; 0 where each iteration has an arena of its
  /// own, that nothing around the loop has a place for.
  int64_t count = 0;
  std::unique_ptr<ProgramOrder> order;
  std::unique_ptr<AliasGraph> graph;
  /// That of one worker. Records that are not planned stand for buffers of the
  /// loop that the function's problem tells of.
  FunctionProblem problem;
  /// Those of `problem` that have buffers.
  struct Arena {
    unsigned position;
    /// Bytes from the frame of one worker to that of the next, once the problem
    /// is solved; what is enough before.
    int64_t stride;
  };
  std::vector<Arena> arenas;
};

/// What is planned in the bodies of the parallel loops of a function.
struct WorkerFrames {
  /// The allocations of the function, counted in walk order.
  llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
  /// Inner loops before those around them.
  std::vector<std::unique_ptr<WorkerFrame>> frames;
  /// The allocations that have a place in a frame.
  llvm::DenseMap<mlir::Operation *, const WorkerFrame *> frameOf;
  struct Reason {
    std::string text;
    mlir::Operation *culprit;
  };
  /// Why others in the bodies of such loops have none.
  llvm::DenseMap<mlir::Operation *, Reason> reasons;
};

/// True for the loops whose bodies can be planned: scf.parallel, scf.forall and
/// affine.parallel, not mapped to processors, whose results are numbers if
/// there are any.
bool isParallelLoop(mlir::Operation *op);

/// One dimension of a parallel loop: `variable` is `begin` + n * `step` for n
/// in [0, count).
struct IterationRange {
  mlir::Value variable;
  int64_t begin;
  int64_t step;
  int64_t count;
};

/// The dimensions of a parallel loop, if they are constant.
std::optional<llvm::SmallVector<IterationRange, 2>>
getIterationRanges(mlir::Operation *loop);

/// The number of iterations of a parallel loop, if it is constant.
std::optional<int64_t> getIterationCount(mlir::Operation *loop);

/// True if the op is a parallel loop with a constant number of iterations, at
/// least one and at most `maxWorkers`.
bool hasWorkers(mlir::Operation *op, int64_t maxWorkers);

/// True if `op` is inside no other ops of the function than sequential control
/// flow and loops that have workers.
bool isRunByWorkers(mlir::Operation *op, mlir::FunctionOpInterface function,
                    int64_t maxWorkers);

/// True if iterations of the function's loops have arenas of their own.
bool hasIterationArenas(const FunctionProblem &problem);

/// What is missing for the loop to have workers, as the end of a sentence;
/// empty where `maxWorkers` is 0 or the op is no parallel loop.
std::string describeWorkers(mlir::Operation *op, int64_t maxWorkers);

/// The order and the aliases of the body of the loop, and the problem of what
/// it allocates, not yet solved.
std::unique_ptr<WorkerFrame>
makeWorkerFrame(mlir::Operation *loop, mlir::FunctionOpInterface function,
                const ModuleAliases &aliases, const PlanningOptions &options,
                const WorkerFrames &inner, const FrameNeeds &frames);

/// For each loop with frames that stands directly in `order`, in no other
/// parallel loop, the buffer of all of them, which is live during the loop.
std::vector<BufferRecord> makeWorkerRecords(const WorkerFrames &workers,
                                            const ProgramOrder &order);

/// Bytes from the frame of one worker to that of the next, where that of one
/// has `arenaBytes`; nothing if all of them need more than can be planned.
std::optional<int64_t> getFrameStride(int64_t arenaBytes, int64_t alignment,
                                      int64_t count);

/// Finds the frames of all parallel loops that have workers and are themselves
/// run by workers at most. `frames` are those of callees. Where the frames of a
/// loop may need more than can be planned, it is not planned, with those
/// inside.
std::shared_ptr<WorkerFrames>
findWorkerFrames(mlir::FunctionOpInterface function,
                 const ModuleAliases &aliases, const PlanningOptions &options,
                 const FrameNeeds &frames);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PARALLELFRAMES_H
