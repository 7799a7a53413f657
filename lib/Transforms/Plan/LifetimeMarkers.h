//===- LifetimeMarkers.h - Where lifetimes begin and end --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_LIFETIMEMARKERS_H
#define MEMPLAN_LIB_TRANSFORMS_LIFETIMEMARKERS_H

#include "memplan/Analysis/Lifetimes.h"

#include "mlir/IR/Dominance.h"

namespace memplan {

/// Places in the IR, found before anything is rewritten.
struct MarkerPlaces {
  /// lifetime_start goes before these ops.
  llvm::SmallVector<mlir::Operation *, 1> starts;
  /// lifetime_end goes after these ops ...
  llvm::SmallVector<mlir::Operation *, 2> endsAfter;
  /// ... and at the start of these blocks.
  llvm::SmallVector<mlir::Block *, 1> endsAtStart;
};

/// Turns the ranges of a buffer into places. Its life ends after the last op of
/// a range, after region ops in some path of which it was live, and at the
/// start of blocks it is not live in although control comes from where it was.
/// Ends may be redundant, never early. Where the allocation does not dominate
/// such a place there is none.
MarkerPlaces findMarkerPlaces(const Lifetime &lifetime,
                              mlir::Operation *allocation,
                              const ProgramOrder &order,
                              mlir::DominanceInfo &dominance);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_LIFETIMEMARKERS_H
