//===- PlanAcceptance.cpp - Plans that the verifier refuses ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanAcceptance.h"

#include "memplan/Equivalence/Equivalence.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace memplan;

using Complaints = std::vector<std::pair<Location, std::string>>;

/// True if the check accepts; otherwise `complaints` gets its errors and notes.
static bool checkQuietly(MLIRContext *context, Complaints &complaints,
                         llvm::function_ref<LogicalResult()> check) {
  ScopedDiagnosticHandler capture(context, [&](Diagnostic &diagnostic) {
    complaints.emplace_back(diagnostic.getLocation(), diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      complaints.emplace_back(note.getLocation(), note.str());
    return success();
  });
  return succeeded(check());
}

/// True if the verifier accepts the plans of the functions; otherwise
/// `complaints` gets its errors and notes.
static bool verifyQuietly(ArrayRef<FunctionOpInterface> functions,
                          ArrayRef<FunctionOpInterface> originals,
                          Complaints &complaints) {
  if (functions.empty())
    return true;
  return checkQuietly(functions.front()->getContext(), complaints, [&] {
    return success(
        succeeded(verifyPlans(functions)) &&
        llvm::all_of(llvm::zip_equal(originals, functions), [](auto pair) {
          return succeeded(
              checkCorrespondence(std::get<0>(pair), std::get<1>(pair)));
        }));
  });
}

std::optional<Refusal>
memplan::findRefusal(ArrayRef<FunctionOpInterface> functions,
                     ArrayRef<FunctionOpInterface> originals) {
  Refusal refusal;
  if (verifyQuietly(functions, originals, refusal.complaints))
    return std::nullopt;
  for (auto [function, original] : llvm::zip_equal(functions, originals)) {
    Complaints own;
    if (verifyQuietly(function, original, own))
      continue;
    if (refusal.refused.empty())
      refusal.complaints = std::move(own);
    refusal.refused.push_back(function);
  }
  if (refusal.refused.empty())
    refusal.refused.assign(functions.begin(), functions.end());
  return refusal;
}

std::optional<Refusal>
memplan::findLoweringRefusal(ArrayRef<FunctionOpInterface> planned,
                             ArrayRef<FunctionOpInterface> lowered) {
  Refusal refusal;
  for (auto [before, after] : llvm::zip_equal(planned, lowered)) {
    Complaints own;
    if (checkQuietly(before->getContext(), own,
                     [&, before = before, after = after] {
                       return checkLowering(before, after);
                     }))
      continue;
    if (refusal.refused.empty())
      refusal.complaints = std::move(own);
    refusal.refused.push_back(before);
  }
  return refusal.refused.empty() ? std::nullopt : std::optional(refusal);
}

SmallVector<FunctionOpInterface>
memplan::findDependents(ArrayRef<FunctionOpInterface> functions,
                        ArrayRef<FunctionOpInterface> refused) {
  llvm::SetVector<Operation *> found;
  llvm::StringSet<> names;
  auto add = [&](FunctionOpInterface function) {
    if (!found.insert(function))
      return false;
    names.insert(function.getName());
    return true;
  };
  for (FunctionOpInterface function : refused)
    add(function);
  auto rests = [&](FunctionOpInterface function) {
    auto uses = SymbolTable::getSymbolUses(function);
    if (!uses || llvm::any_of(*uses, [&](const SymbolTable::SymbolUse &use) {
          return names.contains(
              use.getSymbolRef().getLeafReference().getValue());
        }))
      return true;
    return llvm::any_of(found, [&](Operation *other) {
      return other->isProperAncestor(function) ||
             function->isProperAncestor(other);
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionOpInterface function : functions)
      changed |= rests(function) && add(function);
  }
  SmallVector<FunctionOpInterface> all;
  for (Operation *function : found)
    all.push_back(cast<FunctionOpInterface>(function));
  return all;
}
