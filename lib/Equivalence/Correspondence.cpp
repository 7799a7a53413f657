//===- Correspondence.cpp - The planned program is the original one -------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops with effects, ops with regions and terminators are matched one by one, in
// order. A pure op is matched when one of its results is used, by its name,
// attributes and operands; its position does not matter. An allocation is
// matched at its first use, with the placement that the planned program uses
// there.
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"

#include "SameAttributes.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Verifier/Flow.h"
#include "memplan/Verifier/Sizes.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;
using namespace memplan::verifier;

namespace {

bool allocatesBuffer(Operation *op) {
  return asBufferAllocation(op) != nullptr;
}

bool isComputation(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         isMemoryEffectFree(op);
}

/// True for an op that planning adds, and for a bufferization.dealloc without
/// operands, which planning may leave.
bool isInsertion(Operation *op) {
  return isa<ArenaOp, ViewOp, RenewOp, ReleaseOp>(op) ||
         (isa<bufferization::DeallocOp>(op) && op->getNumOperands() == 0);
}

/// True for an op that may forward or take slots behind the values of the
/// original op.
bool takesSlots(Operation *op) {
  return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
             CallOpInterface>(op);
}

class Correspondence {
public:
  Correspondence(FunctionOpInterface original, FunctionOpInterface planned)
      : original(original), planned(planned) {}

  LogicalResult run() {
    if (original.isExternal() || planned.isExternal())
      return success(original.isExternal() == planned.isExternal());
    unsigned count = original.getNumArguments();
    bool sameType = planned.getNumArguments() >= count &&
                    original.getResultTypes() == planned.getResultTypes();
    for (unsigned i = count; sameType && i != planned.getNumArguments(); ++i)
      sameType = planned.getArgAttr(i, MemplanDialect::kArenaAttr) != nullptr;
    if (!sameType)
      return mismatch(planned, original,
                      "has another type than the original function");
    neededBefore = findNeeded(original);
    neededAfter = findNeeded(planned);
    findUsed();
    original->walk([&](Operation *op) {
      if (frees(op) || (!isComputation(op) && isDead(op)))
        maybeGone.insert(op->getLoc());
    });
    return success(succeeded(compare(original.getFunctionBody(),
                                     planned.getFunctionBody())) &&
                   succeeded(checkRemoved()) && succeeded(checkUnique()));
  }

private:
  LogicalResult mismatch(Operation *op, Operation *counterpart,
                         const Twine &what) {
    InFlightDiagnostic diag = op->emitError() << what;
    diag.attachNote(counterpart->getLoc()) << "in the original program";
    return diag;
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  LogicalResult mapValues(ValueRange from, ValueRange to, Operation *op) {
    if (from.size() > to.size())
      return mismatch(op, op, "has fewer values than in the original program");
    for (auto [before, after] : llvm::zip(from, to)) {
      if (before.getType() != after.getType())
        return op->emitError()
               << "has a value of type " << after.getType()
               << ", in the original program " << before.getType();
      mapped[before] = after;
    }
    return success();
  }

  using Pairs = SmallVector<std::pair<Value, Value>>;

  /// True if the two values correspond: they are the same value or the same
  /// buffer. The pairs that are matched on the way are kept only in that case.
  bool corresponds(Value before, Value after) {
    size_t numMapped = newlyMapped.size(), numBound = newlyBound.size();
    Pairs open{{before, after}};
    while (!open.empty()) {
      auto [own, other] = open.pop_back_val();
      if (match(own, other, open))
        continue;
      for (; newlyMapped.size() != numMapped; newlyMapped.pop_back())
        mapped.erase(newlyMapped.back());
      for (; newlyBound.size() != numBound; newlyBound.pop_back())
        bound.erase(newlyBound.back());
      if (sizesAfter)
        sizesAfter->forgetImported();
      return false;
    }
    return true;
  }

  bool correspond(ValueRange before, ValueRange after) {
    return before.size() == after.size() &&
           llvm::all_of(llvm::zip(before, after), [&](auto pair) {
             return corresponds(std::get<0>(pair), std::get<1>(pair));
           });
  }

  /// True if the values are the same result of ops that are the same but for
  /// their operands.
  static bool isSameResult(Value before, Value after) {
    Operation *from = before.getDefiningOp(), *to = after.getDefiningOp();
    return from && to && isSameOp(from, to) &&
           from->getNumOperands() == to->getNumOperands() &&
           cast<OpResult>(before).getResultNumber() ==
               cast<OpResult>(after).getResultNumber();
  }

  static void addOperands(Operation *from, Operation *to, Pairs &open) {
    for (auto [own, other] : llvm::zip(from->getOperands(), to->getOperands()))
      open.push_back({own, other});
  }

  /// Compares two values, but not the operands of their ops, which it adds to
  /// `open`.
  bool match(Value before, Value after, Pairs &open) {
    if (auto it = mapped.find(before); it != mapped.end())
      return isSamePure(it->second, after);
    Operation *from = before.getDefiningOp();
    Operation *to = after.getDefiningOp();
    if (!from || !to || before.getType() != after.getType())
      return false;
    if (unowned.contains(before))
      return matchPattern(after, m_Zero());
    bool isSame = isSameResult(before, after);
    if (allocatesBuffer(from)) {
      if (bound.contains(to) ||
          !(allocatesBuffer(to)
                ? isSame && blocks.lookup(from->getBlock()) == to->getBlock()
                : mayStandFor(from, to)))
        return false;
      bound.insert(to);
      newlyBound.push_back(to);
    } else if (!isSame || !isComputation(from)) {
      return false;
    }
    mapped[before] = after;
    newlyMapped.push_back(before);
    if (isSame)
      addOperands(from, to, open);
    else if (!cast<MemRefType>(after.getType()).hasStaticShape())
      return addExtents(from, to, open);
    return true;
  }

  /// Adds the dynamic extents of an allocation and of its placement to `open`
  /// that are not known to be the same values. Those of placements are computed
  /// at the entry, and may not be in the form that they have at the allocation.
  bool addExtents(Operation *from, Operation *to, Pairs &open) {
    auto type = cast<MemRefType>(to->getResult(0).getType());
    auto view = dyn_cast<ViewOp>(to);
    if (from->getNumOperands() != type.getNumDynamicDims())
      return false;
    unsigned number = 0;
    for (unsigned i = 0; i != type.getRank(); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      if (!isSameExtent(from->getResult(0), to->getResult(0), i)) {
        if (!view)
          return false;
        open.push_back({from->getOperand(number), view.getSizes()[number]});
      }
      ++number;
    }
    return true;
  }

  /// True if a dimension of two memrefs is known to have one extent.
  bool isSameExtent(Value before, Value after, unsigned dimension) {
    if (!sizesAfter) {
      sizesBefore.emplace(original, getGraphBefore());
      sizesAfter.emplace(planned, *graphAfter);
    }
    std::optional<Term> expected = sizesAfter->import(
        *sizesBefore, sizesBefore->getExtent(before, dimension),
        [&](Value value) { return mapped.lookup(value); });
    return expected == sizesAfter->getExtent(after, dimension);
  }

  /// True if two values of the planned program are computed in the same way
  /// from the same values.
  bool isSamePure(Value a, Value b) {
    DenseSet<std::pair<Value, Value>> seen;
    Pairs open{{a, b}};
    while (!open.empty()) {
      auto pair = open.pop_back_val();
      auto [one, other] = pair;
      if (one == other || same.contains(pair) || !seen.insert(pair).second)
        continue;
      if (one.getType() != other.getType() || !isSameResult(one, other) ||
          !isComputation(one.getDefiningOp()))
        return false;
      addOperands(one.getDefiningOp(), other.getDefiningOp(), open);
    }
    same.insert(seen.begin(), seen.end());
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Placements
  //===--------------------------------------------------------------------===//

  /// True if the placement may replace the allocation.
  bool mayStandFor(Operation *allocation, Operation *placement) {
    if (!isa<ViewOp, RenewOp>(placement) ||
        !isExecutedAsOften(allocation, placement))
      return false;
    BufferAllocationInterface asked = asBufferAllocation(allocation);
    if (asked.getStorage() == BufferStorage::UniqueScratch)
      unique.push_back(placement);
    return asked.getRequestedAlignment() <= 1 ||
           asked.getRequestedAlignment() <= getAlignment(placement);
  }

  /// By value, the values that it may become.
  using Targets = DenseMap<Value, SmallVector<Value, 2>>;

  /// The values, and all to which `links` leads from them.
  static DenseSet<Value> close(SmallVector<Value> values,
                               const Targets &links) {
    DenseSet<Value> closed;
    while (!values.empty()) {
      Value value = values.pop_back_val();
      if (closed.insert(value).second)
        llvm::append_range(values, links.lookup(value));
    }
    return closed;
  }

  const FlowGraph &getGraphBefore() {
    if (!graphBefore)
      graphBefore.emplace(original.getFunctionBody());
    return *graphBefore;
  }

  static Targets findTargets(FunctionOpInterface function,
                             const FlowGraph &graph) {
    Targets targets;
    auto link = [&](ValueRange into, ValueRange out) {
      for (Value target : llvm::make_filter_range(out, isMemRef))
        for (Value source : llvm::make_filter_range(into, isMemRef))
          targets[source].push_back(target);
    };
    for (const Node &node : graph.nodes)
      for (const Edge &edge : node.edges)
        for (auto [target, source] : edge.forwarded)
          link(source, target);
    walkOwn(function, [&](Operation *op) {
      if (op == function || hasKnownControlFlow(op))
        return;
      link(op->getOperands(), op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region) {
          link(op->getOperands(), block.getArguments());
          if (!block.empty())
            link(block.back().getOperands(), op->getResults());
        }
    });
    return targets;
  }

  /// The alignment of the placement in bytes; for a renewal, the least one of
  /// the slots that it may be in.
  int64_t getAlignment(Operation *placement) {
    if (alignments.empty()) {
      Targets targets = findTargets(planned, *graphAfter);
      SmallVector<Value> pending;
      walkOwn(planned, [&](Operation *op) {
        if (auto view = dyn_cast<ViewOp>(op)) {
          alignments[view] = static_cast<int64_t>(view.getAlign());
          pending.push_back(view);
        }
      });
      while (!pending.empty()) {
        Value value = pending.pop_back_val();
        int64_t alignment = alignments.lookup(value);
        for (Value target : targets.lookup(value)) {
          auto [it, isNew] = alignments.try_emplace(target, alignment);
          if (!isNew && it->second <= alignment)
            continue;
          it->second = alignment;
          pending.push_back(target);
        }
      }
    }
    return alignments.lookup(placement->getResult(0));
  }

  /// True if the executions of the allocation and of the placement correspond
  /// one to one, as far as their buffers are used. Each buffer of one program
  /// is then one buffer of the other.
  bool isExecutedAsOften(Operation *allocation, Operation *placement) {
    Block *home = blocks.lookup(allocation->getBlock());
    if (!home)
      return false;
    Region *region = home->getParent();
    Block *block = region->findAncestorBlockInRegion(*placement->getBlock());
    if (!block) {
      // The placement is in a region around that of the allocation. If control
      // flow does not forward the buffer, that of an earlier execution is dead.
      // No two executions may run at the same time.
      for (Region *around = region; around != placement->getParentRegion();
           around = around->getParentRegion())
        if (around == &planned.getFunctionBody() ||
            isParallelLoop(around->getParentOp()) ||
            !hasKnownControlFlow(around->getParentOp()))
          return false;
      return !isForwarded(allocation);
    }
    // The placement is in a region inside: no loop may be between them.
    for (Operation *op = placement; op->getBlock() != block;
         op = op->getParentOp()) {
      Region *inner = op->getParentRegion();
      auto branch = dyn_cast<RegionBranchOpInterface>(inner->getParentOp());
      if (!branch || !inner->hasOneBlock() || isParallelLoop(branch) ||
          branch.isRepetitiveRegion(inner->getRegionNumber()))
        return false;
    }
    if (block == home)
      return true;
    // Between two executions of the placement, control must pass the
    // allocation. Between two executions of the allocation it need not pass the
    // placement if control flow does not forward the buffer, because the first
    // buffer is dead then.
    return !isReachedAgain(block, home) &&
           (!isReachedAgain(home, block) || !isForwarded(allocation));
  }

  /// True if control may return to the block without passing through `other`.
  static bool isReachedAgain(Block *block, Block *other) {
    llvm::SmallSetVector<Block *, 8> reached;
    reached.insert(block->succ_begin(), block->succ_end());
    for (size_t i = 0; i != reached.size(); ++i)
      if (reached[i] == block)
        return true;
      else if (reached[i] != other)
        reached.insert(reached[i]->succ_begin(), reached[i]->succ_end());
    return false;
  }

  /// True if control flow may forward the buffer, or if asynchronous work may
  /// use it.
  static bool isForwarded(Operation *allocation) {
    llvm::SmallSetVector<Value, 8> names;
    names.insert(allocation->getResult(0));
    for (size_t i = 0; i != names.size(); ++i)
      for (Operation *user : names[i].getUsers()) {
        if (user->hasTrait<OpTrait::IsTerminator>() ||
            hasKnownControlFlow(user) ||
            llvm::any_of(user->getOperandTypes(), isToken) ||
            llvm::any_of(user->getResultTypes(), isToken))
          return true;
        for (Region *around = user->getParentRegion();
             around != allocation->getParentRegion();
             around = around->getParentRegion())
          if (!hasKnownControlFlow(around->getParentOp()))
            return true;
        for (Value result : user->getResults())
          if (isMemRef(result))
            names.insert(result);
        for (Region &region : user->getRegions())
          for (Block &block : region)
            if (llvm::any_of(block.getArguments(), isMemRef))
              return true;
      }
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  /// The attribute without the empty entries that `arg_attrs` of a call may
  /// have at its end for arenas.
  static NamedAttribute withoutTrailingEmpty(NamedAttribute attribute) {
    auto list = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!list || attribute.getName() != "arg_attrs")
      return attribute;
    ArrayRef<Attribute> rest = list.getValue();
    auto empty = DictionaryAttr::get(list.getContext());
    while (!rest.empty() && rest.back() == empty)
      rest = rest.drop_back();
    return {attribute.getName(), ArrayAttr::get(list.getContext(), rest)};
  }

  /// True if the ops have the same name and attributes, except for those that
  /// planning changes.
  static bool isSameOp(Operation *from, Operation *to) {
    if (haveSameAttributes(from, to))
      return true;
    if (from->getName() != to->getName())
      return false;
    // These attributes count operands, which are compared with the operands.
    bool takesMore = takesSlots(from) ||
                     isa<BranchOpInterface, bufferization::DeallocOp>(from);
    auto getRest = [&](Operation *op) {
      SmallVector<NamedAttribute> rest;
      for (NamedAttribute attribute : op->getAttrDictionary()) {
        StringRef name = attribute.getName().getValue();
        bool isCount = name == "operandSegmentSizes" ||
                       name == "case_operand_segments" ||
                       name == "resultSegmentSizes";
        if (!(isCount && takesMore) && name != MemplanDialect::kStepAttr &&
            name != MemplanDialect::kBufferAttr)
          rest.push_back(withoutTrailingEmpty(attribute));
      }
      return rest;
    };
    return getRest(from) == getRest(to);
  }

  /// True if planning may have put the op in its step: it may split a step or
  /// add ops with a stream to one, but it may not join steps.
  bool isSameStep(Operation *from, Operation *to) {
    Attribute before = from->getDiscardableAttr(MemplanDialect::kStepAttr);
    Attribute after = to->getDiscardableAttr(MemplanDialect::kStepAttr);
    bool hasStream = from->hasAttr(MemplanDialect::kStreamAttr);
    if (!after)
      return true;
    if (!before)
      return hasStream;
    return stepOf.try_emplace(after, before).first->second == before;
  }

  LogicalResult compareOperands(Operation *from, Operation *to,
                                OperandRange before, OperandRange after,
                                bool takesMore) {
    if (before.size() > after.size() ||
        (before.size() < after.size() && !takesMore))
      return mismatch(to, from,
                      "has " + Twine(after.size()) +
                          " operands, in the original program " +
                          Twine(before.size()));
    for (auto [i, own, other] :
         llvm::enumerate(before, after.take_front(before.size())))
      if (!isUnused(after.getBase()[i], before.getBase()[i]) &&
          !corresponds(own, other))
        return mismatch(to, from,
                        "operand " + Twine(i) +
                            " is not what it is in the original program");
    return success();
  }

  LogicalResult compareOps(Operation *from, Operation *to) {
    if (!isSameOp(from, to))
      return mismatch(to, from, "is not the op of the original program");
    if (!isSameStep(from, to))
      return mismatch(to, from,
                      "runs at once with other ops than in the "
                      "original program");
    if (from->getNumRegions() != to->getNumRegions() ||
        from->getNumSuccessors() != to->getNumSuccessors() ||
        from->getNumResults() > to->getNumResults() ||
        (from->getNumResults() < to->getNumResults() &&
         !isa<RegionBranchOpInterface>(to)))
      return mismatch(to, from, "has not the form of the original op");
    if (auto branch = dyn_cast<BranchOpInterface>(to))
      return compareBranch(cast<BranchOpInterface>(from), branch);
    if (failed(compareOperands(from, to, from->getOperands(), to->getOperands(),
                               takesSlots(to))))
      return failure();
    // An isolated op is a function of its own, which is not compared here.
    if (!to->hasTrait<OpTrait::IsIsolatedFromAbove>())
      for (auto [before, after] :
           llvm::zip_equal(from->getRegions(), to->getRegions()))
        if (failed(compare(before, after)))
          return failure();
    return mapValues(from->getResults(), to->getResults(), to);
  }

  /// The block that the branch to `target` leads to. Planning may insert a
  /// block that only branches on, with slots for the arguments of `original`;
  /// then this is the target of that branch, and `forwarded` becomes its
  /// operands.
  static Block *passOn(Block *target, Block *original,
                       OperandRange &forwarded) {
    auto next = dyn_cast<cf::BranchOp>(target->front());
    if (!next || target->getNumArguments() != 0 ||
        original->getNumArguments() == 0)
      return target;
    forwarded = next.getDestOperands();
    return next.getDest();
  }

  LogicalResult compareBranch(BranchOpInterface from, BranchOpInterface to) {
    for (unsigned i = 0; i != to->getNumSuccessors(); ++i) {
      OperandRange before = from.getSuccessorOperands(i).getForwardedOperands();
      OperandRange after = to.getSuccessorOperands(i).getForwardedOperands();
      passOn(to->getSuccessor(i), from->getSuccessor(i), after);
      if (failed(compareOperands(from, to, before, after, /*takesMore=*/true)))
        return failure();
    }
    auto getRest = [](BranchOpInterface branch) {
      SmallVector<Value> rest;
      for (auto [i, operand] : llvm::enumerate(branch->getOperands()))
        if (!branch.getSuccessorBlockArgument(i))
          rest.push_back(operand);
      return rest;
    };
    if (!correspond(getRest(from), getRest(to)))
      return mismatch(to, from, "branches on another condition");
    return success();
  }

  /// True if planning may remove the op: a deallocation of planned buffers, an
  /// op whose regions have only removable ops and that frees or that nothing
  /// needs, or a trivially dead op that nothing needs. A use of a removed
  /// result that is left does not correspond to the original one.
  bool isRemovable(Operation *op) {
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      return isPlanned(dealloc.getMemref());
    if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
      unowned.insert(dealloc->result_begin(), dealloc->result_end());
      return llvm::all_of(
          llvm::zip(dealloc.getMemrefs(), dealloc.getConditions()),
          [&](auto pair) {
            return isPlanned(std::get<0>(pair)) ||
                   matchPattern(std::get<1>(pair), m_Zero());
          });
    }
    if (isStructured(op) &&
        (op->getNumResults() == 0 || !neededBefore.contains(op) || frees(op)))
      return isAll(op, [&](Operation *inner) { return isRemovable(inner); });
    return isDead(op) && !neededBefore.contains(op);
  }

  /// The ops that have an effect other than to free, and the ops whose results
  /// these need.
  DenseSet<Operation *> findNeeded(FunctionOpInterface function) {
    DenseSet<Operation *> needed;
    SmallVector<Operation *> pending;
    auto add = [&](Operation *op) {
      if (op && needed.insert(op).second)
        pending.push_back(op);
    };
    function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (frees(op))
        return WalkResult::skip();
      if (!isInsertion(op) && !isDead(op))
        add(op);
      return WalkResult::advance();
    });
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      // Without its memrefs a deallocation returns that nothing is owned.
      if (!isa<bufferization::DeallocOp>(op))
        for (Value operand : op->getOperands())
          add(operand.getDefiningOp());
      // The walk did not enter ops that only free. If such an op is needed, so
      // are the values that its regions yield.
      if (frees(op))
        for (Region &region : op->getRegions())
          if (!region.empty())
            add(&region.front().back());
    }
    return needed;
  }

  /// By memref of the function, those that it may have become or that it views.
  /// Adds the memrefs that some op uses, other than to forward them, to view
  /// them or to begin a buffer in their slots, to `pending`, or to `sized` if
  /// the op is a memref.dim, which uses their extents alone.
  static Targets findSources(FunctionOpInterface function,
                             const FlowGraph &graph,
                             SmallVector<Value> &pending,
                             SmallVector<Value> &sized) {
    Targets sources;
    walkOwn(function, [&](Operation *op) {
      if (op == function || isInsertion(op))
        return;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isMemRef(operand.get()))
          continue;
        if (auto it = graph.becomes.find(&operand); it != graph.becomes.end())
          for (Value target : it->second)
            sources[target].push_back(operand.get());
        else if (isComputation(op) && llvm::all_of(op->getResults(), isMemRef))
          for (Value result : op->getResults())
            sources[result].push_back(operand.get());
        else
          (isa<memref::DimOp>(op) ? sized : pending).push_back(operand.get());
      }
    });
    return sources;
  }

  /// Finds what the planned program uses.
  void findUsed() {
    graphAfter.emplace(planned.getFunctionBody());
    SmallVector<Value> pending, sized;
    Targets sources = findSources(planned, *graphAfter, pending, sized);
    used = close(std::move(pending), sources);
    measured = close(std::move(sized), sources);
  }

  /// True if the original program forwards the operand to a memref whose
  /// extents it asks for. Planning may fold what asks, but `isSameExtent` then
  /// takes the extents of the counterpart for those of the memref.
  bool isMeasuredBefore(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (type && type.hasStaticShape())
      return false;
    const FlowGraph &graph = getGraphBefore();
    if (!measuredBefore) {
      SmallVector<Value> pending, sized;
      Targets sources = findSources(original, graph, pending, sized);
      measuredBefore = close(std::move(sized), sources);
    }
    auto it = graph.becomes.find(&operand);
    return it == graph.becomes.end() ||
           llvm::any_of(it->second, [&](Value target) {
             return measuredBefore->contains(target);
           });
  }

  /// True if control flow forwards the operand, and only to values that nothing
  /// uses. It may then be any buffer, with the extents of `own` in the original
  /// program if something asks for these.
  bool isUnused(OpOperand &operand, OpOperand &before) {
    auto it = graphAfter->becomes.find(&operand);
    if (it == graphAfter->becomes.end())
      return false;
    auto isIn = [&](const DenseSet<Value> &values) {
      return llvm::any_of(
          it->second, [&](Value target) { return values.contains(target); });
    };
    if (isIn(used))
      return false;
    Value own = before.get();
    if (!isIn(measured) && !isMeasuredBefore(before))
      return true;
    auto type = dyn_cast<MemRefType>(own.getType());
    return type && type == operand.get().getType() &&
           llvm::all_of(llvm::seq<unsigned>(0, type.getRank()),
                        [&](unsigned dimension) {
                          return isSameExtent(own, operand.get(), dimension);
                        });
  }

  /// True if all ops in the regions of `op` satisfy `fn` or have no effect that
  /// matters: allocations, trivially dead ops and insertions.
  static bool isAll(Operation *op, llvm::function_ref<bool(Operation *)> fn) {
    return llvm::all_of(op->getRegions(), [&](Region &region) {
      return region.empty() ||
             llvm::all_of(region.front().without_terminator(),
                          [&](Operation &inner) {
                            return allocatesBuffer(&inner) ||
                                   wouldOpBeTriviallyDead(&inner) ||
                                   isInsertion(&inner) || fn(&inner);
                          });
    });
  }

  /// True for conditionals and loops whose effects are those of the ops inside.
  static bool isStructured(Operation *op) {
    return hasKnownControlFlow(op) &&
           op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           llvm::all_of(op->getRegions(), [](Region &region) {
             return region.empty() || region.hasOneBlock();
           });
  }

  /// True for a structured op without results in which no op has an effect.
  bool doesNothing(Operation *op) {
    return isStructured(op) && op->getNumResults() == 0 &&
           askOnce(op, nothingKnown,
                   [&](Operation *inner) { return doesNothing(inner); });
  }

  /// True if the op has no effect, so that it is dead where nothing uses its
  /// results.
  bool isDead(Operation *op) {
    auto [it, isNew] = deadKnown.try_emplace(op, false);
    if (isNew)
      it->second = wouldOpBeTriviallyDead(op);
    return it->second;
  }

  /// True if the op has no effect other than to free.
  bool frees(Operation *op) {
    return isa<memref::DeallocOp, bufferization::DeallocOp>(op) ||
           (isStructured(op) &&
            askOnce(op, freesKnown,
                    [&](Operation *inner) { return frees(inner); }) &&
            (op->getNumResults() == 0 || !isDead(op)));
  }

  /// A cache for isAll, which is asked at each level of a nest.
  static bool askOnce(Operation *op, DenseMap<Operation *, bool> &known,
                      llvm::function_ref<bool(Operation *)> fn) {
    auto it = known.find(op);
    return it != known.end() ? it->second : known[op] = isAll(op, fn);
  }

  /// True if the memref may be a buffer that is planned.
  bool isPlanned(Value memref) {
    while (Value source = getViewed(memref))
      memref = source;
    Value after = mapped.lookup(memref);
    if (isa<BlockArgument>(memref))
      return memref.getParentRegion() != &original.getFunctionBody() ||
             !cast<BlockArgument>(memref).getOwner()->isEntryBlock();
    // An allocation without a counterpart is dead or not matched yet.
    return !after || !allocatesBuffer(after.getDefiningOp());
  }

  /// True if the locations tell that the allocation `after` is one of `values`
  /// behind the first. Like isOfAnother, this is a guess.
  static bool isOfLater(ValueRange values, Value after) {
    auto isSame = [&](Value value) {
      return value.getDefiningOp() && allocatesBuffer(value.getDefiningOp()) &&
             value.getLoc() == after.getLoc();
    };
    return after.getDefiningOp() && allocatesBuffer(after.getDefiningOp()) &&
           !isSame(values.front()) && llvm::any_of(values.drop_front(), isSame);
  }

  /// True if `after` is what is left of the first of `values`, which one
  /// deallocation frees or retains.
  bool isRemainder(ValueRange values, Value after) {
    return !isOfLater(values, after) && corresponds(values.front(), after);
  }

  /// Compares a deallocation with its remainder in the planned program, which
  /// frees the buffers that are not planned.
  LogicalResult compareDeallocs(bufferization::DeallocOp from,
                                bufferization::DeallocOp to) {
    auto next = to.getMemrefs().begin();
    auto condition = to.getConditions().begin();
    for (auto [i, memref, own] :
         llvm::enumerate(from.getMemrefs(), from.getConditions()))
      if (next != to.getMemrefs().end() &&
          isRemainder(from.getMemrefs().drop_front(i), *next) &&
          corresponds(own, *condition))
        ++next, ++condition;
      else if (!isPlanned(memref) && !matchPattern(own, m_Zero()))
        return mismatch(to, from, "does not free what the original op does");
    if (next != to.getMemrefs().end())
      return mismatch(to, from, "frees what the original op does not");
    unsigned result = 0;
    for (auto [i, retained] : llvm::enumerate(from.getRetained()))
      if (result != to.getRetained().size() &&
          isRemainder(from.getRetained().drop_front(i),
                      to.getRetained()[result]))
        mapped[from.getResult(i)] = to.getResult(result++);
      else
        unowned.insert(from.getResult(i));
    if (result != to.getRetained().size())
      return mismatch(to, from, "retains what the original op does not");
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  LogicalResult compare(Region &from, Region &to) {
    if (from.empty()) {
      // Planning may add a region that only forwards slots.
      if (to.empty() ||
          (to.hasOneBlock() && llvm::hasSingleElement(to.front())))
        return success();
      return to.getParentOp()->emitError()
             << "has a region that is empty in the original program";
    }
    if (to.empty())
      return mismatch(to.getParentOp(), from.getParentOp(),
                      "has lost a region");
    if (failed(pairBlocks(&from.front(), &to.front())))
      return failure();
    // A block comes behind its dominators. Unreachable blocks are not compared.
    llvm::ReversePostOrderTraversal<Block *> order(&from.front());
    for (Block *block : order)
      if (failed(compare(*block, *blocks.lookup(block))))
        return failure();
    return success();
  }

  /// Pairs the reachable blocks of two regions along their branches.
  LogicalResult pairBlocks(Block *from, Block *to) {
    SmallVector<std::pair<Block *, Block *>> pending{{from, to}};
    while (!pending.empty()) {
      auto [before, after] = pending.pop_back_val();
      auto [it, isNew] = blocks.try_emplace(before, after);
      if (!isNew) {
        if (it->second != after)
          return mismatch(&after->back(), &before->back(),
                          "is in a block that is entered otherwise than in "
                          "the original program");
        continue;
      }
      if (failed(mapValues(before->getArguments(), after->getArguments(),
                           after->getParentOp())))
        return failure();
      if (before->empty() || after->empty())
        continue;
      Operation *first = &before->back(), *second = &after->back();
      if (first->getNumSuccessors() != second->getNumSuccessors())
        return mismatch(second, first, "is not the op of the original program");
      for (unsigned i = 0; i != first->getNumSuccessors(); ++i) {
        OperandRange ignored = second->getOperands();
        pending.push_back(
            {first->getSuccessor(i),
             passOn(second->getSuccessor(i), first->getSuccessor(i), ignored)});
      }
    }
    return success();
  }

  LogicalResult compare(Block &from, Block &to) {
    auto other = to.begin();
    auto skipInserted = [&] {
      while (other != to.end() &&
             (isComputation(&*other) || isInsertion(&*other) ||
              allocatesBuffer(&*other) || doesNothing(&*other)))
        ++other;
    };
    for (Operation &op : from) {
      if (isComputation(&op) || allocatesBuffer(&op) || doesNothing(&op))
        continue;
      skipInserted();
      if (mayBeRemoved(&op, other == to.end() ? nullptr : &*other))
        continue;
      if (other == to.end())
        return to.getParentOp()->emitError() << "lacks an op '" << op.getName()
                                             << "' of the original program";
      auto dealloc = dyn_cast<bufferization::DeallocOp>(op);
      auto thinned = dyn_cast<bufferization::DeallocOp>(*other);
      if (failed(dealloc && thinned ? compareDeallocs(dealloc, thinned)
                                    : compareOps(&op, &*other)))
        return failure();
      ++other;
    }
    skipInserted();
    if (other != to.end())
      return other->emitError() << "is not in the original program";
    return success();
  }

  /// True if the locations tell that `counterpart` is not `op` but an equal op
  /// further on: planning may have removed the first of two equal reads or
  /// conditional deallocations. The answer is a guess and proves nothing:
  /// mayBeRemoved then still asks whether `op` is removable, and `counterpart`
  /// must match a later op.
  bool isOfAnother(Operation *op, Operation *counterpart) {
    return op->getLoc() != counterpart->getLoc() &&
           maybeGone.contains(counterpart->getLoc());
  }

  /// The buffers that the deallocations inside of `op` free.
  static SmallVector<Value> findFreed(Operation *op) {
    SmallVector<Value> freed;
    op->walk([&](Operation *inner) {
      if (auto dealloc = dyn_cast<memref::DeallocOp>(inner))
        freed.push_back(dealloc.getMemref());
      else if (auto several = dyn_cast<bufferization::DeallocOp>(inner))
        llvm::append_range(freed, several.getMemrefs());
    });
    for (Value &memref : freed)
      while (Value source = getViewed(memref))
        memref = source;
    return freed;
  }

  /// True if the first buffer that `counterpart` frees seems to be none of
  /// those that `op` frees: planning may have removed the others of them. Equal
  /// allocations are told apart by their locations, so that this, like
  /// isOfAnother, is a guess.
  bool freesAnother(Operation *op, Operation *counterpart) {
    SmallVector<Value> freed = findFreed(op), rest = findFreed(counterpart);
    if (freed.empty() || rest.empty())
      return false;
    Value other = rest.front();
    return llvm::none_of(freed, [&](Value one) {
      if (Value known = mapped.lookup(one))
        return isSamePure(known, other);
      Operation *from = one.getDefiningOp(), *to = other.getDefiningOp();
      return !from || !to || !allocatesBuffer(from) || !allocatesBuffer(to) ||
             from->getLoc() == to->getLoc();
    });
  }

  /// True if the operands correspond, except for slots that planning adds and
  /// values that nothing uses.
  bool haveSameOperands(Operation *op, Operation *counterpart) {
    unsigned count = op->getNumOperands();
    if (counterpart->getNumOperands() < count ||
        (counterpart->getNumOperands() > count && !takesSlots(counterpart)))
      return false;
    for (unsigned i = 0; i != count; ++i)
      if (op->getOperand(i).getType() != counterpart->getOperand(i).getType() ||
          (!isUnused(counterpart->getOpOperand(i), op->getOpOperand(i)) &&
           !corresponds(op->getOperand(i), counterpart->getOperand(i))))
        return false;
    return true;
  }

  /// True if `counterpart` is the op, or the rest of the deallocation that the
  /// op is.
  bool isStillThere(Operation *op, Operation *counterpart) {
    if (!counterpart || op->getName() != counterpart->getName())
      return false;
    bool isGuard = isStructured(op) && frees(op);
    if (isGuard &&
        ((!frees(counterpart) && !wouldOpBeTriviallyDead(counterpart)) ||
         isOfAnother(op, counterpart) || freesAnother(op, counterpart)))
      return false;
    if (isGuard)
      return haveSameOperands(op, counterpart);
    if (isa<memref::DeallocOp, scf::IfOp>(op))
      return corresponds(op->getOperand(0), counterpart->getOperand(0));
    if (isDead(op))
      return isSameOp(op, counterpart) && !isOfAnother(op, counterpart) &&
             (neededBefore.contains(op) || !neededAfter.contains(counterpart) ||
              op->getLoc() == counterpart->getLoc()) &&
             haveSameOperands(op, counterpart);
    auto dealloc = dyn_cast<bufferization::DeallocOp>(op);
    if (!dealloc)
      return true;
    ValueRange rest = cast<bufferization::DeallocOp>(counterpart).getMemrefs();
    if (rest.empty())
      return dealloc.getMemrefs().empty();
    for (unsigned i = 0; i != dealloc.getMemrefs().size(); ++i)
      if (isRemainder(dealloc.getMemrefs().drop_front(i), rest.front()))
        return true;
    return false;
  }

  /// True if the planned program lacks the op, and may lack it.
  bool mayBeRemoved(Operation *op, Operation *counterpart) {
    if (isStillThere(op, counterpart) || !isRemovable(op))
      return false;
    if (frees(op))
      removed.push_back(op);
    return true;
  }

  /// The i1 values of the original program that may be true. A deallocation
  /// returns that a memref is owned only if one of its conditions holds.
  DenseSet<Value> findMaybeTrue() {
    Targets targets;
    DenseSet<Value> derived;
    auto link = [&](Value source, Value target) {
      targets[source].push_back(target);
      derived.insert(target);
    };
    for (const Node &node : getGraphBefore().nodes)
      for (const Edge &edge : node.edges)
        for (auto [target, source] : edge.forwarded)
          link(source, target);
    SmallVector<Value> pending;
    auto add = [&](Value value) {
      if (value.getType().isInteger(1) && !derived.contains(value) &&
          !matchPattern(value, m_Zero()))
        pending.push_back(value);
    };
    walkOwn(original, [&](Operation *op) {
      if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
        for (Value condition : dealloc.getConditions())
          for (Value owned : dealloc.getResults())
            link(condition, owned);
        return;
      }
      llvm::for_each(op->getResults(), add);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), add);
    });
    return close(std::move(pending), targets);
  }

  /// True if `op` is in a branch, inside of `removed`, on a condition that is
  /// none of `maybeTrue`.
  static bool isNeverExecuted(Operation *op, Operation *removed,
                              const DenseSet<Value> &maybeTrue) {
    for (; op != removed; op = op->getParentOp())
      if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
        if (op->getParentRegion() == &branch.getThenRegion() &&
            !maybeTrue.contains(branch.getCondition()))
          return true;
    return false;
  }

  /// Checks that each buffer that a removed deallocation freed, on a condition
  /// that is always true, is planned on some path.
  LogicalResult checkRemoved() {
    if (removed.empty())
      return success();
    Targets targets = findTargets(original, getGraphBefore());
    SmallVector<Value> pending;
    walkOwn(original, [&](Operation *op) {
      if (allocatesBuffer(op) && isPlanned(op->getResult(0)))
        pending.push_back(op->getResult(0));
    });
    DenseSet<Value> known = close(std::move(pending), targets);
    DenseSet<Value> maybeTrue = findMaybeTrue();
    for (Operation *op : removed) {
      WalkResult result = op->walk([&](Operation *inner) -> WalkResult {
        auto dealloc = dyn_cast<bufferization::DeallocOp>(inner);
        for (OpOperand &operand : inner->getOpOperands()) {
          // It is not known whether other conditions ever hold.
          bool isFreed =
              isa<memref::DeallocOp>(inner) ||
              (dealloc &&
               operand.getOperandNumber() < dealloc.getMemrefs().size() &&
               matchPattern(dealloc.getConditions()[operand.getOperandNumber()],
                            m_One()));
          if (!isFreed || known.contains(operand.get()) ||
              isNeverExecuted(inner, op, maybeTrue))
            continue;
          InFlightDiagnostic diag = planned.emitError(
              "lacks the deallocation of a buffer that is not planned");
          diag.attachNote(inner->getLoc()) << "in the original program";
          return WalkResult::interrupt();
        }
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return failure();
    }
    return success();
  }

  /// Checks that unique scratch shares its bytes with no other buffer.
  LogicalResult checkUnique() {
    SmallVector<Operation *> kept;
    llvm::copy_if(unique, std::back_inserter(kept),
                  [&](Operation *op) { return bound.contains(op); });
    if (kept.empty())
      return success();
    FailureOr<Operation *> shared = findSharedPlacement(planned, kept);
    if (failed(shared))
      return failure();
    if (*shared)
      return (*shared)->emitError("is scratch of which the original program "
                                  "says that it shares its bytes with nothing");
    return success();
  }

  FunctionOpInterface original, planned;
  /// By op, the answers of isAll to frees and to doesNothing.
  DenseMap<Operation *, bool> freesKnown, nothingKnown;
  DenseMap<Operation *, bool> deadKnown;
  DenseSet<Operation *> neededBefore, neededAfter;
  /// The locations of the ops of the original that planning may remove.
  DenseSet<Location> maybeGone;
  /// Of the two bodies; that of the original one once it is needed.
  std::optional<FlowGraph> graphBefore, graphAfter;
  /// The results of findUsed: memrefs, and those whose extents matter.
  DenseSet<Value> used, measured;
  /// Those of the original program whose extents matter.
  std::optional<DenseSet<Value>> measuredBefore;
  DenseMap<Value, Value> mapped;
  SmallVector<Value> newlyMapped;
  DenseMap<Block *, Block *> blocks;
  /// The placements and allocations of the planned program that are matched
  /// with an allocation of the original.
  DenseSet<Operation *> bound;
  SmallVector<Operation *> newlyBound;
  /// Pairs of values of the planned program that are computed in the same way.
  DenseSet<std::pair<Value, Value>> same;
  std::optional<Sizes> sizesBefore, sizesAfter;
  /// By slot value, its alignment in bytes.
  DenseMap<Value, int64_t> alignments;
  SmallVector<Operation *> unique;
  /// The deallocations that planning has removed.
  SmallVector<Operation *> removed;
  /// The results of removed deallocations, which say whether a retained memref
  /// is owned. In the planned program they must be false.
  DenseSet<Value> unowned;
  /// By step of the planned program, the step of the original.
  DenseMap<Attribute, Attribute> stepOf;
};

} // namespace

LogicalResult memplan::checkCorrespondence(FunctionOpInterface original,
                                           FunctionOpInterface planned) {
  return Correspondence(original, planned).run();
}
