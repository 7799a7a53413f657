//===- WorkerPlaces.h - Places of the frames of workers ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_WORKERPLACES_H
#define MEMPLAN_LIB_TRANSFORMS_WORKERPLACES_H

#include "memplan/Analysis/ParallelFrames.h"

namespace memplan {

/// The start of an arena within `memory`: `offset` + the sum of each of
/// `workers` times its stride, in bytes.
struct ArenaPlace {
  mlir::Value memory;
  /// The memplan.slot that the offset counts from; null for the arena's base.
  mlir::Value slot;
  int64_t offset = 0;
  llvm::SmallVector<mlir::Value, 2> workers;
  llvm::SmallVector<int64_t, 2> strides;
};

/// The places of the arenas of parallel loops. The problem around a loop
/// determines the place of the loop's arenas, so outer problems come first.
class WorkerPlaces {
public:
  /// Sets the place of the frames that `record` stands for: the first begins at
  /// `place`. Creates the number of the worker at the start of the loop's body.
  void enter(const BufferRecord &record, ArenaPlace place);

  /// The place of the arena at `position` of a frame; `enter` must have set it.
  const ArenaPlace &get(const WorkerFrame *frame, unsigned position) const {
    return places.find({frame, position})->second;
  }

private:
  llvm::DenseMap<std::pair<const WorkerFrame *, unsigned>, ArenaPlace> places;
  llvm::DenseMap<mlir::Operation *, mlir::Value> numbers;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_WORKERPLACES_H
