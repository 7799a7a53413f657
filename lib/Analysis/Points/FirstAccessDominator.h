//===- FirstAccessDominator.h - Where a buffer begins to matter -----------*-
// C++ -*-===//
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

/// In a graph of blocks a buffer may be allocated long before it is accessed:
/// where loops have become blocks the first access is never in the block of the
/// allocation. It begins to matter at the nearest block that comes before all
/// accesses and is executed at most once for each execution of the allocation.
class FirstAccessDominator {
public:
  struct Start {
    /// The block of the allocation if there is no better one.
    mlir::Block *block;
    /// The others in which the buffer is live and does not matter yet.
    llvm::SmallVector<mlir::Block *, 4> dead;
  };
  /// `allocating` and `accessing` are blocks of one region; `isLive` tells of a
  /// block whether the buffer is live at its begin.
  ///
  /// Cost: the blocks that are dead, and those of the innermost loop around the
  /// allocation, a bounded number of either; and the depth of loops.
  Start find(mlir::Block *allocating, llvm::ArrayRef<mlir::Block *> accessing,
             llvm::function_ref<bool(mlir::Block *)> isLive);

  /// The block through which control comes to all of the blocks of one region;
  /// null if control comes to some of them never.
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
