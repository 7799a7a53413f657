//===- PlanVerifierGuards.cpp - Frees that spare arguments ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts are followed forwards from the argument; where ways meet, either may
// have been taken, or, of many, what all of them agree on remains. A fact about
// a value lasts until the value may be computed anew: beyond an edge only if it
// is defined before what the edge leads to, so that it is older than that.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierGuards.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::planverifier {

/// What is known of the value, if it is one of two.
std::optional<bool> FreeGuards::evaluate(Value value, const Facts &facts,
                                         unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isZero();
  for (auto [known, is] : facts)
    if (known == value)
      return is;
  Operation *op = value.getDefiningOp();
  constexpr unsigned maxDepth = 8;
  if (!op || depth == maxDepth)
    return std::nullopt;
  auto operand = [&](unsigned i) {
    return evaluate(op->getOperand(i), facts, depth + 1);
  };
  if (isa<arith::AndIOp, arith::OrIOp>(op)) {
    std::optional<bool> first = operand(0), second = operand(1);
    bool decisive = isa<arith::OrIOp>(op);
    if (first == decisive || second == decisive)
      return decisive;
    if (first && second)
      return !decisive;
  } else if (isa<arith::XOrIOp>(op)) {
    std::optional<bool> first = operand(0), second = operand(1);
    if (first && second)
      return *first != *second;
  } else if (isa<arith::SelectOp>(op)) {
    std::optional<bool> choice = operand(0);
    if (choice)
      return operand(*choice ? 1 : 2);
    std::optional<bool> first = operand(1);
    if (first == operand(2))
      return first;
  }
  return std::nullopt;
}

/// What control decided on to take the edge.
static std::optional<std::pair<Value, bool>>
findDecision(const Model &model, const Node &node, const Edge &edge) {
  Operation *last = node.last;
  if (!last)
    return std::nullopt;
  // Its edges are those to its successors, in their order.
  if (auto branch = dyn_cast<cf::CondBranchOp>(last))
    return std::pair(branch.getCondition(), &edge == &node.edges.front());
  if (auto condition = dyn_cast<scf::ConditionOp>(last)) {
    auto loop = cast<scf::WhileOp>(condition->getParentOp());
    return std::pair(condition.getCondition(),
                     model.nodes[edge.target].block == loop.getAfterBody());
  }
  auto conditional = dyn_cast<scf::IfOp>(last->getParentOp());
  if (conditional && isa<scf::YieldOp>(last))
    return std::pair(conditional.getCondition(),
                     last->getParentRegion() == &conditional.getThenRegion());
  return std::nullopt;
}

void FreeGuards::collectWays() {
  hasWays = true;
  for (const Node &node : model.nodes)
    for (const Edge &edge : node.edges) {
      if (edge.forwarded.empty())
        continue;
      Facts facts;
      if (auto decision = findDecision(model, node, edge))
        facts.push_back(*decision);
      for (auto [target, source] : edge.forwarded)
        ways[source].push_back({target, &edge, facts});
    }
}

/// True if what is known of `value` when `target` gets its value stays so.
bool FreeGuards::isKept(Value value, Value target) {
  if (Operation *op = target.getDefiningOp())
    return dominance.properlyDominates(value, op);
  Block *block = cast<BlockArgument>(target).getOwner();
  return value.getParentBlock() != block &&
         dominance.dominates(value.getParentBlock(), block);
}

FreeGuards::Facts FreeGuards::follow(const Way &way, const Facts &facts) {
  Facts before = facts, after;
  llvm::append_range(before, way.facts);
  for (auto [target, source] : way.edge->flags)
    if (std::optional<bool> is = evaluate(source, before))
      after.push_back({target, *is});
  for (auto [value, is] : before)
    if (isKept(value, way.target))
      after.push_back({value, is});
  return after;
}

static bool isImplied(ArrayRef<std::pair<Value, bool>> fewer,
                      ArrayRef<std::pair<Value, bool>> more) {
  return llvm::all_of(fewer, [&](const std::pair<Value, bool> &fact) {
    return llvm::is_contained(more, fact);
  });
}

/// Adds a case; false if one that says no more is there. Many become one, of
/// what they agree on.
bool FreeGuards::addCase(Cases &cases, Facts facts) {
  if (llvm::any_of(cases,
                   [&](const Facts &known) { return isImplied(known, facts); }))
    return false;
  llvm::erase_if(cases,
                 [&](const Facts &known) { return isImplied(facts, known); });
  cases.push_back(std::move(facts));
  constexpr size_t maxCases = 4;
  if (cases.size() <= maxCases)
    return true;
  Facts common = cases.front();
  llvm::erase_if(common, [&](const std::pair<Value, bool> &fact) {
    return !llvm::all_of(cases, [&](const Facts &known) {
      return llvm::is_contained(known, fact);
    });
  });
  cases.clear();
  cases.push_back(std::move(common));
  return true;
}

const llvm::DenseMap<Value, FreeGuards::Cases> &
FreeGuards::getCases(unsigned argument) {
  auto [it, isNew] = known.try_emplace(argument);
  llvm::DenseMap<Value, Cases> &casesOf = it->second;
  if (!isNew)
    return casesOf;
  if (!hasWays)
    collectWays();
  FunctionOpInterface function = model.function;
  Value start = function.getArgument(argument);
  llvm::SetVector<Value> pending;
  auto arrive = [&](Value target, Facts facts) {
    if (addCase(casesOf[target], std::move(facts)))
      pending.insert(target);
  };
  arrive(start, {});
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Cases cases = casesOf[value];
    llvm::SmallDenseSet<Value> along;
    if (auto found = ways.find(value); found != ways.end())
      for (const Way &way : found->second) {
        along.insert(way.target);
        for (const Facts &here : cases)
          arrive(way.target, follow(way, here));
      }
    for (Value target : flows.targetsOf(value)) {
      if (along.contains(target))
        continue;
      Operation *op = target.getDefiningOp();
      if (!op || op->getNumRegions() != 0) {
        arrive(target, {});
        continue;
      }
      auto select = dyn_cast<arith::SelectOp>(op);
      bool chooses = select && select.getCondition().getType().isInteger(1) &&
                     select.getTrueValue() != select.getFalseValue();
      for (Facts here : cases) {
        if (chooses)
          here.push_back(
              {select.getCondition(), select.getTrueValue() == value});
        arrive(target, std::move(here));
      }
    }
  }
  return casesOf;
}

bool FreeGuards::spares(OpOperand &freed, unsigned argument) {
  const llvm::DenseMap<Value, Cases> &casesOf = getCases(argument);
  auto it = casesOf.find(freed.get());
  if (it == casesOf.end())
    return false;
  // What frees if all of these are as they are wanted.
  Facts guards;
  Operation *op = freed.getOwner();
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op)) {
    if (freed.getOperandNumber() >= dealloc.getMemrefs().size())
      return false;
    guards.push_back({dealloc.getConditions()[freed.getOperandNumber()], true});
  }
  for (Region *region = op->getParentRegion();
       region && region->getParentOp() != model.function;
       region = region->getParentRegion())
    if (auto guard = dyn_cast<scf::IfOp>(region->getParentOp()))
      guards.push_back(
          {guard.getCondition(), region == &guard.getThenRegion()});
  return llvm::all_of(it->second, [&](const Facts &facts) {
    return llvm::any_of(guards, [&](const std::pair<Value, bool> &guard) {
      return evaluate(guard.first, facts) == !guard.second;
    });
  });
}

} // namespace memplan::planverifier
