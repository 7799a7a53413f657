//===- FindRotation.cpp - Loops that can rotate buffers -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindRotation.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace memplan;

namespace {
class RotationFinder {
public:
  RotationFinder(FunctionProblem &problem, ArrayRef<unsigned> group,
                 ArrayRef<std::vector<AliasGraph::Id>> aliases,
                 const ProgramOrder &order, const AliasGraph &graph,
                 LifetimeAnalysis &lifetimes)
      : problem(problem), group(group), aliases(aliases), order(order),
        graph(graph), lifetimes(lifetimes) {}

  std::optional<Rotation> run() {
    if (!findLoop() || !collectRoles())
      return std::nullopt;
    if (!permute() && !alternate())
      return std::nullopt;
    return std::move(rotation);
  }

private:
  bool findLoop();
  bool collectRoles();
  bool permute();
  bool alternate();
  bool isDeadInLoop(AliasGraph::Id id);
  LiveRanges commonRanges();
  Operation *allocationOf(unsigned record) {
    return problem.buffers[record].allocation;
  }

  FunctionProblem &problem;
  ArrayRef<unsigned> group;
  ArrayRef<std::vector<AliasGraph::Id>> aliases;
  const ProgramOrder &order;
  const AliasGraph &graph;
  LifetimeAnalysis &lifetimes;

  LoopLikeOpInterface loop;
  /// The iteration arguments that carry buffers of the group, by position.
  SmallVector<unsigned> carried;
  /// Records allocated at the top of the body, and outside the loop.
  SmallVector<unsigned> inner, outer;
  /// For each carried position, what is yielded: an iteration argument or an
  /// inner allocation.
  SmallVector<Value> yields;
  Rotation rotation;
};
} // namespace

bool RotationFinder::findLoop() {
  // The loop around the innermost allocation; the others must be outside it.
  for (unsigned index : group) {
    Operation *parent = allocationOf(index)->getParentOp();
    if (!isa<scf::ForOp, affine::AffineForOp>(parent))
      continue;
    auto candidate = cast<LoopLikeOpInterface>(parent);
    if (!loop || loop->isAncestor(candidate))
      loop = candidate;
  }
  if (!loop)
    return false;
  Block *body = &loop->getRegion(0).front();
  for (unsigned index : group) {
    Operation *allocation = allocationOf(index);
    if (allocation->getBlock() == body)
      inner.push_back(index);
    else if (!loop->isAncestor(allocation))
      outer.push_back(index);
    else
      return false;
  }
  return !inner.empty();
}

/// Sorts the values of the group into the parts they play in the loop; false if
/// one plays another part.
bool RotationFinder::collectRoles() {
  llvm::DenseSet<AliasGraph::Id> all;
  for (unsigned index : group)
    all.insert(aliases[index].begin(), aliases[index].end());
  MemRefType type = problem.buffers[inner.front()].type;
  auto arguments = loop.getRegionIterArgs();
  auto yielded = loop.getYieldedValues();
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    if (!isa<BaseMemRefType>(argument.getType()) ||
        !all.contains(graph.getId(argument)))
      continue;
    if (argument.getType() != type)
      return false;
    carried.push_back(static_cast<unsigned>(position));
    yields.push_back(yielded[position]);
  }
  for (unsigned index : inner)
    if (problem.buffers[index].type != type ||
        isa<memref::AllocaOp, WorkspaceOp>(allocationOf(index)))
      return false;

  llvm::DenseSet<Value> slots, used;
  for (unsigned position : carried)
    slots.insert(arguments[position]);
  for (unsigned index : inner)
    slots.insert(allocationOf(index)->getResult(0));
  for (Value value : yields)
    if (!slots.contains(value) || !used.insert(value).second)
      return false;
  // Every other value of the group is a view of one of these, of what the loop
  // starts with, or of a result.
  for (AliasGraph::Id id : all) {
    Value web = graph.getValue(lifetimes.findWeb(id));
    bool isOuter = llvm::any_of(outer, [&](unsigned index) {
      return allocationOf(index)->getResult(0) == web;
    });
    if (!slots.contains(web) && !isOuter && web.getDefiningOp() != loop)
      return false;
  }
  return true;
}

/// True when the value is not needed once the loop has begun, other than as
/// what it starts with.
bool RotationFinder::isDeadInLoop(AliasGraph::Id id) {
  const LiveRanges &ranges = lifetimes.getValueRanges(id);
  return ranges.empty() || ranges.back().end <= order.begin(loop) + 1;
}

/// Every slot is in use during the loop and while a result is.
LiveRanges RotationFinder::commonRanges() {
  LiveRanges ranges{{order.begin(loop), order.end(loop)}};
  for (unsigned index : inner)
    for (AliasGraph::Id id : aliases[index]) {
      const LiveRanges &live = lifetimes.getValueRanges(id);
      ranges.insert(ranges.end(), live.begin(), live.end());
    }
  normalizeRanges(ranges);
  return ranges;
}

bool RotationFinder::permute() {
  SmallVector<Value> slots;
  SmallVector<Rotation::Next> names;
  for (unsigned position : carried) {
    slots.push_back(loop.getRegionIterArgs()[position]);
    names.push_back({false, position});
  }
  for (auto [place, index] : llvm::enumerate(inner)) {
    slots.push_back(allocationOf(index)->getResult(0));
    names.push_back({true, static_cast<unsigned>(place)});
  }
  // What the loop starts with: distinct allocations, dead from then on.
  llvm::DenseSet<Value> starts;
  for (unsigned position : carried) {
    Value start = loop.getInits()[position];
    bool isOuter = llvm::any_of(outer, [&](unsigned index) {
      return allocationOf(index)->getResult(0) == start;
    });
    if (!isOuter || !starts.insert(start).second)
      return false;
  }
  if (starts.size() != outer.size())
    return false;
  for (unsigned index : outer)
    for (AliasGraph::Id id : aliases[index])
      if (graph.getValue(lifetimes.findWeb(id)).getDefiningOp() ==
              allocationOf(index) &&
          !isDeadInLoop(id))
        return false;

  for (unsigned index : inner)
    rotation.slots.push_back({index, false});
  for (auto [slot, name] : llvm::zip_equal(slots, names))
    if (!llvm::is_contained(yields, slot))
      rotation.next.push_back(name);
  LiveRanges common = commonRanges();
  for (unsigned index : inner) {
    problem.buffers[index].slot = index;
    problem.buffers[index].lifetime = {common, {}};
  }
  for (unsigned index : outer) {
    LiveRanges ranges = common;
    AliasGraph::Id own = graph.getId(allocationOf(index)->getResult(0));
    for (AliasGraph::Id id : aliases[index]) {
      if (lifetimes.findWeb(id) != own)
        continue;
      const LiveRanges &live = lifetimes.getValueRanges(id);
      ranges.insert(ranges.end(), live.begin(), live.end());
    }
    normalizeRanges(ranges);
    problem.buffers[index].slot = index;
    problem.buffers[index].lifetime = {ranges, {}};
  }
  rotation.loop = loop;
  return true;
}

bool RotationFinder::alternate() {
  // All carried buffers are replaced, by all the fresh ones.
  if (inner.size() != carried.size())
    return false;
  for (Value value : yields)
    if (isa<BlockArgument>(value))
      return false;
  unsigned count = static_cast<unsigned>(inner.size());
  LiveRanges common = commonRanges();
  for (bool spare : {false, true})
    for (auto [place, index] : llvm::enumerate(inner)) {
      rotation.slots.push_back({index, spare});
      rotation.next.push_back(
          {true, static_cast<unsigned>(place) + (spare ? 0 : count)});
    }
  for (unsigned index : inner) {
    BufferRecord &record = problem.buffers[index];
    record.slot = index;
    record.hasSpare = true;
    record.lifetime = {common, {}};
  }
  rotation.loop = loop;
  return true;
}

std::optional<Rotation>
memplan::findRotation(FunctionProblem &problem, ArrayRef<unsigned> group,
                      ArrayRef<std::vector<AliasGraph::Id>> aliases,
                      const ProgramOrder &order, const AliasGraph &graph,
                      LifetimeAnalysis &lifetimes) {
  return RotationFinder(problem, group, aliases, order, graph, lifetimes).run();
}
