//===- ThreadSlots.h - Let slots travel with buffers ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H
#define MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H

#include "memplan/Analysis/PlanningProblem.h"

namespace memplan {

/// The ops with regions that have been replaced, by what they were at first.
/// An address may be that of an erased op and of a newer one.
class ReplacedOps {
public:
  /// What has become of an op of the program as it was.
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

/// Rewrites the program so that the slots of the phi cycle, of which `views`
/// are the values, travel through it. Uses of the allocations become uses of
/// the slots they take; the allocations stay. Ops with regions are replaced by
/// ops with more operands and results; `replaced` is told, and knows those that
/// earlier phi cycles have replaced.
void threadSlots(const PhiCycle &cycle, const FunctionProblem &problem,
                 llvm::ArrayRef<mlir::Value> views, ReplacedOps &replaced);

/// Lets edges of switches that forward one of several results of an op lead
/// through blocks that do: MLIR 22 does not parse what it prints otherwise.
void splitSwitchEdges(mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_THREADSLOTS_H
