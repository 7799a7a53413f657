//===- FunctionProblem.h - Buffers, slots and arenas ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers, slots and arenas of a function, as data. BuildProblem.h
// derives them.
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
  /// The op that makes the buffer: an allocation, or of a frame the call or the
  /// parallel loop.
  mlir::Operation *origin = nullptr;
  mlir::MemRefType type;
  /// Bytes; 0 if they are not known. For a frame an upper bound, until its
  /// problem is solved. With a formula, its value at the first hint.
  int64_t size = 0;
  /// Bytes, if they are known only when the program runs.
  std::optional<Formula> formula;
  /// The slot has the constant `size`, which is at least that of the buffer.
  /// Otherwise a formula is known at the entry of the function.
  bool isBounded = false;
  /// With `isBounded`: the size is not known at the entry.
  bool isVariable = false;
  /// The bytes of the slot, if they are known only when the program runs.
  std::optional<Formula> getSlotFormula() const {
    return isBounded ? std::nullopt : formula;
  }
  /// Bytes.
  int64_t alignment = 1;
  /// Bytes: the alignment that the program asks for, regardless of the options.
  int64_t ownAlignment = 1;
  /// The live ranges of the slot. If several allocations share it because
  /// control flow joins them, the first of them has its ranges for all.
  LiveRanges lifetime;
  /// The index of the record whose slot this buffer is placed in: its own, or
  /// the first record of the coalesced allocations.
  unsigned slotOwner = 0;
  /// The points at which this buffer may be in its slot, or in one of its
  /// slots, if other buffers are there at other points; empty if it has the
  /// slot alone, and for coalesced allocations without
  /// PlanningOptions::describes.
  LiveRanges held;
  /// Set if the buffer is a frame. It is then the number of an arena: of the
  /// callee of the call `origin`, or of `workers`, if `origin` is a parallel
  /// loop that splits the buffer among its workers.
  std::optional<unsigned> frame;
  const WorkerFrame *workers = nullptr;
  /// A result that lends no bytes: its allocation stays.
  bool keepsAllocation = false;
  /// Why the buffer is not planned, as a predicate ("is returned"); empty for a
  /// planned buffer.
  std::string reason;
  /// The op that is the reason, if it is not the allocation.
  mlir::Operation *culprit = nullptr;

  bool isPlanned() const { return reason.empty(); }
  void exclude(const llvm::Twine &why, mlir::Operation *by = nullptr) {
    reason = why.str();
    culprit = by;
  }
  /// Sets the bytes of a frame, once its problem has been solved.
  void setFrameSize(int64_t bytes);
};

/// Why the planner lets an op overwrite a buffer that it reads. A claim: the
/// verifier derives its own proof.
enum class InPlaceReason : uint8_t {
  /// A copy writes each element to the bytes that it reads it from.
  Copy,
  /// Each iteration of a structured op reads only the bytes that it writes.
  Elementwise,
  /// The same for the iterations of loops around loads and stores.
  LoopNest,
  /// The op declares it (InPlaceInterface), or the declared function that it
  /// calls does (memplan.overwrites).
  Declared
};

/// An op that may write one buffer of a problem over another, which it reads
/// for the last time, at the same bytes. The two are live together only at such
/// ops.
struct InPlaceUse {
  mlir::Operation *op;
  BufferIndex read;
  BufferIndex written;
  InPlaceReason reason;
};

/// The arena of one memory space of a function.
struct ArenaProblem {
  mlir::Attribute memorySpace;
  Problem problem;
  /// For each buffer of `problem`, the record whose slot it is, as an index in
  /// FunctionProblem::buffers.
  std::vector<unsigned> records;
  /// All planned records of the memory space, ascending, each with the buffer
  /// of `problem` that it is placed in.
  std::vector<std::pair<unsigned, BufferIndex>> placements;
  /// The buffers of results that lend their memory to others until they are
  /// written. Each is pinned at 0 or a cut of `problem`, and owns the bytes up
  /// to the next cut: a result is an allocation of its own.
  std::vector<BufferIndex> lenders;
  /// The ops for which the overlaps of `problem` are permitted.
  std::vector<InPlaceUse> inPlace;
  /// The arena is freed where the function returns: it is in the default memory
  /// space, or the function or a callee with a frame in it frees something in
  /// this space. In other spaces a deallocation may have no lowering.
  bool isReleased = true;
  /// The kind of memory, if no caller hands the arena in. Set with the
  /// solution.
  ArenaMemory memory = ArenaMemory::Heap;
  /// For each record of a phi cycle: the buffers of `problem` that it may be
  /// in, ascending. The first is its placement.
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
  /// Bytes that the arena (limited by `problem.capacity`) and the allocations
  /// that are not planned may have together in this memory space.
  std::optional<int64_t> capacity;
  /// Bytes of the allocations that are not planned and whose size is known, and
  /// the number of those whose size is not.
  int64_t unplannedBytes = 0;
  unsigned unplannedUnknown = 0;
  /// The plan of the same buffers if no ops ran at once; only on request.
  std::optional<Plan> sequential;
};

/// A deallocation of planned buffers, to be removed or reduced.
struct PlannedFree {
  mlir::Operation *op = nullptr;
  /// For bufferization.dealloc: the positions of the memrefs to be removed,
  /// which are planned or never owned.
  llvm::SmallVector<unsigned> memrefs;
  /// The positions of the retained values that are planned.
  llvm::SmallVector<unsigned> retained;
};

/// The planning problem of one function: the bridge between IR and Core.
struct FunctionProblem {
  mlir::FunctionOpInterface function;
  /// If not null, this is the problem of the frame of one worker of this
  /// parallel loop: of the allocations in its body.
  mlir::Operation *parallel = nullptr;
  /// The frames of the parallel loops of the function.
  std::shared_ptr<WorkerFrames> workers;
  /// The function already has an arena; nothing else is filled in.
  bool alreadyPlanned = false;
  /// The step annotations are wrong and errors have been emitted; nothing else
  /// is filled in.
  bool isInvalid = false;
  /// The callers hand in the arenas.
  bool isFrame = false;
  std::vector<BufferRecord> buffers;
  /// Those of the formulas, and hints (Problem::symbols, Problem::hints).
  SizeSymbols symbols;
  std::vector<std::vector<int64_t>> hints;
  /// One for each memory space, in the order in which the spaces first appear.
  std::vector<ArenaProblem> arenas;
  std::vector<PlannedFree> frees;
  std::vector<PhiCycle> phiCycles;
  Steps steps;

  /// The live ranges of the slot of a planned buffer.
  const LiveRanges &getRanges(const BufferRecord &record) const {
    return buffers[record.slotOwner].lifetime;
  }
  /// The op before which the view of a planned buffer and its first access must
  /// be inserted at the latest: the allocation, or the first op of the step
  /// around it.
  mlir::Operation *getPlace(const BufferRecord &record,
                            const ProgramOrder &order) const;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_FUNCTIONPROBLEM_H
