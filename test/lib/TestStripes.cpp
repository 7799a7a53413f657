//===- TestStripes.cpp - Compute chains in stripes ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memplan-stripe computes chains in stripes where that needs fewer bytes. This
// pass does so wherever rows can be kept, also if it gains nothing, so that
// tests reach what a model of the memory would not choose.
//
//===----------------------------------------------------------------------===//

#include "TestStripes.h"

#include "Prepare/MemoryOrder.h"
#include "Stripe/Chain.h"
#include "Stripe/ComputeInStripes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

class TestStripes : public PassWrapper<TestStripes, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestStripes)

  TestStripes() = default;
  TestStripes(const TestStripes &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-stripes"; }
  StringRef getDescription() const final {
    return "Compute chains in stripes that keep rows, wherever there are some";
  }

  void getDependentDialects(DialectRegistry &registry) const final {
    memplan::registerStripeInterfaces(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.getFunctionBody().hasOneBlock() &&
          failed(computeInStripes(function)))
        return signalPassFailure();
  }

private:
  LogicalResult computeInStripes(func::FuncOp function) const {
    Block &block = function.getFunctionBody().front();
    memplan::splitRepeatables(block);
    memplan::raiseConcats(block);
    // The last roots first: a rewrite erases no op of another chain.
    llvm::DenseSet<Operation *> taken;
    std::vector<memplan::Chain> chains;
    memplan::MemoryOrder order(block);
    for (Operation &root : llvm::reverse(block)) {
      if (taken.contains(&root))
        continue;
      for (auto [loop, count] : memplan::getCuts(&root)) {
        memplan::Chain chain = memplan::growChain(
            &root, loop, count, /*keepsRows=*/true,
            [&](Operation *op, const memplan::Rows &) {
              return !taken.contains(op) && order.mayMove(op, &root);
            });
        if (!chain.keepsAny())
          continue;
        for (int64_t divisor = 1; divisor <= rows && divisor < count; ++divisor)
          if (count % divisor == 0)
            chain.rows = divisor;
        taken.insert(&root);
        for (const auto &entry : chain.producers)
          taken.insert(entry.first);
        chains.push_back(std::move(chain));
        break;
      }
    }
    IRRewriter rewriter(function.getContext());
    for (const memplan::Chain &chain : chains)
      if (failed(memplan::computeInStripes(rewriter, chain)))
        return chain.root->emitError("upstream cannot tile an op of its chain");
    if (!chains.empty() && failed(memplan::foldStripes(function)))
      return function.emitError("slices do not fold");
    return success();
  }

  Option<int64_t> rows{*this, "rows", llvm::cl::init(1),
                       llvm::cl::desc("The most rows at once")};
};

} // namespace

void memplan::registerTestStripes() { PassRegistration<TestStripes>(); }
