//===- ResultsToOutParams.cpp - Find fresh results ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow may join several allocations to one result:
//
//   %r = scf.if %c { %t = alloc; ...; yield %t } else { %u = alloc; ... }
//   return %r                              one memref for %t and %u
//
//   %r = scf.for iter_args(%x = %a) { %n = alloc; ...; yield %n }
//   return %r                              one memref for %a and %n, unless %x
//                                          is read while %n is live
//
// One memref can hold them if the planner would coalesce them. So this asks the
// lifetime analysis, with the return as an access.
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/ResultsToOutParams.h"
#include "Interprocedural/CallSignatures.h"
#include "Interprocedural/ThinOut.h"
#include "memplan/Analysis/Steps.h"

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/Lifetimes.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

static bool canBePlaced(MemRefType type) {
  return type && type.hasStaticShape() && type.getLayout().isIdentity();
}

using FreeMap = llvm::MapVector<Operation *, SmallVector<unsigned, 2>>;

static SmallVector<FreshFree> listFrees(FreeMap &frees) {
  SmallVector<FreshFree> list;
  for (auto &[op, operands] : frees) {
    llvm::sort(operands);
    list.push_back({op, operands});
  }
  return list;
}

/// The result if it is one allocation of the entry block, which the function
/// does not free and which no other op keeps.
static std::optional<OutParamResult> findSingle(OpOperand &returned,
                                                const AliasGraph &graph) {
  auto alloc = returned.get().getDefiningOp<memref::AllocOp>();
  if (!alloc || !alloc->getBlock()->isEntryBlock() ||
      !isa<func::FuncOp>(alloc->getParentOp()) || !canBePlaced(alloc.getType()))
    return std::nullopt;
  AliasGraph::Id id = graph.getId(alloc);
  FreeMap frees;
  for (AliasGraph::Id alias : graph.getAliases(id)) {
    for (OpOperand &use : graph.getValue(alias).getUses()) {
      if (&use == &returned)
        continue;
      BufferUse kind = graph.classify(use);
      if (!kind.escape.empty())
        return std::nullopt;
      if (kind.free && llvm::is_contained(graph.getSources(alias), id))
        return std::nullopt;
      Operation *op = use.getOwner();
      if (!isa<bufferization::DeallocOp>(op))
        continue;
      if (op->use_empty() && graph.getSources(alias) == std::vector{id})
        frees[op].push_back(use.getOperandNumber());
    }
  }
  return OutParamResult{returned.getOperandNumber(), {alloc}, listFrees(frees)};
}

namespace {
/// Finds the results that may be any of several allocations.
class JoinedResults {
public:
  JoinedResults(func::FuncOp function, const ModuleAliases &aliases,
                ArrayRef<func::ReturnOp> exits)
      : function(function), aliases(aliases), exits(exits),
        order(aliases.getOrder(function)), graph(aliases.getGraph(function)) {}

  std::optional<OutParamResult> find(unsigned number) {
    OutParamResult result;
    result.number = number;
    if (!collectMembers(result) || !isEligible() || !collectFrees(result) ||
        !areNeverLiveTogether(result))
      return std::nullopt;
    return result;
  }

private:
  /// Follows the returned values back to the allocations, through joins of
  /// whole buffers; false if other memory is among them.
  bool collectMembers(OutParamResult &result) const;
  bool isEligible() const;
  bool collectFrees(OutParamResult &result);
  bool areNeverLiveTogether(const OutParamResult &result);

  mutable func::FuncOp function;
  const ModuleAliases &aliases;
  ArrayRef<func::ReturnOp> exits;
  const ProgramOrder &order;
  const AliasGraph &graph;
  /// Computed for the first result that needs it.
  std::optional<LifetimeAnalysis> lifetimes;
};
} // namespace

bool JoinedResults::collectMembers(OutParamResult &result) const {
  auto type =
      dyn_cast<MemRefType>(function.getFunctionType().getResult(result.number));
  if (!canBePlaced(type))
    return false;
  llvm::SmallSetVector<AliasGraph::Id, 8> reached;
  for (func::ReturnOp exit : exits)
    reached.insert(graph.getId(exit.getOperand(result.number)));
  for (size_t i = 0; i < reached.size(); ++i) {
    Value value = graph.getValue(reached[i]);
    Operation *op = value.getDefiningOp();
    if (value.getType() != type)
      return false;
    if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op)) {
      if (order.isInsideOpaque(alloc))
        return false;
      result.members.push_back(alloc);
      continue;
    }
    // The arguments of the function have no predecessors.
    ArrayRef<AliasGraph::Id> sources = graph.predecessors(reached[i]);
    if (sources.empty() ||
        (op && !isTransparent(op) && !isa<SelectLikeOpInterface>(op)))
      return false;
    reached.insert(sources.begin(), sources.end());
  }
  return !result.members.empty();
}

/// False for recursive functions, coroutines, functions with steps and
/// functions with an arena.
bool JoinedResults::isEligible() const {
  return !aliases.isRecursive(function) && !hasArena(function) &&
         !findCoroutine(order) && llvm::none_of(order.getOps(), isInStep);
}

bool JoinedResults::collectFrees(OutParamResult &result) {
  if (!lifetimes)
    lifetimes.emplace(order, graph, /*returnsAccess=*/true);
  FreeMap frees;
  llvm::DenseSet<AliasGraph::Id> seen, members;
  for (memref::AllocOp member : result.members)
    members.insert(graph.getId(member));
  auto isMember = [&](AliasGraph::Id id) { return members.contains(id); };
  for (memref::AllocOp member : result.members)
    for (AliasGraph::Id alias : graph.getAliases(graph.getId(member))) {
      if (!seen.insert(alias).second)
        continue;
      if (lifetimes->outlivesBlock(alias))
        return false;
      for (const LifetimeAnalysis::UseRecord &use : lifetimes->getUses(alias)) {
        Operation *op = use.operand->getOwner();
        if (isa<func::ReturnOp>(op)) {
          if (use.operand->getOperandNumber() != result.number)
            return false;
          continue;
        }
        if (!use.use.escape.empty())
          return false;
        bool isDealloc = isa<bufferization::DeallocOp>(op);
        // The program uses the ownership, which would change with the op.
        if (isDealloc && !op->use_empty())
          return false;
        if (!isDealloc && !isa<memref::DeallocOp>(op))
          continue;
        // The op may also free or retain other memory, so it must stay.
        if (!llvm::all_of(graph.getSources(alias), isMember))
          return false;
        frees[op].push_back(use.operand->getOperandNumber());
      }
    }
  result.frees = listFrees(frees);
  return true;
}

bool JoinedResults::areNeverLiveTogether(const OutParamResult &result) {
  SmallVector<Operation *> members;
  for (memref::AllocOp member : result.members)
    members.push_back(member);
  return lifetimes->coalesce(members, Steps()).has_value();
}

static void removeFree(const FreshFree &free) {
  auto dealloc = dyn_cast<bufferization::DeallocOp>(free.op);
  if (!dealloc)
    return free.op->erase();
  auto keeps = [&](unsigned operand) {
    return !llvm::is_contained(free.operands, operand);
  };
  size_t first = 2 * dealloc.getMemrefs().size();
  thinOut(dealloc, ConstantMaker(dealloc), keeps,
          [&](unsigned i) { return keeps(static_cast<unsigned>(first + i)); });
}

void memplan::removeFrees(ArrayRef<OutParamResult> results) {
  // One bufferization.dealloc may free several results.
  llvm::MapVector<Operation *, SmallVector<unsigned, 2>> frees;
  for (const OutParamResult &result : results)
    for (const FreshFree &free : result.frees)
      llvm::append_range(frees[free.op], free.operands);
  for (auto &[op, operands] : frees)
    removeFree({op, operands});
}

IntegerAttr memplan::findAlignment(const OutParamResult &result) {
  IntegerAttr alignment;
  for (memref::AllocOp alloc : result.members) {
    IntegerAttr own = alloc.getAlignmentAttr();
    if (own && (!alignment || own.getInt() > alignment.getInt()))
      alignment = own;
  }
  return alignment;
}

SmallVector<OutParamResult>
memplan::findOutParamResults(func::FuncOp function,
                             const ModuleAliases &aliases) {
  SmallVector<func::ReturnOp> exits = findExits(function);
  SmallVector<OutParamResult> results;
  if (exits.empty())
    return results;
  const AliasGraph &graph = aliases.getGraph(function);
  JoinedResults joined(function, aliases, exits);
  for (unsigned number = 0; number < function.getNumResults(); ++number) {
    OpOperand &returned = exits.front()->getOpOperand(number);
    std::optional<OutParamResult> result;
    if (exits.size() == 1)
      result = findSingle(returned, graph);
    if (!result)
      result = joined.find(number);
    if (result)
      results.push_back(std::move(*result));
  }
  return results;
}
