//===- StripeTest.cpp - The choice of chains against all choices ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/ComputeInStripes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace memplan;

namespace {

/// Rows of a perceptron, a convolution of a convolution, which overlap, and a
/// residual block, whose first result two ops read.
constexpr llvm::StringLiteral kPrograms = R"mlir(
  func.func @perceptron(%x: tensor<12x4xf32>, %u: tensor<4x32xf32>,
                        %w: tensor<32x6xf32>) -> tensor<6xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<12x32xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x32xf32>) -> tensor<12x32xf32>
    %a = linalg.matmul ins(%x, %u : tensor<12x4xf32>, tensor<4x32xf32>)
        outs(%z : tensor<12x32xf32>) -> tensor<12x32xf32>
    %f = tensor.empty() : tensor<12x6xf32>
    %y = linalg.fill ins(%zero : f32) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
    %b = linalg.matmul ins(%a, %w : tensor<12x32xf32>, tensor<32x6xf32>)
        outs(%y : tensor<12x6xf32>) -> tensor<12x6xf32>
    %g = tensor.empty() : tensor<6xf32>
    %v = linalg.fill ins(%zero : f32) outs(%g : tensor<6xf32>) -> tensor<6xf32>
    %s = linalg.reduce ins(%b : tensor<12x6xf32>) outs(%v : tensor<6xf32>) dimensions = [0]
      (%p: f32, %q: f32) {
        %r = arith.addf %p, %q : f32
        linalg.yield %r : f32
      }
    return %s : tensor<6xf32>
  }
  func.func @windows(%x: tensor<1x16x2xf32>, %u: tensor<3x2x8xf32>,
                     %w: tensor<3x8x2xf32>) -> tensor<1x2xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1x14x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
    %a = linalg.conv_1d_nwc_wcf ins(%x, %u : tensor<1x16x2xf32>, tensor<3x2x8xf32>)
        outs(%z : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
    %f = tensor.empty() : tensor<1x12x2xf32>
    %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x12x2xf32>) -> tensor<1x12x2xf32>
    %b = linalg.conv_1d_nwc_wcf ins(%a, %w : tensor<1x14x8xf32>, tensor<3x8x2xf32>)
        outs(%y : tensor<1x12x2xf32>) -> tensor<1x12x2xf32>
    %g = tensor.empty() : tensor<1x2xf32>
    %v = linalg.fill ins(%zero : f32) outs(%g : tensor<1x2xf32>) -> tensor<1x2xf32>
    %s = linalg.reduce ins(%b : tensor<1x12x2xf32>) outs(%v : tensor<1x2xf32>) dimensions = [1]
      (%p: f32, %q: f32) {
        %r = arith.addf %p, %q : f32
        linalg.yield %r : f32
      }
    return %s : tensor<1x2xf32>
  }
  func.func @diamond(%x: tensor<6x16xf32>, %w: tensor<16x16xf32>) -> tensor<16xf32> {
    %zero = arith.constant 0.0 : f32
    %d = tensor.empty() : tensor<6x16xf32>
    %a = linalg.exp ins(%x : tensor<6x16xf32>) outs(%d : tensor<6x16xf32>) -> tensor<6x16xf32>
    %e = tensor.empty() : tensor<6x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
    %b = linalg.matmul ins(%a, %w : tensor<6x16xf32>, tensor<16x16xf32>)
        outs(%z : tensor<6x16xf32>) -> tensor<6x16xf32>
    %f = tensor.empty() : tensor<6x16xf32>
    %c = linalg.add ins(%a, %b : tensor<6x16xf32>, tensor<6x16xf32>)
        outs(%f : tensor<6x16xf32>) -> tensor<6x16xf32>
    %g = tensor.empty() : tensor<16xf32>
    %v = linalg.fill ins(%zero : f32) outs(%g : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.reduce ins(%c : tensor<6x16xf32>) outs(%v : tensor<16xf32>) dimensions = [0]
      (%p: f32, %q: f32) {
        %r = arith.addf %q, %p : f32
        linalg.yield %r : f32
      }
    return %s : tensor<16xf32>
  }
)mlir";

bool contains(const Chain &chain, Operation *op) {
  return op == chain.root || chain.producers.contains(op);
}

/// Every chain of the block: any root, cut, rows, and set of ops that may join.
std::vector<Chain> listChains(Block &block) {
  std::vector<Operation *> ops;
  for (Operation &op : block)
    if (isStripable(&op))
      ops.push_back(&op);
  std::vector<Chain> chains;
  for (Operation *root : ops)
    for (auto [loop, count] : getCuts(root))
      for (unsigned set = 1; set < 1u << ops.size(); ++set) {
        Chain chain =
            growChain(root, loop, count, [&](Operation *op, const Rows &) {
              return ((set >> (llvm::find(ops, op) - ops.begin())) & 1) != 0;
            });
        // Each set of ops once.
        if (chain.producers.size() != static_cast<size_t>(llvm::popcount(set)))
          continue;
        for (chain.rows = 1; chain.rows < count; ++chain.rows)
          if (count % chain.rows == 0)
            chains.push_back(chain);
      }
  return chains;
}

/// The least peak of all sets of chains without common ops.
int64_t findLeast(const StripeModel &model, const std::vector<Chain> &all,
                  int64_t mostExtra, size_t first, std::vector<Chain> &chosen) {
  StripeCost cost = model.getCost(chosen);
  int64_t least = cost.extraFlops <= mostExtra ? cost.peak : INT64_MAX;
  for (size_t i = first; i < all.size(); ++i) {
    bool isApart = llvm::none_of(chosen, [&](const Chain &chain) {
      return contains(chain, all[i].root) ||
             llvm::any_of(all[i].producers, [&](const auto &entry) {
               return contains(chain, entry.first);
             });
    });
    if (!isApart)
      continue;
    chosen.push_back(all[i]);
    least = std::min(least, findLeast(model, all, mostExtra, i + 1, chosen));
    chosen.pop_back();
  }
  return least;
}

TEST(StripeTest, ChoiceIsBestOfAll) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  registerStripeInterfaces(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kPrograms, &context);
  ASSERT_TRUE(module);
  for (auto function : module->getOps<func::FuncOp>()) {
    Block &block = function.getFunctionBody().front();
    splitRepeatables(block);
    TargetDescription target;
    CostModel costs(*module, target, 1);
    StripeModel model(block, costs);
    std::vector<Chain> all = listChains(block);
    EXPECT_GT(all.size(), 10u);
    std::vector<Chain> chosen;
    for (double share : {0.0, 0.1, 0.3, 4.0}) {
      int64_t mostExtra =
          static_cast<int64_t>(static_cast<double>(model.flops()) * share);
      int64_t least = findLeast(model, all, mostExtra, 0, chosen);
      StripeCost choice = model.getCost(chooseChains(block, model, {share}));
      EXPECT_EQ(choice.peak, least) << function.getName().str() << share;
      EXPECT_LE(choice.extraFlops, mostExtra);
      EXPECT_LE(least, model.getCost({}).peak);
    }
  }
}

TEST(StripeTest, RowsOfWindowsCompose) {
  Rows rows{1, 1, 1, 0};
  EXPECT_EQ(rows.halo(), 0);
  EXPECT_EQ((Rows{1, 2, 3, -1}).halo(), 1);
  EXPECT_EQ((Rows{1, 2, 3, -1}).of(4), 9);
  EXPECT_EQ((Rows{1, 2, 1, 0}).halo(), 0);
}

} // namespace
