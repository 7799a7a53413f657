//===- PhiCycle.h - Buffers in loop-carried slots ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PHICYCLE_H
#define MEMPLAN_ANALYSIS_PHICYCLE_H

#include "memplan/Core/Problem.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <vector>

namespace memplan {

/// A phi cycle: buffers that control flow carries and of which several are live
/// at once. All have one type, and there are at least as many slots as buffers
/// are live at once. At every point each live buffer holds a slot and the other
/// slots are free; an allocation takes a free slot, and a buffer that dies
/// frees its slot. Which slot a buffer is in depends on the path taken, so free
/// slots travel with the buffers, as additional operands of branches, loops and
/// conditionals:
///
///     scf.for iter_args(%x = %a) {    scf.for iter_args(%x = %s0, %f = %s1) {
///       %b = alloc
///       use %x, %b                      use %x, %f
///       yield %b                        yield %f, %x
///     }                               }
///
struct PhiCycle {
  /// A slot as an SSA value, as an index in `slotValues`.
  using SlotValueId = unsigned;
  struct SlotValue {
    enum class Kind : uint8_t {
      /// The slot with number `index`, at its definition.
      Slot,
      /// The argument or the result for join value `index` of join point
      /// `joinPoint`.
      Argument,
      Result,
      /// The slot that choice `index` takes, or the one that it leaves.
      Chosen,
      Rejected
    };
    Kind kind;
    unsigned index;
    unsigned joinPoint = 0;
  };
  std::vector<SlotValue> slotValues;

  /// A slot that travels through a join point.
  struct JoinValue {
    /// Numbers of the block argument and the result. Those of additional values
    /// are assigned when the program is rewritten.
    std::optional<unsigned> argument, result;
    /// True if the program has no value of its own for it.
    bool isAdditional = false;
    /// The slot value that comes in, for each edge.
    std::vector<SlotValueId> incoming;
  };
  /// An edge on which control enters a join point.
  struct Edge {
    /// Null for the entry of a loop, and for an empty region.
    mlir::Operation *terminator = nullptr;
    /// The number of the successor, if the terminator is a branch; the number
    /// of the region, if it is empty.
    std::optional<unsigned> successor, emptyRegion;
  };
  /// Values that are forwarded together: to the arguments of a block, to the
  /// results of an op with regions, or to both.
  struct JoinPoint {
    mlir::Operation *op = nullptr;
    mlir::Block *block = nullptr;
    std::vector<Edge> edges;
    std::vector<JoinValue> joinValues;
  };
  /// In program order.
  std::vector<JoinPoint> joinPoints;

  /// A select between two buffers in different slots.
  struct Choice {
    mlir::Operation *select;
    SlotValueId whenTrue, whenFalse;
    /// The chosen slot is the result of the select itself.
    bool isOwn;
    /// The select whose result is the slot that this one leaves, or null.
    mlir::Operation *other = nullptr;
  };
  std::vector<Choice> choices;

  /// The records of the buffers, as indices in FunctionProblem::buffers,
  /// ascending; for each, the slot value that its allocation takes.
  std::vector<unsigned> records;
  std::vector<SlotValueId> taken;
  /// For each record, the op before which its allocation takes the slot; null
  /// if it is never used.
  std::vector<mlir::Operation *> takenBefore;
  /// For each slot, the points at which it may be held.
  std::vector<LiveRanges> slots;
  /// For each record, the slots that may hold its buffer at some point,
  /// ascending; and the points at which it may be in one of them.
  std::vector<llvm::SmallVector<unsigned, 2>> slotsOf;
  std::vector<LiveRanges> liveOf;
  /// The op before which the slots are defined.
  mlir::Operation *before = nullptr;
  /// The index of the first slot among the buffers of the arena's problem; the
  /// other slots follow it.
  BufferIndex firstBuffer = 0;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PHICYCLE_H
