//===- ModuleProblems.h - The problems of a module --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the passes of planning consist of:
//
//   memplan-extract       prepareModule, extractProblems, writeProblems
//   memplan-solve         solveProblems
//   memplan-materialize   deriveStatedProblems, adoptPlans, materialize
//   plan-memory           raiseDeallocations, prepareModule, solveModule,
//                         materialize, on a clone of the module and without
//                         problems as IR
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H
#define MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H

#include "Prepare/PrepareContents.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Transforms/Passes.h"

namespace memplan {

/// The changes of a module before its problems are derived.
struct PrepareOptions {
  PlanScope scope = PlanScope::Function;
  llvm::ArrayRef<std::string> entryPoints;
  CalleeTrust trust = CalleeTrust::Boundary;
  ResultPlacement results = ResultPlacement::Return;
  /// Change fills and copies (prepareContents).
  bool contents = false;
  /// If the verifier refuses the changed fills and copies of a function: an
  /// error (true), or a warning, and they stay as they were (false).
  bool refusalIsError = false;
  /// Sizes to plan for (declareSizes).
  llvm::ArrayRef<std::string> sizes = {};

  /// True if the change of one function may affect others.
  bool joinFunctions() const {
    return scope == PlanScope::Module ||
           results == ResultPlacement::OutParams ||
           results == ResultPlacement::Arena;
  }
  ContentsOptions getContents() const {
    return {contents, contents, trust, refusalIsError};
  }
  /// False if prepareModule would not change the module.
  bool changeAnything(mlir::ModuleOp module) const;
};

/// Makes the changes: declareSizes, makeAllocationsStatic, checkDimBounds,
/// prepareContents, placeResults; and with PlanScope::Module sinkDeallocations,
/// promoteToOutParams, and functions that are not entry points become private.
/// Emits an error and fails if an entry point is not a function of the module,
/// or as declareSizes and prepareContents do.
mlir::LogicalResult prepareModule(mlir::ModuleOp module,
                                  const PrepareOptions &options);

/// Derives the problems of all functions, in the order of the module. With
/// PlanScope::Module, or if arenas are arguments, callers provide the arenas of
/// callees where they can. Emits an error and fails if the steps of a function
/// are invalid.
mlir::FailureOr<std::vector<FunctionProblem>>
extractProblems(mlir::ModuleOp module, ModuleAliases &aliases,
                const PlanningOptions &options, PlanScope scope,
                ArenaPlacement placement);

/// Derives the problems of the functions that have memplan.problem ops, which
/// say which functions get their arenas from their callers. `options` are those
/// of the ops (readOptions), and `aliases` have been built with them. Emits an
/// error and fails if the steps of a function are invalid.
mlir::FailureOr<std::vector<FunctionProblem>>
deriveStatedProblems(mlir::ModuleOp module, ModuleAliases &aliases,
                     const PlanningOptions &options);

/// The plans that frames are of, in a module.
class FramePlans {
public:
  FramePlans(llvm::ArrayRef<FunctionProblem> problems,
             const ModuleAliases &aliases);

  /// The problem of the callee, or of the body of the parallel loop, whose
  /// arena the frame is; null if there is none.
  const FunctionProblem *findProblem(const BufferRecord &frame) const;
  /// Bytes that the plan of this problem needs in the frame: those of the
  /// callee, or of all workers.
  int64_t getSize(const BufferRecord &frame) const;

private:
  const ModuleAliases &aliases;
  llvm::DenseMap<mlir::Operation *, const FunctionProblem *> problemOf;
};

/// Emits an error and fails unless each frame has exactly the size that the
/// plan of its callee or workers needs, and each callee with frames gets one
/// from every call.
mlir::LogicalResult checkFrames(llvm::ArrayRef<FunctionProblem> problems,
                                const ModuleAliases &aliases);

/// Materializes all functions with plans; their problems were built with the
/// program orders of `aliases`. Emits an error and fails if a memplan.output is
/// not in an arena that outlives the call.
mlir::LogicalResult
materializeAll(llvm::MutableArrayRef<FunctionProblem> problems,
               const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_MODULEPROBLEMS_H
