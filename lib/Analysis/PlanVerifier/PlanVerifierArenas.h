//===- PlanVerifierArenas.h - When arenas are there -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARENAS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARENAS_H

#include "PlanVerifierDataflow.h"

namespace memplan::planverifier {

/// Follows the arenas in a state: each is released once, on every way out, and
/// not used afterwards. What is wrong is reported if `report` is set.
class ArenaLives {
public:
  ArenaLives(const Model &model, Reporter &reporter, WorkingState &state,
             const bool &report)
      : model(model), reporter(reporter), state(state), report(report) {}

  void allocate(mlir::Operation *op, unsigned arena);
  void release(mlir::Operation *op, unsigned arena);

  /// `op` loses sight of some arenas before they are released.
  void leave(mlir::Operation *op, llvm::function_ref<bool(unsigned)> isLeft);

  /// `op` uses a buffer of an arena.
  void check(mlir::Operation *op, unsigned handle);

private:
  const Model &model;
  Reporter &reporter;
  WorkingState &state;
  const bool &report;
};

/// Refuses slots that share bytes where many threads use them: program order
/// does not tell when all threads have finished with one of them.
mlir::LogicalResult checkThreads(const Model &model);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARENAS_H
