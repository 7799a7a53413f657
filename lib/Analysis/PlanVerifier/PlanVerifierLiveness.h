//===- PlanVerifierLiveness.h - Which handles are still used ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLIVENESS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLIVENESS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace memplan::planverifier {

/// The blocks of regions with several, numbered as they stand, and the spans
/// that edges lead past: from a block before them to one behind, or back.
/// Between two blocks that are in the same spans no edge leads but from block
/// to block of what stands there: control goes through all of it, or never
/// leaves it.
class BlockCuts {
public:
  /// Blocks by number: [begin, end).
  struct Stretch {
    int begin = 0, end = 0;
    bool contains(int block) const { return begin <= block && block < end; }
  };

  /// The number of the block in its region.
  int getNumber(mlir::Block *block);
  /// The longest such stretch after block `from` and before `to`, which control
  /// does not leave the region in; empty if there is none.
  Stretch findStretch(mlir::Region *region, int from, int to);
  mlir::Block *getBlock(mlir::Region *region, int number) {
    return get(region).blocks[number];
  }

private:
  /// An innermost span, which others may be around.
  struct Span {
    int before, last, around;
    /// The blocks that are in this one and those around it only.
    std::vector<int> blocks;
  };
  struct Cuts {
    std::vector<mlir::Block *> blocks;
    /// How many blocks before each leave the region.
    std::vector<int> exits;
    /// By block its innermost span; the first span is that of all blocks. Empty
    /// if some spans overlap.
    std::vector<int> spanOf;
    std::vector<Span> spans;
  };
  static void findSpans(Cuts &cuts, llvm::ArrayRef<std::pair<int, int>> edges);
  const Cuts &get(mlir::Region *region);

  llvm::DenseMap<mlir::Block *, int> numbers;
  llvm::DenseMap<mlir::Region *, Cuts> regions;
};

/// Where handles are used for the last time.
class Liveness {
public:
  /// The handles that are not used after an op.
  llvm::ArrayRef<unsigned> getLast(mlir::Operation *op) const {
    auto it = lastUses.find(op);
    return it == lastUses.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// The handles that are used where control may come from the block, and not
  /// any more when it goes to its successor. All are of the blocks' region.
  llvm::ArrayRef<unsigned> getDying(mlir::Block *from, mlir::Block *to) const {
    auto it = dying.find({from, to});
    return it == dying.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// True if the handle, of the block's region, is used once control has
  /// entered the block.
  bool isLiveIn(unsigned handle, mlir::Block *block) const;

  /// Adds a handle of the region of `home`, where it is defined, and the ops
  /// that use it.
  void add(unsigned handle, mlir::Block *home,
           llvm::ArrayRef<mlir::Operation *> uses);

private:
  /// What a handle is live in as a whole; all blocks of a region.
  struct Through {
    mlir::Region *region;
    BlockCuts::Stretch stretch;
  };

  mutable BlockCuts cuts;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>> lastUses;
  /// Ascending; without those that are live through the block.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<unsigned, 0>> liveIn;
  llvm::DenseMap<unsigned, Through> through;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Block *>,
                 llvm::SmallVector<unsigned, 0>>
      dying;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLIVENESS_H
