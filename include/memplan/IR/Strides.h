//===- Strides.h - Strides of memrefs ---------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_STRIDES_H
#define MEMPLAN_IR_STRIDES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace memplan {

/// What `type.getStridesAndOffset` gives, in elements. That builds and
/// simplifies affine expressions for the identity layout, which takes longer
/// than all else that is asked about the operand of an op.
inline llvm::LogicalResult
getStridesAndOffset(mlir::MemRefType type,
                    llvm::SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  auto isPositive = [](int64_t extent) { return extent > 0; };
  if (type.getLayout().isIdentity() &&
      llvm::all_of(type.getShape(), isPositive)) {
    strides.assign(type.getRank(), 1);
    offset = 0;
    bool overflows = false;
    for (int64_t i = type.getRank() - 1; i > 0; --i)
      overflows |= llvm::MulOverflow(strides[i], type.getDimSize(i),
                                     strides[i - 1]) != 0;
    if (!overflows)
      return llvm::success();
  }
  return type.getStridesAndOffset(strides, offset);
}

} // namespace memplan

#endif // MEMPLAN_IR_STRIDES_H
