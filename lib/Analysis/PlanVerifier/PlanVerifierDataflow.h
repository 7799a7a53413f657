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

/// Told of every violation, once the states are final.
class Reporter {
public:
  virtual ~Reporter() = default;

  virtual void readClobbered(mlir::Operation *op, unsigned handle,
                             const Clobber &clobber) {}
  /// What `op` reads was written before `renewal` began the buffer.
  virtual void readBeforeWritten(mlir::Operation *op, unsigned handle,
                                 mlir::Operation *renewal) {}
  virtual void notBegun(mlir::Operation *op, unsigned handle) {}
  virtual void outsideLifetime(mlir::Operation *op, unsigned handle,
                               Life life) {}
  virtual void startWhileLive(mlir::Operation *op, unsigned handle,
                              unsigned other) {}
  virtual void startAgain(mlir::Operation *op, unsigned handle) {}
  /// `earlier` dominates `op` and has ended the lifetime.
  virtual void endAgain(mlir::Operation *op, mlir::Operation *earlier,
                        unsigned handle) {}
  virtual void afterRelease(mlir::Operation *op, unsigned handle) {}
  virtual void releaseAgain(mlir::Operation *op, unsigned arena, Life life) {}
  virtual void leak(mlir::Operation *op, unsigned arena) {}
  virtual void sharedInOneOp(mlir::Operation *op, unsigned used,
                             unsigned written) {}
  virtual void sharedInParallel(mlir::Operation *op, unsigned first,
                                unsigned second) {}
  virtual void placedInParallel(mlir::Operation *op, unsigned handle) {}
  /// `op` does `what` while the task that `start` began may use `handle`.
  virtual void besideTask(mlir::Operation *op, mlir::Operation *start,
                          llvm::StringRef what, unsigned handle) {}

  /// Not a violation: control leaves the function.
  virtual void atExit(mlir::Operation *op, WorkingState &state) {}
};

/// Emits the violations as errors, each with a note at the other op involved.
class DiagnosticReporter final : public Reporter {
public:
  /// `isFresh`: nothing has moved since the functions were planned.
  DiagnosticReporter(const Model &model, bool isFresh)
      : model(model), isFresh(isFresh) {}

  void readClobbered(mlir::Operation *op, unsigned handle,
                     const Clobber &clobber) override;
  void readBeforeWritten(mlir::Operation *op, unsigned handle,
                         mlir::Operation *renewal) override;
  void notBegun(mlir::Operation *op, unsigned handle) override;
  void outsideLifetime(mlir::Operation *op, unsigned handle,
                       Life life) override;
  void startWhileLive(mlir::Operation *op, unsigned handle,
                      unsigned other) override;
  void startAgain(mlir::Operation *op, unsigned handle) override;
  void endAgain(mlir::Operation *op, mlir::Operation *earlier,
                unsigned handle) override;
  void afterRelease(mlir::Operation *op, unsigned handle) override;
  void releaseAgain(mlir::Operation *op, unsigned arena, Life life) override;
  void leak(mlir::Operation *op, unsigned arena) override;
  void sharedInOneOp(mlir::Operation *op, unsigned used,
                     unsigned written) override;
  void sharedInParallel(mlir::Operation *op, unsigned first,
                        unsigned second) override;
  void placedInParallel(mlir::Operation *op, unsigned handle) override;
  void besideTask(mlir::Operation *op, mlir::Operation *start,
                  llvm::StringRef what, unsigned handle) override;

  bool hasErrors() const { return errors != 0; }

private:
  mlir::InFlightDiagnostic error(mlir::Operation *op);
  const Handle &slotOf(unsigned handle) const;
  void noteView(mlir::InFlightDiagnostic &diag, unsigned handle) const;
  /// Where users of a value stand, seen from an op: the closest before it and
  /// after it in the blocks that enclose it, and one in some other block.
  struct Users {
    mlir::Operation *before = nullptr;
    mlir::Operation *after = nullptr;
    mlir::Operation *elsewhere = nullptr;
    mlir::Operation *any() const {
      return before ? before : elsewhere ? elsewhere : after;
    }
  };
  Users findUsers(mlir::Operation *op, mlir::Value value,
                  bool (*isWanted)(mlir::Operation *)) const;

  const Model &model;
  bool isFresh;
  unsigned errors = 0;
};

/// Where a slot has lost bytes it matters whether a callee reads them: makes
/// `access` what the call does, if that is known. May find that a buffer begins
/// anew with the call.
void lookInto(mlir::CallOpInterface call, Access &access, const Model &model,
              CallSummaries &calls, WorkingState &state);

/// Runs the analysis over the graph of `model`, beginning in the state `entry`,
/// and reports every violation.
void runDataflow(const Model &model, const Aliases &aliases,
                 CallSummaries &calls, Reporter &reporter,
                 const Entries &entry = {});

/// Reports what ops that run at once by the program's annotations do to slots
/// that others of them use. Emits errors of its own; fails if there were any.
mlir::LogicalResult checkSteps(const Model &model, const Aliases &aliases);

/// Reports ends of lifetimes that another end dominates.
void checkEnds(const Model &model, Reporter &reporter);

/// Reports slots that iterations of a parallel region would share.
void checkParallelRegions(const Model &model, CallSummaries &calls,
                          Reporter &reporter);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERDATAFLOW_H
