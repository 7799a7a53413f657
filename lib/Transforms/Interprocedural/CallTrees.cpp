//===- CallTrees.cpp - Arenas shared along calls --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/CallTrees.h"

#include "Interprocedural/CallSignatures.h"
#include "Interprocedural/ResultsToOutParams.h"
#include "Interprocedural/SymbolUsers.h"
#include "memplan/Analysis/ParallelFrames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;

/// Turns the results into arguments of the function and of its calls. Returns
/// the new calls.
static SmallVector<func::CallOp> promote(func::FuncOp function,
                                         ArrayRef<OutParamResult> results,
                                         ArrayRef<func::CallOp> calls) {
  SmallVector<IntegerAttr> alignments;
  llvm::BitVector erased(function.getNumResults());
  for (const OutParamResult &result : results) {
    memref::AllocOp first = result.members.front();
    (void)function.insertArgument(function.getNumArguments(), first.getType(),
                                  function.getResultAttrDict(result.number),
                                  first.getLoc());
    IntegerAttr alignment = findAlignment(result);
    // Calls in the module allocate with this alignment.
    if (alignment && function.isPublic())
      function.setArgAttr(function.getNumArguments() - 1,
                          MemplanDialect::kAlignAttr, alignment);
    alignments.push_back(alignment);
    for (memref::AllocOp alloc : result.members) {
      alloc.getResult().replaceAllUsesWith(function.getArguments().back());
      alloc.erase();
    }
    erased.set(result.number);
  }
  removeFrees(results);
  for (func::ReturnOp exit : findExits(function))
    exit->eraseOperands(erased);
  (void)function.eraseResults(erased);

  SmallVector<func::CallOp> replacements;
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    SmallVector<Value> memory;
    for (auto [result, alignment] : llvm::zip_equal(results, alignments)) {
      auto type = cast<MemRefType>(call.getResult(result.number).getType());
      memory.push_back(
          memref::AllocOp::create(builder, call.getLoc(), type, alignment));
    }
    replacements.push_back(turnResultsIntoOperands(call, erased, memory));
  }
  return replacements;
}

/// The calls of the function if `signatures` permits to change its signature.
static std::optional<SmallVector<func::CallOp>>
findCalls(SymbolUsers &users, func::FuncOp function, Signatures signatures) {
  std::optional<SmallVector<func::CallOp>> calls =
      signatures == Signatures::Private ? users.findCalls(function)
                                        : users.findCallsInModule(function);
  if (calls && calls->empty() && signatures != Signatures::All)
    return std::nullopt;
  return calls;
}

void memplan::promoteToOutParams(ModuleOp module, CalleeTrust trust,
                                 Signatures signatures) {
  llvm::DenseSet<Operation *> rewritten, changed;
  // A function that is already planned, or has a planned caller, stays as it
  // is.
  llvm::SetVector<Operation *> planned = findPlannedFunctions(module);
  auto isPlanned = [&](func::CallOp call) {
    return planned.contains(call->getParentOfType<func::FuncOp>());
  };
  ModuleAliases aliases(module, trust);
  SymbolUsers users;
  auto promoteResults = [&](FunctionOpInterface op) {
    auto function = cast<func::FuncOp>(op.getOperation());
    auto calls = findCalls(users, function, signatures);
    if (!calls || planned.contains(function) || aliases.getDeviceMark(op) ||
        llvm::any_of(*calls, isPlanned))
      return false;
    SmallVector<OutParamResult> results =
        findOutParamResults(function, aliases);
    if (results.empty())
      return false;
    rewritten.insert(function);
    for (func::CallOp call : *calls)
      rewritten.insert(call->getParentOfType<func::FuncOp>());
    users.setCalls(function, promote(function, results, *calls));
    return true;
  };
  // A promoted result may make a result of the caller fresh in turn, so callees
  // come first, and the aliases of changed callers are computed again.
  for (ArrayRef<FunctionOpInterface> scc : aliases.getCalleeFirstOrder()) {
    for (bool again = true; again;) {
      again = false;
      changed.insert_range(llvm::make_filter_range(
          scc, [&](Operation *op) { return rewritten.contains(op); }));
      aliases.refresh(scc, changed);
      // After a change the graphs of the callers, which may be in the SCC, are
      // out of date.
      for (FunctionOpInterface op : scc)
        if (promoteResults(op)) {
          again = true;
          break;
        }
    }
  }
}

llvm::DenseSet<Operation *>
memplan::findFrameFunctions(ModuleOp module, const ModuleAliases &aliases,
                            int64_t maxWorkers, Signatures signatures) {
  llvm::DenseSet<Operation *> found;
  llvm::SetVector<Operation *> planned = findPlannedFunctions(module);
  SymbolUsers users;
  for (FunctionOpInterface op : aliases.getFunctions()) {
    auto function = dyn_cast<func::FuncOp>(op.getOperation());
    if (!function)
      continue;
    std::optional<SmallVector<func::CallOp>> calls =
        findCalls(users, function, signatures);
    if (!calls)
      continue;
    bool eligible = llvm::all_of(*calls, [&](func::CallOp call) {
      auto caller = call->getParentOfType<FunctionOpInterface>();
      const FunctionSummary *summary = nullptr;
      return caller && isa<func::FuncOp>(caller.getOperation()) &&
             !planned.contains(caller) &&
             isRunByWorkers(call, caller, maxWorkers) &&
             aliases.resolveCall(call, summary) ==
                 ModuleAliases::CalleeKind::Summarised &&
             !aliases.isRecursive(op);
    });
    if (eligible)
      found.insert(function);
  }
  return found;
}

llvm::SetVector<Operation *>
memplan::findUnservedCallees(ArrayRef<FunctionProblem> problems,
                             const ModuleAliases &aliases) {
  llvm::DenseSet<Operation *> callees, served;
  auto addServed = [&](const FunctionProblem &problem) {
    for (const BufferRecord &record : problem.buffers)
      if (record.frame)
        served.insert(record.origin);
  };
  for (const FunctionProblem &problem : problems) {
    if (problem.isFrame)
      callees.insert(problem.function);
    addServed(problem);
    if (problem.workers)
      for (const std::unique_ptr<WorkerFrame> &frame : problem.workers->frames)
        addServed(frame->problem);
  }
  llvm::SetVector<Operation *> unserved;
  if (callees.empty())
    return unserved;
  for (FunctionOpInterface function : aliases.getFunctions())
    function.getFunctionBody().walk([&](func::CallOp call) {
      Operation *callee = aliases.getCallee(call);
      if (callees.contains(callee) && !served.contains(call))
        unserved.insert(callee);
    });
  return unserved;
}
