//===- Nests.h - Nests of loops that overwrite buffers ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_NESTS_H
#define MEMPLAN_ANALYSIS_NESTS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace memplan {

/// The loops and conditions that a nest consists of.
bool isNestLoop(mlir::Operation *op);
bool isNestCondition(mlir::Operation *op);

/// The iterations of one induction variable of a loop around an access.
struct NestLoop {
  /// The number of iterations; at least 1.
  int64_t trips = 1;
  /// The iterations may run in any order.
  bool isParallel = false;
};

/// An induction variable: `begin` in the first iteration, and `step` more in
/// each further one. `step` is positive.
struct NestVariable {
  mlir::Value value;
  int64_t begin;
  int64_t step;
  NestLoop loop;
};

/// The induction variables of a loop of a nest (isNestLoop); std::nullopt if
/// its bounds are not constant or do not fit into its index type, or if it has
/// no iteration.
std::optional<llvm::SmallVector<NestVariable, 1>>
readNestLoop(mlir::Operation *loop);

/// A nest of loops in which one store writes every byte of an allocation.
struct OverwritingNest {
  /// The outermost loop that is needed for it, or a loop of one iteration
  /// around that in which nothing else has memory effects. The store itself if
  /// the allocation has one element.
  mlir::Operation *nest;
  mlir::Operation *allocation;
};

/// The nest of the store. std::nullopt for other ops, if an op other than a
/// loop with constant bounds is between the store and the nest, or if some byte
/// may not be written.
std::optional<OverwritingNest> findOverwritingNest(mlir::Operation *store);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_NESTS_H
