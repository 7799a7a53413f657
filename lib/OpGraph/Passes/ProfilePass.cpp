//===- ProfilePass.cpp - The memplan-profile pass -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Passes/GraphPass.h"
#include "memplan/Graph/Pair.h"
#include "memplan/Graph/ProfileReport.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"
#include "memplan/OpGraph/ProfileAnalysis.h"
#include "memplan/Report/Picture.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPROFILE
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::Origin;

/// The number of allocations at the peak that the text lists.
static constexpr unsigned kTop = 10;

namespace {
struct ProfilePass : GraphPass<ProfilePass, memplan::impl::MemplanProfileBase> {
  using GraphPass::GraphPass;

  LogicalResult run(ModuleOp module) {
    FailureOr<GraphContext> context = GraphContext::create(module, dimHint);
    FailureOr<graph::MemoryOptions> memory = getMemoryOptions();
    if (failed(context) || failed(memory))
      return failure();
    std::vector<std::string> texts;
    if (failed(backwardName.empty() ? profileFunctions(*context, *memory, texts)
                                    : profilePair(*context, *memory, texts)))
      return failure();
    if (failed(writeOutput(output, module.getLoc(),
                           [&](llvm::raw_ostream &os) { print(texts, os); })))
      return failure();
    markAllAnalysesPreserved();
    return success();
  }

private:
  /// Calls `visit` with the origin of each name; "all" stands for all origins
  /// except ops. Emits an error and fails for an unknown name.
  LogicalResult forEachOrigin(StringRef option, ArrayRef<std::string> names,
                              llvm::function_ref<void(Origin)> visit) {
    for (const std::string &name : names) {
      std::optional<Origin> origin = graph::parseName<Origin>(name);
      if (!origin && name != "all")
        return mlir::emitError(getOperation().getLoc())
               << option << " is '" << name << "', must be "
               << graph::allNames<Origin>() << ", or all";
      if (origin) {
        visit(*origin);
        continue;
      }
      for (size_t i = 0; i < graph::EnumNames<Origin>::names.size(); ++i)
        if (static_cast<Origin>(i) != Origin::Op)
          visit(static_cast<Origin>(i));
    }
    return success();
  }

  FailureOr<graph::MemoryOptions> getMemoryOptions() {
    graph::MemoryOptions options;
    options.takeTies = inPlace;
    if (failed(forEachOrigin("hold", *hold,
                             [&](Origin o) { options.held.insert(o); })) ||
        failed(forEachOrigin("release", *release,
                             [&](Origin o) { options.held.erase(o); })) ||
        failed(forEachOrigin("exclude", *exclude,
                             [&](Origin o) { options.excluded.insert(o); })))
      return failure();
    return options;
  }

  LogicalResult profileFunctions(GraphContext &context,
                                 const graph::MemoryOptions &memory,
                                 std::vector<std::string> &texts) {
    ProfileGraphBuilder builder(getOperation(), *context.costs, plannedOnly);
    bool found = false;
    WalkResult walk = getOperation().walk([&](FunctionOpInterface function) {
      if (function.isExternal() ||
          (!functionName.empty() && function.getName() != functionName))
        return WalkResult::advance();
      found = true;
      if (functionName.empty() && !ProfileGraphBuilder::canBuild(function)) {
        remarkNoGraph(function);
        return WalkResult::advance();
      }
      FailureOr<graph::OpGraph> graph = builder.build(function);
      if (failed(graph))
        return WalkResult::interrupt();
      graph::MemoryProfile profile =
          graph::buildProfile(*graph, graph::programOrder(*graph), memory);
      texts.push_back(
          isJson() ? graph::formatProfileJson(*graph, profile)
          : format == ProfileFormat::Csv
              ? graph::formatProfileCsv(*graph, profile)
              : graph::formatProfileText(*graph, profile, kTop, printEntries));
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    if (!found && !functionName.empty())
      return mlir::emitError(getOperation().getLoc())
             << "there is no function @" << functionName << " with a body"
             << listFunctions(getOperation());
    return success();
  }

  LogicalResult profilePair(GraphContext &context,
                            const graph::MemoryOptions &memory,
                            std::vector<std::string> &texts) {
    ModuleOp module = getOperation();
    if (format == ProfileFormat::Csv)
      return mlir::emitError(module.getLoc())
             << "format=csv is of one function only, not of a pair";
    FailureOr<FunctionPair> graphs =
        buildPair(context, module, functionName, backwardName);
    if (failed(graphs))
      return failure();
    const graph::OpGraph &first = graphs->forward.graph;
    const graph::OpGraph &second = graphs->backward.graph;
    graph::PairProfile pair;
    for (const graph::GraphIssue &issue : graph::buildPairProfile(
             first, graph::programOrder(first), second,
             graph::programOrder(second), graphs->saved, memory, pair))
      return mlir::emitError(module.getLoc())
             << "@" << backwardName << ": " << issue.message;
    texts.push_back(
        isJson() ? graph::formatPairJson(first, pair)
                 : graph::formatPairText(first, pair, kTop, printEntries));
    return success();
  }

  void print(ArrayRef<std::string> texts, llvm::raw_ostream &os) {
    if (!isJson()) {
      for (const std::string &text : texts)
        os << text;
      return;
    }
    std::string json = "{\"profiles\": [" + llvm::join(texts, ",\n") + "]}\n";
    os << (format == ProfileFormat::Html ? makeProfilePage(json) : json);
  }

  /// HTML pages contain the JSON.
  bool isJson() const {
    return format == ProfileFormat::Json || format == ProfileFormat::Html;
  }
};
} // namespace
