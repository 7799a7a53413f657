//===- SymbolUsers.cpp - Calls and other uses of functions ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/SymbolUsers.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

/// True if the function has an attribute of one of the dialects. Such an
/// attribute may make the signature part of an interface although the function
/// is private (an interface to C, another linkage, an entry point of a device),
/// or may refer to its arguments.
static bool hasForeignAttribute(func::FuncOp function,
                                ArrayRef<StringLiteral> dialects) {
  return llvm::any_of(
      function->getDiscardableAttrs(), [&](NamedAttribute attribute) {
        auto [dialect, name] = attribute.getName().getValue().split('.');
        return !name.empty() && llvm::is_contained(dialects, dialect);
      });
}

static constexpr StringLiteral kDeviceDialects[] = {
    "gpu", "nvvm", "rocdl", "spirv", "omp", "acc", "emitc"};
static constexpr StringLiteral kLinkDialects[] = {"llvm"};

bool memplan::saysWhatMemoryItUses(FunctionOpInterface function) {
  auto isSuch = [](StringRef name) {
    return name.starts_with("memory") || name == "readnone" ||
           name == "readonly" || name == "writeonly" ||
           name.ends_with("memonly") || name.ends_with("mem_or_argmemonly");
  };
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    if (StringRef name = attribute.getName();
        name.consume_front("llvm.") && isSuch(name))
      return true;
  auto passed = function->getAttrOfType<ArrayAttr>("passthrough");
  return passed && llvm::any_of(passed, [&](Attribute entry) {
           if (auto pair = dyn_cast<ArrayAttr>(entry); pair && !pair.empty())
             entry = pair[0];
           auto text = dyn_cast<StringAttr>(entry);
           return text && isSuch(text.getValue());
         });
}

std::optional<SmallVector<func::CallOp>>
SymbolUsers::findCalls(func::FuncOp function) {
  if (!function.isPrivate() || function->hasAttr("passthrough") ||
      hasForeignAttribute(function, kLinkDialects))
    return std::nullopt;
  return findCallsInModule(function);
}

std::optional<SmallVector<func::CallOp>>
SymbolUsers::findCallsInModule(func::FuncOp function) {
  if (function.isExternal() || hasForeignAttribute(function, kDeviceDialects) ||
      saysWhatMemoryItUses(function))
    return std::nullopt;
  return findCallsOfSymbol(function);
}

std::optional<SmallVector<func::CallOp>>
SymbolUsers::findCallsOfSymbol(FunctionOpInterface function) {
  const Table &table = get(function->getParentRegion());
  StringAttr name = function.getNameAttr();
  if (!table.isKnown || table.otherwise.contains(name))
    return std::nullopt;
  return table.calls.lookup(name);
}

void SymbolUsers::setCalls(func::FuncOp function,
                           SmallVector<func::CallOp> calls) {
  tables[function->getParentRegion()].calls[function.getSymNameAttr()] =
      std::move(calls);
}

const SymbolUsers::Table &SymbolUsers::get(Region *region) {
  auto [it, isNew] = tables.try_emplace(region);
  Table &table = it->second;
  if (!isNew)
    return table;
  auto uses = SymbolTable::getSymbolUses(region);
  // Attributes of the op that is the symbol table may use its symbols, too.
  auto own = SymbolTable::getSymbolUses(region->getParentOp());
  table.isKnown = uses && own;
  if (!table.isKnown)
    return table;
  for (SymbolTable::SymbolUse use : *own)
    table.otherwise.insert(use.getSymbolRef().getRootReference());
  // Each user once, even if it names several symbols.
  llvm::SetVector<Operation *> users;
  for (SymbolTable::SymbolUse use : *uses)
    users.insert(use.getUser());
  for (Operation *user : users) {
    auto call = dyn_cast<func::CallOp>(user);
    if (call)
      table.calls[call.getCalleeAttr().getRootReference()].push_back(call);
    for (NamedAttribute attribute : user->getAttrDictionary()) {
      if (call && attribute.getName() == call.getCalleeAttrName())
        continue;
      attribute.getValue().walk([&](SymbolRefAttr symbol) {
        table.otherwise.insert(symbol.getRootReference());
      });
    }
  }
  return table;
}
