//===- ThreadSlots.cpp - Forward slots along control flow -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/ThreadSlots.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace memplan;

namespace {
/// Rewrites the program for one phi cycle.
class SlotRewriter {
public:
  SlotRewriter(const PhiCycle &cycle, ArrayRef<Value> views,
               ReplacedOps &replaced)
      : cycle(cycle), views(views), replaced(replaced),
        type(views.front().getType()), joinValues(cycle.joinPoints.size()),
        values(cycle.slotValues.size()) {}

  void run(const FunctionProblem &problem) {
    // In program order, so that the operands of an op exist before it.
    for (unsigned c = 0; c < cycle.joinPoints.size(); ++c)
      addJoinValues(c);
    for (unsigned c = 0; c < cycle.joinPoints.size(); ++c)
      for (auto [e, edge] : llvm::enumerate(cycle.joinPoints[c].edges))
        addOperands(c, static_cast<unsigned>(e), edge);
    for (auto [index, slotValue, before] :
         llvm::zip_equal(cycle.records, cycle.taken, cycle.takenBefore)) {
      Operation *allocation = problem.buffers[index].origin;
      Value slot = resolve(slotValue);
      if (before) {
        OpBuilder builder(replaced.find(before));
        slot = RenewOp::create(builder, allocation->getLoc(), slot.getType(),
                               slot);
      }
      allocation->getResult(0).replaceAllUsesWith(slot);
    }
  }

private:
  /// The numbers of the additional arguments and results of a join point, by
  /// join value.
  struct JoinValues {
    SmallVector<unsigned> arguments, results;
  };

  /// The operands for the additional values of join point `c` on an edge.
  SmallVector<Value> incoming(unsigned c, unsigned edge) {
    SmallVector<Value> operands;
    for (const PhiCycle::JoinValue &joinValue : cycle.joinPoints[c].joinValues)
      if (joinValue.isAdditional)
        operands.push_back(resolve(joinValue.incoming[edge]));
    return operands;
  }

  /// Adds the arguments and results for the additional values of join point
  /// `c`.
  void addJoinValues(unsigned c) {
    const PhiCycle::JoinPoint &joinPoint = cycle.joinPoints[c];
    auto count = static_cast<unsigned>(llvm::count_if(
        joinPoint.joinValues, [](const PhiCycle::JoinValue &joinValue) {
          return joinValue.isAdditional;
        }));
    if (count == 0)
      return;
    joinValues[c].arguments.resize(joinPoint.joinValues.size());
    joinValues[c].results.resize(joinPoint.joinValues.size());
    if (joinPoint.block)
      for (auto [p, joinValue] : llvm::enumerate(joinPoint.joinValues))
        if (joinValue.isAdditional) {
          joinValues[c].arguments[p] = joinPoint.block->getNumArguments();
          joinPoint.block->addArgument(type, views.front().getLoc());
        }
    if (!joinPoint.op)
      return;
    Operation *op = replaced.find(joinPoint.op);
    // The `before` region of a while loop gets the inits, the `after` region
    // and the results get the values that scf.condition forwards.
    auto loop = dyn_cast<scf::WhileOp>(op);
    bool hasResults = !loop || joinPoint.block != loop.getBeforeBody();
    bool hasInits = loop ? !hasResults : joinPoint.block != nullptr;
    SmallVector<Value> inits;
    if (hasInits)
      inits = incoming(c, 0);
    unsigned first = op->getNumResults();
    extend(op, inits, hasResults ? count : 0);
    for (auto [p, joinValue] : llvm::enumerate(joinPoint.joinValues))
      if (joinValue.isAdditional)
        joinValues[c].results[p] = first++;
  }

  /// Replaces the op by one with the additional operands `inits` and `results`
  /// additional results.
  void extend(Operation *op, ArrayRef<Value> inits, unsigned results) {
    SmallVector<Type> types(op->getResultTypes());
    types.append(results, type);
    Operation *extended = Operation::create(
        op->getLoc(), op->getName(), types, op->getOperands(),
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        op->getSuccessors(), op->getNumRegions());
    op->getBlock()->getOperations().insert(op->getIterator(), extended);
    for (auto [to, from] :
         llvm::zip_equal(extended->getRegions(), op->getRegions()))
      to.takeBody(from);
    if (auto loop = dyn_cast<scf::ForOp>(extended))
      loop.getInitArgsMutable().append(inits);
    else if (auto loop = dyn_cast<affine::AffineForOp>(extended))
      loop.getInitsMutable().append(inits);
    else if (auto loop = dyn_cast<scf::WhileOp>(extended))
      loop.getInitsMutable().append(inits);
    op->replaceAllUsesWith(
        extended->getResults().take_front(op->getNumResults()));
    replaced.replace(op, extended);
    op->erase();
  }

  /// Adds the operands for the additional values of join point `c` to the
  /// terminator of edge `number`.
  void addOperands(unsigned c, unsigned number, const PhiCycle::Edge &edge) {
    SmallVector<Value> operands = incoming(c, number);
    if (operands.empty())
      return;
    Operation *terminator = edge.terminator;
    if (edge.emptyRegion) {
      Operation *op = replaced.find(cycle.joinPoints[c].op);
      terminator = endOf(op, op->getRegion(*edge.emptyRegion));
    }
    if (!terminator)
      return;
    if (edge.successor)
      cast<BranchOpInterface>(terminator)
          .getSuccessorOperands(*edge.successor)
          .append(operands);
    else
      terminator->insertOperands(terminator->getNumOperands(), operands);
  }

  /// The terminator of a region, which is created if the region is empty.
  Operation *endOf(Operation *op, Region &region) {
    if (!region.empty())
      return region.front().getTerminator();
    OpBuilder builder(op->getContext());
    builder.createBlock(&region);
    if (isa<affine::AffineIfOp>(op))
      return affine::AffineYieldOp::create(builder, op->getLoc(), ValueRange());
    return scf::YieldOp::create(builder, op->getLoc(), ValueRange());
  }

  /// The SSA value of a slot value.
  Value resolve(PhiCycle::SlotValueId id) {
    if (!values[id])
      values[id] = find(cycle.slotValues[id]);
    return values[id];
  }

  Value find(const PhiCycle::SlotValue &slotValue) {
    using Kind = PhiCycle::SlotValue::Kind;
    if (slotValue.kind == Kind::Slot)
      return views[slotValue.index];
    if (slotValue.kind == Kind::Chosen || slotValue.kind == Kind::Rejected)
      return choose(cycle.choices[slotValue.index],
                    slotValue.kind == Kind::Chosen);
    const PhiCycle::JoinPoint &joinPoint =
        cycle.joinPoints[slotValue.joinPoint];
    const PhiCycle::JoinValue &joinValue =
        joinPoint.joinValues[slotValue.index];
    if (slotValue.kind == Kind::Argument)
      return joinPoint.block->getArgument(
          joinValue.isAdditional
              ? joinValues[slotValue.joinPoint].arguments[slotValue.index]
              : *joinValue.argument);
    return replaced.find(joinPoint.op)
        ->getResult(
            joinValue.isAdditional
                ? joinValues[slotValue.joinPoint].results[slotValue.index]
                : *joinValue.result);
  }

  /// The slot that a select chooses, or the one that it does not choose.
  Value choose(const PhiCycle::Choice &choice, bool isChosen) {
    if (isChosen && choice.isOwn)
      return choice.select->getResult(0);
    if (!isChosen && choice.isOwn && choice.other)
      return choice.other->getResult(0);
    Value first = resolve(choice.whenTrue), second = resolve(choice.whenFalse);
    if (!isChosen)
      std::swap(first, second);
    OpBuilder builder(type.getContext());
    builder.setInsertionPointAfter(choice.select);
    Value condition = cast<SelectLikeOpInterface>(choice.select).getCondition();
    return arith::SelectOp::create(builder, condition.getLoc(), condition,
                                   first, second);
  }

  const PhiCycle &cycle;
  ArrayRef<Value> views;
  ReplacedOps &replaced;
  Type type;
  std::vector<JoinValues> joinValues;
  std::vector<Value> values;
};
} // namespace

void memplan::threadSlots(const PhiCycle &cycle, const FunctionProblem &problem,
                          ArrayRef<Value> views, ReplacedOps &replaced) {
  SlotRewriter(cycle, views, replaced).run(problem);
}

void memplan::splitSwitchEdges(FunctionOpInterface function) {
  SmallVector<cf::SwitchOp> switches;
  function->walk([&](cf::SwitchOp branch) { switches.push_back(branch); });
  auto isOneOfSeveral = [](Value value) {
    auto result = dyn_cast<OpResult>(value);
    return result && result.getOwner()->getNumResults() > 1;
  };
  for (cf::SwitchOp branch : switches)
    for (unsigned i = 0, e = branch->getNumSuccessors(); i != e; ++i) {
      SuccessorOperands operands =
          cast<BranchOpInterface>(*branch).getSuccessorOperands(i);
      OperandRange forwarded = operands.getForwardedOperands();
      if (llvm::none_of(forwarded, isOneOfSeveral))
        continue;
      OpBuilder builder(branch);
      Block *block =
          builder.createBlock(branch->getParentRegion(),
                              std::next(branch->getBlock()->getIterator()));
      cf::BranchOp::create(builder, branch.getLoc(), branch->getSuccessor(i),
                           forwarded);
      branch->setSuccessor(block, i);
      operands.getMutableForwardedOperands().clear();
    }
}
