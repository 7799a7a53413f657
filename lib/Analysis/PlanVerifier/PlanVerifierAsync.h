//===- PlanVerifierAsync.h - Slots that running tasks use -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dataflow sees what a task does as if it were done when the task starts.
// That stands for any later time up to its await as long as nothing else uses
// the task's bytes between the two; here this is checked.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERASYNC_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERASYNC_H

#include "PlanVerifierDataflow.h"

namespace memplan::planverifier {

/// True for ops that start a task and give something to await.
bool startsTask(mlir::Operation *op);

/// Reports every use of bytes that a task may be using, and every lifetime and
/// arena of a slot that ends before the task does.
void checkTasks(const Model &model, Reporter &reporter);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERASYNC_H
