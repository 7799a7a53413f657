//===- ProgramOrder.cpp - Program points of a function --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace memplan;

bool memplan::isTransparent(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp,
             memref::AllocaScopeOp>(op);
}

bool memplan::mayRepeat(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, affine::AffineForOp>(op);
}

ProgramOrder::ProgramOrder(FunctionOpInterface function)
    : ProgramOrder(function.getFunctionBody()) {}

ProgramOrder::ProgramOrder(Region &region) {
  SmallVector<Operation *> regionOps;
  number(region, /*opaque=*/false, regionOps);
  for (Operation *op : regionOps)
    recordRegionEntries(op);
}

/// True for a branch that may go elsewhere than to the block that is next.
static bool leavesOrder(Operation &op) {
  return llvm::any_of(op.getSuccessors(), [&](Block *successor) {
    return successor != op.getBlock()->getNextNode();
  });
}

/// Within an opaque op (`opaque`) all ops are at the last point there is;
/// `regionOps` gets the transparent ops that are in none.
void ProgramOrder::number(Region &region, bool opaque,
                          SmallVectorImpl<Operation *> &regionOps) {
  if (!opaque && !region.empty() && !region.hasOneBlock())
    findGates(region);
  for (Block &block : region) {
    for (Operation &op : block) {
      ops.push_back(&op);
      if (!opaque) {
        opAt.push_back(&op);
        ends.push_back(static_cast<int>(opAt.size()));
      }
      auto point = static_cast<int>(opAt.size()) - 1;
      points[&op] = point;
      if (!opaque && leavesOrder(op))
        branches.push_back(point);
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
  // The interface leaves out what a constant number of trips rules out.
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

void ProgramOrder::findGates(Region &region) {
  int count = 0;
  llvm::SmallDenseMap<Block *, int> index;
  for (Block &block : region)
    index[&block] = count++;
  // How many edges go past the block, or come back past its begin: the sum of
  // the changes up to it.
  SmallVector<int> changes(count + 1, 0);
  for (auto [block, from] : index) {
    for (Block *successor : block->getSuccessors()) {
      int to = index.lookup(successor);
      int low = std::min(from, to) + 1, high = std::max(from, to - 1);
      if (low > high)
        continue;
      ++changes[low];
      --changes[high + 1];
    }
  }
  int passing = 0, exits = 0;
  Block *gate = &region.front();
  SmallVector<Block *> order;
  for (auto [i, block] : llvm::enumerate(region)) {
    passing += changes[i];
    if (passing == 0)
      gate = &block;
    blocks[&block] = {gate, nullptr, exits};
    exits += block.getNumSuccessors() == 0;
    order.push_back(&block);
  }
  Block *next = nullptr;
  for (Block *block : llvm::reverse(order)) {
    BlockInfo &info = blocks[block];
    info.nextGate = next;
    if (info.gate == block)
      next = block;
  }
}

std::optional<Passage> ProgramOrder::findPassage(Block *from, Block *to) const {
  auto first = blocks.find(from), last = blocks.find(to);
  if (first == blocks.end() || last == blocks.end())
    return std::nullopt;
  Passage passage{first->second.nextGate, last->second.gate};
  if (!passage.first || begin(passage.first) >= begin(passage.behind) ||
      blocks.lookup(passage.first).exits != blocks.lookup(passage.behind).exits)
    return std::nullopt;
  return passage;
}
