//===- Views.h - Memrefs that are others under other shapes --- -*- C++ -*-===//
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

/// What the op's result is a view of; null if the op is no view. Of the ops
/// that are, memref.transpose alone does not say so by ViewLikeOpInterface.
mlir::Value getViewSource(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_IR_VIEWS_H
