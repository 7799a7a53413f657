//===- ProfileAnalysis.cpp - Live memory of a module's functions ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/OpGraph/ProfileAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace memplan;

/// True if the function makes tensors: its memory is an estimate, as it depends
/// on bufferization.
static bool isOnTensors(FunctionOpInterface function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor))
    return true;
  return function
      ->walk([&](Operation *op) {
        return !op->hasTrait<OpTrait::ConstantLike>() &&
                       llvm::any_of(op->getResultTypes(), isTensor)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ProfileGraphBuilder::canBuild(FunctionOpInterface function) {
  return getNoGraphReason(function).empty() ||
         (isa<func::FuncOp>(function) && !isOnTensors(function));
}

FailureOr<graph::OpGraph>
ProfileGraphBuilder::build(FunctionOpInterface function) {
  if (!isa<func::FuncOp>(function) || isOnTensors(function)) {
    FailureOr<FunctionGraph> graph = functionGraphs.build(function);
    if (failed(graph))
      return failure();
    return std::move(graph->graph);
  }
  if (!aliases)
    aliases = std::make_unique<ModuleAliases>(module);
  return LifetimeGraphBuilder(*aliases, costs, plannedOnly).build(function);
}

ProfileAnalysis::ProfileAnalysis(Operation *module) {
  FailureOr<TargetDescription> described = readTargetAttributes(module);
  if (succeeded(described))
    target = std::move(*described);
  costs = std::make_unique<CostModel>(module, target, /*defaultHint=*/1);
  builder = std::make_unique<ProfileGraphBuilder>(module, *costs);
}

const FunctionProfile *ProfileAnalysis::get(FunctionOpInterface function) {
  auto [it, isNew] = profiles.try_emplace(function);
  if (!isNew)
    return it->second.get();
  FailureOr<graph::OpGraph> graph = builder->build(function);
  if (failed(graph))
    return nullptr;
  auto made = std::make_unique<FunctionProfile>();
  graph::MemoryOptions options;
  options.takeTies = true;
  made->graph = std::move(*graph);
  made->profile = graph::buildProfile(
      made->graph, graph::programOrder(made->graph), options);
  it->second = std::move(made);
  return it->second.get();
}
