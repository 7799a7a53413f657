//===- Observation.h - Marks for the observer of programs -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What planning leaves in a planned program for memplan-instrument and for
// memplan-lower=guard, if the module asks for it. A program that does not ask
// is planned as if these attributes did not exist.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_OBSERVATION_H
#define MEMPLAN_IR_OBSERVATION_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memplan {

/// A slot, as its views are marked.
struct Observed {
  /// The name of the slot in reports.
  std::string slot;
  /// The parallel loop whose arena it is in, or -1.
  int64_t loop = -1;
  /// Pairs of points, as in reports.
  llvm::SmallVector<int64_t> live;
  /// Bytes of the view's constant offset that are the place of the arena or
  /// frame, and not the offset in it.
  int64_t base = 0;
  /// True if the slot operand of the view is a part of that place, too.
  bool baseInSlot = false;
  /// Bytes behind the buffer that belong to its slot.
  int64_t guard = 0;
  /// The names of slots that may share bytes with it, separated by commas.
  std::string shares;
};

/// The guard of the module around the op; std::nullopt if none asks for marks.
std::optional<int64_t> getObserveGuard(mlir::Operation *op);

mlir::Attribute writeObserved(mlir::MLIRContext *context,
                              const Observed &observed);
/// std::nullopt if the op has no mark.
std::optional<Observed> readObserved(mlir::Operation *op);

/// The loop and the point of the op; std::nullopt if it has none.
std::optional<std::pair<int64_t, int64_t>> readPoint(mlir::Operation *op);

/// True if memplan-observe ran before the function was planned: an op in it has
/// a point.
bool isObserved(mlir::Operation *function);

/// Removes all marks from the module or function, and what is in it.
void removeObservation(mlir::Operation *op);

/// Verifies one of these attributes; std::nullopt if it is another attribute.
std::optional<mlir::LogicalResult>
verifyObservationAttribute(mlir::Operation *op, mlir::NamedAttribute attribute);

} // namespace memplan

#endif // MEMPLAN_IR_OBSERVATION_H
