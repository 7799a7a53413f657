//===- PlanVerifierLoops.cpp - Loops whose iterations are known -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {

std::optional<LoopRanges> getLoopRanges(Operation *op) {
  LoopRanges ranges;
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    for (auto [i, variable] : llvm::enumerate(loop.getIVs())) {
      auto begin =
          dyn_cast<AffineConstantExpr>(loop.getLowerBoundMap(i).getResult(0));
      auto end =
          dyn_cast<AffineConstantExpr>(loop.getUpperBoundMap(i).getResult(0));
      if (!begin || !end || loop.getLowerBoundMap(i).getNumResults() != 1 ||
          loop.getUpperBoundMap(i).getNumResults() != 1)
        return std::nullopt;
      ranges.push_back(
          {variable, begin.getValue(), end.getValue(), loop.getSteps()[i]});
    }
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
    auto steps = loop.getLoopSteps();
    if (!variables || !lower || !upper || !steps || variables->empty())
      return std::nullopt;
    for (auto [variable, lb, ub, by] :
         llvm::zip(*variables, *lower, *upper, *steps)) {
      auto begin = getConstantIntValue(lb), end = getConstantIntValue(ub);
      auto step = getConstantIntValue(by);
      if (!begin || !end || !step)
        return std::nullopt;
      ranges.push_back({variable, *begin, *end, *step});
    }
    // An unsigned comparison orders negative bounds the other way.
    if (auto forOp = dyn_cast<scf::ForOp>(op);
        forOp && forOp.getUnsignedCmp() && ranges[0].begin < 0)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  int64_t extent;
  for (const LoopRange &range : ranges)
    if (range.begin >= range.end || range.step < 1 ||
        llvm::SubOverflow(range.end, range.begin, extent))
      return std::nullopt;
  return ranges;
}

namespace {

/// True if what is counted can be told, up to one step past the end, from
/// below zero.
bool isCountable(const LoopRange &range) {
  Type type = range.variable.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  int64_t extent, last;
  return range.begin < range.end && range.step >= 1 && width <= 64 &&
         !llvm::SubOverflow(range.end, range.begin, extent) &&
         !llvm::AddOverflow(range.end - 1, range.step, last) &&
         last <= llvm::maxIntN(width);
}

/// The constant that an edge from outside `loop` hands to an argument of its
/// header, if there is one for all.
std::optional<int64_t> getFirstValue(const CFGLoop &loop, BlockArgument arg,
                                     int64_t &step) {
  std::optional<int64_t> first, by;
  for (Block *pred : loop.getHeader()->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(pred->getTerminator());
    if (!branch)
      return std::nullopt;
    for (unsigned i = 0, e = branch->getNumSuccessors(); i != e; ++i) {
      if (branch->getSuccessor(i) != loop.getHeader())
        continue;
      Value value = branch.getSuccessorOperands(i)[arg.getArgNumber()];
      if (!value)
        return std::nullopt;
      bool isBack = loop.contains(pred);
      std::optional<int64_t> constant;
      if (!isBack)
        constant = getConstantIntValue(value);
      else if (auto next = value.getDefiningOp<arith::AddIOp>())
        constant = next.getLhs() == arg   ? getConstantIntValue(next.getRhs())
                   : next.getRhs() == arg ? getConstantIntValue(next.getLhs())
                                          : std::nullopt;
      std::optional<int64_t> &known = isBack ? by : first;
      if (!constant || known.value_or(*constant) != *constant)
        return std::nullopt;
      known = constant;
    }
  }
  if (!by)
    return std::nullopt;
  step = *by;
  return first;
}

/// The same comparison with its sides exchanged.
arith::CmpIPredicate exchange(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  }
  llvm_unreachable("a predicate");
}

/// What the header of a loop of blocks counts, and where it leaves the loop.
std::optional<LoopRange> getRange(const CFGLoop &loop, Block *&exit) {
  using Predicate = arith::CmpIPredicate;
  auto branch = dyn_cast<cf::CondBranchOp>(loop.getHeader()->getTerminator());
  if (!branch)
    return std::nullopt;
  bool goesOn = loop.contains(branch.getTrueDest());
  if (goesOn == loop.contains(branch.getFalseDest()))
    return std::nullopt;
  exit = goesOn ? branch.getFalseDest() : branch.getTrueDest();
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value counted = compare.getLhs(), bound = compare.getRhs();
  if (getConstantIntValue(counted)) {
    std::swap(counted, bound);
    predicate = exchange(predicate);
  }
  if (!goesOn)
    predicate = arith::invertPredicate(predicate);
  auto variable = dyn_cast<BlockArgument>(counted);
  std::optional<int64_t> end = getConstantIntValue(bound);
  if (!variable || variable.getOwner() != loop.getHeader() || !end)
    return std::nullopt;
  LoopRange range{variable, 0, *end, 0};
  std::optional<int64_t> begin = getFirstValue(loop, variable, range.step);
  if (!begin)
    return std::nullopt;
  range.begin = *begin;
  bool isUnsigned = predicate == Predicate::ult || predicate == Predicate::ule;
  bool isInclusive = predicate == Predicate::sle || predicate == Predicate::ule;
  if (isUnsigned && (range.begin < 0 || range.end < 0))
    return std::nullopt;
  if (isInclusive && llvm::AddOverflow(range.end, int64_t(1), range.end))
    return std::nullopt;
  if (!isUnsigned && !isInclusive && predicate != Predicate::slt &&
      predicate != Predicate::ne)
    return std::nullopt;
  if (!isCountable(range) || (predicate == Predicate::ne &&
                              (range.end - range.begin) % range.step != 0))
    return std::nullopt;
  return range;
}

} // namespace

Loops::Graph &Loops::getGraph(Region *region) {
  std::unique_ptr<Graph> &graph = graphs[region];
  if (graph)
    return *graph;
  graph = std::make_unique<Graph>(dominance.getDomTree(region));
  for (CFGLoop *loop : graph->info.getLoopsInPreorder()) {
    Block *exit;
    std::optional<LoopRange> range = getRange(*loop, exit);
    if (!range)
      continue;
    SmallVector<std::pair<Block *, Block *>> exits;
    loop->getExitEdges(exits);
    graph->counted[loop->getHeader()] = {*range, exit, loop, exits.size() == 1};
  }
  return *graph;
}

const Loops::Counted *Loops::find(Block *header) {
  Region *region = header->getParent();
  if (region->hasOneBlock())
    return nullptr;
  Graph &graph = getGraph(region);
  auto it = graph.counted.find(header);
  return it == graph.counted.end() ? nullptr : &it->second;
}

Block *Loops::getExit(Block *header) {
  const Counted *counted = find(header);
  return counted ? counted->exit : nullptr;
}

ArrayRef<Block *> Loops::getBlocks(Block *header) {
  return find(header)->loop->getBlocks();
}

bool Loops::contains(LoopKey loop, Block *block) {
  if (auto *op = dyn_cast<Operation *>(loop))
    return block->getParentOp() && op->isAncestor(block->getParentOp());
  auto *header = cast<Block *>(loop);
  Block *own = header->getParent()->findAncestorBlockInRegion(*block);
  return own && find(header)->loop->contains(own);
}

bool Loops::hasOneExit(LoopKey loop) {
  auto *header = dyn_cast<Block *>(loop);
  return !header || find(header)->hasOneExit;
}

bool Loops::dominates(Block *a, Block *b) {
  return a == b || dominance.dominates(a, b);
}

void Loops::forEachAround(
    Operation *op, llvm::function_ref<bool(LoopKey, ArrayRef<LoopRange>)> fn) {
  for (; op->getParentRegion()->hasOneBlock(); op = op->getParentOp()) {
    std::optional<LoopRanges> ranges = getLoopRanges(op->getParentOp());
    if (!ranges || !fn(op->getParentOp(), *ranges))
      return;
  }
  // What an op does that holds a graph of blocks is not known, so that no loop
  // around it is either.
  Graph &graph = getGraph(op->getParentRegion());
  Block *inner = op->getBlock();
  for (CFGLoop *loop = graph.info.getLoopFor(inner); loop;
       loop = loop->getParentLoop()) {
    const Counted *counted = find(loop->getHeader());
    // The header is entered once more than the range tells.
    if (!counted || inner == loop->getHeader())
      return;
    SmallVector<Block *> latches;
    loop->getLoopLatches(latches);
    if (!llvm::all_of(latches,
                      [&](Block *latch) { return dominates(inner, latch); }))
      return;
    if (!fn(loop->getHeader(), counted->range) || !counted->hasOneExit)
      return;
    inner = loop->getHeader();
  }
}

} // namespace memplan::planverifier
