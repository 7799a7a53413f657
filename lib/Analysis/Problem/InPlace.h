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
#include "memplan/Analysis/FunctionProblem.h"

#include "mlir/IR/Value.h"

namespace memplan {

/// An op that may write an allocation at the place of another that it reads:
/// each element of `read` is read before the element of `written` at the same
/// bytes is written.
struct InPlaceOp {
  /// Of a nest of loops, the outermost.
  mlir::Operation *op = nullptr;
  /// Allocations, as a whole or as a view of all of their elements in order.
  mlir::Operation *read = nullptr;
  mlir::Operation *written = nullptr;
  InPlaceProof proof = InPlaceProof::Copy;
};

/// True for the outermost loop of a nest: what is outside of another is outside
/// of the loop around it, too.
bool isNest(mlir::Operation *op);

/// The pairs of the op, of which `mayEnd` and `mayBegin` say that the one may
/// be read for the last time by it, and the other be written for the first
/// time:
///  - copies, and ops that say so, or of which `callee` does, the function that
///    a call calls (declaresInPlace);
///  - linalg ops whose loops are all parallel, with one and the same
///    permutation of the loops as the maps of both operands, dimensions of one
///    element left out. Maps of other operands do not matter: they are other
///    memory;
///  - nests of scf and affine loops that load from the one and store to the
///    other, with the same indices: the variables of all loops that the load
///    and the store have around both are among these, other than those that are
///    passed once, so that no two iterations are at one element, and in an
///    iteration the load comes first. In the nest the one is not written, and
///    nothing else is done with either but loads of the other.
/// Both have as many elements, of one size, and no other operand, or access in
/// the nest, is memory of either.
llvm::SmallVector<InPlaceOp, 2>
findInPlace(mlir::Operation *op, mlir::FunctionOpInterface callee,
            const AliasGraph &graph,
            llvm::function_ref<bool(mlir::Operation *)> mayEnd,
            llvm::function_ref<bool(mlir::Operation *)> mayBegin);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_INPLACE_H
