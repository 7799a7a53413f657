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

#include <cmath>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANSTRIPE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct StripePass : memplan::impl::MemplanStripeBase<StripePass> {
  using MemplanStripeBase::MemplanStripeBase;
  /// Copies the options only, not the state of a run.
  StripePass(const StripePass &other) : MemplanStripeBase(other) {}

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
    if (!(maxExtraFlops >= 0 && std::isfinite(maxExtraFlops))) {
      mlir::emitError(module.getLoc())
          << "max-extra-flops is " << maxExtraFlops.getValue()
          << ", must be at least 0 and finite";
      return signalPassFailure();
    }
    SmallVector<StringAttr> names;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.getFunctionBody().hasOneBlock() &&
          (!onlySums || hasRoundedSum(function)))
        names.push_back(function.getSymNameAttr());
    text.clear();
    before.reset();
    trials = 0;
    stripe(module, names);
    if (output.empty())
      return;
    if (failed(writeOutput(output, module.getLoc(),
                           [&](llvm::raw_ostream &out) { out << text; })))
      signalPassFailure();
  }

private:
  /// Each trial bufferizes and plans the whole module.
  static constexpr unsigned kMostTrials = 64;

  struct Trial {
    OwningOpRef<ModuleOp> module;
    std::vector<ChangeReport> changes;
    std::optional<Needs> needs;
  };

  /// Computes chains of the functions in stripes, all at once if that is worth
  /// it, else without those that gain nothing, else each half by itself.
  void stripe(ModuleOp module, ArrayRef<StringAttr> names) {
    if (names.empty() || trials == kMostTrials)
      return;
    ++trials;
    Trial trial = tryStripes(module, names);
    if (trial.changes.empty() || !before)
      return;
    SmallVector<StringAttr> gaining;
    for (const ChangeReport &change : trial.changes)
      if (trial.needs && getBytes(*trial.needs, change.function) <
                             getBytes(*before, change.function))
        gaining.push_back(StringAttr::get(&getContext(), change.function));
    if (gaining.size() == trial.changes.size() && isLess(*trial.needs, *before))
      return accept(module, std::move(trial));
    if (trial.changes.size() == 1)
      return;
    if (trial.needs && gaining.size() < trial.changes.size())
      return stripe(module, gaining);
    stripe(module, names.take_front(names.size() / 2));
    stripe(module, names.drop_front(names.size() / 2));
  }

  Trial tryStripes(ModuleOp module, ArrayRef<StringAttr> names) {
    // An error in a trial is not an error in the program.
    ScopedDiagnosticHandler silence(&getContext(),
                                    [](Diagnostic &) { return success(); });
    Trial trial;
    trial.module = cast<ModuleOp>(module->clone());
    SymbolTable symbols(*trial.module);
    for (StringAttr name : names) {
      auto function = symbols.lookup<func::FuncOp>(name);
      OwningOpRef<func::FuncOp> original = function.clone();
      ChangeReport change =
          computeInStripes(function, {maxExtraFlops / 100, onlySums});
      if (change.stripes.empty())
        function.getBody().takeBody(original->getBody());
      else
        trial.changes.push_back(std::move(change));
    }
    if (trial.changes.empty())
      return trial;
    if (!before)
      before = measure(module);
    if (before)
      trial.needs = measure(*trial.module);
    return trial;
  }

  void accept(ModuleOp module, Trial trial) {
    llvm::raw_string_ostream os(text);
    SymbolTable symbols(*trial.module);
    for (ChangeReport &change : trial.changes) {
      change.bytes = getBytes(*trial.needs, change.function);
      change.savedBytes = getBytes(*before, change.function) - change.bytes;
      os << "@" << change.function << ": " << change.bytes << " bytes, "
         << change.savedBytes << " saved\n"
         << formatStripes(change);
      recordChanges(symbols.lookup(change.function), {change});
    }
    before = std::move(trial.needs);
    module.getBodyRegion().takeBody(trial.module->getBodyRegion());
  }

  static int64_t getBytes(const Needs &needs, const std::string &name) {
    int64_t bytes = 0;
    for (auto it = needs.lower_bound({name, ""});
         it != needs.end() && it->first.first == name; ++it)
      bytes = saturatingAdd(bytes, it->second.bytes());
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

  /// The list of what was done.
  std::string text;
  /// What the program needs so far.
  std::optional<Needs> before;
  unsigned trials = 0;
};
} // namespace
