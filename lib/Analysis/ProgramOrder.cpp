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

ProgramOrder::ProgramOrder(Region &region) { number(region, nullptr); }

void ProgramOrder::number(Region &region, Operation *opaque) {
  for (Block &block : region) {
    for (Operation &op : block) {
      int64_t begin = size();
      ops.push_back(&op);
      if (!opaque && op.getNumSuccessors() > 1)
        branches.push_back(begin);
      Operation *inner = opaque;
      if (!inner && op.getNumRegions() != 0 && !isTransparent(&op))
        inner = &op;
      for (Region &nested : op.getRegions())
        number(nested, inner);
      positions[&op] = {begin, size(), opaque ? opaque : &op};
      if (!opaque && op.getNumRegions() != 0 && isTransparent(&op))
        recordRegionEntries(&op);
    }
  }
}

void ProgramOrder::recordRegionEntries(Operation *op) {
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
