//===- Reporter.h - Errors of the verifier ----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_REPORTER_H
#define MEMPLAN_LIB_VERIFIER_REPORTER_H

#include "mlir/IR/Operation.h"

namespace memplan::verifier {

/// Emits errors, and knows whether there was one.
class Reporter {
protected:
  mlir::InFlightDiagnostic error(mlir::Operation *op) {
    isSound = false;
    return op->emitError();
  }

  bool isSound = true;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_REPORTER_H
