//===- Embedding.h - What a compiler that embeds memplan calls --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_EMBEDDING_H
#define MEMPLAN_TRANSFORMS_EMBEDDING_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Report/Report.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace memplan {

/// Adds the dialect of problems and planned programs, and what memplan knows of
/// upstream's ops, to the registry. The passes load what they need by
/// themselves: this is for tools that parse programs.
void registerMemplanDialects(mlir::DialectRegistry &registry);

/// "memplan 0.1.0, LLVM 22.1.8": what tools print for --version.
void printVersion(llvm::raw_ostream &os);

/// Adds what plans the memory of a module of functions on memrefs: after
/// bufferization and its clean-up, before allocations are lowered or
/// deallocations inserted. With `options.lower` (the default) only ops of
/// upstream dialects are left.
void buildPlanMemoryPipeline(mlir::OpPassManager &manager,
                             const PlanMemoryOptions &options);

/// What was solved for one arena. The problem's buffers are the slots, in the
/// order of ArenaReport::slots.
struct ArenaData {
  Problem problem;
  Plan plan;
};

/// The plans of a module without its IR: strings and numbers, which outlive it.
struct PlanData {
  /// Of all functions, arena by arena; formatJson, formatHtml and the like
  /// print it.
  Report report;
  /// By `report.arenas`. An arena that was planned before
  /// (ArenaStatus::PlannedBefore) has an empty problem and no offsets.
  std::vector<ArenaData> arenas;
};

/// Derives and solves the problems of a module as plan-memory does with these
/// options; `lower`, `on-refusal`, `report-file`, `compute-in-slices` and
/// `sink-fills` mean nothing here (memplan-compute-in-slices and
/// memplan-sink-fills may run before), and with `report=html` the report
/// compares strategies. The module is not changed, and the proof of the
/// rewritten program is not made: plan-memory makes it. The dialects that
/// planning creates ops of are loaded, so call it where a context may load
/// dialects: not within a pass. Fails with an emitted error as plan-memory
/// does: for options that make no sense, or where no plan fits the capacity.
mlir::FailureOr<PlanData> computePlans(mlir::ModuleOp module,
                                       const PlanMemoryOptions &options = {});

/// Prints what plan-memory has counted in this process so far, as MLIR prints
/// the statistics of passes. Prints nothing where LLVM was built with
/// statistics: there the pass manager does.
void printPlanStatistics(llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_EMBEDDING_H
