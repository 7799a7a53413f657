//===- NestAccess.h - Bytes that loads and stores access --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the bytes of a placement that a load or a store accesses in the
// iterations of the loops around it. The bounds of the loops must be constant,
// and the indices affine in the induction variables.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_NESTACCESS_H
#define MEMPLAN_VERIFIER_NESTACCESS_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <optional>

namespace memplan::verifier {

struct ByteRange {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end - begin; }
  bool overlaps(const ByteRange &other) const {
    return begin < other.end && other.begin < end && begin < end &&
           other.begin < other.end;
  }
  bool operator==(const ByteRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// The bytes from one element of a memref to the next; std::nullopt if the data
/// layout does not give the size of the type.
std::optional<int64_t> getElementBytes(mlir::Type type,
                                       const mlir::DataLayout &layout);

/// A range that contains each element that a load or a store accesses, as
/// offsets from the start of the placement.
struct ElementBytes {
  ByteRange bytes;
  /// True if the op accesses the same element in all iterations.
  bool isOne;
};

/// The bytes of the placement `buffer` that the op loads or stores, directly or
/// through views; std::nullopt if they are not known. Elements take `size`
/// bytes.
std::optional<ElementBytes> findElementBytes(mlir::Operation *op,
                                             mlir::Value buffer, int64_t size);

/// True if the load and the store are to the same bytes of the arena in each
/// iteration of the loops around them, up to `nest`, and to other bytes in each
/// other iteration. They access elements of `size` bytes of the placements
/// `loaded` and `stored`, directly or through views; `loaded` begins `distance`
/// bytes above `stored`.
bool areSameElement(mlir::Operation *load, mlir::Value loaded,
                    mlir::Operation *store, mlir::Value stored, int64_t size,
                    int64_t distance, mlir::Operation *nest);

/// The bytes that a store in a nest of loops writes in each execution of the
/// nest. It writes each of them; they are offsets from the start of the
/// placement.
struct StoredBytes {
  mlir::Operation *nest;
  ByteRange bytes;
};

/// The bytes of the placement `stored` that `store` writes, directly or through
/// views, in all iterations of the loops that its address depends on. The nest
/// is the outermost of these. std::nullopt if there is none, if the elements
/// leave gaps, if such a loop is not in `widest`, or if a branch may skip the
/// store. Elements take `size` bytes.
std::optional<StoredBytes> findStoredBytes(mlir::Operation *store,
                                           mlir::Value stored, int64_t size,
                                           mlir::Operation *widest);

} // namespace memplan::verifier

#endif // MEMPLAN_VERIFIER_NESTACCESS_H
