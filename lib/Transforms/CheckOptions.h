//===- CheckOptions.h - Range checks of pass options ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_CHECKOPTIONS_H
#define MEMPLAN_LIB_TRANSFORMS_CHECKOPTIONS_H

#include "memplan/Transforms/OptionParsers.h"

#include "mlir/IR/Location.h"

namespace memplan {

/// Emits an error at `loc` and fails if a value is out of range. `alignment`
/// and `capacities` are in bytes.
mlir::LogicalResult checkOptions(mlir::Location loc, int64_t alignment,
                                 const Capacities &capacities);

/// The same for the options about the places of results and arenas.
mlir::LogicalResult checkResultOptions(mlir::Location loc,
                                       ResultPlacement results,
                                       ArenaPlacement arena);
/// The same for the options of the solver.
mlir::LogicalResult checkSolverOptions(mlir::Location loc, int64_t nodeLimit,
                                       int64_t timeLimitMs, unsigned threads);

/// Emits an error at `loc` and fails if the value of `option` is less than
/// `least`.
mlir::LogicalResult checkAtLeast(mlir::Location loc, llvm::StringRef option,
                                 int64_t value, int64_t least);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_CHECKOPTIONS_H
