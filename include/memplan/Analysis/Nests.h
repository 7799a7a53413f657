//===- Nests.h - Loads and stores in nests of loops -------------*- C++ -*-===//
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

/// The bytes that a load or a store in a nest accesses: in each iteration
/// `bytes` bytes of its buffer, from byte
///   begin + sum over the loops around it of strides[l] * t[l]
/// on, where t[l] counts the iterations of loop l from 0 to trips - 1. A
/// condition in the nest may skip the access in some iterations. No term
/// exceeds 2^52, and there are at most 64 loops, so sums do not overflow.
struct NestAccess {
  llvm::SmallVector<NestLoop, 6> loops;
  llvm::SmallVector<int64_t, 6> strides;
  int64_t begin = 0;
  int64_t bytes = 0;
};

/// A load or store of elements of one allocation.
struct PlacedAccess {
  mlir::Operation *op = nullptr;
  mlir::Operation *allocation = nullptr;
  NestAccess bytes;
};

/// The access of a load or a store, possibly through views, as a function of
/// the variables around it, the outermost first; std::nullopt if the indices
/// are not affine in the variables, or if the memory is not an allocation with
/// the identity layout.
std::optional<PlacedAccess> placeAccess(mlir::Operation *op,
                                        llvm::ArrayRef<NestVariable> variables);

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
