//===- MeasureNeeds.h - The bytes that a program needs ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What plan-memory would make of a program, without planning it: transforms
// that choose between programs ask for the arenas of each.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLAN_MEASURENEEDS_H
#define MEMPLAN_LIB_TRANSFORMS_PLAN_MEASURENEEDS_H

#include "Plan/SolveModule.h"
#include "memplan/IR/OpCost.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace memplan {

/// The bytes that a function needs in one memory space, by its plan.
struct Need {
  int64_t arena = 0;
  int64_t unplanned = 0;
  int64_t bytes() const { return saturatingAdd(arena, unplanned); }
};

/// By function and memory space ("" for the default one). Without functions
/// whose arenas are frames: the needs of their callers include them.
using Needs = std::map<std::pair<std::string, std::string>, Need>;

/// What measureNeeds and plan-memory have in common.
struct NeedOptions {
  int64_t alignment = 64;
  PlanScope scope = PlanScope::Function;
  llvm::ArrayRef<std::string> entryPoints;
};

/// Extracts and solves the problems of a module on memrefs, on a clone of it.
mlir::FailureOr<Needs> measureNeeds(mlir::ModuleOp bufferized,
                                    const NeedOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLAN_MEASURENEEDS_H
