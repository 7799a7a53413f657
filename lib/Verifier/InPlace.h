//===- InPlace.h - Ops that write over their input --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op may read one buffer and write another one at the same bytes if it reads
// every element before it writes it. A single op does so if each of its
// iterations reads only the element that it writes. A nest of loops
//
//   for %i { for %j { %x = load %a[%i, %j]; store f(%x), %b[%i, %j] } }
//
// does so if the load and the store access an element in the same iteration,
// and the load comes first in it. The stores then take from %a no bytes that
// the nest still reads, and %a is lost behind the nest. Such a nest is a proven
// one.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_INPLACE_H
#define MEMPLAN_LIB_VERIFIER_INPLACE_H

#include "Names.h"

namespace memplan::verifier {

/// True if the op only copies each element of one memref to the same indices of
/// another one.
bool isCopy(mlir::Operation *op);

/// True if the op may write the name `written` over the name `read`, both of
/// which are in `slot`. The op must be a copy, or declare it
/// (InPlaceInterface), or be a structured op whose loops are all parallel and
/// whose iterations each access the same element of both. Its operands with
/// these names must each be all of `slot`.
bool overwritesWhatItRead(const NameModel &model, mlir::Operation *op,
                          unsigned read, unsigned written, unsigned slot);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_INPLACE_H
