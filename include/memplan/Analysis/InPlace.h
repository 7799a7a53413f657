//===- InPlace.h - Ops that may write over what they read -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_INPLACE_H
#define MEMPLAN_ANALYSIS_INPLACE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace memplan {

/// Whether an elementwise op on tensors with one result, which it computes in
/// an empty tensor, may compute it in the tensor of `input` instead: it has the
/// result's type, is read where the result is written, and comes from an op
/// with a destination in the same block. Whether anything else needs `input`
/// afterwards is for the caller to see.
bool mayWriteOver(mlir::linalg::LinalgOp op, mlir::OpOperand &input);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_INPLACE_H
