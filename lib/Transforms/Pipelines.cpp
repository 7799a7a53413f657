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
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace memplan;

llvm::cl::ValuesClass memplan::strategyValues() {
  return llvm::cl::values(
      clEnumValN(Strategy::Auto, "auto",
                 "the best of the others; stops at the lower bound"),
      clEnumValN(Strategy::Naive, "naive",
                 "no reuse: one buffer after another"),
      clEnumValN(Strategy::LinearScan, "linear-scan",
                 "in order of time, first free place"),
      clEnumValN(Strategy::GreedyBySize, "greedy", "largest first, best gap"),
      clEnumValN(Strategy::GreedyBySize, "greedy-by-size",
                 "the same as greedy"),
      clEnumValN(Strategy::GreedyByBreadth, "greedy-by-breadth",
                 "the fullest times first"),
      clEnumValN(Strategy::BestFit, "best-fit",
                 "in order of start time, best gap"),
      clEnumValN(Strategy::HillClimb, "hill-climb",
                 "local search over the order of placement"),
      clEnumValN(Strategy::Exact, "exact",
                 "proves the least arena, or says that a limit ended it"));
}

llvm::cl::ValuesClass memplan::effortValues() {
  return llvm::cl::values(
      clEnumValN(Effort::Low, "low", "greedy orders and a little repair"),
      clEnumValN(Effort::Normal, "normal", "some 10^5 search steps"),
      clEnumValN(Effort::High, "high", "some 10^7 search steps"));
}

llvm::cl::ValuesClass memplan::reportValues() {
  return llvm::cl::values(
      clEnumValN(ReportFormat::None, "none", "no report"),
      clEnumValN(ReportFormat::Text, "text", "for people"),
      clEnumValN(ReportFormat::Json, "json", "for programs"));
}

llvm::cl::ValuesClass memplan::scopeValues() {
  return llvm::cl::values(
      clEnumValN(PlanScope::Function, "function",
                 "one arena per function; signatures stay as they are"),
      clEnumValN(PlanScope::Module, "module",
                 "private functions get their memory from their callers"));
}

llvm::cl::ValuesClass memplan::calleeTrustValues() {
  return llvm::cl::values(
      clEnumValN(CalleeTrust::Boundary, "boundary",
                 "arguments are not kept or freed; results may be arguments"),
      clEnumValN(CalleeTrust::None, "none",
                 "nothing: what they are given is left alone"));
}

llvm::cl::ValuesClass memplan::refusalValues() {
  return llvm::cl::values(
      clEnumValN(RefusalAction::Warn, "warn",
                 "the program stays as it was, with a warning"),
      clEnumValN(RefusalAction::Error, "error", "the pass fails"));
}

/// Does nothing to a module without TOSA but canonicalize it.
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

/// Fewer tensors before, one memref each after: operands of a concatenation
/// are computed in their place, and no function argument has a layout.
static void addBufferization(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createMemplanDecomposeConcat());
  manager.addPass(createConvertElementwiseToLinalgPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createMemplanPrepareDestinations());
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

void memplan::buildFromTensorsPipeline(OpPassManager &manager,
                                       const FromTensorsOptions &options) {
  addTosaToLinalg(manager);
  addBufferization(manager);
  if (!options.plan)
    return;
  PlanMemoryOptions plan;
  plan.strategy = options.strategy;
  plan.effort = options.effort;
  plan.nodeLimit = options.nodeLimit;
  plan.timeLimitMs = options.timeLimitMs;
  plan.seed = options.seed;
  plan.threads = options.threads;
  plan.alignment = options.alignment;
  plan.capacity = options.capacity;
  plan.maxWorkers = options.maxWorkers;
  plan.parallelWorkers = options.parallelWorkers;
  plan.maxParallelOps = options.maxParallelOps;
  plan.lower = options.lower;
  plan.scope = options.scope;
  llvm::append_range(plan.entryPoints, options.entryPoints);
  plan.calleeTrust = options.calleeTrust;
  plan.report = options.report;
  plan.reportFile = options.reportFile;
  manager.addPass(createPlanMemory(plan));
}

void memplan::buildToLLVMPipeline(OpPassManager &manager,
                                  const ToLLVMOptions &options) {
  manager.addPass(createMemplanLower());
  // Structured ops and control flow.
  manager.addPass(bufferization::createLowerDeallocationsPass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  manager.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  // Views and reallocations, then the index arithmetic they leave.
  manager.addPass(memref::createExpandReallocPass());
  manager.addPass(memref::createExpandOpsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  if (options.aliasScopes)
    manager.addNestedPass<func::FuncOp>(createMemplanAliasScopes());
  // Everything to LLVM. Math goes to intrinsics where LLVM has one and to libm
  // otherwise.
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  manager.addPass(createConvertComplexToStandardPass());
  manager.addPass(createConvertComplexToLLVMPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void memplan::registerMemplanPipelines() {
  PassPipelineRegistration<FromTensorsOptions>(
      "memplan-from-tensors",
      "Bufferize a program of TOSA or linalg on tensors and plan its memory",
      buildFromTensorsPipeline);
  PassPipelineRegistration<ToLLVMOptions>(
      "memplan-to-llvm",
      "Lower a program on memrefs, planned or not, to the LLVM dialect",
      buildToLLVMPipeline);
}
