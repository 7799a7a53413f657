//===- ComputeInSlices.h - Compute in slices --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with padding reads a larger buffer than was computed:
// bufferization fills this buffer with the padding value, and copies the
// operand into the middle of it.
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

/// Removes copies of a whole allocation to a slice of a larger one: the ops
/// that compute the smaller allocation compute in the slice instead. The slice
/// is a memref.subview with constant bounds and unit strides of an allocation
/// in the same block. The change begins at an op that overwrites the smaller
/// allocation; the larger allocation, its fills and the slice move before that
/// op. If several ops qualify, the one is chosen for which the fewest bytes are
/// live at once, and the last of these.
///
/// Conditions:
///  - The slice has gaps, or the larger allocation is filled before the copy.
///    Planning itself places buffers in other contiguous slices.
///  - The smaller allocation is accessed only by linalg ops, copies, loads and
///    stores of the block, from the chosen op to the copy. Reads after the
///    copy, up to the next overwrite, become reads of the slice; nothing may
///    overwrite the slice before them.
///  - The live bytes stay within the lower bound of the function's arena before
///    the change; after the copy, where the larger allocation lives longer,
///    within three quarters of it.
///  - Each allocation has at most 256 uses and views, and at most 4096 points
///    lie between the first start and the last use of the slice.
///  - The exclusions of sinkFills: tensors, code and memory of many threads,
///    functions with steps or with an arena.
///
/// No op is added. Does not verify the result (see prepareContents). Cost: one
/// analysis of each function with such a copy, and the above limits for each
/// copy.
void computeInSlices(mlir::ModuleOp module, CalleeTrust trust,
                     ChangedAllocations &changed);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_COMPUTEINSLICES_H
