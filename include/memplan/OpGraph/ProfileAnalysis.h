//===- ProfileAnalysis.h - Live memory of a module's functions --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_PROFILEANALYSIS_H
#define MEMPLAN_OPGRAPH_PROFILEANALYSIS_H

#include "memplan/Graph/Profile.h"
#include "memplan/OpGraph/FunctionGraph.h"
#include "memplan/OpGraph/LifetimeGraph.h"

#include <memory>

namespace memplan {

/// Builds the op graph for the memory profile of a function: the graph of a
/// function on tensors, or the graph of the planned lifetimes of a function on
/// memrefs.
class ProfileGraphBuilder {
public:
  ProfileGraphBuilder(mlir::Operation *module, CostModel &costs,
                      bool plannedOnly = false)
      : module(module), costs(costs), functionGraphs(module, costs),
        plannedOnly(plannedOnly) {}

  /// False for a function on tensors with several blocks, which has no op
  /// graph, and for functions of other dialects (getNoGraphReason).
  static bool canBuild(mlir::FunctionOpInterface function);
  /// Emits an error and fails if the graph cannot be built.
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function);

private:
  mlir::Operation *module;
  CostModel &costs;
  FunctionGraphBuilder functionGraphs;
  bool plannedOnly;
  std::unique_ptr<ModuleAliases> aliases;
};

/// The profile of one function, and the graph whose ids it uses.
struct FunctionProfile {
  graph::OpGraph graph;
  graph::MemoryProfile profile;
};

/// Profiles as a cached analysis: `getAnalysis<ProfileAnalysis>()` in a pass on
/// the module that registers registerAliasInterfaces and registerCostModels as
/// its dependencies. The target description is that of the module's attributes,
/// dynamic extents have the hints of the arguments, and results take the
/// storage of destinations that die.
class ProfileAnalysis {
public:
  explicit ProfileAnalysis(mlir::Operation *module);

  /// The profile, computed when it is first asked for; null if the function has
  /// no op graph. The first such call emits the error.
  const FunctionProfile *get(mlir::FunctionOpInterface function);

private:
  TargetDescription target;
  std::unique_ptr<CostModel> costs;
  std::unique_ptr<ProfileGraphBuilder> builder;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FunctionProfile>> profiles;
};

} // namespace memplan

#endif // MEMPLAN_OPGRAPH_PROFILEANALYSIS_H
