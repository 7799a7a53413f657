//===- ProgramOrder.h - Program points of a function ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_PROGRAMORDER_H
#define MEMPLAN_ANALYSIS_PROGRAMORDER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace memplan {

/// Blocks of a region which stand one after another, of which control enters
/// `first` alone, and leaves for `behind` alone, the block after the last one.
struct SingleEntryRange {
  mlir::Block *first;
  mlir::Block *behind;
};

/// Numbers the ops of a function, or of the body of an op, in pre-order: op `o`
/// stands at the point begin(o); the ops of its regions follow; end(o) is the
/// first point after them, which is also the point of the next op.
///
///     %a = alloc           0    [0, 1)
///     scf.if               1    [1, 4)
///       use %a             2    [2, 3)
///       yield              3    [3, 4)
///     return               4    [4, 5)
///
/// The order of points is not the order of execution: which point follows which
/// is asked of forEachPredecessor. Region ops are *transparent* where control
/// flows through their regions sequentially as RegionBranchOpInterface says
/// (scf.if, for, while, index_switch, execute_region, affine.for and if,
/// memref.alloca_scope); any other op with regions is *opaque*: what happens
/// inside happens at its point, in no order.
class ProgramOrder {
public:
  explicit ProgramOrder(mlir::FunctionOpInterface function);
  /// The order of what happens in a region that control enters at its top.
  explicit ProgramOrder(mlir::Region &region);

  int64_t begin(mlir::Operation *op) const { return points.lookup_or(op, -1); }
  int64_t end(mlir::Operation *op) const {
    auto it = points.find(op);
    return it == points.end() ? -1 : ends[it->second];
  }
  int64_t begin(mlir::Block *block) const { return begin(&block->front()); }
  int64_t end(mlir::Block *block) const { return end(&block->back()); }

  /// The op that stands at the point, and in no opaque one.
  mlir::Operation *getOp(int64_t point) const { return opAt[point]; }
  /// All ops, those inside opaque ones, too, in pre-order.
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

  /// False for the op whose region is numbered and ops outside it.
  bool isNumbered(mlir::Operation *op) const { return points.contains(op); }

  /// Points are [0, size()).
  int64_t size() const { return static_cast<int64_t>(opAt.size()); }

  /// The outermost opaque op around `op`, or `op` itself (which may be opaque).
  mlir::Operation *getAnchor(mlir::Operation *op) const {
    auto it = points.find(op);
    return it == points.end() ? nullptr : opAt[it->second];
  }
  bool isInsideOpaque(mlir::Operation *op) const { return getAnchor(op) != op; }

  /// Calls `visit(block, point)` for everything control may come from into
  /// `block`: the predecessor's block and the point up to which (exclusive) it
  /// has been executed then.
  void forEachPredecessor(
      mlir::Block *block,
      llvm::function_ref<void(mlir::Block *, int64_t)> visit) const;

  /// The longest single-entry range between two blocks of a region; nothing if
  /// there is none. No block in it leaves the region. What is live in `to`, and
  /// comes from `from`, is live in all of it.
  std::optional<SingleEntryRange> findSingleEntryRange(mlir::Block *from,
                                                       mlir::Block *to) const;

private:
  /// Of a region of several blocks, in the order they stand in. An edge passes
  /// a block if it leads from before it to behind it, or from it or behind it
  /// to before it. The blocks that the same edges pass are at one level.
  struct Level {
    int parent;
    /// The first end of the innermost of the edges.
    int start;
    /// The blocks that are at it, by number.
    std::vector<std::pair<int, mlir::Block *>> gates;
  };
  struct BlockInfo {
    int number;
    /// None where such edges overlap.
    int level;
    /// How many blocks before it leave the region.
    int exits;
  };
  void findGates(mlir::Region &region);
  void number(mlir::Region &region, bool opaque,
              llvm::SmallVectorImpl<mlir::Operation *> &regionOps);
  void recordRegionEntries(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, int> points;
  std::vector<mlir::Operation *> ops;
  /// By point.
  std::vector<mlir::Operation *> opAt;
  std::vector<int> ends;
  /// Where control comes from into the entry block of a region.
  llvm::DenseMap<mlir::Region *,
                 llvm::SmallVector<std::pair<mlir::Block *, int64_t>, 2>>
      entries;
  llvm::DenseMap<mlir::Block *, BlockInfo> blocks;
  std::vector<Level> levels;
};

/// True for an op of a dialect whose ops may run on other threads or devices,
/// and on after they have been executed.
bool isOfDevice(mlir::Operation *op);

/// True when control flows through the regions of `op` sequentially, as its
/// RegionBranchOpInterface describes. That is asked of ops of any dialect,
/// other than those with parallel regions and those that isOfDevice.
bool isTransparent(mlir::Operation *op);

/// True when the transparent op may execute a region more than once.
bool mayRepeat(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROGRAMORDER_H
