//===- ModuleProblems.h - The problems of a module --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of planning, of which the passes are made:
//
//   memplan-extract       prepareModule, extractProblems, writeProblems
//   memplan-solve         solveProblems
//   memplan-materialize   deriveStatedProblems, adoptPlans, materialize
//   plan-memory           all of these on a clone of the module
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H
#define MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H

#include "Prepare/PrepareContents.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Transforms/Passes.h"

namespace memplan {

/// What changes in a module before its problems are derived.
struct PrepareOptions {
  PlanScope scope = PlanScope::Function;
  llvm::ArrayRef<std::string> entryPoints;
  CalleeTrust trust = CalleeTrust::Boundary;
  int64_t maxWorkers = 0;
  /// 0 to leave the parallel loops as they are.
  int64_t parallelWorkers = 0;
  ResultPlacement results = ResultPlacement::Return;
  bool computeInSlices = false;
  bool sinkFills = false;
  /// What the verifier does not prove of fills and slices is an error;
  /// otherwise they stay as they were, with a warning.
  bool refusalIsError = false;

  /// True if what becomes of a function depends on others.
  bool joinFunctions() const {
    return scope == PlanScope::Module || parallelWorkers > 0 ||
           results != ResultPlacement::Return;
  }
  ContentsOptions getContents() const {
    return {computeInSlices, sinkFills, trust, refusalIsError};
  }
  /// False if nothing of the module is to be changed.
  bool changeAnything(mlir::ModuleOp module) const;
};

/// Computes in slices, fills buffers where they are needed, makes parallel
/// loops run on few workers and takes results where they are to be. With
/// PlanScope::Module lets callers free what callees freed and provide the
/// memory of fresh results, and makes private what is no entry point; emits an
/// error and fails if an entry point is no function of the module.
mlir::LogicalResult prepareModule(mlir::ModuleOp module,
                                  const PrepareOptions &options);

/// Derives the problems of all functions, in the order of the module. With
/// PlanScope::Module, or if arenas are arguments, callers hand in the arenas of
/// callees where they can. Fails if what the program says of its steps is
/// wrong, as errors have told.
mlir::FailureOr<std::vector<FunctionProblem>>
extractProblems(mlir::ModuleOp module, ModuleAliases &aliases,
                const PlanningOptions &options, PlanScope scope,
                ArenaPlacement placement);

/// Derives the problems of the functions that have some stated, from the
/// program as it is and from the choices that the statements show: which arenas
/// are handed in, and which parallel loops have frames. All others have none.
mlir::FailureOr<std::vector<FunctionProblem>>
deriveStatedProblems(mlir::ModuleOp module, ModuleAliases &aliases);

/// Emits an error and fails unless the memory that each call hands its callee
/// is what the callee's plan needs.
mlir::LogicalResult checkFrames(llvm::ArrayRef<FunctionProblem> problems,
                                const ModuleAliases &aliases);

/// Rewrites the functions that have plans. `order` of each problem is that in
/// `aliases`. Fails if a result that is to be in the arena is not, as errors
/// have told.
mlir::LogicalResult
materializeAll(llvm::MutableArrayRef<FunctionProblem> problems,
               const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H
