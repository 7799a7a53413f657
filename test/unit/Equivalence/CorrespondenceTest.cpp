//===- CorrespondenceTest.cpp - Wrongly threaded slots are refused --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each wrong plan is a correct plan with one change. Most of them do not read
// lost bytes, so only the comparison with the original program can detect the
// error.
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

struct Programs {
  const char *original;
  const char *planned;
};

constexpr Programs kLoop = {R"mlir(
func.func @f(%n: index, %c: i1, %i: index, %in: memref<4xf32>,
             %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  memref.copy %in, %b : memref<4xf32> to memref<4xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<4xf32>, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    memref.copy %x, %t : memref<4xf32> to memref<4xf32>
    memref.copy %y, %t : memref<4xf32> to memref<4xf32>
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
    scf.yield %t, %x : memref<4xf32>, memref<4xf32>
  }
  memref.copy %r#0, %out : memref<4xf32> to memref<4xf32>
  memref.copy %r#1, %out : memref<4xf32> to memref<4xf32>
  return
})mlir",
                            R"mlir(
func.func @f(%n: index, %c: i1, %i: index, %in: memref<4xf32>,
             %out: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<256xi8> to memref<4xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<256xi8> to memref<4xf32>
  %a = memplan.renew %s0 : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %b = memplan.renew %s1 : memref<4xf32>
  memref.copy %in, %b : memref<4xf32> to memref<4xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1
      iter_args(%x = %a, %y = %b, %free = %s2)
      -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %t = memplan.renew %free : memref<4xf32>
    memref.copy %x, %t : memref<4xf32> to memref<4xf32>
    memref.copy %y, %t : memref<4xf32> to memref<4xf32>
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
    scf.yield %t, %x, %y : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  memref.copy %r#0, %out : memref<4xf32> to memref<4xf32>
  memref.copy %r#1, %out : memref<4xf32> to memref<4xf32>
  memplan.release %arena : memref<256xi8>
  return
})mlir"};

constexpr Programs kBlocks = {R"mlir(
func.func @f(%c: i1, %i: index, %in: memref<4xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  cf.br ^head(%a : memref<4xf32>)
^head(%x: memref<4xf32>):
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^head(%t : memref<4xf32>), ^exit(%x : memref<4xf32>)
^exit(%z: memref<4xf32>):
  %part = memref.subview %z[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %v = memref.load %part[%i] : memref<2xf32>
  memref.store %v, %out[%i] : memref<4xf32>
  memref.dealloc %z : memref<4xf32>
  return
})mlir",
                              R"mlir(
func.func @f(%c: i1, %i: index, %in: memref<4xf32>, %out: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<128xi8> to memref<4xf32>
  %a = memplan.renew %s0 : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  cf.br ^head(%a, %s1 : memref<4xf32>, memref<4xf32>)
^head(%x: memref<4xf32>, %free: memref<4xf32>):
  %t = memplan.renew %free : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^head(%t, %x : memref<4xf32>, memref<4xf32>), ^exit(%x : memref<4xf32>)
^exit(%z: memref<4xf32>):
  %part = memref.subview %z[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %v = memref.load %part[%i] : memref<2xf32>
  memref.store %v, %out[%i] : memref<4xf32>
  memplan.release %arena : memref<128xi8>
  return
})mlir"};

class Correspondence : public testing::Test {
protected:
  Correspondence() {
    DialectRegistry registry;
    memplan::registerBufferAllocationModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<memplan::MemplanDialect, arith::ArithDialect,
                        cf::ControlFlowDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect>();
  }

  /// Checks the planned program with `from` replaced by `to`.
  bool isAccepted(const Programs &programs, llvm::StringRef from = "",
                  llvm::StringRef to = "") {
    std::string changed = programs.planned;
    if (!from.empty()) {
      size_t at = changed.find(from.str());
      EXPECT_NE(at, std::string::npos) << from.str();
      EXPECT_EQ(changed.find(from.str(), at + 1), std::string::npos)
          << from.str();
      changed.replace(at, from.size(), to.str());
    }
    auto original = parseSourceString<ModuleOp>(programs.original, &context);
    auto planned = parseSourceString<ModuleOp>(changed, &context);
    EXPECT_TRUE(original && planned) << changed;
    if (!original || !planned)
      return true;
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    return succeeded(
        memplan::checkCorrespondence(*original->getOps<func::FuncOp>().begin(),
                                     *planned->getOps<func::FuncOp>().begin()));
  }

  MLIRContext context;
};

TEST_F(Correspondence, RightPlansAreAccepted) {
  EXPECT_TRUE(isAccepted(kLoop));
  EXPECT_TRUE(isAccepted(kBlocks));
}

struct Change {
  const char *from;
  const char *to;
};

TEST_F(Correspondence, WrongSlotsInALoopAreRefused) {
  for (Change change : {
           // Changes of the yielded slots.
           Change{"scf.yield %t, %x, %y", "scf.yield %free, %x, %y"},
           {"scf.yield %t, %x, %y", "scf.yield %x, %t, %y"},
           {"scf.yield %t, %x, %y", "scf.yield %t, %y, %x"},
           {"scf.yield %t, %x, %y", "scf.yield %t, %t, %y"},
           {"scf.yield %t, %x, %y", "scf.yield %y, %x, %t"},
           {"scf.yield %t, %x, %y", "scf.yield %t, %a, %y"},
           // Changes of the initial slots.
           {"(%x = %a, %y = %b, %free = %s2)",
            "(%x = %b, %y = %a, %free = %s2)"},
           {"(%x = %a, %y = %b, %free = %s2)",
            "(%x = %s0, %y = %b, %free = %s2)"},
           {"(%x = %a, %y = %b, %free = %s2)",
            "(%x = %a, %y = %s2, %free = %b)"},
           {"(%x = %a, %y = %b, %free = %s2)",
            "(%x = %a, %y = %a, %free = %s2)"},
           // Changes of reads and writes in the loop.
           {"memref.copy %x, %t", "memref.copy %y, %t"},
           {"memref.copy %x, %t", "memref.copy %x, %free"},
           {"memref.copy %y, %t", "memref.copy %x, %t"},
           {"memref.copy %t, %out", "memref.copy %free, %out"},
           {"memref.copy %t, %out", "memref.copy %x, %out"},
           // Changes of reads of the loop's results.
           {"memref.copy %r#0, %out", "memref.copy %r#2, %out"},
           {"memref.copy %r#0, %out", "memref.copy %a, %out"},
           {"memref.copy %r#1, %out", "memref.copy %r#0, %out"},
           // Changes before the loop.
           {"memref.copy %in, %a", "memref.copy %in, %s0"},
           {"memref.copy %in, %b", "memref.copy %in, %a"},
       })
    EXPECT_FALSE(isAccepted(kLoop, change.from, change.to))
        << change.from << " became " << change.to;
}

TEST_F(Correspondence, InstancesAreBegunAsOftenAsAllocated) {
  // One instance for the buffers of all iterations.
  EXPECT_FALSE(isAccepted(kLoop, "%t = memplan.renew %free : memref<4xf32>\n",
                          "%t = memref.cast %s2 : memref<4xf32> to "
                          "memref<4xf32>\n"));
  // One instance for two allocations.
  EXPECT_FALSE(isAccepted(kLoop, "%b = memplan.renew %s1 : memref<4xf32>\n",
                          "%b = memref.cast %a : memref<4xf32> to "
                          "memref<4xf32>\n"));
  EXPECT_FALSE(isAccepted(kBlocks, "%t = memplan.renew %free : memref<4xf32>\n",
                          "%t = memref.cast %s1 : memref<4xf32> to "
                          "memref<4xf32>\n"));
}

TEST_F(Correspondence, WrongSlotsInBlocksAreRefused) {
  for (Change change : {
           Change{"^head(%a, %s1 :", "^head(%s0, %s1 :"},
           {"^head(%a, %s1 :", "^head(%s1, %a :"},
           {"^head(%t, %x :", "^head(%x, %t :"},
           {"^head(%t, %x :", "^head(%free, %x :"},
           {"^exit(%x :", "^exit(%t :"},
           {"^exit(%x :", "^exit(%free :"},
           {"memref.subview %z[0]", "memref.subview %a[0]"},
           {"memref.copy %x, %t", "memref.copy %a, %t"},
       })
    EXPECT_FALSE(isAccepted(kBlocks, change.from, change.to))
        << change.from << " became " << change.to;
}

TEST_F(Correspondence, OtherOpsAreRefused) {
  for (Change change : {
           Change{"memref.store %v, %out[%i] : memref<4xf32>\n", ""},
           {"memref.load %part[%i] : memref<2xf32>\n",
            "memref.load %part[%i] : memref<2xf32>\n"
            "memref.store %v, %z[%i] : memref<4xf32>\n"},
           {"cf.cond_br %c, ^head(%t, %x : memref<4xf32>, memref<4xf32>), "
            "^exit(%x : memref<4xf32>)",
            "cf.cond_br %c, ^exit(%x : memref<4xf32>), "
            "^head(%t, %x : memref<4xf32>, memref<4xf32>)"},
       })
    EXPECT_FALSE(isAccepted(kBlocks, change.from, change.to)) << change.from;
}

} // namespace
