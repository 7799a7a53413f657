//===- PlanAcceptance.h - Which plans are kept ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
#define MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace memplan {

/// True if the verifier accepts the plans of the functions. What it says of
/// those it does not is appended to `complaints` and told to nobody.
bool verifyQuietly(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
                   std::string &complaints);

/// A plan that the verifier does not accept.
struct Refusal {
  /// Null if the plan of each function is accepted without the others.
  mlir::FunctionOpInterface function;
  std::string complaints;
};

/// By function, what the verifier says of a plan that was there before.
using RefusedBefore = llvm::StringMap<std::string>;

/// The first of the plans of functions in `module` that the verifier does not
/// accept, if any. Plans that were in `before`, the module as it was, and are
/// not accepted there either, are not asked about; they are added to
/// `refusedBefore`. Cost: one verification of all, and where it fails one of
/// each.
std::optional<Refusal>
findRefused(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
            mlir::ModuleOp module, mlir::ModuleOp before,
            RefusedBefore &refusedBefore);

/// The same for all functions of the module that have a plan.
std::optional<Refusal> findRefused(mlir::ModuleOp module, mlir::ModuleOp before,
                                   RefusedBefore &refusedBefore);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
