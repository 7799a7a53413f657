//===- GraphPass.h - Common parts of passes on op graphs --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H
#define MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H

#include "memplan/Graph/Memory.h"
#include "memplan/Graph/Pair.h"
#include "memplan/OpGraph/FunctionGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace memplan {

/// Registers the external models that building an op graph needs.
void registerGraphInterfaces(mlir::DialectRegistry &registry);

/// A pass that builds op graphs, and fails if its run() of the module does.
/// `Generated` is the base that its declaration makes.
template <typename Pass, template <typename> class Generated>
struct GraphPass : Generated<Pass> {
  using Base = Generated<Pass>;
  using Base::Base;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerGraphInterfaces(registry);
  }
  void runOnOperation() override {
    if (failed(static_cast<Pass *>(this)->run(this->getOperation())))
      this->signalPassFailure();
  }
};

/// The builder of op graphs for a module, and its cost model. Valid until the
/// module changes.
struct GraphContext {
  std::unique_ptr<TargetDescription> target;
  std::unique_ptr<CostModel> costs;
  std::unique_ptr<FunctionGraphBuilder> builder;

  /// Emits an error and fails if `dimHint` is negative or the description of
  /// the device cannot be read. An empty `targetFile` means the attributes of
  /// the module.
  static mlir::FailureOr<GraphContext> create(mlir::ModuleOp module,
                                              int64_t dimHint = 1,
                                              llvm::StringRef targetFile = "");
};

/// The end of a sentence that lists the functions with a body by name.
std::string listFunctions(mlir::ModuleOp module);

/// The function of that name; if the name is empty, the only function with a
/// body. Emits an error and fails if there is none, or no single one.
mlir::FailureOr<mlir::FunctionOpInterface> findFunction(mlir::ModuleOp module,
                                                        llvm::StringRef name);

/// The graphs of a forward function and of its backward function. The results
/// of the forward function behind its forward outputs are saved: they are the
/// first arguments of the backward function.
struct FunctionPair {
  FunctionGraph forward, backward;
  std::vector<graph::SavedValue> saved;
};

/// Builds the graphs of both functions. Emits an error and fails if a function
/// does not exist or has no graph, or if the forward function saves more values
/// than the backward function has arguments.
mlir::FailureOr<FunctionPair> buildPair(const GraphContext &context,
                                        mlir::ModuleOp module,
                                        llvm::StringRef forward,
                                        llvm::StringRef backward);

/// The functions that have an op graph, in the order of the module. Emits a
/// remark for each other function with a body.
llvm::SmallVector<mlir::FunctionOpInterface>
collectGraphFunctions(mlir::ModuleOp module);

/// Emits a remark with the reason why the function has no op graph.
void remarkNoGraph(mlir::FunctionOpInterface function);

/// Restricts the graph to the storages that an arena may hold: sets the bytes
/// of returned storages, and of those in other memory spaces than `space` if it
/// is given, to 0. The returned options exclude arguments and constants, and
/// let results take the place of operands.
graph::MemoryOptions
restrictToArena(graph::OpGraph &graph,
                std::optional<llvm::StringRef> space = std::nullopt);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SCHEDULE_GRAPHPASS_H
