//===- Passes.h - Passes of memplan -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_H
#define MEMPLAN_TRANSFORMS_PASSES_H

#include "memplan/Core/Solver.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

#include <memory>

namespace memplan {

/// How plan-memory prints what it did.
enum class ReportFormat { None, Text, Json };

#define GEN_PASS_DECL
#include "memplan/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/Passes.h.inc"

/// Registers memplan-from-tensors and memplan-to-llvm.
void registerMemplanPipelines();

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H
