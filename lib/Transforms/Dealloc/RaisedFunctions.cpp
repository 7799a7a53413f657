//===- RaisedFunctions.cpp - Functions changed before planning ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dealloc/RaisedFunctions.h"

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

RaisedFunctions::RaisedFunctions(ModuleOp module,
                                 llvm::function_ref<void()> beforeChange) {
  DeallocationRaiser raiser;
  module.walk([&](func::FuncOp function) {
    if (function.isExternal() || hasArena(function))
      return;
    auto original = std::make_unique<Region>();
    auto save = [&] {
      beforeChange();
      IRMapping mapping;
      if (original->empty())
        function.getBody().cloneInto(original.get(), mapping);
    };
    raiser.raise(function, save);
    bool copiesClones = copyClones(function, save);
    sinkSelects(function, save);
    if (!original->empty())
      functions.push_back({function, std::move(original), copiesClones});
  });
}

void memplan::takeBody(func::FuncOp function, Region &body) {
  function.getBody().dropAllReferences();
  function.getBody().takeBody(body);
}

void RaisedFunctions::restoreAll() {
  for (const Entry &entry : functions)
    takeBody(entry.function, *entry.original);
}

/// The planned functions and those that they may call, directly or through
/// others: that clones in these are copies is what the plans rest on.
static llvm::DenseSet<Operation *> findPlannedTrees(ModuleOp module) {
  llvm::SetVector<Operation *> found = findPlannedFunctions(module);
  SymbolTableCollection symbols;
  for (size_t i = 0; i < found.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(found[i]))
      for (SymbolTable::SymbolUse use : *uses)
        if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
                use.getUser(), use.getSymbolRef()))
          found.insert(callee);
  return {found.begin(), found.end()};
}

void RaisedFunctions::restoreUnplanned(
    ModuleOp module, llvm::function_ref<func::FuncOp(func::FuncOp)> find) {
  if (functions.empty())
    return;
  llvm::DenseSet<Operation *> planned = findPlannedTrees(module);
  for (const Entry &entry : functions) {
    func::FuncOp function = find(entry.function);
    bool isKept = function && (entry.copiesClones ? planned.contains(function)
                                                  : hasArena(function));
    if (function && !isKept)
      takeBody(function, *entry.original);
  }
}
