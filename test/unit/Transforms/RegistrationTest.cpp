//===- RegistrationTest.cpp - Passes with few dialects registered ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memplan-opt registers every dialect and extension of MLIR. A compiler that
// embeds the passes does not. These tests register only the dialects of the
// program that they parse, and no extension; the passes must register the
// others that they need.
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// %c is written while %a or %b may still be read through %either, so all three
/// must have disjoint bytes.
constexpr llvm::StringLiteral kSelect = R"mlir(
  func.func @select(%which: i1, %f: f32, %i: index) -> f32 {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
    %either = arith.select %which, %a, %b : memref<16xf32>
    %c = memref.alloc() : memref<16xf32>
    memref.store %f, %c[%i] : memref<16xf32>
    %x = memref.load %either[%i] : memref<16xf32>
    %y = memref.load %c[%i] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    return %z : f32
  }
)mlir";

class RegistrationTest : public ::testing::Test {
protected:
  RegistrationTest() {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect,
                    memref::MemRefDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(kSelect, &context);
  }

  LogicalResult run(llvm::ArrayRef<std::unique_ptr<Pass> (*)()> passes) {
    PassManager manager(&context);
    for (auto *create : passes)
      manager.addPass(create());
    return manager.run(*module);
  }

  template <typename OpTy> llvm::SmallVector<OpTy> find() {
    llvm::SmallVector<OpTy> found;
    module->walk([&](OpTy op) { found.push_back(op); });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::unique_ptr<Pass> createKeepingPlanMemory() {
  memplan::PlanMemoryOptions options;
  options.lower = false;
  return memplan::createPlanMemory(options);
}

std::unique_ptr<Pass> createExtract() {
  return memplan::createMemplanExtract();
}
std::unique_ptr<Pass> createSolve() { return memplan::createMemplanSolve(); }

TEST_F(RegistrationTest, PlanMemorySeesThroughSelect) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(run({createKeepingPlanMemory})));
  auto views = find<memplan::ViewOp>();
  ASSERT_EQ(views.size(), 3u) << "an alias that is not understood: the buffers "
                                 "were left alone";
  EXPECT_NE(views[0].getOffset(), views[1].getOffset());
  EXPECT_NE(views[0].getOffset(), views[2].getOffset());
  EXPECT_NE(views[1].getOffset(), views[2].getOffset());
}

TEST_F(RegistrationTest, ExtractSeesThroughSelect) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(run({createExtract})));
  EXPECT_EQ(find<memplan::BufferOp>().size(), 3u);
}

TEST_F(RegistrationTest, MaterializeAgreesWithExtract) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(
      run({createExtract, createSolve, memplan::createMemplanMaterialize})));
  EXPECT_EQ(find<memplan::ViewOp>().size(), 3u);
}

/// The problem as text, so that no earlier pass has registered anything.
TEST_F(RegistrationTest, MaterializeAloneSeesThroughSelect) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(run({createExtract, createSolve})));
  std::string text;
  llvm::raw_string_ostream(text) << *module;

  MLIRContext fresh;
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                  memplan::MemplanDialect>();
  fresh.appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> copy = parseSourceString<ModuleOp>(text, &fresh);
  ASSERT_TRUE(copy);
  PassManager manager(&fresh);
  manager.addPass(memplan::createMemplanMaterialize());
  ASSERT_TRUE(succeeded(manager.run(*copy)));
  unsigned views = 0;
  copy->walk([&](memplan::ViewOp) { ++views; });
  EXPECT_EQ(views, 3u);
}

} // namespace
