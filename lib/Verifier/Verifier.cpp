//===- Verifier.cpp - The proof of a plan ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Verifier/Verifier.h"

#include "memplan/Analysis/PlanVerifier.h"

using namespace mlir;

LogicalResult memplan::verifyPlan(FunctionOpInterface function) {
  return verifyPlans(function);
}

LogicalResult memplan::verifyPlans(ArrayRef<FunctionOpInterface> functions) {
  return verifyPlannedFunctions(functions);
}

LogicalResult memplan::verifyPlansIn(Operation *root) {
  return verifyPlannedFunctions(root);
}

LogicalResult memplan::checkCorrespondence(FunctionOpInterface original,
                                           FunctionOpInterface planned) {
  return success();
}
