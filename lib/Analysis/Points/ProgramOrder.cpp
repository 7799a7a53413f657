//===- ProgramOrder.cpp - Program points of a function --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace memplan;

bool memplan::isOfDevice(Operation *op) {
  constexpr StringLiteral dialects[] = {"async", "gpu",    "nvgpu", "nvvm",
                                        "acc",   "amdgpu", "xegpu", "xevm",
                                        "rocdl", "omp",    "spirv"};
  return llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

bool memplan::isTransparent(Operation *op) {
  return op->getNumRegions() != 0 && isa<RegionBranchOpInterface>(op) &&
         !op->hasTrait<OpTrait::HasParallelRegion>() && !isOfDevice(op);
}

bool memplan::mayRepeat(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return isa<LoopLikeOpInterface>(op) || (branch && branch.hasLoop());
}

ProgramOrder::ProgramOrder(FunctionOpInterface function)
    : ProgramOrder(function.getFunctionBody()) {}

ProgramOrder::ProgramOrder(Region &region) {
  SmallVector<Operation *> regionOps;
  number(region, /*opaque=*/false, regionOps);
  for (Operation *op : regionOps)
    recordRegionEntries(op);
}

/// Numbers the ops of the region and of its nested regions. Within an opaque op
/// (`opaque`) all ops have the last point given out; `regionOps` receives the
/// transparent ops outside of opaque ones.
void ProgramOrder::number(Region &region, bool opaque,
                          SmallVectorImpl<Operation *> &regionOps) {
  if (!opaque && !region.empty() && !region.hasOneBlock())
    findLevels(region);
  for (Block &block : region) {
    for (Operation &op : block) {
      ops.push_back(&op);
      if (!opaque) {
        opAt.push_back(&op);
        ends.push_back(static_cast<int>(opAt.size()));
      }
      auto point = static_cast<int>(opAt.size()) - 1;
      points[&op] = point;
      if (op.getNumRegions() == 0)
        continue;
      bool inOrder = !opaque && isTransparent(&op);
      if (inOrder)
        regionOps.push_back(&op);
      for (Region &nested : op.getRegions())
        number(nested, !inOrder, regionOps);
      ends[point] = static_cast<int>(opAt.size());
    }
  }
}

void ProgramOrder::recordRegionEntries(Operation *op) {
  // The interface omits the edges that a constant trip count rules out; here
  // they are kept.
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    Block *body = loop.getBody();
    entries[&loop.getRegion()] = {{op->getBlock(), begin(op) + 1},
                                  {body, end(body)}};
    return;
  }
  auto branch = cast<RegionBranchOpInterface>(op);
  SmallVector<RegionSuccessor> successors;
  auto record = [&](Block *from, int64_t point) {
    for (const RegionSuccessor &successor : successors)
      if (Region *region = successor.getSuccessor())
        entries[region].push_back({from, point});
    successors.clear();
  };
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  record(op->getBlock(), begin(op) + 1);
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      branch.getSuccessorRegions(RegionBranchPoint(terminator), successors);
      record(&block, end(&block));
    }
  }
}

void ProgramOrder::forEachPredecessor(
    Block *block, function_ref<void(Block *, int64_t)> visit) const {
  for (Block *predecessor : block->getPredecessors())
    visit(predecessor, end(predecessor));
  if (!block->isEntryBlock())
    return;
  auto it = entries.find(block->getParent());
  if (it != entries.end())
    for (auto [from, point] : it->second)
      visit(from, point);
}

constexpr int kNoLevel = -1;

void ProgramOrder::findLevels(Region &region) {
  int count = 0;
  llvm::SmallDenseMap<Block *, int> numbers;
  for (Block &block : region)
    numbers[&block] = count++;
  // For each edge that passes blocks: the number of the block before the first
  // of these, and of the last one.
  std::vector<std::pair<int, int>> edges;
  for (auto [block, from] : numbers)
    for (Block *successor : block->getSuccessors()) {
      int to = numbers.lookup(successor);
      if (to < from)
        edges.emplace_back(to, from);
      else if (to > from + 1)
        edges.emplace_back(from, to - 1);
    }
  llvm::sort(edges, [](auto &a, auto &b) {
    return std::tie(a.first, b.second) < std::tie(b.first, a.second);
  });
  edges.erase(llvm::unique(edges), edges.end());
  auto addLevel = [&](int parent, int start) {
    levels.push_back({parent, start, {}});
    return static_cast<int>(levels.size()) - 1;
  };
  // The levels of the edges that pass the block, and the last block of each.
  SmallVector<std::pair<int, int>> open{{addLevel(kNoLevel, 0), count}};
  int overlapping = -1, exits = 0;
  auto next = edges.begin();
  for (auto [i, block] : llvm::enumerate(region)) {
    int number = static_cast<int>(i);
    while (open.back().second < number)
      open.pop_back();
    for (; next != edges.end() && next->first < number; ++next) {
      auto [start, last] = *next;
      if (last <= open.back().second)
        open.emplace_back(addLevel(open.back().first, start), last);
      else
        overlapping = std::max(overlapping, last);
    }
    int level = number <= overlapping ? kNoLevel : open.back().first;
    if (level != kNoLevel)
      levels[level].members.emplace_back(number, &block);
    blocks[&block] = {number, level, exits};
    exits += block.getNumSuccessors() == 0;
  }
}

std::optional<SingleEntryRange>
ProgramOrder::findSingleEntryRange(Block *from, Block *to) const {
  auto above = blocks.find(from), below = blocks.find(to);
  if (above == blocks.end() || below == blocks.end())
    return std::nullopt;
  // The innermost level whose edges start at `from` or before it.
  int level = below->second.level;
  while (level != kNoLevel && levels[level].start > above->second.number)
    level = levels[level].parent;
  if (level == kNoLevel)
    return std::nullopt;
  const auto &members = levels[level].members;
  auto isBehind = [](int number, const auto &member) {
    return number < member.first;
  };
  auto first = std::upper_bound(members.begin(), members.end(),
                                above->second.number, isBehind);
  auto behind = std::upper_bound(members.begin(), members.end(),
                                 below->second.number, isBehind);
  if (behind - first < 2)
    return std::nullopt;
  --behind;
  if (blocks.lookup(first->second).exits != blocks.lookup(behind->second).exits)
    return std::nullopt;
  return SingleEntryRange{first->second, behind->second};
}
