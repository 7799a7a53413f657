//===- TosaCosts.h - Costs of TOSA's ops ------------------------*- C++ -*-===//
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

/// Attaches cost models to TOSA's ops on tensors. An op costs the same as its
/// lowering to linalg, so that lowering does not change the FLOPs of a program.
/// These have no model, so their cost is not exact: FFTs, resizing, rescaling,
/// custom ops, control flow and variables of TOSA.
void registerTosaCostModels(mlir::DialectRegistry &registry);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_TOSACOSTS_H
