//===- ThreadSlots.h - Forward slots along control flow ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H
#define MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H

#include "memplan/Analysis/BuildProblem.h"

namespace memplan {

/// Maps ops with regions of the original program to their replacements. Keeps
/// the maps consistent if a new op has the address of an erased one.
class ReplacedOps {
public:
  /// The current replacement of an original op; the op itself if it has none.
  mlir::Operation *find(mlir::Operation *original) const {
    auto it = current.find(original);
    return it == current.end() ? original : it->second;
  }
  void replace(mlir::Operation *op, mlir::Operation *by) {
    auto it = origin.find(op);
    mlir::Operation *original = it == origin.end() ? op : it->second;
    origin.erase(op);
    origin[by] = original;
    current[original] = by;
  }

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> current, origin;
};

/// Rewrites the program so that control flow forwards the slots of the phi
/// cycle; `views` are their initial values. Uses of the allocations become uses
/// of the slots that they take; the allocations stay. Ops with regions are
/// replaced by ops with more operands and results, which `replaced` records.
void threadSlots(const PhiCycle &cycle, const FunctionProblem &problem,
                 llvm::ArrayRef<mlir::Value> views, ReplacedOps &replaced);

/// Inserts a block on each edge of a cf.switch that forwards one of several
/// results of an op, because MLIR 22 cannot parse what it prints for it.
void splitSwitchEdges(mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H
