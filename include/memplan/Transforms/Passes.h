//===- Passes.h - Passes of memplan -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_H
#define MEMPLAN_TRANSFORMS_PASSES_H

#include "memplan/Transforms/OptionParsers.h"

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace memplan {

#define GEN_PASS_DECL
#include "memplan/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/Passes.h.inc"

// The parts of pipelines, which the tools do not register by themselves.
#define GEN_PASS_DECL
#include "memplan/Transforms/PipelineParts.h.inc"

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/PipelineParts.h.inc"

/// Options of memplan-bufferize. memplan-from-tensors takes them as well.
struct BufferizeOptions : public mlir::PassPipelineOptions<BufferizeOptions> {
  Option<bool> foldTransposes{
      *this, "fold-transposes",
      llvm::cl::desc("Let contractions read the operands of transpositions "
                     "instead of copies (memplan-fold-transposes)"),
      llvm::cl::init(true)};
  Option<double> stripes{
      *this, "stripes",
      llvm::cl::desc("Compute chains of ops in stripes (memplan-stripe), with "
                     "at most so many percent more FLOPs; negative: do not"),
      llvm::cl::init(-1)};
  Option<bool> stripeSums{
      *this, "stripe-sums",
      llvm::cl::desc("Without stripes: compute sums in a wide type that are "
                     "only rounded in stripes (memplan-stripe=only-sums). "
                     "memplan-from-tensors does so unless it is false"),
      llvm::cl::init(false)};

  /// True if one of the options has the name.
  bool has(llvm::StringRef name) const { return OptionsMap.contains(name); }
};

/// Adds the passes that bufferize a module of TOSA or linalg on tensors.
/// Function arguments and results become memrefs of identity layout. A function
/// that returns a tensor then returns a fresh allocation, which its caller
/// owns.
void buildBufferizePipeline(
    mlir::OpPassManager &manager,
    const BufferizeOptions &options = BufferizeOptions());

/// The first half of buildBufferizePipeline: ends with linalg ops on tensors,
/// the form in which memplan-fit reorders and recomputes ops.
void buildPrepareTensorsPipeline(
    mlir::OpPassManager &manager,
    const BufferizeOptions &options = BufferizeOptions());
/// The second half: prepares destinations and bufferizes. `writeOver` is the
/// option of memplan-prepare-destinations.
void buildToMemRefsPipeline(mlir::OpPassManager &manager,
                            bool writeOver = true);

/// Adds buildBufferizePipeline and plan-memory.
void buildFromTensorsPipeline(mlir::OpPassManager &manager,
                              const PlanMemoryOptions &options = {});

/// Options of memplan-to-llvm.
struct ToLLVMOptions : public mlir::PassPipelineOptions<ToLLVMOptions> {
  Option<bool> aliasScopes{
      *this, "alias-scopes",
      llvm::cl::desc("Tell LLVM which slots of an arena share no byte"),
      llvm::cl::init(true)};
  Option<bool> barePointers{
      *this, "bare-pointers",
      llvm::cl::desc(
          "Functions take memrefs, which must be of static shape, as "
          "plain pointers"),
      llvm::cl::init(false)};
};

/// Adds the passes that lower a program on memrefs, planned or not, to the LLVM
/// dialect, in the form that mlir-runner executes.
void buildToLLVMPipeline(mlir::OpPassManager &manager,
                         const ToLLVMOptions &options);

/// Registers the pipelines memplan-bufferize, memplan-from-tensors and
/// memplan-to-llvm.
void registerMemplanPipelines();

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H
