//===- Overwrites.cpp - Contents that are overwritten unread --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifetime/Overwrites.h"

#include "memplan/Analysis/Copies.h"
#include "memplan/Analysis/Nests.h"

using namespace mlir;
using namespace memplan;

namespace {
/// An access of an op to the allocation.
struct Access {
  int64_t point;
  /// The point behind the op, or behind the nest that overwrites.
  int64_t end;
  bool overwrites;
};

class NeededRanges {
public:
  NeededRanges(Operation *allocation, const ProgramOrder &order)
      : order(order), home(allocation->getBlock()),
        birth(order.end(allocation)) {}

  /// Adds an access; points must ascend within a block.
  void add(Block *block, Access access) {
    SmallVector<Access, 4> &known = accesses[block];
    if (!known.empty() && known.back().point == access.point)
      known.back().overwrites &= access.overwrites;
    else
      known.push_back(access);
  }

  std::optional<LiveRanges> find() {
    for (auto &[block, list] : accesses)
      for (const Access &access : list) {
        ranges.push_back({access.point, access.end});
        if (!access.overwrites)
          pending.push_back({block, access.point});
      }
    while (!pending.empty()) {
      auto [block, end] = pending.pop_back_val();
      if (!follow(block, end))
        return std::nullopt;
    }
    normalizeRanges(ranges);
    return std::move(ranges);
  }

private:
  /// Marks the contents as needed before the point `end` of the block. False if
  /// too many blocks are reached.
  bool follow(Block *block, int64_t end) {
    constexpr size_t kMaxBlocks = 4096;
    if (auto known = accesses.find(block); known != accesses.end()) {
      ArrayRef<Access> list = known->second;
      const Access *behind = llvm::partition_point(
          list, [&](const Access &access) { return access.point < end; });
      // This access overwrites the buffer, or is followed itself.
      if (behind != list.begin()) {
        ranges.push_back({std::prev(behind)->point, end});
        return true;
      }
    }
    int64_t begin = block == home ? birth : order.begin(block);
    auto [it, isNew] = reached.try_emplace(block, begin);
    if (end > it->second) {
      ranges.push_back({it->second, end});
      it->second = end;
    }
    if (isNew && block != home)
      order.forEachPredecessor(block, [&](Block *from, int64_t point) {
        pending.push_back({from, point});
      });
    return reached.size() <= kMaxBlocks;
  }

  const ProgramOrder &order;
  Block *home;
  int64_t birth;
  llvm::MapVector<Block *, SmallVector<Access, 4>> accesses;
  /// By block: the end of the range from its begin (or from the allocation) in
  /// which the contents are needed, as far as known.
  llvm::DenseMap<Block *, int64_t> reached;
  SmallVector<std::pair<Block *, int64_t>> pending;
  LiveRanges ranges;
};
} // namespace

/// True if a call is between the value and `root`, its root. The verifier does
/// not know that what is written through the root is read through the result.
static bool passesCall(AliasGraph::Id id, AliasGraph::Id root,
                       const AliasGraph &graph) {
  for (; id != root; id = graph.predecessors(id).front())
    if (isa<CallOpInterface>(graph.getValue(id).getDefiningOp()))
      return true;
  return false;
}

std::optional<LiveRanges>
memplan::findNeededRanges(Operation *allocation,
                          ArrayRef<AliasGraph::Id> aliases,
                          const LifetimeAnalysis &lifetimes,
                          const AliasGraph &graph, const ProgramOrder &order) {
  AliasGraph::Id own = graph.getId(allocation->getResult(0));
  struct Entry {
    Operation *op;
    Access access;
    /// The nest around the op that overwrites the allocation, provided it has
    /// no other access; null if there is none.
    Operation *nest;
  };
  SmallVector<Entry> entries;
  bool isOverwritten = false;
  for (AliasGraph::Id id : aliases) {
    if (lifetimes.getViewRoot(id) != own || passesCall(id, own, graph))
      return std::nullopt;
    for (const LifetimeAnalysis::UseRecord &record : lifetimes.getUses(id)) {
      if (!record.use.access)
        continue;
      Operation *op = record.operand->getOwner();
      Operation *anchor = order.getAnchor(op);
      if (startsAsyncWork(anchor))
        return std::nullopt;
      int64_t point = order.begin(anchor);
      Access access{point, point + 1,
                    op == anchor && overwritesAll(*record.operand) &&
                        findWholeRoot(record.operand->get()) ==
                            allocation->getResult(0)};
      std::optional<OverwritingNest> nest = findOverwritingNest(op);
      if (nest && (nest->allocation != allocation ||
                   order.getAnchor(nest->nest) != nest->nest))
        nest = std::nullopt;
      isOverwritten |= access.overwrites || nest;
      entries.push_back({anchor, access, nest ? nest->nest : nullptr});
    }
  }
  if (!isOverwritten)
    return std::nullopt;
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return a.access.point < b.access.point;
  });
  SmallVector<std::pair<Operation *, Access>> accesses;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    accesses.push_back({entry.op, entry.access});
    if (!entry.nest)
      continue;
    Access whole{order.begin(entry.nest), order.end(entry.nest), true};
    if ((i == 0 || entries[i - 1].access.point < whole.point) &&
        (i + 1 == entries.size() || entries[i + 1].access.point >= whole.end))
      accesses.back() = {entry.nest, whole};
  }
  // The common case: only the first access overwrites, in the block of the
  // allocation, so no contents become dead.
  if (llvm::none_of(
          llvm::drop_begin(accesses),
          [](const auto &entry) { return entry.second.overwrites; }) &&
      accesses.front().first->getBlock() == allocation->getBlock())
    return std::nullopt;
  NeededRanges needed(allocation, order);
  for (auto [anchor, access] : accesses)
    needed.add(anchor->getBlock(), access);
  return needed.find();
}
