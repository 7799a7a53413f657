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

/// Adds the passes that take a module of TOSA or linalg on tensors to a program
/// on memrefs. Function arguments and results become memrefs of identity
/// layout; a function that returns a tensor returns a fresh allocation, which
/// is its caller's.
void buildBufferizePipeline(mlir::OpPassManager &manager);

/// Its first half, after which the ops on tensors are those that get buffers,
/// and its second half. What is reordered or computed again is between the two.
void buildPrepareTensorsPipeline(mlir::OpPassManager &manager);
void buildToMemRefsPipeline(mlir::OpPassManager &manager,
                            bool writeOver = true);

/// The same, and plans it.
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

/// Adds the passes that take a program on memrefs, planned or not, to what
/// mlir-runner executes.
void buildToLLVMPipeline(mlir::OpPassManager &manager,
                         const ToLLVMOptions &options);

/// Registers them as memplan-bufferize, memplan-from-tensors and
/// memplan-to-llvm.
void registerMemplanPipelines();

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H
