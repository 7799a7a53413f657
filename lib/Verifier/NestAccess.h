//===- NestAccess.h - Bytes that loads and stores access --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a placement that one load or store accesses in the iterations of
// the loops around it, where the bounds of these are constants and its indices
// are affine in their variables.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_NESTACCESS_H
#define MEMPLAN_LIB_VERIFIER_NESTACCESS_H

#include "Names.h"

namespace memplan::verifier {

/// A load or a store in a nest.
struct NestAccess {
  /// Bytes from the begin of the buffer.
  Offset begin;
  int64_t size;
  /// Those around it, the outermost first.
  llvm::SmallVector<LoopRange> loops;
};

/// What the op, which is in `nest`, accesses of the placement `buffer`,
/// possibly through views; nothing if that is not known. Elements take `size`
/// bytes.
std::optional<NestAccess> findAccess(mlir::Operation *op, mlir::Value buffer,
                                     int64_t size, mlir::Operation *nest);

/// Bytes that contain each element that a load or a store accesses, counted
/// from where the placement begins.
struct ElementBytes {
  ByteRange bytes;
  /// It is the same element each time.
  bool isOne;
};

/// The bytes of the placement `buffer` that the op loads or stores, possibly
/// through views; nothing if they are not known. Elements take `size` bytes.
std::optional<ElementBytes> findElementBytes(mlir::Operation *op,
                                             mlir::Value buffer, int64_t size);

/// What a store in a nest of loops writes each time that the nest is executed:
/// all of the bytes, counted from where the placement begins.
struct StoredBytes {
  mlir::Operation *nest;
  ByteRange bytes;
};

/// The bytes that `store` writes of the placement `stored`, whose elements take
/// `size` bytes, possibly through views, in all iterations of the loops that
/// they depend on; nothing if they leave gaps, if such a loop is not in
/// `widest`, or if a branch may skip the store.
std::optional<StoredBytes> findStoredBytes(mlir::Operation *store,
                                           mlir::Value stored, int64_t size,
                                           mlir::Operation *widest);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_NESTACCESS_H
