//===- DoubleBuffer.h - Tiles that are copied in ahead ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_DOUBLEBUFFER_H
#define MEMPLAN_LIB_TRANSFORMS_DOUBLEBUFFER_H

#include "Schedule/SpaceRows.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace memplan {

/// A loop that begins each iteration with a copy of a tile into the fast space.
struct TiledLoop {
  mlir::scf::ForOp loop;
  mlir::memref::AllocOp tile;
  mlir::memref::CopyOp copy;
  /// The ops of the loop body that make the source of the copy, in order.
  llvm::SmallVector<mlir::Operation *> slice;
  mlir::Operation *deallocation = nullptr;
};

/// The loops of the function whose tiles may be copied in one iteration ahead:
///
///  - the bounds are constants, with two iterations or more;
///  - the tile is an allocation of static shape in the fast space, in the body
///    of the loop, that nothing else uses; the first access to it is a copy
///    from the slow space to all of it, in the body as well;
///  - pure ops make the source of the copy from the counter of the loop and
///    from values of outside;
///  - nothing in the loop writes, or may write, the memory of the source.
///    Arguments of a function may be the same memory, unless one of the two has
///    llvm.noalias.
///
/// With `explains`, emits a remark where only the last condition is missing.
std::vector<TiledLoop> findTiledLoops(mlir::FunctionOpInterface function,
                                      const SpacePair &spaces, bool explains);

/// Rewrites the loop. It carries a tile; each iteration first copies that of
/// the next one into a new allocation, which it yields:
///
///     copy slice(0) to %t0
///     scf.for %i iter_args(%tile = %t0)
///       %next = alloc
///       if not the last iteration: copy slice(%i + step) to %next
///       ... %tile ...
///       yield %next
///
/// Planning gives the two allocations two slots that alternate.
void doubleBuffer(TiledLoop &tiled);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_DOUBLEBUFFER_H
