//===- FirstAccessDominator.h - Where a buffer begins to matter -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_FIRSTACCESSDOMINATOR_H
#define MEMPLAN_LIB_ANALYSIS_FIRSTACCESSDOMINATOR_H

#include "mlir/IR/Dominance.h"

#include "llvm/ADT/DenseMap.h"

namespace memplan {

/// Finds the first block in which the contents of a buffer may matter. In a
/// graph of blocks a buffer may be allocated long before it is accessed: after
/// loops have been lowered to blocks, the first access is never in the block of
/// the allocation. The block found is the nearest one that dominates all
/// accesses and is executed at most once for each execution of the allocation.
class FirstAccessDominator {
public:
  struct Start {
    /// The first-access dominator; the block of the allocation if there is no
    /// better one.
    mlir::Block *block;
    /// The other blocks in which the buffer is live but not yet accessed. Not
    /// the block of the allocation.
    llvm::SmallVector<mlir::Block *, 4> dead;
  };
  /// `allocating` and `accessing` are blocks of one region; `isLive` is true
  /// for a block at whose begin the buffer is live.
  ///
  /// Cost: a bounded number of dead blocks and of blocks of the innermost loop
  /// around the allocation, plus the depth of the dominator tree.
  Start find(mlir::Block *allocating, llvm::ArrayRef<mlir::Block *> accessing,
             llvm::function_ref<bool(mlir::Block *)> isLive);

  /// The nearest common dominator of blocks of one region; null if one of them
  /// is unreachable.
  mlir::Block *findCommonDominator(llvm::ArrayRef<mlir::Block *> blocks);

private:
  bool mayRepeat(mlir::Block *block, mlir::Block *allocating);
  void number(mlir::Region *region);

  mlir::DominanceInfo dominance;
  struct Component {
    unsigned number;
    bool isCycle;
  };
  llvm::DenseMap<mlir::Block *, Component> componentOf;
  unsigned components = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_FIRSTACCESSDOMINATOR_H
