//===- Lifetimes.cpp - When a buffer's contents matter --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Lifetimes.h"

#include "Lifetime/Overwrites.h"
#include "Points/FirstAccessDominator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

LifetimeAnalysis::~LifetimeAnalysis() = default;

LifetimeAnalysis::LifetimeAnalysis(const ProgramOrder &order,
                                   const AliasGraph &graph, bool returnsAccess)
    : order(order), graph(graph), uses(graph.size()),
      effective(graph.size(), false), valueRanges(graph.size()),
      firstAccessDominator(std::make_unique<FirstAccessDominator>()) {
  std::vector<AliasGraph::Id> pending;
  for (AliasGraph::Id id = 0; id < graph.size(); ++id) {
    for (OpOperand &operand : graph.getValue(id).getUses()) {
      // A value from outside of the numbered region also has uses outside of
      // it.
      if (!order.isNumbered(operand.getOwner()))
        continue;
      uses[id].push_back({&operand, graph.classify(operand)});
      uses[id].back().use.access |=
          returnsAccess && isa<func::ReturnOp>(operand.getOwner());
      if (uses[id].back().use.access && !effective[id]) {
        effective[id] = true;
        pending.push_back(id);
      }
    }
  }
  while (!pending.empty()) {
    AliasGraph::Id id = pending.back();
    pending.pop_back();
    for (AliasGraph::Id source : graph.predecessors(id)) {
      if (effective[source])
        continue;
      effective[source] = true;
      pending.push_back(source);
    }
  }
}

/// The point of `op`, or of the opaque op around it, as a range.
LiveRange LifetimeAnalysis::getSpan(Operation *op) const {
  int64_t point = order.begin(op);
  return {point, point + 1};
}

/// Adds the points at which work that the opaque op starts may still run.
void LifetimeAnalysis::addPending(Operation *anchor, LiveRanges &ranges) const {
  if (!startsAsyncWork(anchor))
    return;
  const LiveRanges &pending = graph.getAsyncUses().getPending(anchor);
  ranges.insert(ranges.end(), pending.begin(), pending.end());
}

bool LifetimeAnalysis::outlivesBlock(AliasGraph::Id id) const {
  return llvm::any_of(uses[id], [&](const UseRecord &record) {
    Operation *start = order.getAnchor(record.operand->getOwner());
    if (!startsAsyncWork(start))
      return false;
    LiveRange rest{order.begin(start), order.end(&start->getBlock()->back())};
    const LiveRanges &pending = graph.getAsyncUses().getPending(start);
    return pending.empty() || pending.front().start < rest.start ||
           pending.back().end > rest.end;
  });
}

/// True if `op`, which forwards the value, forwards it to an effective value.
bool LifetimeAnalysis::forwardIsLive(AliasGraph::Id id, Operation *op) const {
  bool isTerminator = op->hasTrait<OpTrait::IsTerminator>();
  // Most ops forward only to their results, and a buffer may have many views.
  if (!isTerminator && op->getNumRegions() == 0)
    return llvm::any_of(op->getResults(), [&](Value result) {
      if (!isa<BaseMemRefType>(result.getType()))
        return false;
      AliasGraph::Id target = graph.getId(result);
      ArrayRef<AliasGraph::Id> targets = graph.successors(id);
      return effective[target] &&
             std::binary_search(targets.begin(), targets.end(), target);
    });
  // A branch forwards only to its successors; any other terminator forwards to
  // the op around it, which may pass the value to a region or return it.
  bool leavesRegion = isTerminator && op->getNumSuccessors() == 0;
  Operation *parent = leavesRegion ? op->getParentOp() : nullptr;
  return llvm::any_of(graph.successors(id), [&](AliasGraph::Id target) {
    if (!effective[target])
      return false;
    Value value = graph.getValue(target);
    if (Operation *definition = value.getDefiningOp())
      return definition == op || definition == parent;
    Block *owner = cast<BlockArgument>(value).getOwner();
    return owner->getParentOp() == op || owner->getParentOp() == parent ||
           llvm::is_contained(op->getSuccessors(), owner);
  });
}

/// The points of the blocks that control passes as a whole between the
/// definition of a value and the last of its uses; empty if there are none. As
/// these blocks are not visited one by one, the cost is linear in the uses if
/// blocks follow each other.
LiveRange
LifetimeAnalysis::findPassed(Block *home,
                             ArrayRef<std::pair<Block *, int64_t>> uses) const {
  Region *region = home->getParent();
  Block *last = nullptr;
  if (region->hasOneBlock())
    return {0, 0};
  for (auto [block, point] : uses) {
    Block *around = region->findAncestorBlockInRegion(*block);
    if (around && (!last || order.begin(last) < order.begin(around)))
      last = around;
  }
  if (last)
    if (std::optional<SingleEntryRange> range =
            order.findSingleEntryRange(home, last))
      return {order.begin(range->first), order.begin(range->behind)};
  return {0, 0};
}

const LiveRanges &LifetimeAnalysis::getValueRanges(AliasGraph::Id id) {
  if (!valueRanges[id])
    valueRanges[id] = computeValueRanges(id);
  return *valueRanges[id];
}

LiveRanges LifetimeAnalysis::computeValueRanges(AliasGraph::Id id) const {
  LiveRanges ranges;
  if (!effective[id])
    return ranges;
  Value value = graph.getValue(id);
  Block *home = value.getParentBlock();
  Operation *definition = value.getDefiningOp();
  Operation *owner = definition ? definition : home->getParentOp();
  // There is no order inside an opaque op. The function has no point, and owns
  // the arguments of its blocks.
  bool inOpaque =
      order.isNumbered(owner) &&
      (order.isInsideOpaque(owner) || (!definition && !isTransparent(owner)));
  if (inOpaque) {
    Operation *anchor = order.getAnchor(owner);
    ranges.push_back(getSpan(anchor));
    addPending(anchor, ranges);
    normalizeRanges(ranges);
    return ranges;
  }
  int64_t birth = definition ? order.end(definition) : order.begin(home);

  llvm::SmallDenseMap<Block *, int64_t, 8> reached;
  SmallVector<std::pair<Block *, int64_t>> pending;
  for (const UseRecord &record : uses[id]) {
    Operation *op = record.operand->getOwner();
    if (record.use.access || (record.use.forward && forwardIsLive(id, op))) {
      Operation *anchor = order.getAnchor(op);
      pending.push_back({anchor->getBlock(), getSpan(op).end});
      addPending(anchor, ranges);
    }
  }
  LiveRange passed = findPassed(home, pending);
  auto isPassed = [&](Block *block) {
    int64_t begin = order.begin(block);
    return passed.start <= begin && begin < passed.end;
  };
  auto addPredecessors = [&](Block *block) {
    order.forEachPredecessor(block, [&](Block *from, int64_t end) {
      if (!isPassed(from))
        pending.push_back({from, end});
    });
  };
  if (passed.start < passed.end) {
    ranges.push_back(passed);
    llvm::erase_if(pending, [&](auto &use) { return isPassed(use.first); });
    addPredecessors(order.getOp(passed.start)->getBlock());
  }
  while (!pending.empty()) {
    auto [block, point] = pending.pop_back_val();
    int64_t low = block == home ? birth : order.begin(block);
    auto [it, first] = reached.try_emplace(block, low);
    if (point <= it->second && !first)
      continue;
    if (point > it->second) {
      ranges.push_back({it->second, point});
      it->second = point;
    }
    if (first && block != home)
      addPredecessors(block);
  }
  normalizeRanges(ranges);
  return ranges;
}

/// True for a use that forwards the buffer to a live value which may also be
/// another buffer. That value may be accessed from there on, so the buffer must
/// be live by then.
bool LifetimeAnalysis::isLiveJoin(AliasGraph::Id id,
                                  const UseRecord &record) const {
  Operation *op = record.operand->getOwner();
  return record.use.forward &&
         (op->hasTrait<OpTrait::IsTerminator>() || isTransparent(op) ||
          isa<SelectLikeOpInterface, CallOpInterface>(op)) &&
         forwardIsLive(id, op);
}

/// The points at which the buffer is accessed or forwarded to a live join,
/// ascending.
std::vector<LiveRange>
LifetimeAnalysis::collectAccesses(ArrayRef<AliasGraph::Id> aliases) const {
  std::vector<LiveRange> accesses;
  for (AliasGraph::Id alias : aliases)
    for (const UseRecord &record : uses[alias])
      if (record.use.access || isLiveJoin(alias, record))
        accesses.push_back(getSpan(record.operand->getOwner()));
  std::sort(accesses.begin(), accesses.end(),
            [](const LiveRange &a, const LiveRange &b) {
              return std::tie(a.start, a.end) < std::tie(b.start, b.end);
            });
  return accesses;
}

static bool contains(const LiveRanges &ranges, const LiveRange &inner) {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), inner.start,
                             [](int64_t point, const LiveRange &range) {
                               return point < range.start;
                             });
  return it != ranges.begin() && inner.end <= std::prev(it)->end;
}

namespace {
/// The live ranges and the accesses of the values that are always one buffer.
struct OwnNames {
  LiveRanges ranges;
  std::vector<LiveRange> accesses;
};

/// Finds the points at which a fresh buffer is dead because its first access is
/// still to come.
class LifeStart {
public:
  using FindFn = llvm::function_ref<std::vector<LiveRange>()>;
  /// `firstAccess` is the point of the first access and `end` the end of the
  /// last live range, over all aliases. `findAccesses` returns all accesses,
  /// ascending; `findOwn` returns the values that are always this buffer.
  LifeStart(const ProgramOrder &order, FirstAccessDominator &graph,
            int64_t firstAccess, int64_t end, FindFn findAccesses,
            llvm::function_ref<OwnNames()> findOwn)
      : order(order), graph(graph), firstAccess(firstAccess), end(end),
        findAccesses(findAccesses), findOwn(findOwn) {}

  /// The buffer is not accessed before the point `from` of `block`: the begin
  /// of the block, or the end of the allocation.
  void visit(Block *block, int64_t from) {
    std::optional<int64_t> first = findAccess(from);
    if (!first || *first >= order.end(block)) {
      // The accesses are behind this block: the buffer is dead to the
      // terminator, or to the first-access dominator.
      FirstAccessDominator::Start start = findInGraph(block);
      if (start.block == block)
        return addDead(from, order.begin(&block->back()));
      dead.push_back({from, order.end(block)});
      for (Block *other : start.dead)
        dead.push_back({order.begin(other), order.end(other)});
      return visit(start.block, order.begin(start.block));
    }
    // The op of this block that makes or contains the access.
    Operation *op = order.getOp(*first);
    while (op->getBlock() != block)
      op = op->getParentOp();
    Region *region = findRegion(op, *first);
    if (!region || !isEnteredFirst(region)) {
      addDead(from, order.begin(op));
      return;
    }
    dead.push_back({from, order.begin(op) + 1});
    for (; region; region = first ? findRegion(op, *first) : nullptr) {
      if (isEnteredFirst(region) && (region->hasOneBlock() || isAllInside(op)))
        visit(&region->front(), order.begin(&region->front()));
      first = findAccess(order.end(&region->back()));
    }
  }

  LiveRanges dead;

private:
  FirstAccessDominator::Start findInGraph(Block *block) {
    Region *region = block->getParent();
    if (region->hasOneBlock())
      return {block, {}};
    constexpr size_t kMaxAccesses = 4096;
    OwnNames own = findOwn();
    SmallVector<Block *> accessing;
    for (const LiveRange &access : own.accesses)
      if (Block *other = region->findAncestorBlockInRegion(
              *order.getOp(access.start)->getBlock());
          other && (accessing.empty() || accessing.back() != other))
        accessing.push_back(other);
    if (accessing.size() > kMaxAccesses)
      return {block, {}};
    return graph.find(block, accessing, [&](Block *other) {
      int64_t begin = order.begin(other);
      return contains(own.ranges, {begin, begin + 1});
    });
  }

  /// The start of the first access that starts at `from` or later.
  std::optional<int64_t> findAccess(int64_t from) {
    if (from <= firstAccess)
      return firstAccess;
    if (!accesses)
      accesses = findAccesses();
    auto it = std::lower_bound(
        accesses->begin(), accesses->end(), from,
        [](const LiveRange &a, int64_t point) { return a.start < point; });
    if (it == accesses->end())
      return std::nullopt;
    return it->start;
  }

  /// The region of `op` that has the point; null if none has.
  Region *findRegion(Operation *op, int64_t point) const {
    Region *region = order.getOp(point)->getParentRegion();
    while (region && region->getParentOp() != op)
      region = region->getParentRegion();
    return region;
  }

  /// True if control enters the region only from before the op that has it: the
  /// region neither repeats nor follows another one.
  bool isEnteredFirst(Region *region) const {
    bool result = true;
    order.forEachPredecessor(&region->front(), [&](Block *from, int64_t) {
      result &= from == region->getParentOp()->getBlock();
    });
    return result;
  }

  /// True if the buffer is accessed and live only inside the op. If it is live
  /// behind it, so are blocks that lead there from the first access.
  bool isAllInside(Operation *op) const {
    return firstAccess >= order.begin(op) && end <= order.end(op);
  }

  void addDead(int64_t from, int64_t point) {
    if (from < point)
      dead.push_back({from, point});
  }

  const ProgramOrder &order;
  FirstAccessDominator &graph;
  int64_t firstAccess, end;
  FindFn findAccesses;
  llvm::function_ref<OwnNames()> findOwn;
  std::optional<std::vector<LiveRange>> accesses;
};
} // namespace

/// `ranges` minus `dead`; both are sorted and disjoint.
static LiveRanges subtractRanges(const LiveRanges &ranges,
                                 const LiveRanges &dead) {
  LiveRanges result;
  size_t next = 0;
  for (LiveRange range : ranges) {
    while (next < dead.size() && dead[next].end <= range.start)
      ++next;
    for (size_t i = next; i < dead.size() && dead[i].start < range.end; ++i) {
      if (dead[i].start > range.start)
        result.push_back({range.start, dead[i].start});
      range.start = std::max(range.start, dead[i].end);
    }
    if (range.start < range.end)
      result.push_back(range);
  }
  return result;
}

LiveRanges LifetimeAnalysis::findPrefix(
    Operation *allocation, Span span,
    llvm::function_ref<std::vector<LiveRange>()> findAccesses,
    bool joinsShare) {
  // Only values that are always this buffer; joins of control flow may be
  // another.
  AliasGraph::Id own = graph.getId(allocation->getResult(0));
  auto findOwn = [&] {
    OwnNames names;
    std::vector<AliasGraph::Id> aliases;
    for (AliasGraph::Id alias : graph.getAliases(own)) {
      if (getViewRoot(alias) != own) {
        if (joinsShare)
          return OwnNames();
        continue;
      }
      aliases.push_back(alias);
      llvm::append_range(names.ranges, getValueRanges(alias));
    }
    normalizeRanges(names.ranges);
    names.accesses = collectAccesses(aliases);
    return names;
  };
  LifeStart start(order, *firstAccessDominator, span.firstAccess, span.end,
                  findAccesses, findOwn);
  start.visit(allocation->getBlock(), order.end(allocation));
  normalizeRanges(start.dead);
  return std::move(start.dead);
}

std::optional<LiveRanges>
LifetimeAnalysis::getLifetime(Operation *allocation,
                              ArrayRef<AliasGraph::Id> aliases) {
  int64_t birth = order.begin(allocation);
  LiveRanges ranges;
  for (AliasGraph::Id alias : aliases) {
    const LiveRanges &live = getValueRanges(alias);
    if (live.empty())
      continue;
    ranges.insert(ranges.end(), live.begin(), live.end());
    // The earlier instance is live: a loop carries it, or work on it is awaited
    // in a later iteration.
    if (contains(live, {birth, birth + 1}))
      return std::nullopt;
  }
  normalizeRanges(ranges);
  std::vector<LiveRange> accesses = collectAccesses(aliases);
  if (accesses.empty())
    return LiveRanges{{birth, birth + 1}};

  // In unreachable code a use may stand before its definition, so that no range
  // is live.
  int64_t end = ranges.empty() ? Span::kNever : ranges.back().end;
  LiveRanges lifetime = subtractRanges(
      ranges, findPrefix(
                  allocation, {accesses.front().start, end},
                  [&] { return accesses; }, /*joinsShare=*/true));
  if (std::optional<LiveRanges> needed =
          findNeededRanges(allocation, aliases, *this, graph, order))
    lifetime = subtractRanges(lifetime, subtractRanges(lifetime, *needed));
  // The lifetime has all accesses by construction; checked because all of
  // planning relies on it.
  for (AliasGraph::Id alias : aliases)
    for (const UseRecord &record : uses[alias])
      if (record.use.access)
        addPending(order.getAnchor(record.operand->getOwner()), accesses);
  for (const LiveRange &access : accesses)
    if (!contains(lifetime, access))
      return std::nullopt;
  return lifetime;
}

Block *LifetimeAnalysis::findCommonDominator(ArrayRef<Block *> blocks) {
  return firstAccessDominator->findCommonDominator(blocks);
}

AliasGraph::Id LifetimeAnalysis::getViewRoot(AliasGraph::Id id) const {
  for (;;) {
    Operation *op = graph.getValue(id).getDefiningOp();
    if (!op || graph.predecessors(id).size() != 1 || isTransparent(op) ||
        graph.mayBeFreshFromCall(id))
      return id;
    id = graph.predecessors(id).front();
  }
}

/// By value, the span over the value and its aliases. `ids` are the aliases
/// of several allocations.
llvm::DenseMap<AliasGraph::Id, LifetimeAnalysis::Span>
LifetimeAnalysis::findSpans(ArrayRef<AliasGraph::Id> ids) {
  llvm::DenseMap<AliasGraph::Id, Span> spans;
  std::vector<std::pair<int64_t, AliasGraph::Id>> accesses, ends;
  for (AliasGraph::Id id : ids) {
    spans[id] = {Span::kNever, Span::kNever};
    if (std::vector<LiveRange> own = collectAccesses(id); !own.empty())
      accesses.push_back({own.front().start, id});
    if (const LiveRanges &own = getValueRanges(id); !own.empty())
      ends.push_back({own.back().end, id});
  }
  // Propagates the points, in order, backwards along the edges of the graph;
  // each value is visited once.
  auto propagateBack = [&](ArrayRef<std::pair<int64_t, AliasGraph::Id>> points,
                           int64_t Span::*member) {
    SmallVector<AliasGraph::Id> pending;
    for (auto [point, id] : points) {
      pending.push_back(id);
      while (!pending.empty()) {
        auto it = spans.find(pending.pop_back_val());
        if (it == spans.end() || it->second.*member != Span::kNever)
          continue;
        it->second.*member = point;
        llvm::append_range(pending, graph.predecessors(it->first));
      }
    }
  };
  llvm::sort(accesses);
  propagateBack(accesses, &Span::firstAccess);
  llvm::sort(ends, std::greater<>());
  propagateBack(ends, &Span::end);
  return spans;
}

std::optional<LiveRanges>
LifetimeAnalysis::coalesce(ArrayRef<Operation *> allocations,
                           const Steps &steps) {
  SmallVector<AliasGraph::Id> own;
  for (Operation *allocation : allocations)
    own.push_back(graph.getId(allocation->getResult(0)));
  std::vector<AliasGraph::Id> aliases = graph.getAliases(own);
  // The contents of a fresh instance do not matter before the first access.
  llvm::DenseMap<AliasGraph::Id, Span> spans = findSpans(aliases);
  llvm::DenseMap<AliasGraph::Id, LiveRanges> dead;
  for (auto [allocation, id] : llvm::zip_equal(allocations, own)) {
    Span span = spans.lookup(id);
    if (!span.isAccessed())
      return std::nullopt;
    dead[id] = findPrefix(
        allocation, span,
        [&, id = id] { return collectAccesses(graph.getAliases(id)); },
        /*joinsShare=*/false);
  }
  struct WebRange {
    LiveRange range;
    AliasGraph::Id web;
  };
  std::vector<WebRange> ranges;
  for (AliasGraph::Id id : aliases) {
    AliasGraph::Id web = getViewRoot(id);
    LiveRanges parts = getValueRanges(id);
    if (auto it = dead.find(web); it != dead.end())
      parts = subtractRanges(parts, it->second);
    steps.widen(parts);
    for (const LiveRange &range : parts)
      ranges.push_back({range, web});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const WebRange &a, const WebRange &b) {
              return std::tie(a.range.start, a.range.end, a.web) <
                     std::tie(b.range.start, b.range.end, b.web);
            });
  // Two webs interfere if their ranges overlap; ranges of one web may overlap.
  int64_t end = -1, otherEnd = -1;
  AliasGraph::Id web = 0;
  LiveRanges merged;
  for (const WebRange &next : ranges) {
    if (next.range.start < (next.web == web ? otherEnd : end))
      return std::nullopt;
    if (next.web != web)
      otherEnd = std::max(otherEnd, end);
    end = std::max(end, next.range.end);
    web = next.web;
    merged.push_back(next.range);
  }
  normalizeRanges(merged);
  return merged;
}
