//===- PartialOverlap.h - Loops that write behind their reads ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest of loops may read one buffer and write another one that shares some
// bytes with it. Let x be an iteration of all loops around a store, and y an
// iteration of all loops around a load. The load reads no byte that the store
// has written before if no x and y satisfy
//
//   x comes before y      in the order of the loops and of the text, and
//   w(x) < r(y) + size    w(x), r(y) being the bytes of the arena at which the
//   r(y) < w(x) + size    element that is stored, or loaded, begins.
//
// If the addresses are affine in the variables of loops with constant bounds,
// these are linear inequalities. The simplex method decides whether they have a
// rational solution, once for each loop in which x and y may first differ.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H
#define MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H

#include "Names.h"

namespace memplan::verifier {

/// True if `load` never loads bytes that `store` has written before in the same
/// execution of `nest`. They access elements of the placements `loaded` and
/// `stored`, directly or through views. `loaded` begins `distance` bytes above
/// `stored`.
bool isStoredBehind(mlir::Operation *store, mlir::Value stored,
                    mlir::Operation *load, mlir::Value loaded,
                    mlir::Operation *nest, int64_t distance);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H
