//===- PartialOverlap.h - Loops behind what they read -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two buffers that share some bytes, of which a nest of loops reads the one and
// writes the other. With x for an iteration of all loops around a store, and y
// for one of all loops around a load, it is right if no x and y satisfy
//
//   x comes before y      in the order of the loops and of the text, and
//   w(x) < r(y) + size    w(x), r(y) being the bytes of the arena at which the
//   r(y) < w(x) + size    element that is stored, or loaded, begins.
//
// These are linear inequalities where the bytes are affine in the variables of
// loops with constant bounds. That they have no rational solution is decided by
// the simplex method, for each loop that may tell x and y apart.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H
#define MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H

#include "Names.h"

namespace memplan::verifier {

/// True if in the nest `load` never loads bytes that `store` has written before
/// in the same execution of the nest. `loaded` and `stored` are placements, of
/// which the two access elements, possibly through views; the first begins
/// `distance` bytes above the second.
bool isStoredBehind(mlir::Operation *store, mlir::Value stored,
                    mlir::Operation *load, mlir::Value loaded,
                    mlir::Operation *nest, int64_t distance);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_PARTIALOVERLAP_H
