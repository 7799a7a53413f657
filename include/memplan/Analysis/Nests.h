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

/// Loops and conditions that a nest is made of.
bool isNestLoop(mlir::Operation *op);
bool isNestCondition(mlir::Operation *op);

/// One induction variable of a loop around an access.
struct NestLoop {
  /// How many iterations there are; at least 1.
  int64_t trips = 1;
  /// The iterations run in any order.
  bool isParallel = false;
};

/// An induction variable, which is `begin` and then `step` more each time.
struct NestVariable {
  mlir::Value value;
  int64_t begin;
  int64_t step;
  NestLoop loop;
};

/// The variables of a loop of a nest; nothing if its bounds are not constants,
/// or if it has no iteration.
std::optional<llvm::SmallVector<NestVariable, 1>>
readNestLoop(mlir::Operation *loop);

/// A load or a store in a nest, of the `bytes` bytes of its buffer that begin
/// at
///   begin + sum over the loops around it of strides[l] * t[l],
/// where t[l] counts the iterations of loop l from 0 to trips - 1. A condition
/// may keep it from some iterations. No term exceeds 2^52, and there are at
/// most 64 loops: sums do not overflow.
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

/// What a load or store accesses, possibly through views, in terms of the
/// variables around it, the outermost first; nothing if that is not affine in
/// them, or not of an allocation with the identity layout.
std::optional<PlacedAccess> placeAccess(mlir::Operation *op,
                                        llvm::ArrayRef<NestVariable> variables);

/// A nest of loops of which one store writes every byte of an allocation.
struct OverwritingNest {
  /// The outermost loop that is needed for it, or one around it that does
  /// nothing else, and that once; the store itself if the allocation has one
  /// element.
  mlir::Operation *nest;
  mlir::Operation *allocation;
};

/// That of the store; nothing for other ops, if something else than loops with
/// constant bounds is between the store and the nest, or if some byte is not
/// known to be written.
std::optional<OverwritingNest> findOverwritingNest(mlir::Operation *store);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_NESTS_H
