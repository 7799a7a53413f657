//===- InPlace.h - Ops that may overwrite an operand ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_INPLACE_H
#define MEMPLAN_LIB_ANALYSIS_INPLACE_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/IR/Value.h"

namespace memplan {

/// An op that may write an allocation at the place of another that it reads:
/// each element of `written` depends on no element of `read` but the same one.
struct InPlaceOp {
  mlir::Operation *op = nullptr;
  /// Allocations, as a whole or as a view of all of their elements in order.
  mlir::Operation *read = nullptr;
  mlir::Operation *written = nullptr;
};

/// The pairs of the op: linalg ops whose loops are all parallel, with one and
/// the same permutation as the map of both operands, and copies. The two have
/// one type, and no other operand is memory of either. That the read one is not
/// needed any more is not asked here.
llvm::SmallVector<InPlaceOp, 2> findInPlace(mlir::Operation *op,
                                            const AliasGraph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_INPLACE_H
