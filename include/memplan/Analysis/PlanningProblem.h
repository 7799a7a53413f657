//===- PlanningProblem.h - From functions to problems -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PLANNINGPROBLEM_H
#define MEMPLAN_ANALYSIS_PLANNINGPROBLEM_H

#include "memplan/Analysis/FunctionProblem.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Location.h"

#include "llvm/ADT/SetVector.h"

namespace memplan {

/// Bytes: the largest alignment that is planned, and that may be asked for.
constexpr int64_t kMaxAlignment = int64_t(1) << 30;

struct PlanningOptions {
  /// Bytes: the least alignment of a buffer and of the arena; a power of two.
  int64_t alignment = 64;
  /// Bytes an arena may have.
  std::optional<int64_t> capacity;
  /// The most iterations of a parallel loop that get a frame each. 0 for none:
  /// what is allocated inside is not planned.
  int64_t maxWorkers = 0;
  /// Plan what is allocated in the bodies of other parallel loops, too: each
  /// iteration allocates one arena. Not with a capacity, as nobody knows how
  /// many of these there are at a time.
  bool iterationArenas = false;
  /// The most ops of a step; 0 for no limit.
  int64_t maxParallelOps = 0;
  /// Take no ops to run at once.
  bool ignoreSteps = false;
  /// Let a buffer begin in the place of one that an op reads for the last time,
  /// where the op may overwrite it.
  bool inPlace = false;
  /// Of loops also where that may take a part of it only, in the order in which
  /// they run; otherwise only the element that is read has its place.
  bool partialOverlap = false;
};

/// Bytes that are enough for the arena, however its buffers are placed; what is
/// too much for any arena where that overflows.
int64_t getMostBytes(const Problem &problem);

/// True if a buffer of the function is planned, apart from those of iterations
/// with arenas of their own.
bool hasPlannedBuffers(const FunctionProblem &problem);

/// An arena that a function needs its callers to hand in. How large it is says
/// its solution.
struct FrameNeed {
  mlir::Attribute memorySpace;
  /// Bytes that are enough for every solution.
  int64_t mostBytes;
  int64_t alignment;
  /// ArenaProblem::isReleased of the function.
  bool isReleased = true;
};
/// By function, in the order of its arenas.
using FrameNeeds = llvm::DenseMap<mlir::Operation *, std::vector<FrameNeed>>;

/// Derives the problems of a function. The IR is not changed. Each call of a
/// function in `frames` needs a buffer for each of its frames during the call,
/// and each parallel loop in `workers` one for all of its workers.
FunctionProblem buildFunctionProblem(
    mlir::FunctionOpInterface function, const ModuleAliases &aliases,
    const PlanningOptions &options, const FrameNeeds &frames = FrameNeeds(),
    std::shared_ptr<WorkerFrames> workers = nullptr);

/// Derives the problem of the body of a parallel loop of the function; `order`
/// and `graph` are those of the body. What `workers` has places for is not part
/// of it, but the loops directly inside that it has frames for are.
FunctionProblem
buildBodyProblem(mlir::Operation *parallel, mlir::FunctionOpInterface function,
                 const ModuleAliases &aliases, const ProgramOrder &order,
                 const AliasGraph &graph, const PlanningOptions &options,
                 const WorkerFrames &workers, const FrameNeeds &frames);

/// Bytes of what is allocated, or nothing if the type does not tell.
std::optional<int64_t> getKnownSize(mlir::MemRefType type,
                                    const mlir::DataLayout &layout);

/// Calls `visit` on what may be planned inside of a function or one of its ops,
/// in walk order; and on clones, which are not planned, but named.
void walkAllocations(mlir::Operation *root,
                     llvm::function_ref<void(mlir::Operation *)> visit);

/// True for the ops by which a function returns.
bool isReturn(mlir::Operation *op);

/// True when the function contains an arena, lowered or not.
bool hasArena(mlir::FunctionOpInterface function);

/// The functions in `root` that have an arena, in walk order.
llvm::SetVector<mlir::Operation *> findPlannedFunctions(mlir::Operation *root);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PLANNINGPROBLEM_H
