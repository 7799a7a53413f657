//===- AsyncUses.cpp - When asynchronous work is finished -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/AsyncUses.h"

#include "memplan/IR/AsyncWork.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace memplan;

bool memplan::startsAsyncWork(Operation *op) {
  return getAsyncWork(op).role == AsyncRole::Starts;
}

namespace {
/// The values that tell when the work is finished: after an await of any of
/// them it is. Used only for membership and emptiness, so their order does not
/// matter.
using Covers = llvm::SmallPtrSet<Value, 4>;

/// Follows control from the op that starts work to the ops that await it. The
/// state at an op has the values that are covers on every path to it; states
/// only shrink, so the walk ends.
class PathWalker {
public:
  PathWalker(Operation *start, const ProgramOrder &order) : order(order) {
    Covers covers;
    for (Value value : getAsyncWork(start).finished)
      covers.insert(value);
    pending.push_back({order.begin(start), order.end(start)});
    arrive(start->getNextNode(), std::move(covers));
    while (!worklist.empty() && !lost) {
      Operation *op = worklist.pop_back_val();
      Covers state = states[op];
      run(op, std::move(state));
    }
    normalizeRanges(pending);
  }

  bool lost = false;
  LiveRanges pending;

private:
  /// Records that control reaches `op` with these covers.
  void arrive(Operation *op, Covers covers) {
    if (covers.empty()) {
      lost = true;
      return;
    }
    auto [it, isNew] = states.try_emplace(op, covers);
    if (!isNew) {
      size_t before = it->second.size();
      it->second.remove_if(
          [&](Value value) { return !covers.contains(value); });
      if (it->second.size() == before)
        return;
      lost |= it->second.empty();
    }
    worklist.push_back(op);
  }

  /// Executes from `op` to the op at which control branches.
  void run(Operation *op, Covers covers) {
    for (; op; op = op->getNextNode()) {
      bool enters = isTransparent(op);
      int64_t begin = order.begin(op);
      pending.push_back({begin, enters ? begin + 1 : order.end(op)});
      AsyncWork work = getAsyncWork(op);
      bool covered = anyOf(work.awaited, covers);
      // Control passes this op only after the work is finished.
      if (covered && work.role == AsyncRole::Awaits)
        return;
      // The results of an earlier execution of the op can no longer be awaited.
      for (Value result : op->getResults())
        covers.erase(result);
      // Work that depends on this work finishes after it.
      if (covered)
        covers.insert_range(work.finished);
      if (covers.empty()) {
        lost = true;
        return;
      }
      if (enters)
        return enter(cast<RegionBranchOpInterface>(op), covers);
      if (op->hasTrait<OpTrait::IsTerminator>())
        return leave(op, covers);
    }
  }

  static bool anyOf(ValueRange values, const Covers &covers) {
    return llvm::any_of(values,
                        [&](Value value) { return covers.contains(value); });
  }

  void enter(RegionBranchOpInterface branch, const Covers &covers) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor &successor : successors)
      flow(branch, successor, branch.getEntrySuccessorOperands(successor),
           covers);
  }

  void leave(Operation *terminator, const Covers &covers) {
    if (isa<ub::UnreachableOp, LLVM::UnreachableOp>(terminator))
      return;
    if (auto branch = dyn_cast<BranchOpInterface>(terminator)) {
      for (auto [i, target] : llvm::enumerate(terminator->getSuccessors())) {
        SuccessorOperands operands = branch.getSuccessorOperands(i);
        Covers next = covers;
        for (Value argument : target->getArguments())
          next.erase(argument);
        forward(target->getArguments().drop_front(
                    operands.getProducedOperandCount()),
                operands.getForwardedOperands(), covers, next);
        arrive(&target->front(), std::move(next));
      }
      return;
    }
    Operation *parent = terminator->getParentOp();
    auto exit = dyn_cast<RegionBranchTerminatorOpInterface>(terminator);
    if (!exit || !order.isNumbered(parent) || !isTransparent(parent)) {
      lost = true;
      return;
    }
    auto branch = cast<RegionBranchOpInterface>(parent);
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(RegionBranchPoint(exit), successors);
    for (RegionSuccessor &successor : successors)
      flow(branch, successor, exit.getSuccessorOperands(successor), covers);
  }

  /// Control enters a region of `branch`, or continues after it.
  void flow(RegionBranchOpInterface branch, RegionSuccessor &successor,
            OperandRange operands, const Covers &covers) {
    Covers next = covers;
    // A value defined in a region belongs to one execution of the region.
    next.remove_if([&](Value value) {
      return branch->isAncestor(value.getParentBlock()->getParentOp());
    });
    forward(successor.getSuccessorInputs(), operands, covers, next);
    Region *region = successor.getSuccessor();
    if (region && !region->empty())
      arrive(&region->front().front(), std::move(next));
    else
      arrive(branch->getNextNode(), std::move(next));
  }

  static void forward(ValueRange targets, ValueRange sources,
                      const Covers &covers, Covers &next) {
    for (auto [target, source] : llvm::zip(targets, sources))
      if (covers.contains(source))
        next.insert(target);
  }

  const ProgramOrder &order;
  llvm::DenseMap<Operation *, Covers> states;
  SmallVector<Operation *> worklist;
};
} // namespace

const AsyncUses::Work &AsyncUses::find(Operation *start) const {
  std::unique_ptr<Work> &work = known[start];
  if (!work) {
    PathWalker walker(start, order);
    work = std::make_unique<Work>();
    work->awaited = !walker.lost;
    work->pending = std::move(walker.pending);
  }
  return *work;
}
