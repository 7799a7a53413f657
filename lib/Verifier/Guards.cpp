//===- Guards.cpp - Buffers that a guarded deallocation frees -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"

#include "Contracts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;

namespace memplan::verifier {

/// True if `value` is known to be `wanted`, from a constant or from a fact.
static bool isKnown(const Facts &facts, Value value, bool wanted) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isZero() != wanted;
  return llvm::any_of(facts, [&](const Fact &fact) {
    return fact.value == value && fact.wanted == wanted;
  });
}

/// Adds the fact and the facts that follow from it. Returns false if one of
/// them contradicts a known fact or a constant. Beyond a number of facts the
/// others are left out, so that a long conjunction costs little.
static bool addFact(Facts &facts, Fact fact) {
  constexpr size_t kMostFacts = 256;
  SmallVector<Fact> open{fact};
  while (!open.empty()) {
    Fact next = open.pop_back_val();
    Value value = next.value;
    bool wanted = next.wanted;
    if (isKnown(facts, value, !wanted))
      return false;
    if (isKnown(facts, value, wanted) || facts.size() == kMostFacts)
      continue;
    facts.push_back(next);
    Operation *op = value.getDefiningOp();
    if (isa_and_present<arith::XOrIOp>(op) &&
        matchPattern(op->getOperand(1), m_One()))
      open.push_back({op->getOperand(0), !wanted});
    if (!isa_and_present<arith::AndIOp, arith::OrIOp>(op))
      continue;
    // All operands are `wanted`, or at least one of those that are not known to
    // be otherwise.
    SmallVector<Value> rest(op->getOperands());
    if (isa<arith::AndIOp>(op) != wanted) {
      llvm::erase_if(rest, [&](Value operand) {
        return isKnown(facts, operand, !wanted);
      });
      if (rest.empty())
        return false;
      if (rest.size() > 1)
        continue;
    }
    for (Value operand : rest)
      open.push_back({operand, wanted});
  }
  return true;
}

Facts getGuards(OpOperand &operand) {
  Facts guards;
  Operation *op = operand.getOwner();
  // The retained operands follow the freed ones.
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op);
      dealloc && operand.getOperandNumber() < dealloc.getMemrefs().size())
    guards.push_back(
        {dealloc.getConditions()[operand.getOperandNumber()], true});
  for (Region *region = op->getParentRegion();
       region && region != operand.get().getParentRegion();
       region = region->getParentRegion())
    if (auto guard = dyn_cast<scf::IfOp>(region->getParentOp()))
      guards.push_back(
          {guard.getCondition(), region == &guard.getThenRegion()});
  return guards;
}

/// True if `value` is defined before `target`, so that it is the same on all
/// edges that define `target`.
static bool isDefinedBefore(Value value, Value target) {
  Block *block = value.getParentBlock();
  auto argument = dyn_cast<BlockArgument>(target);
  if (argument && !argument.getOwner()->isEntryBlock()) {
    Region *region = argument.getParentRegion();
    if (block->getParent() != region)
      return block->getParent()->isProperAncestor(region);
    return block->isEntryBlock();
  }
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : target.getDefiningOp();
  Operation *around = block->findAncestorOpInBlock(*op);
  Operation *definition = value.getDefiningOp();
  return around && (!definition || definition->isBeforeInBlock(around));
}

GuardedOrigins::GuardedOrigins(const FlowGraph &graph) {
  for (const Node &node : graph.nodes)
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        arrivals[target].push_back({&edge, source});
}

bool GuardedOrigins::walk(
    Value freed, const Facts &guards,
    llvm::function_ref<SmallVector<Value>(OpResult)> getSources,
    llvm::function_ref<void(Value)> visit) const {
  constexpr size_t kMaxSteps = 2000;
  std::set<std::pair<const void *, Facts>> seen;
  std::vector<std::pair<Value, Facts>> pending;
  auto push = [&](Value value, const Facts &next,
                  std::initializer_list<Fact> more = {}) {
    Facts facts;
    for (const Fact &fact : next)
      if (!addFact(facts, fact))
        return;
    for (const Fact &fact : more)
      if (fact.value && !addFact(facts, fact))
        return;
    llvm::sort(facts);
    if (seen.insert({value.getAsOpaquePointer(), facts}).second)
      pending.push_back({value, std::move(facts)});
  };
  push(freed, guards);
  while (!pending.empty()) {
    if (seen.size() > kMaxSteps)
      return false;
    auto [value, facts] = std::move(pending.back());
    pending.pop_back();
    if (Value viewed = getViewed(value)) {
      push(viewed, facts);
    } else if (auto known = arrivals.find(value); known != arrivals.end()) {
      for (auto [edge, source] : known->second) {
        Facts earlier;
        for (const Fact &fact : facts) {
          auto *it = llvm::find_if(edge->forwarded, [&](const auto &pair) {
            return pair.first == fact.value;
          });
          if (it != edge->forwarded.end())
            earlier.push_back({it->second, fact.wanted});
          else if (isDefinedBefore(fact.value, value))
            earlier.push_back(fact);
        }
        push(source, earlier, {{edge->choice, edge->chosen}});
      }
    } else if (auto select = value.getDefiningOp<arith::SelectOp>();
               select && select.getCondition().getType().isInteger(1)) {
      push(select.getTrueValue(), facts, {{select.getCondition(), true}});
      push(select.getFalseValue(), facts, {{select.getCondition(), false}});
    } else {
      visit(value);
      if (auto result = dyn_cast<OpResult>(value))
        for (Value source : getSources(result))
          push(source, facts);
    }
  }
  return true;
}

} // namespace memplan::verifier
