//===- Output.h - Where reports of passes go --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_OUTPUT_H
#define MEMPLAN_TRANSFORMS_OUTPUT_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

namespace memplan {

/// Lets `print` write to the file of that name, as a whole or not at all:
/// standard error when it is empty, standard output for "-". Emits an error at
/// `loc`, with the path and the system's reason, if it cannot be written.
mlir::LogicalResult
writeOutput(llvm::StringRef path, mlir::Location loc,
            llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_OUTPUT_H
