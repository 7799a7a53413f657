//===- ProblemOptions.h - Options that problems record ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PROBLEMOPTIONS_H
#define MEMPLAN_ANALYSIS_PROBLEMOPTIONS_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/CalleeTrust.h"
#include "memplan/IR/Memplan.h"

namespace memplan {

/// The options on which it depends what problems a program has. Capacities and
/// banks do not count: the problems state them.
struct ProblemOptions {
  PlanningOptions planning;
  CalleeTrust trust = CalleeTrust::Boundary;
};

/// The attribute `options` of memplan.problem: the options that differ from the
/// defaults of memplan-extract. Null if none does.
mlir::DictionaryAttr writeOptions(mlir::MLIRContext *context,
                                  const ProblemOptions &options);

/// The options of problems, with the defaults of memplan-extract for those that
/// they do not have. Emits an error and fails if an option is unknown or of
/// another type, or if the problems, which are of one module, differ.
mlir::FailureOr<ProblemOptions> readOptions(llvm::ArrayRef<ProblemOp> problems);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROBLEMOPTIONS_H
