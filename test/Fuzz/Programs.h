//===- Programs.h - Passes on programs in fuzz targets ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_FUZZ_PROGRAMS_H
#define MEMPLAN_TEST_FUZZ_PROGRAMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace memplan::fuzz {

/// A context with the dialects of the programs. It is made anew after some
/// hundred inputs, as types and attributes stay in it.
mlir::MLIRContext &getContext();

/// Parses and verifies the text. Null if it is no program; `errors` gets what
/// was said.
mlir::OwningOpRef<mlir::ModuleOp>
parse(llvm::StringRef text, std::string &errors, mlir::MLIRContext &context);

/// Runs the passes; false if one fails. `errors` gets what was said, and is not
/// empty then.
bool run(mlir::ModuleOp module, llvm::StringRef pipeline, std::string &errors);

std::string print(mlir::ModuleOp module);

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_PROGRAMS_H
