//===- SliceCopies.h - Copies into a slice, and from one --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a buffer is only copied into a slice of another, it can be placed where
// the slice is, and nothing needs to be copied. Concatenations do so:
//
//   s0    ====|            copied to bytes [0, 64) of t
//   s1      ====|          copied to bytes [64, 128) of t
//   t         |=======
//
// The same holds for a slice that is copied from a buffer which is not needed
// afterwards. Both buffers are live together for a while, but one of them uses
// only bytes that the other does not need then.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H
#define MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H

#include "memplan/Analysis/Lifetimes.h"

namespace memplan {

/// A copy of a whole allocation to contiguous bytes of another, or from such
/// bytes to a whole allocation. If the two are at this distance it moves
/// nothing, and no other op can tell that they share bytes.
struct SliceCopy {
  mlir::Operation *op;
  /// Allocations.
  mlir::Operation *read, *written;
  /// Bytes: offset(read) - offset(written).
  int64_t delta;
};

/// The copies of the function for which that holds. Both allocations are live
/// together only in the block of the copy. For a copy into a slice, the source
/// ends with the copy and nothing accesses the slice before it. For a copy from
/// a slice, the target begins with the copy, nothing accesses the slice after
/// it, and the source is allocated in the same block. `rangesOf` returns the
/// live ranges of an allocation that has a slot to itself, and null for others.
/// Allocations with more than a thousand accesses are skipped, as each copy
/// visits all of them.
std::vector<SliceCopy> findSliceCopies(
    const ProgramOrder &order, const AliasGraph &graph,
    const LifetimeAnalysis &lifetimes,
    llvm::function_ref<const LiveRanges *(mlir::Operation *)> rangesOf);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H
