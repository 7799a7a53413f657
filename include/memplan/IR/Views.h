//===- Views.h - Views of memrefs -------------------------------*- C++ -*-===//
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_VIEWS_H
#define MEMPLAN_IR_VIEWS_H

#include "mlir/IR/Operation.h"

namespace memplan {

/// The memref that the op's result is a view of; null if the op is no view.
/// Covers ViewLikeOpInterface and memref.transpose, which does not implement
/// it.
mlir::Value getViewSource(mlir::Operation *op);

/// The value that `memref` is a view of, directly or through other views; the
/// value itself if it is no view.
mlir::Value getViewRoot(mlir::Value memref);

} // namespace memplan

#endif // MEMPLAN_IR_VIEWS_H
