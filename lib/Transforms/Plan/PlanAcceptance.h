//===- PlanAcceptance.h - What the verifier refuses -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
#define MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>

namespace memplan {

/// Plans that the verifier does not accept.
struct Refusal {
  /// The functions whose own plan is refused, all if none is without others.
  llvm::SmallVector<mlir::FunctionOpInterface> refused;
  /// What the verifier says of the first of them, and of which ops.
  std::vector<std::pair<mlir::Location, std::string>> complaints;
};

/// Verifies the plans of functions that have just been planned, in memplan ops,
/// and that they correspond to `originals`, what they were before; tells
/// nobody. Nothing if all are accepted.
std::optional<Refusal>
findRefusal(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
            llvm::ArrayRef<mlir::FunctionOpInterface> originals);

/// Those of `functions` whose plans rest on those of `refused`: these, their
/// direct and indirect callers, and functions around and inside of such.
llvm::SmallVector<mlir::FunctionOpInterface>
findDependents(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
               llvm::ArrayRef<mlir::FunctionOpInterface> refused);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANACCEPTANCE_H
