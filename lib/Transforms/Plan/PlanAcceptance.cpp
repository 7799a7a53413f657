//===- PlanAcceptance.cpp - Which plans are kept --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanAcceptance.h"

#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/Analysis/PlanningProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

bool memplan::verifyQuietly(ArrayRef<FunctionOpInterface> functions,
                            std::string &complaints) {
  if (functions.empty())
    return true;
  ScopedDiagnosticHandler capture(
      functions.front()->getContext(), [&](Diagnostic &diagnostic) {
        llvm::raw_string_ostream os(complaints);
        os << (complaints.empty() ? "" : "; ") << diagnostic;
        return success();
      });
  return succeeded(verifyPlannedFunctions(functions));
}

/// True if the function of `module` was planned in `before`, and refused.
static bool wasRefused(FunctionOpInterface function, ModuleOp module,
                       ModuleOp before, RefusedBefore &refusedBefore) {
  // One of a module inside may have the name of another one.
  if (function->getParentOp() != module)
    return false;
  if (refusedBefore.contains(function.getName()))
    return true;
  auto old = before.lookupSymbol<FunctionOpInterface>(function.getName());
  std::string complaints;
  if (!old || !hasArena(old) || verifyQuietly(old, complaints))
    return false;
  refusedBefore[function.getName()] = std::move(complaints);
  return true;
}

std::optional<Refusal>
memplan::findRefused(ArrayRef<FunctionOpInterface> functions, ModuleOp module,
                     ModuleOp before, RefusedBefore &refusedBefore) {
  std::string all;
  if (verifyQuietly(functions, all))
    return std::nullopt;
  SmallVector<FunctionOpInterface> others;
  for (FunctionOpInterface function : functions) {
    std::string own;
    if (verifyQuietly(function, own))
      others.push_back(function);
    else if (!wasRefused(function, module, before, refusedBefore))
      return Refusal{function, std::move(own)};
  }
  all.clear();
  if (verifyQuietly(others, all))
    return std::nullopt;
  return Refusal{nullptr, std::move(all)};
}

std::optional<Refusal> memplan::findRefused(ModuleOp module, ModuleOp before,
                                            RefusedBefore &refusedBefore) {
  SmallVector<FunctionOpInterface> planned;
  for (Operation *function : findPlannedFunctions(module))
    planned.push_back(cast<FunctionOpInterface>(function));
  return findRefused(planned, module, before, refusedBefore);
}
