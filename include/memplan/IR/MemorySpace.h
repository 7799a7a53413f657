//===- MemorySpace.h - Memory spaces ----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_MEMORYSPACE_H
#define MEMPLAN_IR_MEMORYSPACE_H

#include "mlir/IR/Attributes.h"

#include <string>

namespace memplan {

/// True for memory that the threads of a workgroup share. Program order does
/// not tell when one thread has finished with it and another begins.
bool isWorkgroupSpace(mlir::Attribute memorySpace);

/// The text of a number or a name; any other memory space as printed in IR.
/// Empty for the default space.
std::string formatSpace(mlir::Attribute space);

} // namespace memplan

#endif // MEMPLAN_IR_MEMORYSPACE_H
