//===- Guards.h - Checks of slots at run time -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_GUARDS_H
#define MEMPLAN_LIB_TRANSFORMS_GUARDS_H

#include "Observe/RuntimeCalls.h"

namespace memplan {

/// Inserts the calls of memplan-lower=guard in a function whose slots are
/// marked; does nothing if it has no arena. Emits an error and fails if it has
/// an arena but no marks.
mlir::LogicalResult insertGuards(mlir::FunctionOpInterface function,
                                 RuntimeCalls &calls);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_GUARDS_H
