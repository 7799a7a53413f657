//===- ParallelFrames.h - Buffers private to iterations ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a parallel loop is planned like a callee: its allocations are
// placed in a frame, by the order of the body alone. Iterations that may run at
// once need a frame each. So the code around the loop has one buffer with that
// many frames, side by side, which is live while the loop runs:
//
//   scf.parallel (%i) = 0 to 4        frame of %i = 0   1     2     3
//     %a = alloc [1024]               |aaaaaa       |     |     |     |
//     %b = alloc [512]                |      bbb    |     |     |     |
//     %c = alloc [256]                |cc           |     |     |     |
//
// The number of frames must be known: it is the number of iterations, if there
// are few. In any other parallel loop the allocations of an iteration become
// one allocation, an arena of its own, which the iteration frees at its end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PARALLELFRAMES_H
#define MEMPLAN_ANALYSIS_PARALLELFRAMES_H

#include "memplan/Analysis/BuildProblem.h"

namespace memplan {

/// The frames of the workers of one parallel loop. Each iteration is a worker.
struct WorkerFrame {
  /// The number of workers; 0 if each iteration has an arena of its own, for
  /// which the code around the loop has no buffer.
  int64_t count = 0;
  std::unique_ptr<ProgramOrder> order;
  std::unique_ptr<AliasGraph> graph;
  /// The problem of one worker. Buffers of the loop that are not planned are
  /// reported by the problem of the function.
  FunctionProblem problem;
  /// An arena of `problem` that has buffers, and its index there.
  struct Arena {
    unsigned position;
    /// Bytes from the frame of one worker to that of the next; an upper bound
    /// until the problem is solved.
    int64_t stride;
  };
  std::vector<Arena> arenas;
};

/// The frames of the parallel loops of a function.
struct WorkerFrames {
  /// The number of each allocation of the function, in walk order.
  llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
  /// Inner loops come before the loops around them.
  std::vector<std::unique_ptr<WorkerFrame>> frames;
  /// The allocations that are placed in a frame.
  llvm::DenseMap<mlir::Operation *, const WorkerFrame *> frameOf;
  struct Reason {
    std::string text;
    mlir::Operation *culprit;
  };
  /// Why other allocations in the bodies of such loops are not.
  llvm::DenseMap<mlir::Operation *, Reason> reasons;
};

/// True for loops whose bodies can be planned: scf.parallel, scf.forall and
/// affine.parallel with one block, without a mapping to processors, and with no
/// other results than numbers.
bool isParallelLoop(mlir::Operation *op);

/// One dimension of a parallel loop: `variable` is `begin` + n * `step` for n
/// in [0, count).
struct IterationRange {
  mlir::Value variable;
  int64_t begin;
  int64_t step;
  int64_t count;
};

/// The dimensions of a parallel loop; std::nullopt if they are not constant.
std::optional<llvm::SmallVector<IterationRange, 2>>
getIterationRanges(mlir::Operation *loop);

/// The number of iterations of a parallel loop; std::nullopt if it is not
/// constant.
std::optional<int64_t> getIterationCount(mlir::Operation *loop);

/// True if the op is a parallel loop with a constant number of iterations, at
/// least one and at most `maxWorkers`.
bool hasWorkers(mlir::Operation *op, int64_t maxWorkers);

/// True if all ops around `op` in the function are sequential control flow or
/// loops that have workers.
bool isRunByWorkers(mlir::Operation *op, mlir::FunctionOpInterface function,
                    int64_t maxWorkers);

/// True if iterations of loops of the function have arenas of their own.
bool hasIterationArenas(const FunctionProblem &problem);

/// Why the loop has no workers, as the end of a sentence; empty if it has
/// workers, if `maxWorkers` is 0, or if the op is no parallel loop.
std::string describeWorkers(mlir::Operation *op, int64_t maxWorkers);

/// Builds the order, the aliases and the problem of the body of the loop. The
/// problem is not yet solved.
std::unique_ptr<WorkerFrame>
makeWorkerFrame(mlir::Operation *loop, mlir::FunctionOpInterface function,
                const ModuleAliases &aliases, const PlanningOptions &options,
                const WorkerFrames &inner, const FrameNeeds &frames);

/// For each loop with workers in `order` that is not inside an opaque op: one
/// buffer for each of its arenas, with the frames of all workers. It is live
/// during the loop.
std::vector<BufferRecord> makeWorkerRecords(const WorkerFrames &workers,
                                            const ProgramOrder &order);

/// Bytes from the frame of one worker to that of the next, if a frame has
/// `arenaBytes` bytes; std::nullopt if the frames of all `count` workers exceed
/// 2^48 bytes.
std::optional<int64_t> getFrameStride(int64_t arenaBytes, int64_t alignment,
                                      int64_t count);

/// Sets the stride of each arena of the solved frame. Emits an error and fails
/// if the frames of all workers exceed 2^48 bytes.
mlir::LogicalResult setStrides(WorkerFrame &frame);

/// Finds the frames of all parallel loops that have workers, provided that all
/// ops around the loop are sequential control flow or such loops. `frames` are
/// the frames that callees need. If the frames of a loop may need more than can
/// be planned, neither the loop nor the loops inside it are planned.
std::shared_ptr<WorkerFrames>
findWorkerFrames(mlir::FunctionOpInterface function,
                 const ModuleAliases &aliases, const PlanningOptions &options,
                 const FrameNeeds &frames);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PARALLELFRAMES_H
