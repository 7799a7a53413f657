//===- SliceCopies.h - Copies into a slice, and from one --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer that is only copied into a slice of another can be where the slice
// is: then there is nothing to copy. Concatenations do so
//
//   s0    ====|            copied to bytes [0, 64) of t
//   s1      ====|          copied to bytes [64, 128) of t
//   t         |=======
//
// and, the other way round, so does what is taken out of a buffer that nobody
// needs afterwards. Both are live at once, for a while; the one then uses only
// bytes of which the other has no need.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H
#define MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H

#include "memplan/Analysis/Lifetimes.h"

namespace memplan {

/// A copy of all of one allocation into contiguous bytes of another, or from
/// such bytes to all of another, that moves nothing if the two are at this
/// displacement; nor does any other op see that they share bytes.
struct SliceCopy {
  mlir::Operation *op;
  /// Allocations.
  mlir::Operation *read, *written;
  /// Bytes: offset(read) - offset(written).
  int64_t delta;
};

/// The copies of the function for which that holds. Both allocations are live
/// together only in the block of the copy. Into a slice: until the copy, with
/// which the source ends, nothing touches the slice. From a slice: the target
/// begins with the copy, behind which nothing touches the slice; the source is
/// allocated in the same block. Only buffers count of which `rangesOf` knows
/// the live ranges, of their slot, which is theirs alone; and those with no
/// more than a thousand accesses, as each copy goes through all of those.
std::vector<SliceCopy> findSliceCopies(
    const ProgramOrder &order, const AliasGraph &graph,
    const LifetimeAnalysis &lifetimes,
    llvm::function_ref<const LiveRanges *(mlir::Operation *)> rangesOf);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_SLICECOPIES_H
