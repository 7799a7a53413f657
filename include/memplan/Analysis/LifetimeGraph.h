//===- LifetimeGraph.h - Planned lifetimes as an op graph -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_LIFETIMEGRAPH_H
#define MEMPLAN_ANALYSIS_LIFETIMEGRAPH_H

#include "memplan/Analysis/CostModel.h"
#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Analysis/SymbolicSizes.h"
#include "memplan/Graph/OpGraph.h"

#include <map>

namespace memplan {

/// The most bytes that a callee has live at once, in each memory space.
using CalleePeaks = std::map<std::string, SymbolicBytes>;

/// The lifetimes that plans of a function on memrefs come from, as an op graph
/// whose profile is theirs: an op for each program point at which something
/// begins or ends to be live, a storage for each live range of a slot. At its
/// peak as many bytes are live as the planner's bound says. What is not planned
/// is live from its allocation to its deallocation; it is an output of the
/// graph if there is no single one. Where a loop carries it, the instance of
/// the iteration before is a storage of its own, "b1.old0".
///
///     b0 [1, 4)    op p1 makes b0
///     b1 [3, 6)    op p3 uses b0 and makes b1; op p5 uses b1
///
/// A call makes what its callee may have allocated and hands out, and has what
/// the callee needs besides as scratch.
class LifetimeGraphBuilder {
public:
  /// With `plannedOnly` the graph has what plan-memory places in the arena of
  /// the function, and nothing else.
  LifetimeGraphBuilder(const ModuleAliases &aliases, CostModel &costs,
                       bool plannedOnly = false)
      : aliases(aliases), costs(costs), plannedOnly(plannedOnly) {}

  /// The function must have a body. Emits errors and fails where planning it
  /// would (see FunctionProblem::isInvalid).
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function);

private:
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function,
                                        SymbolicSizes &sizes);
  CalleePeaks getCalleePeaks(mlir::func::CallOp call);

  const ModuleAliases &aliases;
  CostModel &costs;
  bool plannedOnly;
  /// Of callees, by the scope of their sizes.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, CalleePeaks> peaks;
  /// Those that are looked at.
  llvm::DenseSet<mlir::Operation *> active;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_LIFETIMEGRAPH_H
