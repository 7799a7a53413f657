//===- Lifetimes.h - When a buffer's contents matter ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_LIFETIMES_H
#define MEMPLAN_ANALYSIS_LIFETIMES_H

#include "memplan/Analysis/Steps.h"
#include "memplan/Core/Problem.h"

#include <memory>
#include <optional>

namespace memplan {

class FirstAccessDominator;

/// Liveness of every memref value of a function, or of the body of an op, and
/// the lifetimes of allocations that follow from it.
///
/// A value is live from its definition to each op that accesses memory through
/// it, or that derives from it a value which is itself live. Liveness is
/// propagated backwards over control flow, so a value that is live into a loop
/// is live throughout the loop. A buffer is live where one of its aliases is,
/// except before its first access, and except between the last access to some
/// contents and an op that overwrites them (Overwrites.h). Deallocations are no
/// accesses. Cost: linear in the ops, plus for each value the blocks in which
/// it is live. Single-entry ranges through which it is live are not visited
/// block by block (ProgramOrder::findSingleEntryRange).
class LifetimeAnalysis {
public:
  ~LifetimeAnalysis();
  /// With `returnsAccess` a return counts as an access to the returned memory.
  LifetimeAnalysis(const ProgramOrder &order, const AliasGraph &graph,
                   bool returnsAccess = false);

  struct UseRecord {
    mlir::OpOperand *operand;
    BufferUse use;
  };
  llvm::ArrayRef<UseRecord> getUses(AliasGraph::Id id) const {
    return uses[id];
  }

  /// The points at which the contents of an allocation matter; normalized and
  /// never empty. `aliases` are the aliases of the allocation. The ranges have
  /// holes where control cannot get from one access to another (exclusive
  /// branches), and where the next access overwrites the whole buffer. The
  /// allocation must not be inside an opaque op, and no alias may escape.
  /// std::nullopt if an earlier instance of the buffer may still be live when
  /// it is allocated again, so that one slot is not enough.
  std::optional<LiveRanges> getLifetime(mlir::Operation *allocation,
                                        llvm::ArrayRef<AliasGraph::Id> aliases);

  /// The points at which the value itself is live: from its definition to the
  /// last op that accesses memory through it or forwards it to a live value.
  const LiveRanges &getValueRanges(AliasGraph::Id id);
  /// The value whose instance `id` always is: the value itself, or the value
  /// that it views, directly or through other views and through calls that
  /// return nothing else.
  AliasGraph::Id getViewRoot(AliasGraph::Id id) const;

  /// The nearest common dominator of blocks of a region; null if one of them is
  /// unreachable.
  mlir::Block *findCommonDominator(llvm::ArrayRef<mlir::Block *> blocks);

  /// True if asynchronous work on the value may go on after control has left
  /// the block that started it, or after control has returned to the begin of
  /// that block.
  bool outlivesBlock(AliasGraph::Id id) const;

  /// The common lifetime of allocations whose aliases control flow joins
  /// (results of branches, arguments of loops and blocks), if one slot can
  /// serve all of them: values of different instances are never live at once.
  /// This is the coalescing of phi webs (Sreedhar et al., SAS 1999; Boissinot
  /// et al., CGO 2009), for memory instead of registers. A value may also be
  /// other memory. The lifetime covers whole steps. std::nullopt if two values
  /// interfere, or if an allocation is never accessed. Cost: linear in the
  /// aliases, plus the aliases of each allocation whose accesses are in several
  /// branches or blocks.
  std::optional<LiveRanges>
  coalesce(llvm::ArrayRef<mlir::Operation *> allocations, const Steps &steps);

private:
  /// Where a buffer is accessed and live, through any of its aliases.
  struct Span {
    /// The point at which the first access starts; kNever if there is none.
    int64_t firstAccess;
    /// The point at which the last live range of an alias ends.
    int64_t end;
    bool isAccessed() const { return firstAccess != kNever; }
    static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  };
  /// The points between a fresh allocation and its first access. `findAccesses`
  /// returns all accesses; it is called only if `span` is not enough. With
  /// `joinsShare` the caller applies the result to all aliases, and not only to
  /// those that are always this buffer.
  LiveRanges
  findPrefix(mlir::Operation *allocation, Span span,
             llvm::function_ref<std::vector<LiveRange>()> findAccesses,
             bool joinsShare);
  llvm::DenseMap<AliasGraph::Id, Span>
  findSpans(llvm::ArrayRef<AliasGraph::Id> aliases);
  LiveRanges computeValueRanges(AliasGraph::Id id) const;
  bool isLiveJoin(AliasGraph::Id id, const UseRecord &record) const;
  bool forwardIsLive(AliasGraph::Id id, mlir::Operation *op) const;
  LiveRange getSpan(mlir::Operation *op) const;
  LiveRange
  findPassed(mlir::Block *home,
             llvm::ArrayRef<std::pair<mlir::Block *, int64_t>> uses) const;
  void addPending(mlir::Operation *anchor, LiveRanges &ranges) const;
  std::vector<LiveRange>
  collectAccesses(llvm::ArrayRef<AliasGraph::Id> aliases) const;

  const ProgramOrder &order;
  const AliasGraph &graph;
  std::vector<llvm::SmallVector<UseRecord, 2>> uses;
  /// By value: true if memory is accessed through it or through a value derived
  /// from it.
  std::vector<bool> effective;
  std::vector<std::optional<LiveRanges>> valueRanges;
  std::unique_ptr<FirstAccessDominator> firstAccessDominator;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_LIFETIMES_H
