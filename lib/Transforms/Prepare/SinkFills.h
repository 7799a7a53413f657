//===- SinkFills.h - Move fills to the first use ----------------*- C++ -*-===//
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

/// Shortens the life of buffers that are filled with one value:
///  - A copy of the buffer, or of a part of it, becomes a fill of the copy's
///    target if nothing else has been written to the buffer before.
///  - The fill (a linalg.fill, or a nest of loops that stores one value) moves
///    down its block, before the first op that still accesses the buffer. It is
///    removed if there is no such op or if another fill comes first.
///
/// The allocation and the fill are in one block, all names of the allocation
/// can be followed, and the target of a copy is in the same memory space.
/// Buffers that are used together with tensors, code and memory of many
/// threads, functions with an arena, and functions with memplan.step or
/// memplan.stream are not changed.
///
/// The number of ops (or nests) does not grow, and each accesses at most the
/// bytes that the old one did. Does not verify the result (see
/// prepareContents). Cost: linear in the uses of the allocations that are
/// filled, before or after.
void sinkFills(mlir::ModuleOp module, ChangedAllocations &changed);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SINKFILLS_H
