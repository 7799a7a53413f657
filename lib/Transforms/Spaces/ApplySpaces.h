//===- ApplySpaces.h - Buffers in their memory spaces -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_APPLYSPACES_H
#define MEMPLAN_LIB_TRANSFORMS_APPLYSPACES_H

#include "Spaces/SpaceRows.h"

namespace memplan {

/// The copies into the fast space that begin earlier than the access that needs
/// them: for each piece, the op before which its copy stands. Null if the copy
/// stands before the first access.
struct Prefetches {
  std::vector<mlir::Operation *> begin;
  /// Bytes, over all executions.
  int64_t bytes = 0;
};

/// Moves each copy into the fast space up, by at most `distance` ops of its
/// block, as far as the pieces can still be placed. A copy does not pass the
/// previous access to the buffer.
Prefetches findPrefetches(const SpaceRows &rows,
                          const SpaceAssignment &assignment,
                          const ProgramOrder &order, int64_t distance);

/// An allocation that the program has instead of another one, or beside it.
struct SpacedAllocation {
  mlir::Operation *original;
  mlir::Operation *allocation;
  /// The last op that uses it.
  mlir::Operation *last;
};

/// Gives each piece an allocation of its own in the fast space, inserts the
/// copies, and lets each access use the allocation of its piece, or one in the
/// slow space. Views are copied. Does not add or remove deallocations: they are
/// those of the original allocations.
std::vector<SpacedAllocation> applySpaces(const SpaceRows &rows,
                                          const SpaceAssignment &assignment,
                                          const Prefetches &prefetches,
                                          const SpacePair &spaces);

/// Frees the new allocations of buffers that the program frees, and removes
/// original allocations that nothing uses any more.
void finishSpaces(const SpaceRows &rows,
                  const std::vector<SpacedAllocation> &allocations);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_APPLYSPACES_H
