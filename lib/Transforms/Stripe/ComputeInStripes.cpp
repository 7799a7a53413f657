//===- ComputeInStripes.cpp - Chains of a function in stripes -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/ComputeInStripes.h"

#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace memplan;

void memplan::registerStripeInterfaces(DialectRegistry &registry) {
  registerCostModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
}

static Stripe describe(const Chain &chain, const StripeModel &model) {
  Stripe stripe(chain.root->getLoc());
  auto add = [&](Operation *op) {
    if (!stripe.ops.empty())
      stripe.ops += ", ";
    stripe.ops += op->getName().stripDialect();
  };
  for (const auto &[op, rows] : llvm::reverse(chain.producers)) {
    add(op);
    if (!isForFree(op))
      stripe.halo = std::max(stripe.halo, rows.halo());
  }
  add(chain.root);
  stripe.rows = chain.rows;
  stripe.count = chain.count;
  stripe.extraFlops = model.extraFlops(chain);
  stripe.allFlops = model.flops();
  return stripe;
}

void memplan::print(ArrayRef<Stripe> stripes, llvm::raw_ostream &os) {
  for (const Stripe &stripe : stripes) {
    os << "    " << stripe.rows << " of " << stripe.count << " rows at once";
    if (stripe.halo > 0)
      os << ", " << stripe.halo << (stripe.halo == 1 ? " row" : " rows")
         << " again at each seam, " << stripe.extraFlops << " FLOPs ("
         << llvm::format(
                "%.2f",
                100.0 * static_cast<double>(stripe.extraFlops) /
                    static_cast<double>(std::max<int64_t>(stripe.allFlops, 1)))
         << " % more)";
    os << ": " << stripe.ops << "\n";
  }
}

std::vector<Stripe> memplan::computeInStripes(func::FuncOp function,
                                              const StripeOptions &options) {
  TargetDescription target;
  CostModel costs(function->getParentOfType<ModuleOp>(), target, 1);
  Block &block = function.getFunctionBody().front();
  splitRepeatables(block);
  StripeModel model(block, costs);
  std::vector<Chain> chains = chooseChains(block, model, options);
  // Consumers first: an op for free that two chains repeat is erased with the
  // first one.
  llvm::sort(chains, [](const Chain &a, const Chain &b) {
    return b.root->isBeforeInBlock(a.root);
  });
  std::vector<Stripe> stripes;
  stripes.reserve(chains.size());
  for (const Chain &chain : chains)
    stripes.push_back(describe(chain, model));
  IRRewriter rewriter(function.getContext());
  for (const Chain &chain : chains)
    if (failed(computeInStripes(rewriter, chain)))
      return {};
  if (!chains.empty() && failed(foldStripes(function)))
    return {};
  return stripes;
}
