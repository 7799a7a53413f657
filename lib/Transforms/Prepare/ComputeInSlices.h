//===- ComputeInSlices.h - Results where they are copied to -----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution pads what it reads: bufferization fills a larger buffer with
// the padding value, and copies what was computed into the middle of it.
//
//   compute a                      fill b
//   fill b                         compute b[s]
//   copy a to b[s]       becomes
//   use b                          use b
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_COMPUTEINSLICES_H
#define MEMPLAN_LIB_TRANSFORMS_COMPUTEINSLICES_H

#include "Prepare/PrepareContents.h"
#include "memplan/Analysis/CalleeTrust.h"

namespace memplan {

/// True if computeInSlices may change the module.
bool hasCopiesToSlices(mlir::ModuleOp module);

/// Lets ops write into a slice of a buffer what is only copied there: all of an
/// allocation, from an op that overwrites it on, into a memref.subview of
/// constant bounds and unit steps of an allocation in the same block. The
/// larger allocation, and what fills it, moves up to before that op; the copy
/// goes. Of several ops that overwrite the smaller one before the copy, the
/// last is taken of those that need the fewest bytes.
///
/// Only slices with gaps, or of what is filled before, as the solver places
/// buffers where others are copied to contiguously. Only what linalg ops,
/// copies, loads and stores do in the block of the copy itself. What reads the
/// smaller allocation behind the copy, before it is overwritten, reads the
/// slice if that is still there. No op is added. In no function does what is
/// live at once take more bytes than the function did before, at its peak; and
/// the larger allocation lives longer only where a quarter of these are left.
/// Buffers of more than 256 uses and views are left alone, slices that are used
/// over more than 4096 points, and what sinkFills leaves alone. Cost: that of
/// an analysis of each function that has such a copy, and of a constant number
/// of ops for each. Nothing is proven (see prepareContents).
void computeInSlices(mlir::ModuleOp module, CalleeTrust trust,
                     ChangedAllocations &changed);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_COMPUTEINSLICES_H
