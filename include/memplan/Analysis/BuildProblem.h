//===- BuildProblem.h - From functions to problems --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_BUILDPROBLEM_H
#define MEMPLAN_ANALYSIS_BUILDPROBLEM_H

#include "memplan/Analysis/FunctionProblem.h"
#include "memplan/Core/BySpace.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Location.h"

#include "llvm/ADT/SetVector.h"

namespace memplan {

/// Bytes: the largest alignment that is planned, and that options may ask for.
constexpr int64_t kMaxAlignment = int64_t(1) << 30;

struct PlanningOptions {
  /// Bytes: the least alignment of a buffer and of the arena; a power of two.
  int64_t alignment = 64;
  /// Bytes that an arena and the allocations beside it that are not planned may
  /// have together, for each memory space as formatSpace() prints it.
  Capacities capacities;
  /// The limit of the memory space; std::nullopt for none.
  std::optional<int64_t> getCapacity(mlir::Attribute memorySpace) const;
  /// The most iterations of a parallel loop for which each iteration gets a
  /// frame. 0 for none: allocations inside of such loops are not planned.
  int64_t maxWorkers = 0;
  /// Plan the allocations in the bodies of other parallel loops, too: each
  /// iteration allocates one arena. Not together with a capacity, as it is
  /// unknown how many iterations run at once.
  bool iterationArenas = false;
  /// Ignore step annotations: no ops run at once.
  bool ignoreSteps = false;
  /// Let a buffer begin at the bytes of another that an op reads for the last
  /// time, if the op may overwrite them.
  bool inPlace = false;
  /// Each buffer of dynamic shape has a slot of its greatest size.
  bool atGreatestSizes = false;
  /// Bytes: the size of the banks of each memory space that has banks.
  Capacities bankSizes;
  /// Plan the results that the function allocates, with their memory as pieces
  /// of the arena (ArenaProblem::lenders).
  bool lendResults = false;
  /// Derive what only reports show (BufferRecord::held). If a value may be any
  /// of many buffers that share a slot, it is as large as the report.
  bool describes = false;
};

/// Bytes that are enough for the arena however its buffers are placed;
/// kMaxBufferBytes if the sum is larger.
int64_t getMostBytes(const Problem &problem);

/// True if a buffer of the function is planned. Buffers in iterations with
/// arenas of their own do not count.
bool hasPlannedBuffers(const FunctionProblem &problem);

/// An arena that the callers of a function must hand in. Its exact size is
/// known when its problem is solved.
struct FrameNeed {
  mlir::Attribute memorySpace;
  /// Bytes that are enough for every plan.
  int64_t mostBytes;
  int64_t alignment;
  /// ArenaProblem::isReleased of that arena.
  bool isReleased = true;
};
/// For each function, the arenas that it needs.
using FrameNeeds = llvm::DenseMap<mlir::Operation *, std::vector<FrameNeed>>;

/// Derives the problems of a function; does not change the IR. Each call of a
/// function in `frames` gets a buffer for each of its frames, live during the
/// call; each parallel loop in `workers` gets one for the frames of all its
/// workers.
FunctionProblem buildFunctionProblem(
    mlir::FunctionOpInterface function, const ModuleAliases &aliases,
    const PlanningOptions &options, const FrameNeeds &frames = FrameNeeds(),
    std::shared_ptr<WorkerFrames> workers = nullptr);

/// Derives the problem of the body of a parallel loop of the function. `order`
/// and `graph` are those of the body. Allocations that have a frame in
/// `workers` are not part of the problem; the frames of loops directly inside
/// the body are.
FunctionProblem
buildBodyProblem(mlir::Operation *parallel, mlir::FunctionOpInterface function,
                 const ModuleAliases &aliases, const ProgramOrder &order,
                 const AliasGraph &graph, const PlanningOptions &options,
                 const WorkerFrames &workers, const FrameNeeds &frames);

/// Calls `visit` for each allocation in a function or in one of its ops, in
/// walk order. Visits also clones and gpu.alloc, which are named but not
/// planned.
void walkAllocations(mlir::Operation *root,
                     llvm::function_ref<void(mlir::Operation *)> visit);

/// True for ops that return from a function.
bool isReturn(mlir::Operation *op);

/// True if the function contains an arena, lowered or not, or gets one as an
/// argument.
bool hasArena(mlir::FunctionOpInterface function);

/// The functions in `root` that have an arena, in walk order.
llvm::SetVector<mlir::Operation *> findPlannedFunctions(mlir::Operation *root);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_BUILDPROBLEM_H
