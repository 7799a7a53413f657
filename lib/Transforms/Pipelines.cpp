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

void memplan::buildPrepareTensorsPipeline(OpPassManager &manager) {
  addTosaToLinalg(manager);
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposePack());
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposeConcat());
  manager.addPass(createConvertElementwiseToLinalgPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Prepares pads and destinations, so that bufferization computes operands in
/// their place and copies less, and bufferizes. Function arguments and results
/// get identity layouts.
void memplan::buildToMemRefsPipeline(OpPassManager &manager, bool writeOver) {
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposePad());
  MemplanPrepareDestinationsOptions destinations;
  destinations.writeOver = writeOver;
  manager.addNestedPass<func::FuncOp>(
      createMemplanPrepareDestinations(destinations));
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
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

void memplan::buildBufferizePipeline(OpPassManager &manager) {
  buildPrepareTensorsPipeline(manager);
  buildToMemRefsPipeline(manager);
}

void memplan::buildFromTensorsPipeline(OpPassManager &manager,
                                       const PlanMemoryOptions &options) {
  buildBufferizePipeline(manager);
  manager.addPass(createPlanMemory(options));
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
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void memplan::registerMemplanPipelines() {
  PassPipelineRegistration<>(
      "memplan-bufferize",
      "Bufferize a program of TOSA or linalg on tensors as planning wants it",
      buildBufferizePipeline);
  // The pass parses the options, because they are those of plan-memory.
  registerPassPipeline(
      "memplan-from-tensors",
      "Bufferize a program of TOSA or linalg on tensors and plan its memory; "
      "takes the options of plan-memory",
      [](OpPassManager &manager, StringRef options,
         function_ref<LogicalResult(const Twine &)> errorHandler) {
        std::unique_ptr<Pass> plan = createPlanMemory();
        if (failed(plan->initializeOptions(options, errorHandler)))
          return failure();
        buildBufferizePipeline(manager);
        manager.addPass(std::move(plan));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
  PassPipelineRegistration<ToLLVMOptions>(
      "memplan-to-llvm",
      "Lower a program on memrefs, planned or not, to the LLVM dialect",
      buildToLLVMPipeline);
}
