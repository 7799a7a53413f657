//===- Pipelines.cpp - From tensors to a plan, from a plan to LLVM --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Async/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace memplan;

/// Adds the lowering of TOSA. It only canonicalizes a module without TOSA.
static void addTosaToLinalg(OpPassManager &manager) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(tosa::createTosaOptionalDecompositionsPass());
  function.addPass(createCanonicalizerPass());
  function.addPass(tosa::createTosaInferShapesPass());
  function.addPass(tosa::createTosaMakeBroadcastablePass());
  function.addPass(tosa::createTosaToLinalgNamed());
  function.addPass(createCanonicalizerPass());
  function.addPass(tosa::createTosaLayerwiseConstantFoldPass());
  function.addPass(tosa::createTosaMakeBroadcastablePass());
  function.addPass(tosa::createTosaToLinalg());
  function.addPass(createTosaToTensorPass());
  function.addPass(createTosaToArithPass());
  function.addPass(createTosaToSCFPass());
}

void memplan::buildPrepareTensorsPipeline(OpPassManager &manager,
                                          const BufferizeOptions &options) {
  addTosaToLinalg(manager);
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposePack());
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposeConcat());
  manager.addPass(createConvertElementwiseToLinalgPass());
  if (options.foldTransposes)
    manager.addNestedPass<func::FuncOp>(createMemplanFoldTransposes());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Prepares pads and destinations, so that bufferization computes operands in
/// their place and copies less, protects arguments, and bufferizes. Function
/// arguments and results get identity layouts.
void memplan::buildToMemRefsPipeline(OpPassManager &manager, bool writeOver) {
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposePad());
  MemplanPrepareDestinationsOptions destinations;
  destinations.writeOver = writeOver;
  manager.addNestedPass<func::FuncOp>(
      createMemplanPrepareDestinations(destinations));
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(createMemplanProtectArguments());
  // The analysis of memplan-protect-arguments has the same options.
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  // The second round drops the copies of a view to itself, which are seen only
  // once the two views are one.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
}

void memplan::buildBufferizePipeline(OpPassManager &manager,
                                     const BufferizeOptions &options) {
  buildPrepareTensorsPipeline(manager, options);
  // memplan-stripe refuses what is not a number.
  if (!(options.stripes < 0) || options.stripeSums) {
    MemplanStripeOptions stripes;
    stripes.onlySums = options.stripes < 0;
    stripes.maxExtraFlops = stripes.onlySums ? 0 : options.stripes.getValue();
    manager.addPass(createMemplanStripe(stripes));
  }
  buildToMemRefsPipeline(manager);
}

void memplan::buildFromTensorsPipeline(OpPassManager &manager,
                                       const PlanMemoryOptions &options) {
  BufferizeOptions bufferizing;
  bufferizing.stripeSums = true;
  buildBufferizePipeline(manager, bufferizing);
  manager.addPass(createPlanMemory(options));
}

/// Splits the text of an option list into the options that pick names and the
/// others. Options are separated by spaces; values in braces or quotes may
/// have spaces inside.
static std::pair<std::string, std::string>
splitOptions(StringRef text, function_ref<bool(StringRef)> pick) {
  std::pair<std::string, std::string> split;
  size_t begin = 0;
  unsigned depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    if (quote != 0) {
      if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && depth > 0) {
      --depth;
    }
    bool ends = i == text.size() || (c == ' ' && depth == 0 && quote == 0);
    if (!ends)
      continue;
    StringRef option = text.slice(begin, i);
    begin = i + 1;
    if (option.empty())
      continue;
    std::string &list =
        pick(option.split('=').first) ? split.first : split.second;
    if (!list.empty())
      list += ' ';
    list += option;
  }
  return split;
}

void memplan::buildToLLVMPipeline(OpPassManager &manager,
                                  const ToLLVMOptions &options) {
  manager.addPass(createMemplanLower());
  // Structured ops and control flow.
  manager.addPass(bufferization::createLowerDeallocationsPass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  manager.addPass(memref::createExpandReallocPass());
  manager.addPass(createMemplanPrepareLLVM());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(
      vector::createLowerVectorMultiReductionPass());
  manager.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  manager.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  // Asynchronous regions become functions while their loops are structured: an
  // async.execute has one block.
  manager.addPass(createAsyncToAsyncRuntimePass());
  manager.addNestedPass<func::FuncOp>(createAsyncRuntimeRefCountingPass());
  manager.addNestedPass<func::FuncOp>(createAsyncRuntimeRefCountingOptPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  // Roundings of TOSA in the bodies of linalg ops.
  TosaToArithPassOptions rounding;
  rounding.includeApplyRescale = true;
  manager.addPass(createTosaToArithPass(rounding));
  // Views, then the index arithmetic they leave.
  manager.addPass(memref::createExpandOpsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  if (options.aliasScopes)
    manager.addNestedPass<func::FuncOp>(createMemplanAliasScopes());
  // Everything to LLVM. Powers of integers become functions; other math goes to
  // intrinsics where LLVM has one and to libm otherwise.
  ConvertMathToFuncsOptions powers;
  powers.minWidthOfFPowIExponent = 65; // None: LLVM has an intrinsic.
  manager.addPass(createConvertMathToFuncs(powers));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  manager.addPass(createConvertComplexToStandardPass());
  manager.addPass(createConvertComplexToLLVMPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertAsyncToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = options.barePointers;
  manager.addPass(createConvertFuncToLLVMPass(functions));
  manager.addPass(createMemplanFinishLLVM());
}

void memplan::registerMemplanPipelines() {
  PassPipelineRegistration<BufferizeOptions>(
      "memplan-bufferize",
      "Bufferize a program of TOSA or linalg on tensors as planning wants it",
      buildBufferizePipeline);
  // plan-memory parses its own options.
  registerPassPipeline(
      "memplan-from-tensors",
      "Bufferize a program of TOSA or linalg on tensors and plan its memory; "
      "takes the options of memplan-bufferize and plan-memory",
      [](OpPassManager &manager, StringRef options,
         function_ref<LogicalResult(const Twine &)> errorHandler) {
        BufferizeOptions bufferizing;
        bufferizing.stripeSums = true;
        auto [own, planning] = splitOptions(
            options, [&](StringRef name) { return bufferizing.has(name); });
        if (failed(bufferizing.parseFromString(own)))
          return failure();
        std::unique_ptr<Pass> plan = createPlanMemory();
        if (failed(plan->initializeOptions(planning, errorHandler)))
          return failure();
        buildBufferizePipeline(manager, bufferizing);
        manager.addPass(std::move(plan));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
  PassPipelineRegistration<ToLLVMOptions>(
      "memplan-to-llvm",
      "Lower a program on memrefs, planned or not, to the LLVM dialect",
      buildToLLVMPipeline);
}
