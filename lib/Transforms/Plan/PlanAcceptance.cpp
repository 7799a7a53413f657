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

/// What the verifier says against the plans of the functions.
static std::vector<Complaint>
verifyQuietly(ArrayRef<FunctionOpInterface> functions,
              ArrayRef<FunctionOpInterface> originals) {
  if (functions.empty())
    return {};
  return findComplaints(functions.front()->getContext(), [&] {
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
  refusal.complaints = verifyQuietly(functions, originals);
  if (refusal.complaints.empty())
    return std::nullopt;
  for (auto [function, original] : llvm::zip_equal(functions, originals)) {
    std::vector<Complaint> own = verifyQuietly(function, original);
    if (own.empty())
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
    std::vector<Complaint> own =
        findComplaints(before->getContext(), [before = before, after = after] {
          return checkLowering(before, after);
        });
    if (own.empty())
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
