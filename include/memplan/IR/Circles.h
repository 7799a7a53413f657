//===- Circles.h - Values that depend on themselves -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_CIRCLES_H
#define MEMPLAN_IR_CIRCLES_H

#include "mlir/IR/Operation.h"

namespace memplan {

/// MLIR lets the ops of a block that control never reaches depend on each other
/// in a circle, which no analysis of views or sizes expects. Emits an error at
/// the first such op inside `root`; takes linear time.
mlir::LogicalResult checkNoCircles(mlir::Operation *root);

} // namespace memplan

#endif // MEMPLAN_IR_CIRCLES_H
