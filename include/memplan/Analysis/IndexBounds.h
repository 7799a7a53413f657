//===- IndexBounds.h - Least and greatest values of indices -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function makes sure of: its entry asserts bounds of the extents of
// arguments and of other values (cf.assert), and what follows from these by
// arithmetic. Attributes are claims of callers and do not count.
//
//   %n = memref.dim %x, %c0
//   %ok = arith.cmpi ule, %n, %c4096
//   cf.assert %ok, "..."              %n is at most 4096,
//   %m = affine.apply (n ceildiv 2)   and %m at most 2048
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_INDEXBOUNDS_H
#define MEMPLAN_ANALYSIS_INDEXBOUNDS_H

#include "memplan/Analysis/SizeOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace memplan {

/// The most elements that a memref is taken to have, its extents of 0 counted
/// as 1, and the greatest magnitude of numbers from which sizes are computed.
constexpr int64_t kMostExtent = int64_t(1) << 40;

/// The values that an index may have.
struct IndexRange {
  /// INT64_MIN if nothing is known.
  int64_t least = INT64_MIN;
  /// INT64_MAX if nothing is known.
  int64_t greatest = INT64_MAX;
  /// At least 1; divides every value.
  int64_t multipleOf = 1;

  bool isBounded() const { return least != INT64_MIN && greatest != INT64_MAX; }
  /// True if every value of this range is in the other one.
  bool isWithin(const IndexRange &other) const {
    return other.least <= least && greatest <= other.greatest &&
           multipleOf % other.multipleOf == 0;
  }
};

/// The greatest value that an index has at the op, by the data layout;
/// INT64_MAX without one.
int64_t getGreatestIndex(mlir::Operation *op);

/// Finds ranges of the index values of a function, which must not change in
/// between. They hold where the function uses memory.
class IndexBounds : public SizeInterpreter<IndexBounds, IndexRange> {
public:
  explicit IndexBounds(mlir::FunctionOpInterface function);

  IndexRange getExtent(mlir::Value memref, int64_t dimension);
  /// The most elements that the memref may have; std::nullopt if it is not
  /// bounded.
  std::optional<int64_t> getMostElements(mlir::Value memref);

private:
  void addFact(mlir::Value condition);
  void addFact(mlir::Value value, const IndexRange &range);
  friend SizeInterpreter<IndexBounds, IndexRange>;
  IndexRange ofConstant(int64_t number) const;
  IndexRange ofArgument(mlir::BlockArgument variable);
  IndexRange combine(SizeOp op, const IndexRange &a, const IndexRange &b) const;
  IndexRange ofSelect(mlir::Value select, mlir::ValueRange operands);
  IndexRange ofOther(mlir::Value value, int64_t least) const;
  IndexRange settle(mlir::Value value, IndexRange range) const;

  int64_t greatestIndex = INT64_MAX;
  /// What the entry asserts.
  llvm::DenseMap<mlir::Value, IndexRange> facts;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, IndexRange> extentFacts;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_INDEXBOUNDS_H
