//===- InPlace.h - Tensor ops that may overwrite an input -------*- C++ -*-===//
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

/// True if an elementwise op on tensors may compute its only result in the
/// tensor of `input` instead of an empty tensor. The input has the type of the
/// result, is read at the indices that are written, and comes, directly or
/// through reshapes that are used once, from an op with a destination in the
/// same block. The caller must check that nothing else needs `input`
/// afterwards.
bool mayWriteOver(mlir::linalg::LinalgOp op, mlir::OpOperand &input);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_INPLACE_H
