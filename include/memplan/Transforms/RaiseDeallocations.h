//===- RaiseDeallocations.h - Deallocations by pointer tables ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H
#define MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>

namespace memplan {

/// Undoes what upstream's lowering makes of a bufferization.dealloc of several
/// memrefs: tables of their pointers, filled and handed to a helper function
/// that compares these, and a conditional deallocation each. In that form it
/// looks as if the pointers were kept.
class DeallocationRaiser {
public:
  DeallocationRaiser();
  ~DeallocationRaiser();

  /// Raises what is of that form in the function, and nothing else.
  void raise(mlir::func::FuncOp function);

private:
  bool isHelper(mlir::func::CallOp call);

  struct Helpers;
  std::unique_ptr<Helpers> helpers;
};

/// Writes clones of static shape, and of a layout that an allocation can be
/// cast to, as what upstream lowers them to: an allocation and a copy.
void copyClones(mlir::func::FuncOp function);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_RAISEDEALLOCATIONS_H
