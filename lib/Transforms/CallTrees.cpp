//===- CallTrees.cpp - Arenas shared along calls --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/CallTrees.h"

#include "FreshResults.h"
#include "memplan/Analysis/ParallelFrames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

namespace {
/// The uses of symbols, found with one walk over each symbol table.
class SymbolUsers {
public:
  /// The calls of a private function, or nothing if its symbol is used
  /// otherwise.
  std::optional<SmallVector<func::CallOp>> findCalls(func::FuncOp function) {
    if (!function.isPrivate() || function.isExternal())
      return std::nullopt;
    const Table &table = get(function->getParentRegion());
    if (!table.isKnown)
      return std::nullopt;
    SmallVector<func::CallOp> calls;
    for (Operation *user : table.users.lookup(function.getSymNameAttr())) {
      auto call = dyn_cast<func::CallOp>(user);
      if (!call)
        return std::nullopt;
      calls.push_back(call);
    }
    return calls;
  }

private:
  struct Table {
    bool isKnown = false;
    llvm::DenseMap<StringAttr, SmallVector<Operation *>> users;
  };

  const Table &get(Region *region) {
    auto [it, isNew] = tables.try_emplace(region);
    Table &table = it->second;
    if (!isNew)
      return table;
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(region);
    table.isKnown = uses.has_value();
    if (uses)
      for (SymbolTable::SymbolUse use : *uses)
        table.users[use.getSymbolRef().getRootReference()].push_back(
            use.getUser());
    return table;
  }

  llvm::DenseMap<Region *, Table> tables;
};
} // namespace

/// Rewrites the function and its calls.
static void promote(func::FuncOp function, ArrayRef<FreshResult> results,
                    ArrayRef<func::CallOp> calls) {
  SmallVector<IntegerAttr> alignments;
  llvm::BitVector erased(function.getNumResults());
  for (const FreshResult &result : results) {
    memref::AllocOp first = result.members.front();
    (void)function.insertArgument(function.getNumArguments(), first.getType(),
                                  DictionaryAttr(), first.getLoc());
    IntegerAttr alignment;
    for (memref::AllocOp alloc : result.members) {
      IntegerAttr own = alloc.getAlignmentAttr();
      if (own && (!alignment || own.getInt() > alignment.getInt()))
        alignment = own;
      alloc.getResult().replaceAllUsesWith(function.getArguments().back());
      alloc.erase();
    }
    for (const FreshFree &free : result.frees)
      removeFree(free);
    alignments.push_back(alignment);
    erased.set(result.number);
  }
  for (Block &block : function.getBody())
    if (auto exit = dyn_cast<func::ReturnOp>(block.back()))
      exit->eraseOperands(erased);
  (void)function.eraseResults(erased);

  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    SmallVector<Value> operands(call.getOperands());
    SmallVector<Value> replacements(call.getResults());
    SmallVector<Type> kept;
    for (auto [result, alignment] : llvm::zip_equal(results, alignments)) {
      auto type = cast<MemRefType>(call.getResult(result.number).getType());
      Value memory =
          memref::AllocOp::create(builder, call.getLoc(), type, alignment);
      operands.push_back(memory);
      replacements[result.number] = memory;
    }
    for (unsigned i = 0; i < call.getNumResults(); ++i)
      if (!erased.test(i))
        kept.push_back(call.getResult(i).getType());
    auto replacement = func::CallOp::create(builder, call.getLoc(),
                                            call.getCallee(), kept, operands);
    replacement->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    replacement.setNoInline(call.getNoInline());
    unsigned next = 0;
    for (unsigned i = 0; i < call.getNumResults(); ++i)
      if (!erased.test(i))
        replacements[i] = replacement.getResult(next++);
    call->replaceAllUsesWith(replacements);
    call->erase();
  }
}

llvm::DenseSet<Operation *> memplan::promoteFreshResults(ModuleOp module,
                                                         CalleeTrust trust) {
  llvm::DenseSet<Operation *> rewritten;
  // A promoted result may make its caller's result fresh in turn, so callees
  // come first and each step looks at the program anew; a chain of calls takes
  // as many rounds as it is long at most.
  for (bool changed = true; changed;) {
    changed = false;
    ModuleAliases aliases(module, trust);
    SymbolUsers users;
    struct Step {
      func::FuncOp function;
      SmallVector<FreshResult> results;
      SmallVector<func::CallOp> calls;
    };
    SmallVector<Step> steps;
    for (FunctionOpInterface op : aliases.getFunctions()) {
      auto function = cast<func::FuncOp>(op.getOperation());
      auto calls = users.findCalls(function);
      if (!calls || calls->empty())
        continue;
      SmallVector<FreshResult> results = findFreshResults(function, aliases);
      if (!results.empty())
        steps.push_back({function, std::move(results), std::move(*calls)});
    }
    for (Step &step : steps) {
      // No other step replaces these calls.
      rewritten.insert(step.function);
      for (func::CallOp call : step.calls)
        rewritten.insert(call->getParentOfType<func::FuncOp>());
      promote(step.function, step.results, step.calls);
      changed = true;
    }
  }
  return rewritten;
}

llvm::DenseSet<Operation *>
memplan::findFrameFunctions(ModuleOp module, const ModuleAliases &aliases,
                            int64_t maxWorkers) {
  llvm::DenseSet<Operation *> found;
  SymbolUsers users;
  for (FunctionOpInterface op : aliases.getFunctions()) {
    auto function = cast<func::FuncOp>(op.getOperation());
    std::optional<SmallVector<func::CallOp>> calls = users.findCalls(function);
    if (!calls || calls->empty())
      continue;
    bool eligible = llvm::all_of(*calls, [&](func::CallOp call) {
      auto caller = call->getParentOfType<FunctionOpInterface>();
      const FunctionSummary *summary = nullptr;
      return caller && isa<func::FuncOp>(caller.getOperation()) &&
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
