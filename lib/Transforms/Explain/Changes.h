//===- Changes.h - Changes of functions, kept for reports -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that changes a function so that its plan needs less notes that in the
// function's attribute `memplan.changes`. The report of plan-memory, which runs
// later, reads it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_EXPLAIN_CHANGES_H
#define MEMPLAN_LIB_TRANSFORMS_EXPLAIN_CHANGES_H

#include "memplan/Report/Report.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace memplan {

/// Adds the changes to those that the function has.
void recordChanges(mlir::Operation *function,
                   llvm::ArrayRef<ChangeReport> changes);

/// The changes of a function, without dictionaries that lack a field.
std::vector<ChangeReport> readChanges(mlir::Operation *function);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_EXPLAIN_CHANGES_H
