//===- Complaints.h - What a check complains about --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_COMPLAINTS_H
#define MEMPLAN_LIB_TRANSFORMS_COMPLAINTS_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan {

using Complaint = std::pair<mlir::Location, std::string>;

/// Runs the check, and shows none of its diagnostics. Returns its errors and
/// notes in their order; none if the check succeeds.
std::vector<Complaint>
findComplaints(mlir::MLIRContext *context,
               llvm::function_ref<llvm::LogicalResult()> check);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_COMPLAINTS_H
