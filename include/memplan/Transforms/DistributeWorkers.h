//===- DistributeWorkers.h - Parallel loops of few workers ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H
#define MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// Makes parallel loops run on `workers` workers, each of which runs its share
/// of the iterations one after another. Only loops whose bodies allocate what
/// could be planned if the number of iterations were small, and that have more
/// than `maxWorkers` or an unknown number of them. Left alone are loops with
/// results or a mapping, affine.parallel with bounds that are not constants,
/// what is inside of them or of other ops that may run at another time, and
/// functions that are planned already. Returns true if a loop was changed.
bool distributeWorkers(mlir::ModuleOp module, int64_t workers,
                       int64_t maxWorkers);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H
