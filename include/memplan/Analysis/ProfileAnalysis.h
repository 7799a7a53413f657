//===- ProfileAnalysis.h - Live memory of a module's functions --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PROFILEANALYSIS_H
#define MEMPLAN_ANALYSIS_PROFILEANALYSIS_H

#include "memplan/Analysis/FunctionGraph.h"
#include "memplan/Analysis/LifetimeGraph.h"
#include "memplan/Graph/Profile.h"

#include <memory>

namespace memplan {

/// The op graph that tells when memory of a function is live: of a function on
/// tensors its own, of one on memrefs that of its planned lifetimes.
class ProfileGraphBuilder {
public:
  ProfileGraphBuilder(mlir::Operation *module, CostModel &costs,
                      bool plannedOnly = false)
      : module(module), costs(costs), functionGraphs(module, costs),
        plannedOnly(plannedOnly) {}

  /// False for a function on tensors of several blocks, of which no op graph is
  /// made, and for functions of other dialects (getNoGraphReason).
  static bool canBuild(mlir::FunctionOpInterface function);
  /// Emits an error and fails where the graph cannot be built.
  mlir::FailureOr<graph::OpGraph> build(mlir::FunctionOpInterface function);

private:
  mlir::Operation *module;
  CostModel &costs;
  FunctionGraphBuilder functionGraphs;
  bool plannedOnly;
  std::unique_ptr<ModuleAliases> aliases;
};

/// The profile of one function, and the graph that its ids are of.
struct FunctionProfile {
  graph::OpGraph graph;
  graph::MemoryProfile profile;
};

/// Profiles as a cached analysis: `getAnalysis<ProfileAnalysis>()` in a pass on
/// the module, which names registerAliasInterfaces and registerCostModels among
/// its dependencies. The device is that of the module's attributes, dynamic
/// extents have the hints of the arguments, and results take the place of
/// destinations that die.
class ProfileAnalysis {
public:
  explicit ProfileAnalysis(mlir::Operation *module);

  /// The profile, made when it is first asked for; null where the function has
  /// no op graph, as an error has told then.
  const FunctionProfile *get(mlir::FunctionOpInterface function);

private:
  TargetDescription target;
  std::unique_ptr<CostModel> costs;
  std::unique_ptr<ProfileGraphBuilder> builder;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FunctionProfile>> profiles;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROFILEANALYSIS_H
