//===- Uniformity.cpp - Values and ops that threads share -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workgroup/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

/// True if the results are the same for all threads that execute the op with
/// the same operands.
static bool computesAlike(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::ClusterIdOp,
          gpu::ClusterDimOp, gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp,
          gpu::NumSubgroupsOp, gpu::SubgroupSizeOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect, index::IndexDialect,
             affine::AffineDialect, vector::VectorDialect,
             memref::MemRefDialect>(op->getDialect()) &&
         op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

/// The operands that decide which regions of the op run, and how often;
/// std::nullopt if they are not known.
static std::optional<SmallVector<Value>> findDeciding(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return SmallVector<Value>{branch.getCondition()};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return SmallVector<Value>{loop.getLowerBound(), loop.getUpperBound(),
                              loop.getStep()};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return SmallVector<Value>{loop.getConditionOp().getCondition()};
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return SmallVector<Value>{branch.getArg()};
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    SmallVector<Value> bounds(loop.getLowerBoundOperands());
    llvm::append_range(bounds, loop.getUpperBoundOperands());
    return bounds;
  }
  if (auto branch = dyn_cast<affine::AffineIfOp>(op))
    return SmallVector<Value>(branch.getOperands());
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op))
    return SmallVector<Value>();
  return std::nullopt;
}

Uniformity::Uniformity(Operation *kernel, const ProgramOrder &order)
    : kernel(kernel), order(order), postDominance(kernel) {
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel)) {
    gpu::KernelDim3 threads = launch.getThreadIds();
    for (Value id : {threads.x, threads.y, threads.z})
      setVarying(id);
  }
  for (Operation *op : order.getOps())
    if (!order.isInsideOpaque(op))
      pending.insert(op);
  while (!pending.empty())
    visit(pending.pop_back_val());
}

bool Uniformity::mayPart(Operation *op) const {
  if (isTransparent(op))
    return parted.contains(op);
  return op->getNumSuccessors() > 1 && handled.contains(op->getBlock());
}

const void *Uniformity::findDivergentPart(Operation *op) const {
  const void *part = nullptr;
  for (; op && op != kernel; op = op->getParentOp()) {
    if (leaders.contains(op->getBlock()))
      part = findLeader(op->getBlock());
    if (parted.contains(op->getParentOp()))
      part = op->getParentOp();
  }
  return part;
}

Block *Uniformity::findLeader(Block *block) const {
  while (Block *next = leaders.lookup(block)) {
    if (next == block)
      return block;
    block = next;
  }
  return block;
}

void Uniformity::setVarying(Value value) {
  if (!varying.insert(value).second)
    return;
  for (Operation *user : value.getUsers()) {
    pending.insert(user);
    // The condition of a loop decides about the op around it.
    if (user->hasTrait<OpTrait::IsTerminator>() &&
        user->getParentOp() != kernel)
      pending.insert(user->getParentOp());
  }
}

void Uniformity::setVarying(Block *block) {
  for (BlockArgument argument : block->getArguments())
    setVarying(argument);
  for (Operation &op : *block) {
    for (Value result : op.getResults())
      setVarying(result);
    for (Region &region : op.getRegions())
      setVarying(region);
  }
}

void Uniformity::setVarying(Region &region) {
  for (Block &block : region)
    setVarying(&block);
}

void Uniformity::part(Operation *op) {
  if (!parted.insert(op).second)
    return;
  for (Value result : op->getResults())
    setVarying(result);
  for (Region &region : op->getRegions())
    setVarying(region);
}

void Uniformity::part(Block *block) {
  if (!handled.insert(block).second)
    return;
  auto *node = postDominance.getNode(block);
  auto *next = node ? node->getIDom() : nullptr;
  Block *meeting = next ? next->getBlock() : nullptr;
  llvm::SetVector<Block *> between;
  auto follow = [&](Block *from) {
    for (Block *successor : from->getSuccessors())
      if (successor != meeting)
        between.insert(successor);
  };
  follow(block);
  for (size_t i = 0; i != between.size(); ++i)
    follow(between[i]);
  for (Block *member : between) {
    leaders.try_emplace(member, member);
    leaders[findLeader(member)] = findLeader(between.front());
    setVarying(member);
  }
  if (meeting)
    for (BlockArgument argument : meeting->getArguments())
      setVarying(argument);
  // The threads leave the region by different ways.
  if (!meeting && block->getParentOp() != kernel)
    for (Value result : block->getParentOp()->getResults())
      setVarying(result);
}

void Uniformity::forward(OperandRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip(from, to))
    if (varying.contains(source))
      setVarying(target);
}

void Uniformity::visitTerminator(Operation *op) {
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      forward(operands.getForwardedOperands(),
              op->getSuccessor(i)->getArguments().drop_front(
                  operands.getProducedOperandCount()));
    }
  if (op->getNumSuccessors() > 1) {
    bool isAlike = false;
    if (auto branch = dyn_cast<cf::CondBranchOp>(op))
      isAlike = isUniform(branch.getCondition());
    else if (auto branch = dyn_cast<cf::SwitchOp>(op))
      isAlike = isUniform(branch.getFlag());
    if (!isAlike)
      part(op->getBlock());
  }
  auto around = dyn_cast<RegionBranchOpInterface>(op->getParentOp());
  auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  if (op->getParentOp() == kernel || !around || !terminator)
    return;
  SmallVector<RegionSuccessor> successors;
  around.getSuccessorRegions(terminator, successors);
  for (RegionSuccessor &successor : successors)
    forward(terminator.getSuccessorOperands(successor),
            successor.getSuccessorInputs());
}

void Uniformity::visit(Operation *op) {
  if (order.isInsideOpaque(op) || !order.isNumbered(op))
    return;
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumSuccessors() != 0)
    return visitTerminator(op);
  if (isTransparent(op)) {
    std::optional<SmallVector<Value>> deciding = findDeciding(op);
    if (!deciding ||
        !llvm::all_of(*deciding, [&](Value value) { return isUniform(value); }))
      return part(op);
    auto branch = cast<RegionBranchOpInterface>(op);
    SmallVector<Attribute> unknown(op->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    branch.getEntrySuccessorRegions(unknown, successors);
    for (RegionSuccessor &successor : successors)
      forward(branch.getEntrySuccessorOperands(successor),
              successor.getSuccessorInputs());
    return;
  }
  bool isAlike =
      computesAlike(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
        return isUniform(operand);
      });
  if (!isAlike)
    for (Value result : op->getResults())
      setVarying(result);
}
