//===- PrepareContents.h - Fewer contents, and shorter lives ----*- C++ -*-===//
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
  /// What the verifier does not prove is an error; otherwise the function stays
  /// as it was, with a warning.
  bool refusalIsError = false;

  /// False if nothing of the module is to be changed.
  bool mayChange(mlir::ModuleOp module) const;
};

/// Computes in slices and sinks fills, as asked (computeInSlices, sinkFills).
/// The verifier proves of each function that changed that every op reads what
/// it read (checkContents).
mlir::LogicalResult prepareContents(mlir::ModuleOp module,
                                    const ContentsOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PREPARECONTENTS_H
