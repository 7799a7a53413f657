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

/// True if one of the results of `op`, which says whether a retained memref is
/// one of those that are freed, may decide anything but whether that memref is
/// freed. Planned memory is owned by nobody, so that the answer changes with
/// the plan of `memref`, one of the memrefs of `op`.
///
/// Cost: the uses of the results, and of what they are handed on to, up to a
/// bound.
bool isOwnershipAskedFor(mlir::bufferization::DeallocOp op, unsigned memref,
                         const AliasGraph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OWNERSHIPUSES_H
