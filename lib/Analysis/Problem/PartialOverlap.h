//===- PartialOverlap.h - Loops behind what they read -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that go through what they read from the first byte to the last, and
// through what they write alike, are done with the first bytes that they read
// when they write the last ones. So the buffer that they write may begin below
// the one that they read, and cover a part of it. Here rows of a window of
// three, one iteration after another:
//
//   read          |r0 |r1 |r2 |r3 |r4 |r5 |        iteration i reads r(i-1),
//   written   |w0 |w1 |w2 |w3 |w4 |w5 |            r(i), r(i+1), and writes wi
//             |---| displacement
//
// As iteration i + 1 still reads row i, iteration i may write no byte of it:
// the read buffer has to be one row above the written one. Any place further
// above is as good.
//
// Source: P. Blacker, C. Bridges and S. Hadfield, "Diagonal Memory Optimisation
// for Machine Learning on Micro-controllers", 2020; here for any loops with
// accesses that are affine in the induction variables.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PARTIALOVERLAP_H
#define MEMPLAN_LIB_ANALYSIS_PARTIALOVERLAP_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/Nests.h"

#include "mlir/IR/Value.h"

namespace memplan {

/// How far above the written buffer the read one has to be.
struct Displacement {
  /// Bytes, any sign: the least value of offset(read) - offset(written) for
  /// which no load comes after a store at or above its own first byte.
  int64_t bytes;
  /// The loop of which the load that comes closest is in a later iteration: 1
  /// is the outermost. 0 if it is in the same iteration of all loops.
  unsigned loop;
};

/// The greatest value of
///   (end of the store's bytes) - (begin of the load's bytes)
/// over all pairs of a store and a load that may come after it: at each of the
/// outer `common` loops, which are around both, iterations of the outer ones
/// being the same, a later iteration loads; `isStoreFirst` says that in the
/// same iteration of all of them a load may come after a store. Inner loops,
/// and those that are around one alone, may be at any iteration. Nothing if no
/// load comes after a store.
///
/// A linear function on a triangle (one loop) and a box (all others) has its
/// maximum at a corner: O(common * loops).
std::optional<Displacement> findDisplacement(const NestAccess &store,
                                             const NestAccess &load,
                                             unsigned common,
                                             bool isStoreFirst);

/// A nest of loops that may write an allocation over a part of another, which
/// it reads, or over all of it.
struct PartialOverlap {
  mlir::Operation *read = nullptr;
  mlir::Operation *written = nullptr;
  /// Nothing if no load comes after a store: they may be anywhere.
  std::optional<Displacement> displacement;
  /// Each iteration loads the element that it stores, and no other.
  bool isElementwise = false;
};

/// The partial overlaps of a nest (InPlace.h), for allocations of which
/// `mayEnd` and `mayBegin` say that the one may be read for the last time by
/// it, and the other be written for the first time. In the nest the one is only
/// loaded from, and the other is loaded from and stored to; all loops around
/// these accesses have constant bounds, and the bytes are affine in the
/// variables. Nothing for what has to be above all that is written.
llvm::SmallVector<PartialOverlap, 2>
findPartialOverlaps(mlir::Operation *nest, const AliasGraph &graph,
                    llvm::function_ref<bool(mlir::Operation *)> mayEnd,
                    llvm::function_ref<bool(mlir::Operation *)> mayBegin);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PARTIALOVERLAP_H
