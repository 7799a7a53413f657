//===- FunctionProblem.h - Buffers, slots and arenas ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a function's buffers, as data: PlanningProblem.h derives it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_FUNCTIONPROBLEM_H
#define MEMPLAN_ANALYSIS_FUNCTIONPROBLEM_H

#include "memplan/Analysis/Lifetimes.h"
#include "memplan/Analysis/PhiCycle.h"
#include "memplan/Analysis/Steps.h"
#include "memplan/Core/Plan.h"
#include "memplan/IR/Memplan.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>

namespace memplan {

struct WorkerFrame;
struct WorkerFrames;

/// One allocation of a function: planned, or not planned and why.
struct BufferRecord {
  /// "b<N>", N counting the function's allocations in walk order.
  std::string name;
  mlir::Operation *allocation = nullptr;
  mlir::MemRefType type;
  /// Bytes; 0 where they are not known. Of a frame what it needs at most, until
  /// its problem is solved.
  int64_t size = 0;
  /// Bytes.
  int64_t alignment = 1;
  /// Bytes: what the program itself asks for, whatever the options.
  int64_t ownAlignment = 1;
  /// That of the slot, where several allocations share one: the first of these
  /// has its ranges, for all of them.
  LiveRanges lifetime;
  /// The index of the record whose slot this buffer is placed in: its own, or
  /// that of the first of the allocations that share one because control flow
  /// joins them.
  unsigned slot = 0;
  /// The points at which this buffer may be in its slot, or in one of its
  /// slots, where others are in it at other points; empty if it has it alone.
  LiveRanges held;
  /// The buffer is memory that the call `allocation` hands to its callee, for
  /// the callee's arena of this number; or that the parallel loop `allocation`
  /// splits among its workers, for the arena of this number of `workers`.
  std::optional<unsigned> frame;
  const WorkerFrame *workers = nullptr;
  /// Why the buffer is not planned, as a predicate ("is returned"); empty for a
  /// planned buffer.
  std::string reason;
  /// The op that is the reason, where there is one besides the allocation.
  mlir::Operation *culprit = nullptr;

  bool isPlanned() const { return reason.empty(); }
};

/// Why an op may write over what it reads.
enum class InPlaceProof : uint8_t {
  /// A copy moves each element to where it is.
  Copy,
  /// Every iteration of a structured op reads the element that it writes alone.
  Elementwise,
  /// The same of loops around a load and a store.
  LoopNest,
  /// In the order of the loops no load comes after a store at or above its
  /// first
  /// byte, if the buffers are far enough apart.
  LoopOrder,
  /// The op says so (InPlaceInterface), or the declared function that it calls
  /// (memplan.overwrites).
  Declared
};

/// An op that may write a buffer of a problem over another, or a part of it,
/// which it reads for the last time. Only such ops have both live.
struct InPlaceUse {
  mlir::Operation *op;
  BufferIndex read;
  BufferIndex written;
  InPlaceProof proof;
  /// Bytes: where offset(read) - offset(written) may be.
  int64_t minDelta = 0;
  int64_t maxDelta = 0;
  /// Of LoopOrder, the least displacement, in bytes, and the loop that asks for
  /// it (findDisplacement); nothing if any will do.
  std::optional<std::pair<int64_t, unsigned>> displacement = {};
};

/// The arena of one memory space of a function.
struct ArenaProblem {
  mlir::Attribute memorySpace;
  Problem problem;
  /// For each buffer of `problem`, the record it is the slot of, as an index in
  /// FunctionProblem::buffers.
  std::vector<unsigned> records;
  /// All planned records of the memory space, ascending, each with the buffer
  /// of `problem` it is placed in.
  std::vector<std::pair<unsigned, BufferIndex>> placements;
  /// What the permitted overlaps of `problem` are permitted for.
  std::vector<InPlaceUse> inPlace;
  /// The arena is to be freed where the function returns: it is in the default
  /// memory space, or the function or a callee with a frame in it frees
  /// something in this space. Elsewhere a deallocation may have no lowering.
  bool isReleased = true;
  /// Where it is, if no caller hands it in. Settled with the solution.
  ArenaMemory memory = ArenaMemory::Heap;
  /// By record that takes turns with others: all buffers of `problem` that it
  /// may be in, ascending. The first is its placement.
  llvm::DenseMap<unsigned, llvm::SmallVector<BufferIndex, 2>> carried;
  /// The buffers of `problem` that a planned record may be in.
  llvm::SmallVector<BufferIndex, 2>
  getSlots(const std::pair<unsigned, BufferIndex> &placement) const {
    auto it = carried.find(placement.first);
    return it != carried.end()
               ? it->second
               : llvm::SmallVector<BufferIndex, 2>{placement.second};
  }
  /// The solution, once solved.
  Plan plan;
  /// Bytes that all of the memory space may have in the function: the arena,
  /// which `problem.capacity` is for, and what is not planned.
  std::optional<int64_t> capacity;
  /// Bytes of the allocations that are not planned, as far as their sizes are
  /// known, and how many others there are.
  int64_t unplannedBytes = 0;
  unsigned unplannedUnknown = 0;
  /// That of the same buffers if no ops ran at once; where it was asked for.
  std::optional<Plan> sequential;
};

/// A deallocation of planned buffers, to be removed or thinned out.
struct PlannedFree {
  mlir::Operation *op = nullptr;
  /// For bufferization.dealloc: the memrefs (by position) that are planned.
  llvm::SmallVector<unsigned> memrefs;
  /// And the retained values that are, where memrefs that are not remain.
  llvm::SmallVector<unsigned> retained;
};

/// What there is to plan in one function. The bridge between IR and Core.
struct FunctionProblem {
  mlir::FunctionOpInterface function;
  /// The problem of the frame of one worker of this parallel loop: what is
  /// allocated in its body. Null for that of the function itself.
  mlir::Operation *parallel = nullptr;
  /// Those of the parallel loops of the function.
  std::shared_ptr<WorkerFrames> workers;
  /// The function has an arena already: nothing else is filled in.
  bool alreadyPlanned = false;
  /// What the program says of its steps is wrong, as errors have told: nothing
  /// else is filled in.
  bool isInvalid = false;
  /// The arenas are handed in by the callers.
  bool isFrame = false;
  std::vector<BufferRecord> buffers;
  /// By memory space, in the order in which the spaces first appear.
  std::vector<ArenaProblem> arenas;
  std::vector<PlannedFree> frees;
  std::vector<PhiCycle> phiCycles;
  Steps steps;

  /// The points at which the slot of a planned buffer is live.
  const LiveRanges &getRanges(const BufferRecord &record) const {
    return buffers[record.slot].lifetime;
  }
  /// Where the view of a planned buffer and its first marker go at the latest:
  /// the allocation, or what begins the step that it stands in.
  mlir::Operation *getPlace(const BufferRecord &record,
                            const ProgramOrder &order) const;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_FUNCTIONPROBLEM_H
