//===- InPlace.h - Ops that overwrite what they have read -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two buffers at the same bytes, of which an op reads the one and writes the
// other: right if every element is read before it is written. Of one op that
// holds if each of its iterations reads the element that it writes, and no
// other. Of a nest of loops
//
//   for %i { for %j { %x = load %a[%i, %j]; store f(%x), %b[%i, %j] } }
//
// it holds if the same indices are the same iteration, and in an iteration the
// load comes first: inside of the nest the stores take nothing from %a that is
// still to be read, and behind it %a is lost.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_INPLACE_H
#define MEMPLAN_LIB_VERIFIER_INPLACE_H

#include "Names.h"

namespace memplan::verifier {

/// True if all that the op does is to copy: each element of the one memref to
/// the same indices of the other.
bool isCopy(mlir::Operation *op);

/// True if the op is a copy, or says so (InPlaceInterface), or is a structured
/// op whose loops are all parallel and reads of `read` the element that it
/// writes of `written`. Each is all of `slot`.
bool overwritesWhatItRead(const Model &model, mlir::Operation *op,
                          unsigned read, unsigned written, ByteRange slot);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_INPLACE_H
