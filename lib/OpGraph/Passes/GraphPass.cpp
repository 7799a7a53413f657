//===- GraphPass.cpp - Common parts of passes on op graphs ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes/GraphPass.h"

#include "memplan/IR/Circles.h"

using namespace mlir;
using namespace memplan;

void memplan::registerGraphInterfaces(DialectRegistry &registry) {
  registerAliasInterfaces(registry);
  registerCostModels(registry);
}

FailureOr<GraphContext> GraphContext::create(ModuleOp module, int64_t dimHint,
                                             StringRef targetFile) {
  if (dimHint < 0)
    return mlir::emitError(module.getLoc())
           << "dim-hint is " << dimHint << ", must be at least 0";
  FailureOr<TargetDescription> target =
      targetFile.empty() ? readTargetAttributes(module)
                         : readTargetFile(targetFile, module.getLoc());
  if (failed(target) || failed(checkNoCircles(module)))
    return failure();
  GraphContext context;
  context.target = std::make_unique<TargetDescription>(std::move(*target));
  context.costs = std::make_unique<CostModel>(module, *context.target, dimHint);
  context.builder =
      std::make_unique<FunctionGraphBuilder>(module, *context.costs);
  return std::move(context);
}

std::string memplan::listFunctions(ModuleOp module) {
  std::string text;
  size_t count = 0;
  constexpr size_t kMostNamed = 8;
  module->walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && count++ < kMostNamed)
      text += (count == 1 ? " @" : ", @") + function.getName().str();
  });
  if (count > kMostNamed)
    text += " and " + std::to_string(count - kMostNamed) + " more";
  return count == 0 ? "; the module has none with a body"
                    : "; the module has" + text;
}

FailureOr<FunctionOpInterface> memplan::findFunction(ModuleOp module,
                                                     StringRef name) {
  if (!name.empty()) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, name));
    if (!function)
      return mlir::emitError(module.getLoc())
             << "there is no function @" << name << listFunctions(module);
    return function;
  }
  SmallVector<FunctionOpInterface> found;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      found.push_back(function);
  if (found.empty())
    return mlir::emitError(module.getLoc(), "there is no function with a body");
  if (found.size() == 1)
    return found.front();
  InFlightDiagnostic error = mlir::emitError(module.getLoc());
  error << "one of several functions must be named: ";
  constexpr size_t kMostNamed = 3;
  for (size_t i = 0; i < std::min(found.size(), kMostNamed); ++i)
    error << (i == 0                  ? "@"
              : i + 1 == found.size() ? " and @"
                                      : ", @")
          << found[i].getName();
  if (found.size() > kMostNamed)
    error << " and " << found.size() - kMostNamed << " more";
  return error;
}

FailureOr<FunctionPair> memplan::buildPair(const GraphContext &context,
                                           ModuleOp module,
                                           StringRef forwardName,
                                           StringRef backwardName) {
  FailureOr<FunctionOpInterface> forward = findFunction(module, forwardName);
  FailureOr<FunctionOpInterface> backward = findFunction(module, backwardName);
  if (failed(forward) || failed(backward))
    return failure();
  FailureOr<FunctionGraph> first = context.builder->build(*forward);
  FailureOr<FunctionGraph> second = context.builder->build(*backward);
  if (failed(first) || failed(second))
    return failure();
  FunctionPair pair{std::move(*first), std::move(*second), {}};
  ArrayRef<graph::ValueId> saved =
      ArrayRef(pair.forward.graph.outputs)
          .drop_front(pair.forward.graph.numForwardOutputs);
  ArrayRef<graph::Input> inputs = pair.backward.graph.inputs;
  if (saved.size() > inputs.size())
    return mlir::emitError(backward->getLoc())
           << "@" << backward->getName() << " takes " << inputs.size()
           << " arguments, but @" << forward->getName() << " saves "
           << saved.size() << " values";
  for (auto [index, value] : llvm::enumerate(saved))
    pair.saved.push_back({value, inputs[index].value});
  return pair;
}

SmallVector<FunctionOpInterface>
memplan::collectGraphFunctions(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    if (getNoGraphReason(function).empty())
      functions.push_back(function);
    else
      remarkNoGraph(function);
  });
  return functions;
}

void memplan::remarkNoGraph(FunctionOpInterface function) {
  emitRemark(function.getLoc())
      << "@" << function.getName() << " " << getNoGraphReason(function);
}

graph::MemoryOptions memplan::restrictToArena(graph::OpGraph &graph,
                                              std::optional<StringRef> space) {
  graph::MemoryOptions memory;
  memory.takeTies = true;
  memory.excluded = graph::getInputOrigins();
  for (graph::Storage &storage : graph.storages)
    if (storage.kind == graph::StorageKind::Output ||
        (space && storage.space != *space))
      storage.bytes = 0;
  for (graph::Value &value : graph.values)
    if (graph.storages[value.storage].bytes == 0)
      value.offset = value.bytes = 0;
  return memory;
}
