//===- DistributeWorkers.h - Parallel loops of few workers ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H
#define MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// Rewrites parallel loops to loops over `workers` workers, each of which runs
/// an equal share of the iterations one after another. A loop is rewritten if
/// its body allocates buffers that a frame can hold, and if it has more than
/// `workers` iterations or an unknown number. Not rewritten are loops with
/// results or a mapping, affine.parallel with bounds that are not constant,
/// loops inside of these or of other opaque ops, device code, and functions
/// with an arena. Returns true if a loop was rewritten.
bool distributeWorkers(mlir::ModuleOp module, int64_t workers,
                       CalleeTrust trust);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_DISTRIBUTEWORKERS_H
