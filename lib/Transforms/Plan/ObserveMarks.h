//===- ObserveMarks.h - Marks in observed programs --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_OBSERVEMARKS_H
#define MEMPLAN_LIB_TRANSFORMS_OBSERVEMARKS_H

#include "Plan/WorkerPlaces.h"

namespace memplan {

/// Writes its program point on each op of the module (kPointAttr), if the
/// module asks for marks. The points are those of the problems that are
/// extracted from this module.
void markPoints(mlir::ModuleOp module);

/// Describes the slot `buffer` of the arena at its view (kObservedAttr), if the
/// module asks for marks. `base` is the place of the arena; `slotIsBase` is
/// true if the slot operand of the view is a part of it.
void markView(ViewOp view, const FunctionProblem &problem,
              const ArenaProblem &arena, BufferIndex buffer,
              const ArenaPlace &base, bool slotIsBase);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_OBSERVEMARKS_H
