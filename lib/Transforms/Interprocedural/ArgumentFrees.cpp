//===- ArgumentFrees.cpp - Deallocations of arguments ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function is walked once for each value of an i1 argument. A walk leaves
// out the branches that this value rules out:
//
//   func @f(%a, %own) {        %own      !%own
//     ...
//     scf.if %own {
//       dealloc %a             always    (left out)
//     }
//     return                   always    never         %a is freed if %own
//   }
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/ArgumentFrees.h"
#include "Interprocedural/ThinOut.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

namespace {
/// Whether some deallocation of a set is executed on the paths to a point.
enum class Count { Never, Always, Unknown };

/// An i1 argument and the value that a walk assumes for it.
struct Assumption {
  Value argument;
  bool value = false;
};

/// Finds out whether each execution of a region executes one of the
/// deallocations.
class FreeCounter {
public:
  FreeCounter(ArrayRef<OpOperand *> frees, std::optional<Assumption> assumption)
      : assumption(assumption) {
    for (OpOperand *free : frees) {
      conditions[free->getOwner()] = getCondition(*free);
      for (Operation *op = free->getOwner(); op; op = op->getParentOp())
        around.insert(op);
    }
  }

  Count count(Region &region);

  /// The condition of the memref in a bufferization.dealloc; null if `free` is
  /// an operand of another op.
  static Value getCondition(OpOperand &free) {
    auto dealloc = dyn_cast<bufferization::DeallocOp>(free.getOwner());
    return dealloc ? dealloc.getConditions()[free.getOperandNumber()] : Value();
  }

private:
  /// The op that joins two conditions to `condition`; null if it is none.
  static Operation *getJoin(Value condition) {
    Operation *op = condition.getDefiningOp();
    return isa_and_present<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
                   condition.getType().isInteger(1)
               ? op
               : nullptr;
  }

  std::optional<bool> decideFrom(Value condition) const;
  std::optional<bool> decide(Value condition);
  Count count(Operation &op);
  Count count(Block &block, Count before);
  SmallVector<Block *> getSuccessors(Block &block);

  static Count join(Count a, Count b) { return a == b ? a : Count::Unknown; }

  std::optional<Assumption> assumption;
  /// By condition, its value under the assumption, if it is known.
  llvm::DenseMap<Value, std::optional<bool>> decided;
  /// For each deallocation its condition, or null.
  llvm::DenseMap<Operation *, Value> conditions;
  /// The deallocations and the ops around them.
  llvm::DenseSet<Operation *> around;
};
} // namespace

/// The value of the condition, whose operands are decided, under the
/// assumption, if it is known.
std::optional<bool> FreeCounter::decideFrom(Value condition) const {
  if (assumption && condition == assumption->argument)
    return assumption->value;
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = getJoin(condition);
  if (!op)
    return std::nullopt;
  std::optional<bool> a = decided.lookup(op->getOperand(0));
  std::optional<bool> b = decided.lookup(op->getOperand(1));
  if (isa<arith::XOrIOp>(op))
    return a && b ? std::optional<bool>(*a != *b) : std::nullopt;
  bool decisive = isa<arith::OrIOp>(op);
  if (a == decisive || b == decisive)
    return decisive;
  return a && b ? std::optional<bool>(!decisive) : std::nullopt;
}

/// The value of the condition under the assumption, if it is known. A condition
/// may be an operand of many others: each is decided once.
std::optional<bool> FreeCounter::decide(Value condition) {
  SmallVector<Value> open{condition};
  while (!open.empty()) {
    Value next = open.back();
    size_t count = open.size();
    if (Operation *op = getJoin(next); op && !decided.contains(next))
      llvm::copy_if(op->getOperands(), std::back_inserter(open),
                    [&](Value operand) { return !decided.contains(operand); });
    if (open.size() != count)
      continue;
    decided.try_emplace(next, decideFrom(next));
    open.pop_back();
  }
  return decided.lookup(condition);
}

Count FreeCounter::count(Operation &op) {
  if (!around.contains(&op))
    return Count::Never;
  if (auto it = conditions.find(&op); it != conditions.end()) {
    if (!it->second)
      return Count::Always;
    std::optional<bool> holds = decide(it->second);
    return !holds ? Count::Unknown : *holds ? Count::Always : Count::Never;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    std::optional<bool> holds = decide(conditional.getCondition());
    if (holds)
      return count(*holds ? conditional.getThenRegion()
                          : conditional.getElseRegion());
    return join(count(conditional.getThenRegion()),
                count(conditional.getElseRegion()));
  }
  if (!isa<scf::IndexSwitchOp, scf::ExecuteRegionOp, memref::AllocaScopeOp>(op))
    return Count::Unknown;
  Count all = count(op.getRegion(0));
  for (Region &region : op.getRegions().drop_front())
    all = join(all, count(region));
  return all;
}

Count FreeCounter::count(Block &block, Count before) {
  for (Operation &op : block) {
    Count own = count(op);
    if (own == Count::Always)
      // It was not executed before: no program frees memory twice.
      before = Count::Always;
    else if (own == Count::Unknown && before == Count::Never)
      before = Count::Unknown;
  }
  return before;
}

/// The blocks that control may enter next under the assumption.
SmallVector<Block *> FreeCounter::getSuccessors(Block &block) {
  if (auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator()))
    if (std::optional<bool> holds = decide(branch.getCondition()))
      return {*holds ? branch.getTrueDest() : branch.getFalseDest()};
  return SmallVector<Block *>(block.getSuccessors());
}

Count FreeCounter::count(Region &region) {
  if (region.empty())
    return Count::Never;
  // By block, the count at its begin over the paths seen so far. Paths that
  // control cannot take are never seen.
  llvm::DenseMap<Block *, Count> entered{{&region.front(), Count::Never}};
  SmallVector<Block *> pending{&region.front()};
  std::optional<Count> all;
  llvm::SmallDenseSet<Block *> exits;
  while (!pending.empty()) {
    Block *block = pending.pop_back_val();
    Count after = count(*block, entered.lookup(block));
    Operation *terminator = block->getTerminator();
    if (terminator->getNumSuccessors() == 0 &&
        !isa<LLVM::UnreachableOp, ub::UnreachableOp>(terminator))
      exits.insert(block);
    for (Block *successor : getSuccessors(*block)) {
      auto [it, isNew] = entered.try_emplace(successor, after);
      Count joined = isNew ? after : join(it->second, after);
      if (!isNew && joined == it->second)
        continue;
      it->second = joined;
      pending.push_back(successor);
    }
  }
  for (Block *exit : exits) {
    Count after = count(*exit, entered.lookup(exit));
    all = all ? join(*all, after) : after;
  }
  return all.value_or(Count::Unknown);
}

/// The argument of the function that the value is a view of, on every path;
/// null if it may be other memory.
static BlockArgument getArgument(Value value, func::FuncOp function) {
  for (Operation *op = value.getDefiningOp(); op; op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::SubViewOp, memref::ExpandShapeOp,
             memref::CollapseShapeOp, memref::ReinterpretCastOp,
             memref::TransposeOp, memref::AssumeAlignmentOp,
             memref::ExtractStridedMetadataOp>(op))
      return nullptr;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == &function.getBody().front() ? argument
                                                            : nullptr;
}

/// True if only its own condition decides whether the op frees the memref: no
/// other memref that the op frees or retains may be the same memory.
static bool standsAlone(OpOperand &memref, const AliasGraph &graph) {
  auto op = cast<bufferization::DeallocOp>(memref.getOwner());
  auto isOwn = [&](Value other) {
    return llvm::all_of(graph.getSources(graph.getId(other)),
                        [&](AliasGraph::Id source) {
                          return isa_and_nonnull<memref::AllocOp>(
                              graph.getValue(source).getDefiningOp());
                        });
  };
  for (OpOperand &other : op.getMemrefsMutable())
    if (&other != &memref && !isOwn(other.get()))
      return false;
  return llvm::all_of(op.getRetained(), isOwn);
}

/// Sets the condition on which the argument is freed; false if it does not
/// follow from the arguments of a call.
static bool findCondition(ArgumentFree &free, func::FuncOp function) {
  auto count = [&](std::optional<Assumption> assumption) {
    return FreeCounter(free.frees, assumption).count(function.getBody());
  };
  if (count(std::nullopt) == Count::Always)
    return true;
  for (BlockArgument argument : function.getArguments()) {
    if (!argument.getType().isInteger(1))
      continue;
    Count yes = count(Assumption{argument, true});
    Count no = count(Assumption{argument, false});
    if ((yes != Count::Always || no != Count::Never) &&
        (yes != Count::Never || no != Count::Always))
      continue;
    free.condition = argument.getArgNumber();
    free.wanted = yes == Count::Always;
    return true;
  }
  return false;
}

SmallVector<ArgumentFree> memplan::findArgumentFrees(func::FuncOp function,
                                                     const AliasGraph &graph) {
  SmallVector<SmallVector<OpOperand *, 2>> byArgument(
      function.getNumArguments());
  auto add = [&](OpOperand &memref) {
    if (BlockArgument argument = getArgument(memref.get(), function))
      byArgument[argument.getArgNumber()].push_back(&memref);
  };
  function.getBody().walk([&](Operation *op) {
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      add(dealloc.getMemrefMutable());
    if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op))
      for (OpOperand &memref : dealloc.getMemrefsMutable())
        if (standsAlone(memref, graph))
          add(memref);
  });

  SmallVector<ArgumentFree> found;
  for (unsigned number = 0; number < byArgument.size(); ++number) {
    ArgumentFree free{number, byArgument[number], std::nullopt, true};
    if (!free.frees.empty() && findCondition(free, function))
      found.push_back(std::move(free));
  }
  return found;
}

void memplan::removeFrees(const ArgumentFree &free) {
  for (OpOperand *operand : free.frees) {
    Operation *op = operand->getOwner(), *parent = op->getParentOp();
    Operation *view = operand->get().getDefiningOp();
    if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op))
      // The memref is not a retained one (standsAlone), so the ownership of
      // these does not change.
      thinOut(
          dealloc, ConstantMaker(dealloc),
          [&](unsigned i) { return i != operand->getOperandNumber(); },
          [](unsigned) { return true; });
    else
      op->erase();
    while (view && isOpTriviallyDead(view) && view->getNumOperands() != 0) {
      Operation *next = view->getOperand(0).getDefiningOp();
      view->erase();
      view = next;
    }
    while (isEmptyConditional(parent)) {
      Operation *next = parent->getParentOp();
      parent->erase();
      parent = next;
    }
  }
}
