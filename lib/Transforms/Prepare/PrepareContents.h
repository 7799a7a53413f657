//===- PrepareContents.h - Verified changes of fills and copies -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PREPARECONTENTS_H
#define MEMPLAN_LIB_TRANSFORMS_PREPARECONTENTS_H

#include "memplan/Analysis/CalleeTrust.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace memplan {

/// By function that changed, allocations that nothing may use any more.
using ChangedAllocations =
    llvm::MapVector<mlir::Operation *, llvm::SetVector<mlir::Operation *>>;

struct ContentsOptions {
  bool computeInSlices = false;
  bool sinkFills = false;
  CalleeTrust trust = CalleeTrust::Boundary;
  /// If the verifier refuses a changed function: an error (true), or a warning,
  /// and the function stays as it was (false).
  bool refusalIsError = false;

  /// False if prepareContents would not change the module.
  bool mayChange(mlir::ModuleOp module) const;
};

/// Runs computeInSlices and sinkFills, as the options say. For each changed
/// function the verifier proves that every op still reads the same values
/// (checkContents). If it cannot, emits a warning and restores the function, or
/// emits an error and fails (`refusalIsError`).
mlir::LogicalResult prepareContents(mlir::ModuleOp module,
                                    const ContentsOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PREPARECONTENTS_H
