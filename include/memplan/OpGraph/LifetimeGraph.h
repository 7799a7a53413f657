//===- LifetimeGraph.h - Planned lifetimes as an op graph -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_LIFETIMEGRAPH_H
#define MEMPLAN_OPGRAPH_LIFETIMEGRAPH_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Graph/OpGraph.h"
#include "memplan/OpGraph/SymbolicSizes.h"

#include <map>

namespace memplan {

/// The peak of the live bytes of a callee, in each memory space.
using CalleePeaks = std::map<std::string, SymbolicBytes>;

/// Builds an op graph from the lifetimes that the plans of a function on
/// memrefs are made from. It has an op for each program point at which a
/// lifetime begins or ends, and a storage for each live range of a slot. At its
/// peak the planned buffers have as many live bytes as the planner's lower
/// bound. A buffer that is not planned is live from its allocation to its
/// deallocation; if there is not exactly one, it is an output of the graph. If
/// a loop carries such a buffer, the instance of the previous iteration is a
/// storage of its own, "b1.old0".
///
///     b0 [1, 4)    op p1 makes b0
///     b1 [3, 6)    op p3 uses b0 and makes b1; op p5 uses b1
///
/// A call makes the memory that its callee may have allocated and returns; the
/// other memory that the callee needs is scratch of the call.
class LifetimeGraphBuilder {
public:
  /// With `plannedOnly` the graph has only the buffers that plan-memory places
  /// in the arena of the function.
  LifetimeGraphBuilder(const ModuleAliases &aliases, CostModel &costs,
                       bool plannedOnly = false)
      : aliases(aliases), costs(costs), plannedOnly(plannedOnly) {}

  /// The function must have a body. Emits errors and fails if its step
  /// annotations are wrong (FunctionProblem::isInvalid).
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function);

private:
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function,
                                        SymbolicSizes &sizes);
  CalleePeaks getCalleePeaks(mlir::func::CallOp call);

  const ModuleAliases &aliases;
  CostModel &costs;
  bool plannedOnly;
  /// The peaks of callees, by function and by the scope of its sizes.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, CalleePeaks> peaks;
  /// The callees that are being computed.
  llvm::DenseSet<mlir::Operation *> active;
};

} // namespace memplan

#endif // MEMPLAN_OPGRAPH_LIFETIMEGRAPH_H
