//===- PlanAcceptance.h - Plans that the verifier refuses -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
#define MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H

#include "Complaints.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace memplan {

/// The plans that the verifier refuses.
struct Refusal {
  /// The functions whose plans it refuses one by one; all functions if it
  /// refuses none of them alone.
  llvm::SmallVector<mlir::FunctionOpInterface> refused;
  /// The errors and notes about the first of them, with the locations.
  std::vector<Complaint> complaints;
};

/// Verifies the plans of functions that have just been materialized, in memplan
/// ops, and that they correspond to `originals`, the same functions before it,
/// in the same order. Emits no diagnostic. Returns std::nullopt if the verifier
/// accepts all of them.
std::optional<Refusal>
findRefusal(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
            llvm::ArrayRef<mlir::FunctionOpInterface> originals);

/// Checks that lowering has kept what the planned functions do, which are in
/// memplan ops. Returns the ones of which it has not, or std::nullopt.
std::optional<Refusal>
findLoweringRefusal(llvm::ArrayRef<mlir::FunctionOpInterface> planned,
                    llvm::ArrayRef<mlir::FunctionOpInterface> lowered);

/// The functions whose plans depend on those of `refused`: `refused`, their
/// direct and indirect callers, and functions around or inside of these.
llvm::SmallVector<mlir::FunctionOpInterface>
findDependents(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
               llvm::ArrayRef<mlir::FunctionOpInterface> refused);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
