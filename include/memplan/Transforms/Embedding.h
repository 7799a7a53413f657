//===- Embedding.h - Entry points for embedders -----------------*- C++ -*-===//
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

#include <cstddef>
#include <vector>

namespace memplan {

/// Registers the memplan dialect and memplan's external models of upstream ops,
/// for tools that parse planned programs. Passes load the dialects that they
/// need themselves.
void registerMemplanDialects(mlir::DialectRegistry &registry);

/// In bytes: the stack that a thread should have which parses, verifies, plans
/// or prints a program. MLIR does so by recursion over nested regions, with
/// some kilobytes for each level; the usual 8 MiB end at some thousand levels.
constexpr size_t kStackBytes = size_t(100) << 20;

/// Prints the versions for --version: "memplan 0.1.0, LLVM 22.1.8".
void printVersion(llvm::raw_ostream &os);

/// Adds the pass that plans a module of functions on memrefs. It belongs after
/// bufferization and its clean-up, and before passes that lower allocations or
/// insert deallocations. With `options.lower` (the default) the planned module
/// has no ops of the memplan dialect.
void buildPlanMemoryPipeline(mlir::OpPassManager &manager,
                             const PlanMemoryOptions &options);

/// The solved problem of one arena. Its buffers are the slots, in the order of
/// ArenaReport::slots.
struct ArenaData {
  Problem problem;
  Plan plan;
};

/// The plans of a module as strings and numbers. They do not refer to the IR,
/// so they may outlive it.
struct PlanData {
  /// The report of all arenas, for formatText, formatJson, formatHtml.
  Report report;
  /// In the order of `report.arenas`. An arena that the function had before
  /// (ArenaStatus::PlannedBefore) has an empty problem and no offsets.
  std::vector<ArenaData> arenas;
};

/// Derives and solves the problems of a module as plan-memory does with these
/// options. Ignores `lower`, `report-file`, `prepare` and `require=verified`:
/// run memplan-compute-in-slices and memplan-sink-fills before, if wanted. With
/// `report=html` the report compares strategies. Does not change the module and
/// does not verify the program that plan-memory would make. Loads the dialects
/// of planning, so do not call it within a pass. Emits an error and fails as
/// plan-memory does: if an option is out of range, or if no plan fits the
/// capacity.
mlir::FailureOr<PlanData> computePlans(mlir::ModuleOp module,
                                       const PlanMemoryOptions &options = {});

/// Prints the statistics of plan-memory in this process so far, in MLIR's
/// format. Prints nothing if LLVM was built with statistics: the pass manager
/// prints them then.
void printPlanStatistics(llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_EMBEDDING_H
