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

std::string type(llvm::StringRef shape) {
  return ("tensor<" + shape + "xf32>").str();
}

/// A value `name` of the shape, filled with zeros.
std::string zeros(llvm::StringRef name, llvm::StringRef shape) {
  std::string is = type(shape);
  return ("%e" + name + " = tensor.empty() : " + is + "\n%" + name +
          " = linalg.fill ins(%zero : f32) outs(%e" + name + " : " + is +
          ") -> " + is + "\n")
      .str();
}

/// A value `name`: the op of values of the shapes, added to zeros.
std::string apply(llvm::StringRef op, llvm::StringRef name, llvm::StringRef a,
                  llvm::StringRef aShape, llvm::StringRef b,
                  llvm::StringRef bShape, llvm::StringRef shape) {
  return zeros(("z" + name).str(), shape) +
         ("%" + name + " = linalg." + op + " ins(" + a + ", " + b + " : " +
          type(aShape) + ", " + type(bShape) + ") outs(%z" + name + " : " +
          type(shape) + ") -> " + type(shape) + "\n")
             .str();
}

/// A function that returns the sums of `%last` of the shape along `dim`.
std::string function(llvm::StringRef name, llvm::StringRef arguments,
                     llvm::StringRef body, llvm::StringRef shape, unsigned dim,
                     llvm::StringRef sums) {
  return ("func.func @" + name + "(" + arguments + ") -> " + type(sums) +
          " {\n%zero = arith.constant 0.0 : f32\n" + body + zeros("zs", sums) +
          "%s = linalg.reduce ins(%last : " + type(shape) +
          ") outs(%zs : " + type(sums) + ") dimensions = [" + llvm::Twine(dim) +
          "] (%p: f32, %q: f32) { %r = arith.addf %p, %q : f32\n"
          "linalg.yield %r : f32 }\nreturn %s : " +
          type(sums) + "\n}\n")
      .str();
}

/// Rows of a perceptron, a convolution of a convolution, which overlap, and a
/// residual block, whose first result two ops read.
std::string makePrograms() {
  return function(
             "perceptron",
             "%x: tensor<12x4xf32>, %u: tensor<4x32xf32>, %w: tensor<32x6xf32>",
             apply("matmul", "a", "%x", "12x4", "%u", "4x32", "12x32") +
                 apply("matmul", "last", "%a", "12x32", "%w", "32x6", "12x6"),
             "12x6", 0, "6") +
         function("windows",
                  "%x: tensor<1x16x2xf32>, %u: tensor<3x2x8xf32>, "
                  "%w: tensor<3x8x2xf32>",
                  apply("conv_1d_nwc_wcf", "a", "%x", "1x16x2", "%u", "3x2x8",
                        "1x14x8") +
                      apply("conv_1d_nwc_wcf", "last", "%a", "1x14x8", "%w",
                            "3x8x2", "1x12x2"),
                  "1x12x2", 1, "1x2") +
         function(
             "diamond", "%x: tensor<6x16xf32>, %w: tensor<16x16xf32>",
             apply("add", "a", "%x", "6x16", "%x", "6x16", "6x16") +
                 apply("matmul", "b", "%a", "6x16", "%w", "16x16", "6x16") +
                 apply("add", "last", "%a", "6x16", "%b", "6x16", "6x16"),
             "6x16", 0, "16");
}

bool contains(const Chain &chain, Operation *op) {
  return op == chain.root || chain.producers.contains(op);
}

bool haveCommonOps(const Chain &a, const Chain &b) {
  return contains(a, b.root) ||
         llvm::any_of(b.producers, [&](const auto &entry) {
           return contains(a, entry.first);
         });
}

/// Every chain of the block: any root, cut, rows, and set of ops that may join.
std::vector<Chain> listChains(Block &block) {
  std::vector<Operation *> ops;
  for (Operation &op : block)
    if (isStripable(&op))
      ops.push_back(&op);
  std::vector<Chain> chains;
  auto add = [&](Operation *root, std::pair<unsigned, int64_t> cut,
                 bool keepsRows, unsigned set) {
    auto [loop, count] = cut;
    Chain chain = growChain(
        root, loop, count, keepsRows, [&](Operation *op, const Rows &) {
          return ((set >> (llvm::find(ops, op) - ops.begin())) & 1) != 0;
        });
    // Each set of ops once.
    if (chain.producers.size() != static_cast<size_t>(llvm::popcount(set)) ||
        keepsRows != chain.keepsAny())
      return;
    for (chain.rows = 1; chain.rows < count; ++chain.rows)
      if (count % chain.rows == 0)
        chains.push_back(chain);
  };
  for (Operation *root : ops)
    for (auto cut : getCuts(root))
      for (unsigned set = 1; set < 1u << ops.size(); ++set)
        for (bool keepsRows : {false, true})
          add(root, cut, keepsRows, set);
  return chains;
}

/// The least peak of all sets of chains without common ops.
int64_t findLeast(const StripeModel &model, const std::vector<Chain> &all,
                  int64_t mostExtra, size_t first, std::vector<Chain> &chosen) {
  StripeCost cost = StripeState(model, chosen).cost();
  int64_t least = cost.extraFlops <= mostExtra ? cost.peak : INT64_MAX;
  for (size_t i = first; i < all.size(); ++i) {
    if (llvm::any_of(chosen, [&](const Chain &chain) {
          return haveCommonOps(chain, all[i]);
        }))
      continue;
    chosen.push_back(all[i]);
    least = std::min(least, findLeast(model, all, mostExtra, i + 1, chosen));
    chosen.pop_back();
  }
  return least;
}

/// The cost of chains that replace others is that of a new state.
void compareCosts(const StripeModel &model, const std::vector<Chain> &all) {
  for (size_t i = 0; i < all.size(); i += 3) {
    StripeState one(model, {all[i]});
    for (size_t j = 0; j < all.size(); j += 5) {
      bool replaces = haveCommonOps(all[i], all[j]);
      StripeCost cost =
          one.costWith(llvm::SmallVector<size_t>(replaces ? 1 : 0, 0), all[j]);
      std::vector<Chain> chains = {all[j]};
      if (!replaces)
        chains.push_back(all[i]);
      StripeCost other = StripeState(model, chains).cost();
      EXPECT_EQ(cost.peak, other.peak);
      EXPECT_EQ(cost.peaks, other.peaks);
      EXPECT_EQ(cost.area, other.area);
      EXPECT_EQ(cost.extraFlops, other.extraFlops);
      EXPECT_EQ(cost.calls, other.calls);
    }
  }
}

TEST(StripeTest, ChoiceIsBestOfAll) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  registerStripeInterfaces(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(makePrograms(), &context);
  ASSERT_TRUE(module);
  for (auto function : module->getOps<func::FuncOp>()) {
    Block &block = function.getFunctionBody().front();
    splitRepeatables(block);
    TargetDescription target;
    CostModel costs(*module, target, 1);
    StripeModel model(block, costs);
    std::vector<Chain> all = listChains(block);
    EXPECT_GT(all.size(), 10u);
    compareCosts(model, all);
    std::vector<Chain> chosen;
    for (double share : {0.0, 0.1, 0.3, 4.0}) {
      int64_t mostExtra =
          static_cast<int64_t>(static_cast<double>(model.flops()) * share);
      int64_t least = findLeast(model, all, mostExtra, 0, chosen);
      StripeCost choice =
          StripeState(model, chooseChains(block, model, {share})).cost();
      EXPECT_EQ(choice.peak, least) << function.getName().str() << share;
      EXPECT_LE(choice.extraFlops, mostExtra);
      EXPECT_LE(least, StripeState(model).cost().peak);
    }
  }
}

TEST(StripeTest, RowsOfWindowsCompose) {
  Rows rows{1, 1, 1, 0};
  EXPECT_EQ(rows.halo(), 0);
  EXPECT_EQ((Rows{1, 2, 3, -1}).halo(), 1);
  EXPECT_EQ((Rows{1, 2, 3, -1}).of(4), 9);
  EXPECT_EQ((Rows{1, 2, 1, 0}).halo(), 0);
  // Those behind the halo follow each other from stripe to stripe.
  EXPECT_EQ((Rows{1, 2, 3, -1}).withoutHalo(), (Rows{1, 2, 2, 0}));
  EXPECT_EQ((Rows{1, 2, 1, 5}).withoutHalo(), (Rows{1, 2, 1, 5}));
}

// Row n of a tensor that is padded by two rows is row n - 2 of the operand.
TEST(StripeTest, RowsOfPads) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "func.func @f(%x: tensor<8x4xf32>) -> tensor<13x4xf32> {\n"
      "%zero = arith.constant 0.0 : f32\n"
      "%p = tensor.pad %x low[2, 0] high[3, 0] {\n"
      "^bb0(%i: index, %j: index):\n"
      "tensor.yield %zero : f32 } : tensor<8x4xf32> to tensor<13x4xf32>\n"
      "return %p : tensor<13x4xf32> }",
      &context);
  ASSERT_TRUE(module);
  module->walk([](tensor::PadOp pad) {
    std::optional<Rows> rows =
        getOperandRows(pad->getOpOperand(0), Rows{0, 1, 3, 1});
    ASSERT_TRUE(rows);
    EXPECT_EQ(*rows, (Rows{0, 1, 3, -1}));
  });
}

} // namespace
