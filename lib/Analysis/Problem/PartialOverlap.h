//===- PartialOverlap.h - Loops that overwrite parts of inputs --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If loops read one buffer from the first byte to the last, and write another
// in the same order, they no longer need the first bytes of the one when they
// write the last bytes of the other. So the written buffer may begin below the
// read one and cover a part of it. Here each iteration reads a window of three
// rows:
//
//   read          |r0 |r1 |r2 |r3 |r4 |r5 |        iteration i reads r(i-1),
//   written   |w0 |w1 |w2 |w3 |w4 |w5 |            r(i), r(i+1), and writes wi
//             |---| displacement
//
// As iteration i + 1 still reads row i, iteration i must not write any byte of
// it: the read buffer must be at least one row above the written one.
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

/// The least distance by which the read buffer must be above the written one.
struct Displacement {
  /// Bytes, any sign: the least value of offset(read) - offset(written) for
  /// which no load comes after a store at or above its own first byte.
  int64_t bytes;
  /// The loop in which the load that comes closest is in a later iteration; 1
  /// is the outermost. 0 if it is in the same iteration of all loops.
  unsigned loop;
};

/// The greatest value of
///   (end of the store's bytes) - (begin of the load's bytes)
/// over all pairs of a store and a load that may come after it. The outer
/// `common` loops are around both: the load is in a later iteration of one of
/// them, and in the same iteration of the loops outside of that one.
/// `isStoreFirst` says that in the same iteration of all of them a load may
/// also come after a store. Loops further inside, and loops around only one of
/// the two, may be at any iteration. std::nullopt if no load comes after a
/// store.
///
/// A linear function on a triangle (one loop) and a box (all others) has its
/// maximum at a corner. Cost: O(common * loops).
std::optional<Displacement> findDisplacement(const NestAccess &store,
                                             const NestAccess &load,
                                             unsigned common,
                                             bool isStoreFirst);

/// A nest of loops that may write an allocation over a part or all of another
/// that it reads.
struct PartialOverlap {
  mlir::Operation *read = nullptr;
  mlir::Operation *written = nullptr;
  /// std::nullopt if no load comes after a store: the buffers may be anywhere.
  std::optional<Displacement> displacement;
  /// Each iteration loads only the element that it stores.
  bool isElementwise = false;
};

/// The partial overlaps of a nest (InPlace.h). `mayEnd` accepts the allocations
/// that the nest may read for the last time, `mayBegin` those that it may write
/// for the first time. In the nest the first is only loaded from, and the
/// second is only loaded from and stored to; all loops around these accesses
/// have constant bounds, and the bytes are affine in their variables. Pairs for
/// which the read buffer must be above the whole written one are left out.
llvm::SmallVector<PartialOverlap, 2>
findPartialOverlaps(mlir::Operation *nest, const AliasGraph &graph,
                    llvm::function_ref<bool(mlir::Operation *)> mayEnd,
                    llvm::function_ref<bool(mlir::Operation *)> mayBegin);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PARTIALOVERLAP_H
