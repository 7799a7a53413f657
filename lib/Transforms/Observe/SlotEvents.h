//===- SlotEvents.h - Births and deaths of marked slots ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SLOTEVENTS_H
#define MEMPLAN_LIB_TRANSFORMS_SLOTEVENTS_H

#include "Observe/RuntimeCalls.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"

namespace memplan {

/// A birth or death of a slot: where control goes on with an op from a point at
/// which the slot is dead, or live.
///
/// Whoever handles the events must ignore a birth of a slot that is live, and a
/// death of one that is not: a block may be entered from several others.
struct SlotEvent {
  bool isBirth;
  /// A view of the slot. It dominates `before` if this is a birth.
  ViewOp view;
  const Observed *slot;
  mlir::Operation *before;
  /// The point of the op with which control goes on.
  int64_t point;
  /// The op that uses the slot first, or behind which it is dead.
  mlir::Operation *op;

  Site getSite() const;
  /// Creates the address of the arena or frame of the slot.
  mlir::Value createBase(mlir::OpBuilder &builder) const;
};

/// The slots of a function, and their events in the order of the text.
struct SlotEvents {
  explicit SlotEvents(mlir::FunctionOpInterface function);

  llvm::MapVector<mlir::Operation *, Observed> slots;
  std::vector<SlotEvent> events;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SLOTEVENTS_H
