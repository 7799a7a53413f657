//===- Output.h - Output files of passes ------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_OUTPUT_H
#define MEMPLAN_TRANSFORMS_OUTPUT_H

#include "memplan/Report/Report.h"
#include "memplan/Transforms/OptionParsers.h"

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// Writes the text of `print` to the file `path`, completely or not at all; to
/// standard error (or the current ReportCapture) if `path` is empty, to
/// standard output if it is "-". If the file cannot be written, emits an error
/// at `loc` with the path and the system's reason, and fails.
mlir::LogicalResult
writeOutput(llvm::StringRef path, mlir::Location loc,
            llvm::function_ref<void(llvm::raw_ostream &)> print);

/// The report in the format; empty with ReportFormat::None.
std::string formatReport(ReportFormat format, const Report &report);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_OUTPUT_H
