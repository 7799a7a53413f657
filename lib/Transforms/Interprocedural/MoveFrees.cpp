//===- MoveFrees.cpp - Callers free what callees freed --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory may be freed later than it was: whatever used it in between would have
// used freed memory. So a deallocation in a callee can follow the call instead:
//
//   func @f(%a, %own) {                  func @f(%a, %own) {
//     use %a                               use %a
//     scf.if %own { dealloc %a }           return
//     return                             }
//   }
//   call @f(%x, %true)                   call @f(%x, %true)
//                                        dealloc %x
//   call @f(%y, %c)                      call @f(%y, %c)
//                                        scf.if %c { dealloc %y }
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/MoveFrees.h"

#include "Interprocedural/SymbolUsers.h"
#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace memplan;

/// On a deallocation in a caller: the number of the move.
static constexpr StringLiteral kMoved = "memplan.moved";

static bool isInStep(Operation *op) {
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
    if (op->hasAttr(MemplanDialect::kStepAttr) ||
        op->hasAttr(MemplanDialect::kStreamAttr))
      return true;
  return false;
}

/// True if something can be put behind the call.
static bool isEligible(func::CallOp call) {
  auto caller = call->getParentOfType<FunctionOpInterface>();
  return caller && isa<func::FuncOp>(caller.getOperation()) &&
         !hasArena(caller) && !isInStep(call);
}

static bool freesInCallees(ModuleOp module) {
  auto isFree = [](Operation *op) {
    auto function = op->getParentOfType<func::FuncOp>();
    return isa<memref::DeallocOp, bufferization::DeallocOp>(op) && function &&
                   function.isPrivate()
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return module.walk(isFree).wasInterrupted();
}

/// Frees after the call what the callee does not free any more. Returns the
/// deallocation, or null if the callee would not have freed it.
static Operation *freeAfter(func::CallOp call, const ArgumentFree &free) {
  OpBuilder builder(call->getContext());
  builder.setInsertionPointAfter(call);
  Location loc = call.getLoc();
  Value memref = call.getOperand(free.argument);
  if (!free.condition)
    return memref::DeallocOp::create(builder, loc, memref);
  Value condition = call.getOperand(*free.condition);
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant))) {
    if (constant.isZero() == free.wanted)
      return nullptr;
    return memref::DeallocOp::create(builder, loc, memref);
  }
  if (!free.wanted) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    condition = arith::XOrIOp::create(builder, loc, condition, one);
  }
  auto guard = scf::IfOp::create(builder, loc, condition);
  builder.setInsertionPointToStart(&guard.getThenRegion().front());
  return memref::DeallocOp::create(builder, loc, memref);
}

MovedFrees::MovedFrees(ModuleOp module, CalleeTrust trust,
                       const llvm::DenseSet<ArgumentNumber> &kept) {
  unsigned next = 0;
  module.walk([&](func::FuncOp function) { numbers[function] = next++; });
  // What there is to be known of the whole program has its price.
  if (!freesInCallees(module))
    return;
  ModuleAliases aliases(module, trust);
  SymbolUsers users;
  // Callees first: what a caller is given to free may be an argument of its
  // own. No memref comes into being, so the graphs stay right.
  for (ArrayRef<FunctionOpInterface> circle : aliases.getCalleeFirstOrder())
    for (FunctionOpInterface op : circle) {
      auto function = dyn_cast<func::FuncOp>(op.getOperation());
      if (!function || aliases.isRecursive(op) || hasArena(op) ||
          findCoroutine(aliases.getOrder(op)))
        continue;
      auto calls = users.findCalls(function);
      if (!calls || calls->empty() || !llvm::all_of(*calls, isEligible))
        continue;
      for (const ArgumentFree &free :
           findArgumentFrees(function, aliases.getGraph(op)))
        if (!kept.contains({numbers.lookup(function), free.argument}))
          move(function, free, *calls);
    }
}

void MovedFrees::move(func::FuncOp function, const ArgumentFree &free,
                      ArrayRef<func::CallOp> calls) {
  auto number = static_cast<unsigned>(moves.size());
  moves.push_back({{numbers.lookup(function), free.argument}, 0, {}});
  for (OpOperand *operand : free.frees)
    if (auto earlier =
            operand->getOwner()->getAttrOfType<IntegerAttr>(kMoved)) {
      Move &move = moves[earlier.getInt()];
      --move.count;
      move.further.push_back(number);
    }
  removeFrees(free);
  changed.insert(function);
  for (func::CallOp call : calls) {
    changed.insert(call->getParentOfType<func::FuncOp>());
    if (Operation *dealloc = freeAfter(call, free)) {
      ++moves[number].count;
      dealloc->setAttr(kMoved, Builder(dealloc).getI64IntegerAttr(number));
    }
  }
}

std::vector<ArgumentNumber>
MovedFrees::findUseless(ModuleOp module,
                        const llvm::DenseSet<Operation *> &removed) const {
  std::vector<unsigned> left(moves.size());
  if (!moves.empty())
    module.walk([&](memref::DeallocOp dealloc) {
      auto number = dealloc->getAttrOfType<IntegerAttr>(kMoved);
      if (!number)
        return;
      if (!removed.contains(dealloc))
        ++left[number.getInt()];
      dealloc->removeAttr(kMoved);
    });
  std::vector<ArgumentNumber> useless;
  std::vector<bool> isUseful(moves.size());
  // What is moved further is moved later.
  for (size_t i = moves.size(); i-- > 0;) {
    isUseful[i] = left[i] < moves[i].count ||
                  llvm::any_of(
                      moves[i].further,
                      [&](unsigned further) { return isUseful[further]; });
    if (!isUseful[i])
      useless.push_back(moves[i].argument);
  }
  return useless;
}
