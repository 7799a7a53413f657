//===- MlirVersion.h - What --version of tools with MLIR prints -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_MLIRVERSION_H
#define MEMPLAN_TOOLS_COMMON_MLIRVERSION_H

#include "memplan/Core/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan::tool {

/// memplan's version and that of the LLVM that it is built with.
inline void printMlirVersion(llvm::raw_ostream &os) {
  os << "memplan " << version() << ", LLVM " << LLVM_VERSION_STRING << "\n";
}

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_MLIRVERSION_H
