//===- ExportGraphPass.cpp - The memplan-export-graph pass ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Passes/GraphPass.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANEXPORTGRAPH
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct ExportGraphPass
    : GraphPass<ExportGraphPass, memplan::impl::MemplanExportGraphBase> {
  using GraphPass::GraphPass;

  LogicalResult run(ModuleOp module) {
    FailureOr<GraphContext> context = GraphContext::create(module, dimHint);
    if (failed(context))
      return failure();
    graph::OpGraph graph;
    if (failed(backwardName.empty() ? build(*context, graph)
                                    : join(*context, graph)))
      return failure();
    if (failed(writeOutput(output, module.getLoc(), [&](llvm::raw_ostream &os) {
          os << graph::formatGraph(graph) << "\n";
        })))
      return failure();
    markAllAnalysesPreserved();
    return success();
  }

private:
  LogicalResult build(const GraphContext &context, graph::OpGraph &graph) {
    FailureOr<FunctionOpInterface> function =
        findFunction(getOperation(), functionName);
    if (failed(function))
      return failure();
    FailureOr<FunctionGraph> built = context.builder->build(*function);
    if (failed(built))
      return failure();
    graph = std::move(built->graph);
    return success();
  }

  LogicalResult join(const GraphContext &context, graph::OpGraph &graph) {
    FailureOr<FunctionPair> pair =
        buildPair(context, getOperation(), functionName, backwardName);
    if (failed(pair))
      return failure();
    for (const graph::GraphIssue &issue : graph::joinPair(
             pair->forward.graph, pair->backward.graph, pair->saved, graph))
      return mlir::emitError(getOperation().getLoc())
             << "@" << backwardName << ": " << issue.message;
    return success();
  }
};
} // namespace
