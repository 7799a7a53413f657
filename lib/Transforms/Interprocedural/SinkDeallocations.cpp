//===- SinkDeallocations.cpp - Move deallocations to callers --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory may be freed later than before: an access in between would have been a
// use after free. So a deallocation in a callee can move behind the call:
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

#include "Interprocedural/SinkDeallocations.h"
#include "memplan/Analysis/Steps.h"

#include "Interprocedural/ArgumentFrees.h"
#include "Interprocedural/SymbolUsers.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;
using namespace memplan;

static bool mayRunAtOnce(Operation *op) {
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
    if (isInStep(op))
      return true;
  return false;
}

/// True if a deallocation can be inserted after the call: the caller is a
/// func.func without an arena, and the call is not part of a step.
static bool isEligible(func::CallOp call) {
  auto caller = call->getParentOfType<FunctionOpInterface>();
  return caller && isa<func::FuncOp>(caller.getOperation()) &&
         !hasArena(caller) && !mayRunAtOnce(call);
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

/// Inserts after the call the deallocation that was removed from the callee,
/// unless the condition is known to be false.
static void freeAfter(func::CallOp call, const ArgumentFree &free) {
  OpBuilder builder(call->getContext());
  builder.setInsertionPointAfter(call);
  Location loc = call.getLoc();
  Value memref = call.getOperand(free.argument);
  if (!free.condition) {
    memref::DeallocOp::create(builder, loc, memref);
    return;
  }
  Value condition = call.getOperand(*free.condition);
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant))) {
    if (constant.isZero() != free.wanted)
      memref::DeallocOp::create(builder, loc, memref);
    return;
  }
  if (!free.wanted) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    condition = arith::XOrIOp::create(builder, loc, condition, one);
  }
  auto guard = scf::IfOp::create(builder, loc, condition);
  builder.setInsertionPointToStart(&guard.getThenRegion().front());
  memref::DeallocOp::create(builder, loc, memref);
}

namespace {
class FreeMover {
public:
  FreeMover(ModuleOp module, CalleeTrust trust) : aliases(module, trust) {}

  /// Callees come first: a deallocation that moves to a caller may concern an
  /// argument of that caller. No memref is created, so the alias graphs stay
  /// valid.
  void run() {
    for (ArrayRef<FunctionOpInterface> scc : aliases.getCalleeFirstOrder())
      for (FunctionOpInterface op : scc) {
        auto function = dyn_cast<func::FuncOp>(op.getOperation());
        if (!function || aliases.isRecursive(op) || hasArena(op) ||
            findCoroutine(aliases.getOrder(op)))
          continue;
        auto calls = users.findCalls(function);
        if (!calls || calls->empty() || !llvm::all_of(*calls, isEligible))
          continue;
        for (const ArgumentFree &free :
             findArgumentFrees(function, aliases.getGraph(op)))
          if (mayBePlanned(function, free.argument)) {
            removeFrees(free);
            for (func::CallOp call : *calls)
              freeAfter(call, free);
          }
      }
  }

private:
  /// True if the argument may be a buffer of static size that a caller, or a
  /// caller of a caller, allocates.
  bool mayBePlanned(func::FuncOp function, unsigned argument) {
    auto [it, isNew] = known.try_emplace({function, argument}, false);
    if (!isNew)
      return it->second;
    bool may = false;
    if (auto calls = users.findCalls(function))
      may = llvm::any_of(*calls, [&](func::CallOp call) {
        return mayBeBuffer(call.getOperand(argument), call);
      });
    return known[{function, argument}] = may;
  }

  bool mayBeBuffer(Value value, func::CallOp call) {
    auto caller = call->getParentOfType<func::FuncOp>();
    const AliasGraph &graph = aliases.getGraph(caller);
    return llvm::any_of(
        graph.getSources(graph.getId(value)), [&](AliasGraph::Id id) {
          Value source = graph.getValue(id);
          if (auto alloc = source.getDefiningOp<memref::AllocOp>())
            return alloc.getType().hasStaticShape();
          auto argument = dyn_cast<BlockArgument>(source);
          if (argument && argument.getOwner() == &caller.front())
            return mayBePlanned(caller, argument.getArgNumber());
          // A fresh result of a callee may become a buffer of the caller.
          return source.getDefiningOp<func::CallOp>() != nullptr;
        });
  }

  ModuleAliases aliases;
  SymbolUsers users;
  std::map<std::pair<Operation *, unsigned>, bool> known;
};
} // namespace

void memplan::sinkDeallocations(ModuleOp module, CalleeTrust trust) {
  // The alias analysis of the module is expensive.
  if (freesInCallees(module))
    FreeMover(module, trust).run();
}
