//===- Views.cpp - Views of memrefs ---------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

Value memplan::getViewSource(Operation *op) {
  if (auto transpose = dyn_cast<memref::TransposeOp>(op))
    return transpose.getIn();
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  return view ? view.getViewSource() : Value();
}

Value memplan::getViewRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    Value source = getViewSource(op);
    if (!source)
      break;
    memref = source;
  }
  return memref;
}
