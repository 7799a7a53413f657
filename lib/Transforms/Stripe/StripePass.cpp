//===- StripePass.cpp - The memplan-stripe pass ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses chains by a model of the memory, and computes them in stripes on a
// clone, which replaces the program only if its plan needs less.
//
//===----------------------------------------------------------------------===//

#include "Explain/Changes.h"
#include "Output.h"
#include "Plan/MeasureNeeds.h"
#include "Stripe/ComputeInStripes.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANSTRIPE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct StripePass : memplan::impl::MemplanStripeBase<StripePass> {
  using MemplanStripeBase::MemplanStripeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanStripeBase::getDependentDialects(registry);
    registerStripeInterfaces(registry);
    OpPassManager manager(ModuleOp::getOperationName());
    buildToMemRefsPipeline(manager);
    manager.addPass(createPlanMemory());
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (maxExtraFlops < 0) {
      mlir::emitError(module.getLoc())
          << "max-extra-flops is " << maxExtraFlops.getValue()
          << ", must be at least 0";
      return signalPassFailure();
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    std::optional<Needs> before;
    SmallVector<StringAttr> names;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.getFunctionBody().hasOneBlock() &&
          (!onlySums || hasRoundedSum(function)))
        names.push_back(function.getSymNameAttr());
    for (StringAttr name : names) {
      OwningOpRef<ModuleOp> trial = cast<ModuleOp>(module->clone());
      ChangeReport change;
      std::optional<Needs> after;
      {
        // An error in a trial is not an error in the program.
        ScopedDiagnosticHandler silence(&getContext(),
                                        [](Diagnostic &) { return success(); });
        change = computeInStripes(trial->lookupSymbol<func::FuncOp>(name),
                                  {maxExtraFlops / 100, onlySums});
        if (change.stripes.empty())
          continue;
        if (!before)
          before = measure(module);
        after = measure(*trial);
      }
      if (!before || !after || !isLess(*after, *before))
        continue;
      change.bytes = getBytes(*after, name);
      change.savedBytes = getBytes(*before, name) - change.bytes;
      os << "@" << name.getValue() << ": " << change.bytes << " bytes, "
         << change.savedBytes << " saved\n"
         << formatStripes(change);
      recordChanges(trial->lookupSymbol(name), {change});
      before = std::move(after);
      module.getBodyRegion().takeBody(trial->getBodyRegion());
    }
    if (output.empty())
      return;
    if (failed(writeOutput(output, module.getLoc(),
                           [&](llvm::raw_ostream &out) { out << text; })))
      signalPassFailure();
  }

private:
  static int64_t getBytes(const Needs &needs, StringAttr name) {
    int64_t bytes = 0;
    for (const auto &[key, need] : needs)
      if (key.first == name.getValue())
        bytes = saturatingAdd(bytes, need.bytes());
    return bytes;
  }

  std::optional<Needs> measure(ModuleOp module) {
    OwningOpRef<ModuleOp> trial = cast<ModuleOp>(module->clone());
    PassManager manager(&getContext(), ModuleOp::getOperationName());
    buildToMemRefsPipeline(manager);
    if (failed(manager.run(*trial)))
      return std::nullopt;
    FailureOr<Needs> needs = measureNeeds(*trial, NeedOptions());
    return failed(needs) ? std::nullopt : std::optional(std::move(*needs));
  }

  /// True if something needs less and nothing more.
  static bool isLess(const Needs &after, const Needs &before) {
    bool less = false;
    for (const auto &[key, need] : before) {
      auto found = after.find(key);
      int64_t now = found == after.end() ? 0 : found->second.bytes();
      if (now > need.bytes())
        return false;
      less |= now < need.bytes();
    }
    return less && llvm::all_of(after, [&](const auto &entry) {
             return before.count(entry.first) > 0;
           });
  }
};
} // namespace
