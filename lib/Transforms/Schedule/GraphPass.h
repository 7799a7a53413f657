//===- GraphPass.h - What passes on op graphs share -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H
#define MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H

#include "memplan/Analysis/FunctionGraph.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/Pair.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace memplan {

/// The external models that graphs of functions are built with.
void registerGraphInterfaces(mlir::DialectRegistry &registry);

/// What graphs of a module's functions are built from, for one state of the
/// module.
struct GraphContext {
  std::unique_ptr<TargetDescription> target;
  std::unique_ptr<CostModel> costs;
  std::unique_ptr<FunctionGraphBuilder> builder;

  /// Emits an error and fails for a negative hint or a description of the
  /// device that cannot be read.
  static mlir::FailureOr<GraphContext>
  create(mlir::ModuleOp module, int64_t dimHint, llvm::StringRef targetFile);
};

/// The function of that name; if the name is empty, the only one that has a
/// body. Emits an error and fails if there is none.
mlir::FailureOr<mlir::FunctionOpInterface> findFunction(mlir::ModuleOp module,
                                                        llvm::StringRef name);

/// The graphs of a forward function and of the backward function that takes
/// what it saves: the results behind its forward outputs are the first
/// arguments.
struct FunctionPair {
  FunctionGraph forward, backward;
  std::vector<graph::SavedValue> saved;
};

/// Emits an error and fails where there is no such function, or no graph of
/// one, or where more is saved than the backward function takes.
mlir::FailureOr<FunctionPair> buildPair(const GraphContext &context,
                                        mlir::ModuleOp module,
                                        llvm::StringRef forward,
                                        llvm::StringRef backward);

/// The functions that have an op graph, in the order of the module. Others
/// with a body get a remark.
llvm::SmallVector<mlir::FunctionOpInterface>
collectGraphFunctions(mlir::ModuleOp module);

/// Says why the function has no op graph.
void remarkNoGraph(mlir::FunctionOpInterface function);

/// Leaves in the graph what an arena holds: nothing that is returned, and, if a
/// memory space is named, nothing of others. The options
/// leave out all that is not made by ops, and take ties.
graph::MemoryOptions
restrictToArena(graph::OpGraph &graph,
                std::optional<llvm::StringRef> space = std::nullopt);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H
