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

/// Consecutive blocks of a region: control enters them only at `first`, and
/// leaves them only for `behind`, the block after the last of them.
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
/// The order of points is not the order of execution: forEachPredecessor gives
/// the control flow. An op with regions is *transparent* if control flows
/// through its regions sequentially, as its RegionBranchOpInterface says
/// (scf.if, for, while, index_switch, execute_region, affine.for and if,
/// memref.alloca_scope); any other op with regions is *opaque*: its whole
/// content is at the point of the op, in no order.
class ProgramOrder {
public:
  explicit ProgramOrder(mlir::FunctionOpInterface function);
  /// Numbers the ops of a region that control enters at its first block.
  explicit ProgramOrder(mlir::Region &region);

  /// The point of the op, or of the opaque op around it; -1 if the op is not
  /// numbered.
  int64_t begin(mlir::Operation *op) const { return points.lookup_or(op, -1); }
  /// The first point behind that op and its regions; -1 likewise.
  int64_t end(mlir::Operation *op) const {
    auto it = points.find(op);
    return it == points.end() ? -1 : ends[it->second];
  }
  int64_t begin(mlir::Block *block) const { return begin(&block->front()); }
  int64_t end(mlir::Block *block) const { return end(&block->back()); }

  /// The op at the point; it is not inside an opaque op.
  mlir::Operation *getOp(int64_t point) const { return opAt[point]; }
  /// All ops in pre-order, including those inside opaque ones.
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

  /// False for ops outside of the numbered region, and for the op that has it.
  bool isNumbered(mlir::Operation *op) const { return points.contains(op); }

  /// The number of points; these are [0, size()).
  int64_t size() const { return static_cast<int64_t>(opAt.size()); }

  /// The outermost opaque op around `op`, or `op` itself (which may be opaque).
  mlir::Operation *getAnchor(mlir::Operation *op) const {
    auto it = points.find(op);
    return it == points.end() ? nullptr : opAt[it->second];
  }
  bool isInsideOpaque(mlir::Operation *op) const { return getAnchor(op) != op; }

  /// Calls `visit(from, point)` for each way into `block`: control comes from
  /// the block `from`, which has been executed up to `point` (exclusive).
  void forEachPredecessor(
      mlir::Block *block,
      llvm::function_ref<void(mlir::Block *, int64_t)> visit) const;

  /// The longest single-entry range that lies behind `from` and ends at `to` or
  /// before; std::nullopt if there is none. No block in it leaves the region. A
  /// value that is live in `to` and comes from `from` is live in the whole
  /// range.
  std::optional<SingleEntryRange> findSingleEntryRange(mlir::Block *from,
                                                       mlir::Block *to) const;

private:
  /// Blocks of a region with several blocks that are passed by the same edges.
  /// In block order, a forward edge passes the blocks between its ends; a
  /// backward edge passes these and its source. The levels are nested.
  struct Level {
    int parent;
    /// The number of the block before the first block that the innermost of
    /// these edges passes.
    int start;
    /// The blocks at this level, and their numbers in the region.
    std::vector<std::pair<int, mlir::Block *>> members;
  };
  struct BlockInfo {
    int number;
    /// The index in `levels`; kNoLevel if edges that pass the block overlap
    /// without being nested.
    int level;
    /// The number of blocks before it that leave the region.
    int exits;
  };
  void findLevels(mlir::Region &region);
  void number(mlir::Region &region, bool opaque,
              llvm::SmallVectorImpl<mlir::Operation *> &regionOps);
  void recordRegionEntries(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, int> points;
  std::vector<mlir::Operation *> ops;
  /// By point.
  std::vector<mlir::Operation *> opAt;
  std::vector<int> ends;
  /// The ways into the entry block of a region, as forEachPredecessor gives
  /// them.
  llvm::DenseMap<mlir::Region *,
                 llvm::SmallVector<std::pair<mlir::Block *, int64_t>, 2>>
      entries;
  llvm::DenseMap<mlir::Block *, BlockInfo> blocks;
  std::vector<Level> levels;
};

/// True for an op of a dialect whose ops may run on other threads or devices,
/// and may go on after they have been executed.
bool isOfDevice(mlir::Operation *op);

/// True when control flows through the regions of `op` sequentially, as its
/// RegionBranchOpInterface describes. Ops of any dialect qualify, except those
/// with parallel regions and those for which isOfDevice is true.
bool isTransparent(mlir::Operation *op);

/// True when the op may execute a region more than once; for transparent ops.
bool mayRepeat(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_PROGRAMORDER_H
