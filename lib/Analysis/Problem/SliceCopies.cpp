//===- SliceCopies.cpp - Copies into a slice, and from one ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/SliceCopies.h"

#include "memplan/Analysis/Copies.h"

using namespace mlir;
using namespace memplan;

namespace {

/// Bytes of an allocation, counted from its begin.
struct Bytes {
  int64_t begin, end;
};

struct SliceAccess {
  int64_t point;
  Bytes bytes;
};

/// All accesses to an allocation, through any of its aliases.
struct AccessList {
  std::vector<SliceAccess> accesses;
  /// Some are asynchronous, or there are too many.
  bool isUnknown = false;

  /// True if an access at a point of [from, to) may be to one of the bytes.
  bool touches(int64_t from, int64_t to, Bytes bytes) const {
    return llvm::any_of(accesses, [&](const SliceAccess &access) {
      return from <= access.point && access.point < to &&
             access.bytes.begin < bytes.end && bytes.begin < access.bytes.end;
    });
  }
};

class Finder {
public:
  Finder(const ProgramOrder &order, const AliasGraph &graph,
         const LifetimeAnalysis &lifetimes)
      : order(order), graph(graph), lifetimes(lifetimes) {}

  bool mayBeInSlice(const SliceCopy &copy, Bytes slice, bool isInto,
                    const LiveRanges &ofRead, const LiveRanges &ofWritten);

private:
  const AccessList &getAccesses(Operation *allocation);

  const ProgramOrder &order;
  const AliasGraph &graph;
  const LifetimeAnalysis &lifetimes;
  llvm::DenseMap<Operation *, AccessList> lists;
};

} // namespace

/// The bytes from the first to the end of the last element of the value, if it
/// is known to be a view of the allocation; otherwise an unbounded range.
static Bytes findBytes(Value value, Operation *allocation) {
  std::optional<Slice> slice = findSlice(value);
  if (!slice || slice->root != allocation->getResult(0))
    return {INT64_MIN, INT64_MAX};
  Bytes bytes{slice->begin, slice->begin + slice->element};
  for (auto [size, stride] : llvm::zip_equal(slice->sizes, slice->strides)) {
    if (size == 0)
      return {0, 0};
    int64_t extent;
    if (llvm::MulOverflow(stride, size - 1, extent) ||
        llvm::AddOverflow(extent < 0 ? bytes.begin : bytes.end, extent,
                          extent < 0 ? bytes.begin : bytes.end))
      return {INT64_MIN, INT64_MAX};
  }
  return bytes;
}

const AccessList &Finder::getAccesses(Operation *allocation) {
  constexpr size_t kMaxAccesses = 1000;
  auto [it, isNew] = lists.try_emplace(allocation);
  AccessList &list = it->second;
  if (!isNew)
    return list;
  for (AliasGraph::Id id :
       graph.getAliases(graph.getId(allocation->getResult(0))))
    for (const LifetimeAnalysis::UseRecord &record : lifetimes.getUses(id)) {
      if (!record.use.access)
        continue;
      Operation *op = record.operand->getOwner();
      Operation *anchor = order.getAnchor(op);
      if (!anchor || startsAsyncWork(anchor) || startsAsyncWork(op) ||
          list.accesses.size() == kMaxAccesses) {
        list.isUnknown = true;
        return list;
      }
      list.accesses.push_back(
          {order.begin(anchor), findBytes(record.operand->get(), allocation)});
    }
  return list;
}

static const LiveRange *findRangeAt(const LiveRanges &ranges, int64_t point) {
  for (const LiveRange &range : ranges)
    if (range.start <= point && point < range.end)
      return &range;
  return nullptr;
}

/// True if the points at which both are live are one range, which is then
/// [from, to).
static bool findCommon(const LiveRanges &a, const LiveRanges &b, int64_t &from,
                       int64_t &to) {
  bool isFound = false;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    int64_t begin = std::max(x->start, y->start);
    int64_t end = std::min(x->end, y->end);
    if (begin < end) {
      if (isFound && begin != to)
        return false;
      from = isFound ? from : begin;
      to = end;
      isFound = true;
    }
    ++(x->end < y->end ? x : y);
  }
  return isFound;
}

bool Finder::mayBeInSlice(const SliceCopy &copy, Bytes slice, bool isInto,
                          const LiveRanges &ofRead,
                          const LiveRanges &ofWritten) {
  int64_t from, to;
  Block *block = copy.op->getBlock();
  int64_t point = order.begin(copy.op);
  if (!findCommon(ofRead, ofWritten, from, to) || point < from || to <= point ||
      from < order.begin(block) || order.end(block) < to)
    return false;
  const AccessList &ofWhole = getAccesses(isInto ? copy.read : copy.written);
  if (ofWhole.isUnknown)
    return false;
  const AccessList &ofSliced = getAccesses(isInto ? copy.written : copy.read);
  if (ofSliced.isUnknown)
    return false;
  // The allocation that is copied as a whole ends, or begins, with the copy.
  if (isInto)
    return findRangeAt(ofRead, point)->end == point + 1 &&
           !ofSliced.touches(from, point, slice);
  // A block with earlier points than the allocation may be executed after the
  // copy.
  return findRangeAt(ofWritten, point)->start == point && from == point &&
         copy.read->getBlock() == block &&
         !ofSliced.touches(INT64_MIN, order.begin(copy.read), slice) &&
         !ofSliced.touches(point + 1, INT64_MAX, slice);
}

std::vector<SliceCopy> memplan::findSliceCopies(
    const ProgramOrder &order, const AliasGraph &graph,
    const LifetimeAnalysis &lifetimes,
    llvm::function_ref<const LiveRanges *(Operation *)> rangesOf) {
  std::vector<SliceCopy> copies;
  Finder finder(order, graph, lifetimes);
  for (Operation *op : order.getOps()) {
    if (order.isInsideOpaque(op))
      continue;
    std::optional<PlainCopy> plain = matchPlainCopy(op);
    if (!plain)
      continue;
    std::optional<Slice> source = findSlice(plain->source);
    std::optional<Slice> target = findSlice(plain->target);
    if (!source || !target || source->root == target->root)
      continue;
    SliceCopy copy{op, source->root.getDefiningOp(),
                   target->root.getDefiningOp(), target->begin - source->begin};
    const LiveRanges *ofRead = copy.read ? rangesOf(copy.read) : nullptr;
    const LiveRanges *ofWritten =
        copy.written ? rangesOf(copy.written) : nullptr;
    if (!ofRead || !ofWritten)
      continue;
    std::optional<int64_t> bytes = source->getContiguousBytes();
    if (!bytes || bytes != target->getContiguousBytes())
      continue;
    auto isWhole = [&](Operation *allocation) {
      auto type = cast<MemRefType>(allocation->getResult(0).getType());
      return type.getNumElements() * source->element == *bytes;
    };
    bool isInto = isWhole(copy.read);
    if (isInto == isWhole(copy.written))
      continue;
    Bytes slice{isInto ? target->begin : source->begin, 0};
    slice.end = slice.begin + *bytes;
    if (finder.mayBeInSlice(copy, slice, isInto, *ofRead, *ofWritten))
      copies.push_back(copy);
  }
  return copies;
}
