//===- ComputeInStripes.cpp - Chains of a function in stripes -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/ComputeInStripes.h"

#include "memplan/IR/OpCost.h"
#include "memplan/Transforms/DescribePlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"

using namespace mlir;
using namespace memplan;

void memplan::registerStripeInterfaces(DialectRegistry &registry) {
  registry.insert<bufferization::BufferizationDialect>();
  registerCostModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
}

static StripeReport describe(const Chain &chain, const StripeModel &model) {
  StripeReport stripe;
  auto add = [&](Operation *op) {
    stripe.ops.push_back(
        {op->getName().stripDialect().str(), describeLocation(op->getLoc())});
  };
  for (const auto &[op, rows] : llvm::reverse(chain.producers)) {
    add(op);
    if (chain.keeps(op))
      stripe.kept = std::max(stripe.kept, rows.halo());
    else if (!isForFree(op))
      stripe.halo = std::max(stripe.halo, rows.halo());
  }
  add(chain.root);
  stripe.loop = chain.loop;
  stripe.rows = chain.rows;
  stripe.count = chain.count;
  stripe.extraFlops = model.extraFlops(chain);
  return stripe;
}

ChangeReport memplan::computeInStripes(func::FuncOp function,
                                       const StripeOptions &options) {
  TargetDescription target;
  CostModel costs(function->getParentOfType<ModuleOp>(), target, 1);
  Block &block = function.getFunctionBody().front();
  splitRepeatables(block);
  raiseConcats(block);
  StripeModel model(block, costs);
  std::vector<Chain> chains = chooseChains(block, model, options);
  // Consumers first. Chains have no op in common: none erases what another has.
  llvm::sort(chains, [](const Chain &a, const Chain &b) {
    return b.root->isBeforeInBlock(a.root);
  });
  ChangeReport change;
  change.function = function.getName().str();
  change.change = "striped";
  change.allFlops = model.flops();
  change.stripes.reserve(chains.size());
  for (const Chain &chain : chains) {
    change.stripes.push_back(describe(chain, model));
    change.extraFlops =
        saturatingAdd(change.extraFlops, change.stripes.back().extraFlops);
  }
  IRRewriter rewriter(function.getContext());
  for (const Chain &chain : chains)
    if (failed(computeInStripes(rewriter, chain)))
      return {};
  if (!chains.empty() && failed(foldStripes(function)))
    return {};
  return change;
}
