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
#include "memplan/Analysis/CongruentSizes.h"
#include "memplan/Analysis/FunctionProblem.h"

#include "mlir/IR/Value.h"

namespace memplan {

/// An op that may write an allocation over another that it reads: each element
/// of `read` is read before the element of `written` at the same bytes is
/// written.
struct InPlaceOp {
  /// For a nest of loops, the outermost loop.
  mlir::Operation *op = nullptr;
  /// The op uses these allocations as a whole, or views of all of their
  /// elements in the same order.
  mlir::Operation *read = nullptr;
  mlir::Operation *written = nullptr;
  InPlaceReason reason = InPlaceReason::Copy;
};

/// True for the outermost loop of a nest. A loop directly inside another counts
/// only if there is an allocation beside it: any other allocation outside of it
/// is outside of the other loop as well.
bool isNest(mlir::Operation *op);

/// The pairs of a read and a written allocation that may share their bytes.
/// `mayEnd` accepts the allocations that the op may read for the last time,
/// `mayBegin` those that it may write for the first time. Such ops are
///  - copies, and ops that declare it or whose `callee` does (declaresInPlace);
///  - linalg ops with only parallel loops, if the maps of both operands are the
///    same permutation, dimensions of one element left out. The maps of other
///    operands do not matter, as these are other memory;
///  - nests of scf and affine loops that load from one allocation and store to
///    the other with the same indices. The indices contain the variables of all
///    loops around both the load and the store, except loops of one iteration,
///    so no two iterations access the same element. Within an iteration the
///    load comes first. The nest does not write the read allocation, and does
///    nothing else with the two but load from the written one.
/// Both allocations have the same number of elements, of the same size, and no
/// other operand or access in the nest is memory of either. With dynamic
/// extents the number is the same for copies and linalg ops whose operands have
/// the same extents, congruent ones.
llvm::SmallVector<InPlaceOp, 2>
findInPlace(mlir::Operation *op, mlir::FunctionOpInterface callee,
            const AliasGraph &graph, CongruentSizes &sizes,
            llvm::function_ref<bool(mlir::Operation *)> mayEnd,
            llvm::function_ref<bool(mlir::Operation *)> mayBegin);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_INPLACE_H
