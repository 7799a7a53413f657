//===- Complaints.cpp - What a check complains about ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Complaints.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace memplan;

std::vector<Complaint>
memplan::findComplaints(MLIRContext *context,
                        llvm::function_ref<LogicalResult()> check) {
  std::vector<Complaint> complaints;
  ScopedDiagnosticHandler capture(context, [&](Diagnostic &diagnostic) {
    complaints.emplace_back(diagnostic.getLocation(), diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      complaints.emplace_back(note.getLocation(), note.str());
    return success();
  });
  if (succeeded(check()))
    return {};
  // Whatever a check forgets to say, its failure counts.
  if (complaints.empty())
    complaints.emplace_back(UnknownLoc::get(context), "it gives no reason");
  return complaints;
}
