//===- Overlaps.cpp - Buffers that may share bytes ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/Overlaps.h"

#include "Problem/InPlace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;

/// The range that contains the point; an empty range if none does.
static LiveRange findRange(const LiveRanges &ranges, int64_t point) {
  for (const LiveRange &range : ranges)
    if (range.start <= point && point < range.end)
      return range;
  return {point, point};
}

/// True if the ranges overlap only within `points`.
static bool meetOnlyIn(const LiveRanges &a, const LiveRanges &b,
                       const LiveRanges &points) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    LiveRange common{std::max(x->start, y->start), std::min(x->end, y->end)};
    if (common.start < common.end) {
      LiveRange known = findRange(points, common.start);
      if (known.end < common.end)
        return false;
    }
    ++(x->end < y->end ? x : y);
  }
  return true;
}

void memplan::permitOverlaps(FunctionProblem &problem,
                             const ModuleAliases &module,
                             const ProgramOrder &order, const AliasGraph &graph,
                             CongruentSizes &sizes) {
  struct Place {
    ArenaProblem *arena;
    BufferIndex buffer;
  };
  llvm::DenseMap<Operation *, Place> placeOf;
  for (ArenaProblem &arena : problem.arenas)
    for (auto [index, buffer] : arena.placements)
      if (const BufferRecord &record = problem.buffers[index];
          !record.frame && !arena.carried.contains(index))
        placeOf[record.origin] = {&arena, buffer};
  /// The range of the allocation's slot at the point; empty if it has none.
  auto rangeAt = [&](Operation *allocation, int64_t point) -> LiveRange {
    auto it = placeOf.find(allocation);
    if (it == placeOf.end())
      return {point, point};
    auto [arena, buffer] = it->second;
    return findRange(arena->problem.buffers[buffer].ranges, point);
  };
  /// One op may read the first buffer and write the second, and another op the
  /// other way round.
  using Pair = std::pair<BufferIndex, BufferIndex>;
  llvm::MapVector<std::pair<ArenaProblem *, Pair>, std::vector<InPlaceUse>>
      permitted;
  for (Operation *op : order.getOps()) {
    if (order.isInsideOpaque(op))
      continue;
    LiveRange during{order.begin(op), order.end(op)};
    auto mayEnd = [&](Operation *allocation) {
      LiveRange range = rangeAt(allocation, during.start);
      return during.start < range.end && range.end <= during.end;
    };
    auto mayBegin = [&](Operation *allocation) {
      LiveRange range = rangeAt(allocation, during.start);
      return range.start == during.start && range.start < range.end;
    };
    auto call = dyn_cast<func::CallOp>(op);
    FunctionOpInterface callee =
        call ? module.getCallee(call) : FunctionOpInterface();
    for (const InPlaceOp &inPlace :
         findInPlace(op, callee, graph, sizes, mayEnd, mayBegin)) {
      Place read = placeOf.lookup(inPlace.read);
      Place written = placeOf.lookup(inPlace.written);
      if (read.arena != written.arena || read.buffer == written.buffer)
        continue;
      permitted[{read.arena, std::minmax(read.buffer, written.buffer)}]
          .push_back({op, read.buffer, written.buffer, inPlace.reason});
    }
  }
  for (auto &[key, uses] : permitted) {
    auto [arena, pair] = key;
    LiveRanges points;
    for (const InPlaceUse &use : uses)
      points.push_back({order.begin(use.op), order.end(use.op)});
    normalizeRanges(points);
    const std::vector<Buffer> &buffers = arena->problem.buffers;
    if (!meetOnlyIn(buffers[pair.first].ranges, buffers[pair.second].ranges,
                    points))
      continue;
    arena->problem.overlaps.push_back({pair.first, pair.second, 0, 0});
    llvm::append_range(arena->inPlace, uses);
  }
}
