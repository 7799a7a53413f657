//===- Describe.h - Locations and memory spaces for people ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_DESCRIBE_H
#define MEMPLAN_ANALYSIS_DESCRIBE_H

#include "memplan/IR/MemorySpace.h"

#include "mlir/IR/Location.h"

#include <string>

namespace memplan {

/// `file:line:column` if the location has one; otherwise the location as
/// printed.
std::string formatLocation(mlir::Location loc);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_DESCRIBE_H
