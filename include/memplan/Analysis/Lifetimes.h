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
/// from it the lifetimes of allocations.
///
/// A value is live from its definition to every op that accesses memory through
/// it or derives from it a value that is itself live; liveness is followed
/// backwards over control flow, so a value live into a loop is live throughout
/// it. A buffer is live where one of its aliases is, less what comes before its
/// first access, and what comes between the last access to some contents and
/// an op that overwrites them (Overwrites.h). Deallocations are no accesses.
/// Cost: linear in the ops, plus for each value the blocks in which it is live,
/// those left out that it lives through as a whole
/// (ProgramOrder::findSingleEntryRange).
class LifetimeAnalysis {
public:
  ~LifetimeAnalysis();
  /// With `returnsAccess` what is returned is accessed by its return.
  LifetimeAnalysis(const ProgramOrder &order, const AliasGraph &graph,
                   bool returnsAccess = false);

  struct UseRecord {
    mlir::OpOperand *operand;
    BufferUse use;
  };
  llvm::ArrayRef<UseRecord> getUses(AliasGraph::Id id) const {
    return uses[id];
  }

  /// The points at which the contents of an allocation matter, whose aliases
  /// are given; normalized and never empty. They have holes where control
  /// cannot get from one access to another (exclusive branches), and where the
  /// next access overwrites all there is. The allocation must not be inside an
  /// opaque op, and no alias may escape. Nothing when an earlier instance of
  /// the buffer may still be live when it is allocated again, so that one place
  /// is not enough.
  std::optional<LiveRanges> getLifetime(mlir::Operation *allocation,
                                        llvm::ArrayRef<AliasGraph::Id> aliases);

  /// When the value itself is live: from its definition to the last access
  /// through it or hand-over to a value that is live.
  const LiveRanges &getValueRanges(AliasGraph::Id id);
  /// The value whose instance `id` always is: the value itself, or what it is
  /// a view of.
  AliasGraph::Id findWeb(AliasGraph::Id id) const;

  /// The block through which control comes to all of the blocks of a region
  /// with several; null if control comes to some of them never.
  mlir::Block *findCommonDominator(llvm::ArrayRef<mlir::Block *> blocks);

  /// True when work on the value may go on after control has left the block
  /// that started it, or has come to its begin again.
  bool outlivesBlock(AliasGraph::Id id) const;

  /// The common lifetime of allocations whose aliases meet (results of
  /// branches, arguments of loops and blocks), if one place can serve them all:
  /// values that stand for different instances are never live at once. This is
  /// the coalescing of phi webs (Sreedhar et al., SAS 1999; Boissinot et al.,
  /// CGO 2009), for memory instead of registers. A value may be other memory
  /// too. Nothing when two values interfere. What is live in a part of a step
  /// counts as live in all of it. Cost: that of the aliases, whichever
  /// allocation they are of, unless one is first accessed before or beside
  /// others of its accesses.
  std::optional<LiveRanges>
  coalesce(llvm::ArrayRef<mlir::Operation *> allocations, const Steps &steps);

private:
  /// What there is of an allocation through all of its aliases.
  struct Extent {
    /// Where the first access starts.
    int64_t firstAccess;
    /// Where the last range ends in which one of them is live.
    int64_t end;
    bool isAccessed() const { return firstAccess != kNever; }
    static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  };
  /// The points before the first access to a fresh allocation.
  /// `findAccesses` gives all accesses, where the first is not enough. With
  /// `joinsShare` what is dead is so for all names that may be the buffer.
  LiveRanges
  findPrefix(mlir::Operation *allocation, Extent extent,
             llvm::function_ref<std::vector<LiveRange>()> findAccesses,
             bool joinsShare);
  llvm::DenseMap<AliasGraph::Id, Extent>
  findExtents(llvm::ArrayRef<AliasGraph::Id> aliases);
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
  /// Values through which, or through whose derivatives, memory is accessed.
  std::vector<bool> effective;
  std::vector<std::optional<LiveRanges>> valueRanges;
  std::unique_ptr<FirstAccessDominator> graphStart;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_LIFETIMES_H
