//===- OwnershipUses.cpp - Uses of ownership beyond deallocations ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alias/OwnershipUses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

namespace {
/// Follows the uses of a condition that says whether a memref is owned.
class OwnershipWalk {
public:
  explicit OwnershipWalk(const AliasGraph &graph) : graph(graph) {}

  /// True if `owned`, the updated condition of `retained`, may be used for
  /// anything but freeing that memref, or if it has too many uses.
  bool isAskedFor(Value owned, Value retained) {
    subject = graph.getId(retained);
    push(owned);
    while (!pending.empty()) {
      if (seen.size() > kMaxValues)
        return true;
      Value flag;
      std::tie(flag, subject) = pending.pop_back_val();
      for (OpOperand &use : flag.getUses())
        if (!visit(use))
          return true;
    }
    return false;
  }

private:
  static constexpr size_t kMaxValues = 1000;

  void push(Value value) {
    if (seen.insert({value, subject}).second)
      pending.push_back({value, subject});
  }

  bool visit(OpOperand &use);
  bool visitTerminator(OpOperand &use);
  bool freesOnly(Block &block);
  bool isName(Value memref) {
    llvm::DenseSet<AliasGraph::Id> &names = namesOf[subject];
    if (names.empty())
      names.insert_range(graph.getAliases(subject));
    return names.contains(graph.getId(memref));
  }

  const AliasGraph &graph;
  /// The memref whose ownership the current condition tells.
  AliasGraph::Id subject = 0;
  llvm::DenseMap<AliasGraph::Id, llvm::DenseSet<AliasGraph::Id>> namesOf;
  llvm::DenseSet<std::pair<Value, AliasGraph::Id>> seen;
  SmallVector<std::pair<Value, AliasGraph::Id>> pending;
};
} // namespace

/// True if the block has no effect but freeing the memref.
bool OwnershipWalk::freesOnly(Block &block) {
  return llvm::all_of(block, [&](Operation &op) {
    if (auto free = dyn_cast<memref::DeallocOp>(op))
      return isName(free.getMemref());
    if (auto free = dyn_cast<bufferization::DeallocOp>(op))
      return free->use_empty() && llvm::all_of(free.getMemrefs(), [&](Value m) {
               return isName(m);
             });
    return op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op);
  });
}

bool OwnershipWalk::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(op)) {
    if (!op->getResult(0).getType().isInteger(1))
      return false;
    push(op->getResult(0));
    return true;
  }
  if (auto free = dyn_cast<bufferization::DeallocOp>(op)) {
    unsigned memref = use.getOperandNumber() -
                      static_cast<unsigned>(free.getMemrefs().size());
    if (!isName(free.getMemrefs()[memref]))
      return false;
    // The updated conditions of this op depend on the flag as well.
    AliasGraph::Id own = subject;
    for (auto [retained, owned] :
         llvm::zip_equal(free.getRetained(), free.getUpdatedConditions())) {
      subject = graph.getId(retained);
      push(owned);
    }
    subject = own;
    return true;
  }
  if (auto guard = dyn_cast<scf::IfOp>(op)) {
    // The results depend on the flag; only i1 results can be followed.
    for (Value result : op->getResults()) {
      if (!result.getType().isInteger(1))
        return false;
      push(result);
    }
    return llvm::all_of(op->getRegions(), [&](Region &region) {
      return region.empty() || freesOnly(region.front());
    });
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitTerminator(use);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    push(loop.getBeforeArguments()[use.getOperandNumber()]);
    return true;
  }
  if (!isa<scf::ForOp, affine::AffineForOp>(op))
    return false;
  auto loop = cast<LoopLikeOpInterface>(op);
  BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
  if (!argument)
    return false;
  push(argument);
  push(loop.getTiedLoopResult(&use));
  return true;
}

bool OwnershipWalk::visitTerminator(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto branch = dyn_cast<cf::CondBranchOp>(op); branch && number == 0) {
    // Accepted is a block that only frees and then branches to the other
    // successor.
    Block *freeing = branch.getTrueDest(), *next = branch.getFalseDest();
    return freeing->getSinglePredecessor() && freesOnly(*freeing) &&
           freeing->getNumSuccessors() == 1 &&
           freeing->getSuccessor(0) == next &&
           llvm::none_of(freeing->back().getOperands(), [](Value value) {
             return isa<BaseMemRefType>(value.getType());
           });
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(number);
    if (argument)
      push(*argument);
    return argument.has_value();
  }
  Operation *parent = op->getParentOp();
  if (isa<scf::IfOp, affine::AffineIfOp, scf::ExecuteRegionOp,
          scf::IndexSwitchOp, memref::AllocaScopeOp>(parent)) {
    push(parent->getResult(number));
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (isa<scf::YieldOp>(op)) {
      push(loop.getBeforeArguments()[number]);
      return true;
    }
    // The flag must not decide whether the loop goes on.
    if (number == 0)
      return false;
    push(loop.getAfterArguments()[number - 1]);
    push(loop.getResult(number - 1));
    return true;
  }
  if (!isa<scf::ForOp, affine::AffineForOp>(parent))
    return false;
  push(cast<LoopLikeOpInterface>(parent).getRegionIterArgs()[number]);
  push(parent->getResult(number));
  return true;
}

SmallVector<unsigned>
memplan::findOwnershipAskedFor(bufferization::DeallocOp op,
                               const AliasGraph &graph) {
  llvm::DenseSet<AliasGraph::Id> asked;
  for (auto [retained, owned] :
       llvm::zip_equal(op.getRetained(), op.getUpdatedConditions()))
    if (!owned.use_empty() && OwnershipWalk(graph).isAskedFor(owned, retained))
      asked.insert_range(graph.getSources(graph.getId(retained)));
  SmallVector<unsigned> memrefs;
  if (asked.empty())
    return memrefs;
  for (auto [i, memref] : llvm::enumerate(op.getMemrefs()))
    if (!matchPattern(op.getConditions()[i], m_Zero()) &&
        llvm::any_of(graph.getSources(graph.getId(memref)),
                     [&](AliasGraph::Id id) { return asked.contains(id); }))
      memrefs.push_back(static_cast<unsigned>(i));
  return memrefs;
}
