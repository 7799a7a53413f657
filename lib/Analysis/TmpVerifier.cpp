//===- TmpVerifier.cpp - Verifies nothing ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/PlanVerifier.h"
mlir::LogicalResult memplan::verifyPlannedFunction(mlir::FunctionOpInterface) {
  return mlir::success();
}
