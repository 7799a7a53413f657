//===- OwnershipUses.h - What ownership is asked for ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_OWNERSHIPUSES_H
#define MEMPLAN_LIB_ANALYSIS_OWNERSHIPUSES_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace memplan {

/// The memrefs of `op` that may be one it retains of which it says whether it
/// is freed, where the answer may decide anything but whether that one is
/// freed. Planned memory is owned by nobody, so that the answer changes with
/// the plan.
///
/// Cost: the aliases and sources of what is retained, and the uses of the
/// results and of what these are forwarded to, up to a bound.
llvm::SmallVector<unsigned>
findOwnershipAskedFor(mlir::bufferization::DeallocOp op,
                      const AliasGraph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OWNERSHIPUSES_H
