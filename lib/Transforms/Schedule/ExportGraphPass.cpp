//===- ExportGraphPass.cpp - The memplan-export-graph pass ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/GraphPass.h"
#include "Schedule/Output.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANEXPORTGRAPH
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct ExportGraphPass
    : memplan::impl::MemplanExportGraphBase<ExportGraphPass> {
  using MemplanExportGraphBase::MemplanExportGraphBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanExportGraphBase::getDependentDialects(registry);
    registerGraphInterfaces(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<GraphContext> context =
        GraphContext::create(module, dimHint, targetFile);
    if (failed(context))
      return signalPassFailure();
    FailureOr<FunctionOpInterface> function =
        findFunction(module, functionName);
    if (failed(function))
      return signalPassFailure();
    FailureOr<FunctionGraph> graph = context->builder->build(*function);
    if (failed(graph))
      return signalPassFailure();
    if (failed(writeOutput(output, module.getLoc(), [&](llvm::raw_ostream &os) {
          os << graph::formatGraph(graph->graph) << "\n";
        })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
