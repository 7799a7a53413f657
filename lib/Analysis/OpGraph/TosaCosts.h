//===- TosaCosts.h - What ops of TOSA cost ----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_OPGRAPH_TOSACOSTS_H
#define MEMPLAN_ANALYSIS_OPGRAPH_TOSACOSTS_H

#include "mlir/IR/DialectRegistry.h"

namespace memplan {

/// Attaches models of costs to the ops of TOSA on tensors. An op costs what it
/// costs once it is lowered to linalg: the FLOPs of a program are the same
/// before and after. Without a model, and so not exact: FFTs, resizing,
/// rescaling, custom ops, control flow and variables of TOSA.
void registerTosaCostModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_TOSACOSTS_H
