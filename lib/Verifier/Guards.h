//===- Guards.h - Buffers that a guarded deallocation frees -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ownership-based deallocation carries an i1 beside each memref. It is false
// for an argument of the function and true for a new buffer:
//
//   %r:2 = scf.for iter_args(%x = %argument, %own = %false) {
//     %fresh = memref.alloc()
//     scf.yield %fresh, %true
//   }
//   scf.if %r#1 { memref.dealloc %r#0 }             frees %fresh only
//
// The memref is followed backwards over the edges of the graph, together with
// the conditions under which it is freed. Behind a join point, a condition that
// is defined before the join point has the same value on all paths.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_GUARDS_H
#define MEMPLAN_LIB_VERIFIER_GUARDS_H

#include "memplan/Verifier/Flow.h"

namespace memplan::verifier {

/// States that the i1 `value` is `wanted`.
struct Fact {
  mlir::Value value;
  bool wanted;
  bool operator<(const Fact &other) const {
    return std::make_pair(value.getAsOpaquePointer(), wanted) <
           std::make_pair(other.value.getAsOpaquePointer(), other.wanted);
  }
};
using Facts = std::vector<Fact>;

/// The facts that must hold for the op to free `operand`: the condition of the
/// deallocation, and those of the scf.if ops that are around it but not around
/// the memref.
Facts getGuards(mlir::OpOperand &operand);

/// Finds the values that a deallocation may free.
class GuardedOrigins {
public:
  explicit GuardedOrigins(const FlowGraph &graph);

  /// Calls `visit` for each value that `freed` may be while the facts hold, and
  /// that is not a view, a select or a value that an edge defines: an argument
  /// of the function, or a result of another op. `getSources` gives the values
  /// that such a result may be; these are followed, too. Returns false if there
  /// are too many steps to follow.
  bool walk(mlir::Value freed, const Facts &facts,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpResult)>
                getSources,
            llvm::function_ref<void(mlir::Value)> visit) const;

private:
  /// By value that edges define, each of these edges with the source of the
  /// value.
  llvm::DenseMap<mlir::Value,
                 llvm::SmallVector<std::pair<const Edge *, mlir::Value>, 2>>
      arrivals;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_GUARDS_H
