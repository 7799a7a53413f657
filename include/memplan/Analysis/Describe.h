//===- Describe.h - Locations and memory spaces for people ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_DESCRIBE_H
#define MEMPLAN_ANALYSIS_DESCRIBE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"

#include <string>

namespace memplan {

/// `file:line:column` where there is such a place, else the location as
/// printed.
std::string formatLocation(mlir::Location loc);

/// A number or a name as such, anything else as it is printed in IR; empty for
/// the default space.
std::string formatSpace(mlir::Attribute space);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_DESCRIBE_H
