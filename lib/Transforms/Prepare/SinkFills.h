//===- SinkFills.h - Fills where they are needed ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SINKFILLS_H
#define MEMPLAN_LIB_TRANSFORMS_SINKFILLS_H

#include "Prepare/PrepareContents.h"

namespace memplan {

/// True if sinkFills would change the module.
bool hasFillsToSink(mlir::ModuleOp module);

/// Lets a buffer that is filled with one value begin its life where the value
/// is needed:
///  - a copy of the buffer, or of a part of it, that comes before anything else
///    is written to it becomes a fill of the copy's target;
///  - the fill, a linalg.fill or a nest of loops that stores one value, moves
///    down its block to before the first op that still accesses the buffer; it
///    goes if there is none, or another fill comes first.
/// Only of allocations in the block of the fill that no op gives another name
/// that cannot be followed, and to targets in the same memory space. Left alone
/// are what is used together with tensors, code and memory of many threads, and
/// functions that are planned already, or have ops that run at once
/// (memplan.step, memplan.stream).
///
/// There are never more ops than before, and each reads and writes at most what
/// it did. Cost: linear in the uses of the allocations that are filled, and of
/// those that become filled. Nothing is proven (see prepareContents).
void sinkFills(mlir::ModuleOp module, ChangedAllocations &changed);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SINKFILLS_H
