//===- PlanDataTest.cpp - The plans of a module as objects ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Verify.h"
#include "memplan/Transforms/Embedding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kProgram = R"mlir(
  func.func @chain(%in: memref<16xf32>, %out: memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    %c = memref.alloc() : memref<16xf32>
    linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    memref.copy %c, %out : memref<16xf32> to memref<16xf32>
    return
  }
  func.func @workers(%f: f32, %out: memref<16xf32>) {
    scf.forall (%i) in (4) {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    }
    return
  }
  func.func @kept() -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    return %a : memref<4xf32>
  }
)mlir";

class PlanDataTest : public ::testing::Test {
protected:
  PlanDataTest() {
    DialectRegistry registry;
    registry.insert<func::FuncDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kProgram, &context);
  }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(PlanDataTest, ProblemPlanAndReportBelongTogether) {
  ASSERT_TRUE(module);
  std::string before = print();
  memplan::PlanMemoryOptions options;
  options.inPlace = false;
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_EQ(print(), before);
  module = nullptr; // The data outlive it.

  const std::vector<memplan::ArenaReport> &reports = data->report.arenas;
  ASSERT_EQ(data->arenas.size(), 4u);
  ASSERT_EQ(reports.size(), 4u);
  for (auto [arena, report] : llvm::zip_equal(data->arenas, reports)) {
    EXPECT_TRUE(memplan::verify(arena.problem, arena.plan).empty());
    EXPECT_EQ(report.arenaBytes, arena.plan.arenaSize);
    EXPECT_EQ(report.boundBytes, arena.plan.lowerBound);
    ASSERT_EQ(report.slots.size(), arena.problem.buffers.size());
    for (size_t i = 0; i < report.slots.size(); ++i)
      EXPECT_EQ(report.slots[i].offset, arena.plan.offsets[i]);
  }
  const memplan::ArenaData &chain = data->arenas.front();
  EXPECT_EQ(reports.front().function, "chain");
  ASSERT_EQ(chain.problem.buffers.size(), 3u);
  EXPECT_EQ(chain.plan.arenaSize, 128);
  EXPECT_EQ(chain.plan.offsets[0], chain.plan.offsets[2]);

  // The function's arena holds the frames of its four workers.
  EXPECT_EQ(data->arenas[1].plan.arenaSize, 256);
  EXPECT_EQ(reports[2].workers, 4);
  EXPECT_EQ(data->arenas[2].plan.arenaSize, 64);

  EXPECT_EQ(reports[3].function, "kept");
  EXPECT_EQ(reports[3].unplanned.count, 1);
}

/// Plans of a program that plan-memory has planned report the same arenas.
TEST_F(PlanDataTest, PlannedProgramHasTheArenasOfTheData) {
  ASSERT_TRUE(module);
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module);
  ASSERT_TRUE(succeeded(data));
  PassManager manager(&context);
  memplan::PlanMemoryOptions options;
  options.prepare = false;
  memplan::buildPlanMemoryPipeline(manager, options);
  ASSERT_TRUE(succeeded(manager.run(*module)));
  FailureOr<memplan::PlanData> again = memplan::computePlans(*module);
  ASSERT_TRUE(succeeded(again));
  // The arenas of @chain and @workers, with the status PlannedBefore.
  ASSERT_EQ(again->arenas.size(), 3u);
  EXPECT_EQ(again->report.arenas[0].status,
            memplan::ArenaStatus::PlannedBefore);
  EXPECT_EQ(again->report.arenas[0].arenaBytes,
            data->report.arenas[0].arenaBytes);
  EXPECT_EQ(again->report.arenas[1].arenaBytes,
            data->report.arenas[1].arenaBytes);
  EXPECT_TRUE(again->arenas[0].problem.buffers.empty());
  EXPECT_FALSE(again->arenas[0].plan.hasOffsets());
}

TEST_F(PlanDataTest, WhatDoesNotFitIsAnError) {
  std::string before = print(), said;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  memplan::PlanMemoryOptions options;
  options.capacity = 64;
  EXPECT_TRUE(failed(memplan::computePlans(*module, options)));
  EXPECT_NE(said.find("capacity is 64"), std::string::npos) << said;
  options.capacity = 0;
  options.alignment = 3;
  said.clear();
  EXPECT_TRUE(failed(memplan::computePlans(*module, options)));
  EXPECT_NE(said.find("alignment"), std::string::npos) << said;
  EXPECT_EQ(print(), before);
}

/// Options have the same meaning as those of plan-memory.
TEST_F(PlanDataTest, ArenasAreWhereTheOptionsSay) {
  memplan::PlanMemoryOptions options;
  options.arena = memplan::ArenaPlacement::Global;
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_EQ(data->report.arenas[0].placement, "global");
  // The frame of a worker is in the arena of its function.
  EXPECT_EQ(data->report.arenas[1].placement, "global");
  EXPECT_EQ(data->report.arenas[2].placement, "");

  options.arena = memplan::ArenaPlacement::Argument;
  data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_TRUE(data->report.arenas[0].isFrame);
  EXPECT_EQ(data->report.arenas[0].placement, "argument");

  options.arena = memplan::ArenaPlacement::Alloca;
  options.arena.stackLimit = 128;
  data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_EQ(data->report.arenas[0].placement, "stack");
  EXPECT_EQ(data->report.arenas[1].placement, ""); // 256 bytes

  std::string said;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
  options.require.placed = true;
  EXPECT_TRUE(failed(memplan::computePlans(*module, options)));
  EXPECT_NE(said.find("@workers"), std::string::npos) << said;
  EXPECT_NE(said.find("256 bytes, and the limit of arenas on the stack is 128"),
            std::string::npos)
      << said;
}

TEST_F(PlanDataTest, ResultsArePlacedAsPlanMemoryPlacesThem) {
  memplan::PlanMemoryOptions options;
  options.results = memplan::ResultPlacement::OutParams;
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  // @kept writes its argument and allocates nothing.
  EXPECT_EQ(data->arenas.size(), 3u);

  options.results = memplan::ResultPlacement::Arena;
  options.arena = memplan::ArenaPlacement::Global;
  data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  ASSERT_EQ(data->arenas.size(), 4u);
  EXPECT_EQ(data->report.arenas[3].function, "kept");
  EXPECT_EQ(data->report.arenas[3].buffersPlanned, 1);
  EXPECT_EQ(data->arenas[3].plan.arenaSize, 16);
}

TEST_F(PlanDataTest, InPlaceIsPlanned) {
  module = parseSourceString<ModuleOp>(R"mlir(
    func.func @over(%in: memref<16xf32>, %out: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      %b = memref.alloc() : memref<16xf32>
      linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
      memref.copy %b, %out : memref<16xf32> to memref<16xf32>
      return
    })mlir",
                                       &context);
  ASSERT_TRUE(module);
  memplan::PlanMemoryOptions options;
  options.inPlace = false;
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_EQ(data->arenas[0].plan.arenaSize, 128);
  options.inPlace = true;
  data = memplan::computePlans(*module, options);
  ASSERT_TRUE(succeeded(data));
  EXPECT_EQ(data->arenas[0].plan.arenaSize, 64);
  EXPECT_EQ(data->arenas[0].problem.overlaps.size(), 1u);
  EXPECT_TRUE(
      memplan::verify(data->arenas[0].problem, data->arenas[0].plan).empty());
}

} // namespace
