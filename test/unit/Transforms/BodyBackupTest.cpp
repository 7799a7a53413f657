//===- BodyBackupTest.cpp - Going back to a function as it was ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Transforms/Plan/BodyBackup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// The payload takes a value from the loop around it, which planning may put
/// another one in the place of.
constexpr llvm::StringLiteral kProgram = R"mlir(
  func.func @capture(%n: index, %out: memref<8xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %buffer = memref.alloc() : memref<8xf32>
    scf.for %i = %zero to %n step %one {
      %int = arith.index_cast %i : index to i32
      %float = arith.sitofp %int : i32 to f32
      linalg.generic {
          indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]}
          ins(%buffer : memref<8xf32>) outs(%out : memref<8xf32>) {
      ^bb0(%in: f32, %old: f32):
        %sum = arith.addf %in, %float : f32
        %sums = arith.addf %sum, %old : f32
        linalg.yield %sums : f32
      }
    }
    cf.br ^exit(%buffer : memref<8xf32>)
  ^exit(%last: memref<8xf32>):
    memref.dealloc %last : memref<8xf32>
    return
  }
)mlir";

std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

class BodyBackupTest : public ::testing::Test {
protected:
  BodyBackupTest() {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(kProgram, &context);
    function = *module->getOps<func::FuncOp>().begin();
    before = print(function);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::string before;
};

TEST_F(BodyBackupTest, AnUnusedBackupChangesNothing) {
  {
    memplan::BodyBackup backup(function.getBody());
  }
  EXPECT_EQ(print(function), before);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BodyBackupTest, RestoresAnUnchangedBody) {
  memplan::BodyBackup backup(function.getBody());
  backup.restore();
  EXPECT_EQ(print(function), before);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BodyBackupTest, RestoresWhatALoopWithMoreArgumentsReplaced) {
  memplan::BodyBackup backup(function.getBody());
  auto loop = *function.getBody().front().getOps<scf::ForOp>().begin();
  Value buffer =
      loop.getBody()->front().getNextNode()->getNextNode()->getOperand(0);
  IRRewriter rewriter(&context);
  rewriter.setInsertionPoint(loop);
  auto yieldSame = [](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
    return SmallVector<Value>(added.begin(), added.end());
  };
  ASSERT_TRUE(succeeded(loop.replaceWithAdditionalYields(
      rewriter, buffer, /*replaceInitOperandUsesInLoop=*/true, yieldSame)));
  EXPECT_NE(print(function), before);
  backup.restore();
  EXPECT_EQ(print(function), before);
  EXPECT_TRUE(succeeded(verify(*module)));
}

} // namespace
