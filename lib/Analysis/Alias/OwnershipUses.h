//===- OwnershipUses.h - Uses of ownership beyond deallocations -*- C++ -*-===//
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

/// The positions of the memrefs of `op` whose ownership matters for more than
/// freeing them, ascending. Such a memref may be the same memory as a retained
/// one, whose updated condition is used for anything but deallocations of that
/// memref. Planned memory has no owner, so the condition would change with the
/// plan.
///
/// Cost: the aliases and sources of the retained memrefs, and a bounded number
/// of uses of the conditions.
llvm::SmallVector<unsigned>
findOwnershipAskedFor(mlir::bufferization::DeallocOp op,
                      const AliasGraph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OWNERSHIPUSES_H
