//===- PlanVerifierDataflow.h - Who overwrites what -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERDATAFLOW_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERDATAFLOW_H

#include "PlanVerifierBytes.h"

namespace memplan::planverifier {

/// Emits the violations, each with a note at the other op involved.
class Reporter {
public:
  explicit Reporter(const Model &model) : model(model) {}

  void readClobbered(mlir::Operation *op, unsigned handle,
                     const Clobber &clobber);
  void outsideLifetime(mlir::Operation *op, unsigned handle, Life life);
  void startWhileLive(mlir::Operation *op, unsigned handle, unsigned other);
  void startAgain(mlir::Operation *op, unsigned handle);
  void afterRelease(mlir::Operation *op, unsigned handle);
  void releaseAgain(mlir::Operation *op, unsigned arena, Life life);
  void leak(mlir::Operation *op, unsigned arena);
  void sharedInOneOp(mlir::Operation *op, unsigned read, unsigned written);
  void sharedInParallel(mlir::Operation *op, unsigned first, unsigned second);
  void placedInParallel(mlir::Operation *op, unsigned handle);

  bool hasErrors() const { return errors != 0; }

private:
  mlir::InFlightDiagnostic error(mlir::Operation *op);
  const Handle &slotOf(unsigned handle) const;
  void noteView(mlir::InFlightDiagnostic &diag, unsigned handle) const;
  mlir::Operation *findUser(mlir::Operation *from, mlir::Value value,
                            bool (*isWanted)(mlir::Operation *)) const;

  const Model &model;
  unsigned errors = 0;
};

/// Runs the analysis over the graph of `model` and reports every violation.
void runDataflow(const Model &model, const Aliases &aliases,
                 Reporter &reporter);

/// Reports slots that iterations of a parallel region would share.
void checkParallelRegions(const Model &model, Reporter &reporter);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERDATAFLOW_H
