//===- Guards.h - What a guarded deallocation frees -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deallocation by ownership carries an i1 beside each memref, which is false
// with the argument of a function and true with a fresh buffer:
//
//   %r:2 = scf.for iter_args(%x = %argument, %own = %false) {
//     %fresh = memref.alloc()
//     scf.yield %fresh, %true
//   }
//   scf.if %r#1 { memref.dealloc %r#0 }             frees %fresh only
//
// The memref is followed backwards, over the edges of the graph, together with
// what must hold for it to be freed. A value that is defined before the place
// where paths join is the same on all of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_GUARDS_H
#define MEMPLAN_LIB_VERIFIER_GUARDS_H

#include "Flow.h"

namespace memplan::verifier {

/// An i1 that must be `wanted`.
struct Fact {
  mlir::Value value;
  bool wanted;
  bool operator<(const Fact &other) const {
    return std::make_pair(value.getAsOpaquePointer(), wanted) <
           std::make_pair(other.value.getAsOpaquePointer(), other.wanted);
  }
};
using Facts = std::vector<Fact>;

/// What must hold for `operand` to be freed by its owner: the condition of the
/// deallocation, and those of the ops around that the memref is not inside of.
Facts getGuards(mlir::OpOperand &operand);

class GuardedOrigins {
public:
  explicit GuardedOrigins(const FlowGraph &graph);

  /// Calls `visit` with the values that `freed` may be while the facts hold:
  /// arguments of functions, and results of ops that are no views and on no
  /// edge; `getSources` says of which values such a result may be. Returns
  /// false if there is too much to be looked at.
  bool walk(mlir::Value freed, const Facts &facts,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpResult)>
                getSources,
            llvm::function_ref<void(mlir::Value)> visit) const;

private:
  /// By target, the edges into it, and what it is there.
  llvm::DenseMap<mlir::Value,
                 llvm::SmallVector<std::pair<const Edge *, mlir::Value>, 2>>
      arrivals;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_GUARDS_H
