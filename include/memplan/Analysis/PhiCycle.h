//===- PhiCycle.h - Buffers that take turns in slots ------------*- C++ -*-===//
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

/// A phi cycle: buffers that control flow carries, of which several are live at
/// once. They have as many slots as are live at once, all of one type. At every
/// point each live buffer holds a slot and the others are free; an allocation
/// takes a free one, and what dies gives its slot back. Which slot is where
/// depends on the path taken, so free slots travel with the buffers, as
/// additional operands of branches, loops and conditionals:
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
      /// The slot of number `index`, before anything has moved.
      Slot,
      /// The argument or the result of value `index` of a join point.
      Argument,
      Result,
      /// What choice `index` takes, or what it leaves.
      Chosen,
      Rejected
    };
    Kind kind;
    unsigned index;
    unsigned joinPoint = 0;
  };
  std::vector<SlotValue> slotValues;

  /// One slot that travels through a join point.
  struct JoinValue {
    /// Numbers of the block argument and the result. Those of additional values
    /// are given out when the program is rewritten.
    std::optional<unsigned> argument, result;
    /// Not one of the program's own values.
    bool isAdditional = false;
    /// What comes in on each edge.
    std::vector<SlotValueId> incoming;
  };
  /// How control enters a join point.
  struct Edge {
    /// Null for the entry of a loop, and for the end of an empty region.
    mlir::Operation *terminator = nullptr;
    /// The successor of a branch, or the empty region.
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

  /// A select between two buffers whose slots go separate ways.
  struct Choice {
    mlir::Operation *select;
    SlotValueId whenTrue, whenFalse;
    /// The slot chosen is the select's own result.
    bool isOwn;
    /// The select whose result is what this one leaves, or null.
    mlir::Operation *other = nullptr;
  };
  std::vector<Choice> choices;

  /// The records that take turns, ascending, and the slot that each of their
  /// allocations takes, when it is first used.
  std::vector<unsigned> records;
  std::vector<SlotValueId> taken;
  /// Before which op each takes it; null for what is never used.
  std::vector<mlir::Operation *> takenBefore;
  /// The points at which each slot may be held.
  std::vector<LiveRanges> slots;
  /// The slots that each record's buffer may be in at one time or another,
  /// ascending, and the points at which it may be in one.
  std::vector<llvm::SmallVector<unsigned, 2>> slotsOf;
  std::vector<LiveRanges> liveOf;
  /// The slots are there from this op on.
  mlir::Operation *before = nullptr;
  /// The first of the slots among the buffers of the arena's problem; the
  /// others follow.
  BufferIndex firstBuffer = 0;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PHICYCLE_H
