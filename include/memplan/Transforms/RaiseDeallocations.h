//===- RaiseDeallocations.h - Raise lowered deallocations -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H
#define MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace memplan {

/// Raises lowered deallocations to bufferization.dealloc. Upstream lowers such
/// an op with several memrefs to tables of their pointers, a call of a helper
/// function that compares the pointers, and a conditional deallocation for each
/// memref. In this form the pointers escape, and no buffer could be planned.
/// One that frees a single memref it lowers to comparisons in place.
class DeallocationRaiser {
public:
  DeallocationRaiser();
  ~DeallocationRaiser();

  /// Raises the deallocations of the function that have one of these forms.
  /// Returns true if there are any.
  bool raise(mlir::func::FuncOp function);

private:
  /// True if the callee has the body of upstream's helper, whatever its name.
  bool isHelper(mlir::func::CallOp call);

  struct Helpers;
  std::unique_ptr<Helpers> helpers;
};

/// Replaces each bufferization.clone by an allocation and a copy, as upstream
/// lowers it. Skips clones of dynamic shape, and of layouts to which an
/// allocation cannot be cast. Returns true if it replaces one.
bool copyClones(mlir::func::FuncOp function);

/// True if raiseDeallocations might change a function in `scope`: there are
/// pointers of memrefs or clones.
bool mayHaveLoweredDeallocations(mlir::Operation *scope);

/// Raises deallocations and copies clones in all functions that are not planned
/// yet. For each changed function the verifier proves that it frees what it did
/// (checkDeallocations). If it cannot, the function stays as it was, with a
/// warning, or an error and failure (`refusalIsError`). Returns true if it
/// changes anything.
mlir::FailureOr<bool> raiseDeallocations(mlir::ModuleOp module,
                                         bool refusalIsError);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H
