//===- Offsets.h - The check of the offsets of a lowered program *- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lowered arena states the order of its roots (memplan.slots), and each view
// its root (memplan.slot). The state check relies on them. This check proves
// that the arithmetic of the program computes offsets in that order:
//
// - All views in a root begin at one number, apart from their constant offsets
//   in it. It is a multiple of the alignment that each of them needs, at least
//   the least offset that the root states, and known when the arena begins.
// - A root begins at or behind the end of each buffer in the roots that it is
//   above.
// - The arena has as many bytes as the greatest end of its buffers. If callers
//   hand it in, the size function (SizeFunction.h) returns as many for the same
//   arguments.
// - No offset, and no number that it is computed from, wraps around.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_OFFSETS_H
#define MEMPLAN_LIB_VERIFIER_OFFSETS_H

#include "Slots.h"

namespace memplan::verifier {

/// Emits an error at each view whose offset is not proven, with the terms of
/// both sides. `getAlignment` gives the bytes to which a view must be aligned
/// beyond what its elements need.
mlir::LogicalResult
checkOffsets(mlir::FunctionOpInterface function, Slots &slots,
             llvm::function_ref<int64_t(mlir::Operation *)> getAlignment);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_OFFSETS_H
