//===- Embedding.h - What a compiler that embeds memplan calls --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_EMBEDDING_H
#define MEMPLAN_TRANSFORMS_EMBEDDING_H

#include "memplan/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"

namespace memplan {

/// Adds the dialect of problems and planned programs, and what memplan knows of
/// upstream's ops, to the registry. The passes load what they need by
/// themselves: this is for tools that parse programs.
void registerMemplanDialects(mlir::DialectRegistry &registry);

/// Adds what plans the memory of a module of functions on memrefs: after
/// bufferization and its clean-up, before allocations are lowered or
/// deallocations inserted. With `options.lower` (the default) only ops of
/// upstream dialects are left.
void buildPlanMemoryPipeline(mlir::OpPassManager &manager,
                             const PlanMemoryOptions &options);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_EMBEDDING_H
