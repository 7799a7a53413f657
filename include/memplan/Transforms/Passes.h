//===- Passes.h - Passes of memplan -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_H
#define MEMPLAN_TRANSFORMS_PASSES_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Core/Solver.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/CommandLine.h"

#include <memory>
#include <string>

namespace memplan {

/// How plan-memory prints what it did.
enum class ReportFormat { None, Text, Json };

/// What shares one arena.
enum class PlanScope {
  /// Each function has its own; signatures stay as they are.
  Function,
  /// A private function's arena is part of its callers' arenas.
  Module
};

/// What becomes of a plan that the verifier refuses, which is a bug of the
/// planner.
enum class RefusalAction {
  /// The program stays as it was, with a warning.
  Warn,
  /// The pass fails.
  Error
};

/// The values of the options of passes and pipelines.
llvm::cl::ValuesClass strategyValues();
llvm::cl::ValuesClass effortValues();
llvm::cl::ValuesClass reportValues();
llvm::cl::ValuesClass scopeValues();
llvm::cl::ValuesClass calleeTrustValues();
llvm::cl::ValuesClass refusalValues();

#define GEN_PASS_DECL
#include "memplan/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/Passes.h.inc"

/// Options of memplan-from-tensors; those of planning are plan-memory's.
struct FromTensorsOptions
    : public mlir::PassPipelineOptions<FromTensorsOptions> {
  Option<bool> plan{*this, "plan",
                    llvm::cl::desc("Plan; false ends after bufferization"),
                    llvm::cl::init(true)};
  Option<Strategy> strategy{*this, "strategy",
                            llvm::cl::desc("How offsets are found"),
                            llvm::cl::init(Strategy::Auto), strategyValues()};
  Option<Effort> effort{
      *this, "effort",
      llvm::cl::desc("How much `auto` and `hill-climb` spend beyond greedy "
                     "orders"),
      llvm::cl::init(Effort::Normal), effortValues()};
  Option<int64_t> nodeLimit{
      *this, "node-limit",
      llvm::cl::desc("Search steps an arena after which the best plan so far "
                     "is taken; 0 for what the effort says"),
      llvm::cl::init(0)};
  Option<int64_t> timeLimitMs{
      *this, "time-limit-ms",
      llvm::cl::desc("Milliseconds an arena after which the best plan so far "
                     "is taken; 0 for no limit"),
      llvm::cl::init(0)};
  Option<uint64_t> seed{*this, "seed",
                        llvm::cl::desc("Of the random restarts of the search"),
                        llvm::cl::init(0)};
  Option<unsigned> threads{
      *this, "threads", llvm::cl::desc("Threads that search; 0 for all cores"),
      llvm::cl::init(1)};
  Option<int64_t> alignment{
      *this, "alignment",
      llvm::cl::desc("Least alignment of a buffer and of the arena, bytes, a "
                     "power of two"),
      llvm::cl::init(64)};
  Option<int64_t> capacity{
      *this, "capacity",
      llvm::cl::desc("Bytes each arena may have; 0 for no limit"),
      llvm::cl::init(0)};
  Option<int64_t> maxWorkers{
      *this, "max-workers",
      llvm::cl::desc("Iterations a parallel loop may have for each to get a "
                     "frame of its own"),
      llvm::cl::init(8)};
  Option<int64_t> parallelWorkers{
      *this, "parallel-workers",
      llvm::cl::desc("Workers that other parallel loops are made to run on; 0 "
                     "to leave them alone"),
      llvm::cl::init(0)};
  Option<int64_t> maxParallelOps{
      *this, "max-parallel-ops",
      llvm::cl::desc("Ops of a step that run at once; larger steps are split; "
                     "0 for no limit"),
      llvm::cl::init(0)};
  Option<bool> lower{
      *this, "lower",
      llvm::cl::desc("End in plain memref ops; false keeps the memplan ops"),
      llvm::cl::init(true)};
  Option<PlanScope> scope{*this, "scope",
                          llvm::cl::desc("What shares one arena"),
                          llvm::cl::init(PlanScope::Function), scopeValues()};
  ListOption<std::string> entryPoints{
      *this, "entry-points",
      llvm::cl::desc("With scope=module, the functions called from outside; if "
                     "empty, all public ones")};
  Option<CalleeTrust> calleeTrust{
      *this, "callee-trust",
      llvm::cl::desc("What is believed of callees that are not known"),
      llvm::cl::init(CalleeTrust::Boundary), calleeTrustValues()};
  Option<ReportFormat> report{
      *this, "report", llvm::cl::desc("Print a report of every arena"),
      llvm::cl::init(ReportFormat::None), reportValues()};
  Option<std::string> reportFile{
      *this, "report-file",
      llvm::cl::desc("Where the report goes; standard error when empty, - for "
                     "standard output"),
      llvm::cl::init("")};
};

/// Adds the passes that take a module of TOSA or linalg on tensors to a planned
/// program on memrefs. Function arguments and results become memrefs of
/// identity layout; a function that returns a tensor returns a fresh
/// allocation, which is its caller's.
void buildFromTensorsPipeline(mlir::OpPassManager &manager,
                              const FromTensorsOptions &options);

/// Options of memplan-to-llvm.
struct ToLLVMOptions : public mlir::PassPipelineOptions<ToLLVMOptions> {
  Option<bool> aliasScopes{
      *this, "alias-scopes",
      llvm::cl::desc("Tell LLVM which slots of an arena share no byte"),
      llvm::cl::init(true)};
};

/// Adds the passes that take a program on memrefs, planned or not, to what
/// mlir-runner executes.
void buildToLLVMPipeline(mlir::OpPassManager &manager,
                         const ToLLVMOptions &options);

/// Registers them as memplan-from-tensors and memplan-to-llvm.
void registerMemplanPipelines();

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H
