//===- WorkgroupTest.cpp - Planned kernels compute the same ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs random kernels before and after planning, in random interleavings. Then
// breaks the barriers of planned kernels: the verifier must refuse each kernel
// that is seen to read lost bytes, or to access a byte through two buffers
// without a barrier between.
//
//===----------------------------------------------------------------------===//

#include "KernelInterpreter.h"
#include "RandomKernel.h"

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace memplan;
using namespace memplan::test;

namespace {

constexpr int kThreads = 5;

class Workgroup : public testing::Test {
protected:
  Workgroup() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<MemplanDialect, arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
                    scf::SCFDialect>();
    return registry;
  }

  /// Of two kernels, the second is in the form of a block graph.
  OwningOpRef<ModuleOp> makeKernel(uint64_t seed) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(makeRandomKernel(seed, kThreads), &context);
    if (module && seed % 2 == 1) {
      PassManager manager(&context);
      manager.addPass(createSCFToControlFlowPass());
      EXPECT_TRUE(succeeded(manager.run(*module)));
    }
    return module;
  }

  /// A planned clone; null if planning fails, as with too small a capacity.
  OwningOpRef<ModuleOp> plan(ModuleOp module, int64_t capacity = 0) {
    OwningOpRef<ModuleOp> planned = module.clone();
    MemplanPlanWorkgroupOptions options;
    if (capacity != 0) {
      options.capacity = capacity;
      options.insertBarriers = BarrierInsertion::Needed;
    }
    PassManager manager(&context);
    manager.addPass(createMemplanPlanWorkgroup(options));
    said.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
      return success();
    });
    if (failed(manager.run(*planned)))
      return nullptr;
    return planned;
  }

  static FunctionOpInterface getKernel(ModuleOp module) {
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
    return kernel;
  }

  static RunResult run(ModuleOp module, uint64_t seed) {
    RunOptions options;
    options.threads = kThreads;
    options.seed = seed;
    options.scalar = 1 + static_cast<int64_t>(seed % 3 == 0);
    std::vector<uint8_t> out(4 * kThreads), flags(16);
    for (size_t i = 0; i != out.size(); ++i)
      out[i] = static_cast<uint8_t>(37 * i);
    flags[0] = 1;
    flags[8] = 2;
    options.arguments = {out, flags};
    return runKernel(getKernel(module), options);
  }

  static int64_t countViews(ModuleOp module) {
    int64_t count = 0;
    module->walk([&](memref::ViewOp view) {
      count += view->hasAttr(MemplanDialect::kWorkgroupAttr);
    });
    return count;
  }

  static int64_t countBytes(ModuleOp module) {
    int64_t bytes = 0;
    auto kernel = cast<gpu::GPUFuncOp>(getKernel(module).getOperation());
    for (BlockArgument arena : kernel.getWorkgroupAttributions())
      bytes += cast<MemRefType>(arena.getType()).getNumElements();
    return bytes;
  }

  bool verify(ModuleOp module) {
    said.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
      return success();
    });
    return succeeded(verifyWorkgroupMemory(module));
  }

  /// Compares runs of two kernels.
  static void compare(ModuleOp original, ModuleOp planned, uint64_t seed) {
    for (uint64_t i = 0; i != 4; ++i) {
      // The number of iterations depends on seed % 3, so it is kept.
      RunResult before = run(original, 3 * (100 * seed + i) + seed % 3);
      RunResult after = run(planned, 3 * (900 * seed + 7 * i) + seed % 3);
      ASSERT_EQ(before.error, "") << "seed " << seed;
      ASSERT_EQ(after.error, "") << "seed " << seed;
      ASSERT_EQ(before.arguments, after.arguments)
          << "seed " << seed << ", run " << i;
      ASSERT_FALSE(after.readsLostBytes || after.races) << "seed " << seed;
    }
  }

  void runRandomKernels(uint64_t first, uint64_t count) {
    int64_t planned = 0, withBarriers = 0;
    for (uint64_t seed = first; seed != first + count; ++seed) {
      OwningOpRef<ModuleOp> original = makeKernel(seed);
      ASSERT_TRUE(original) << makeRandomKernel(seed, kThreads);
      OwningOpRef<ModuleOp> shared = plan(*original);
      ASSERT_TRUE(shared) << "seed " << seed << ": " << said;
      ASSERT_EQ(said, "") << "seed " << seed;
      planned += countViews(*shared) != 0;
      compare(*original, *shared, seed);
      if (HasFatalFailure())
        return;
      int64_t bytes = countBytes(*shared);
      if (bytes < 8 || countViews(*shared) == 0)
        continue;
      OwningOpRef<ModuleOp> smaller = plan(*original, bytes - bytes / 8);
      if (!smaller)
        continue;
      ++withBarriers;
      EXPECT_LE(countBytes(*smaller), bytes - bytes / 8);
      EXPECT_EQ(said, "") << "seed " << seed;
      compare(*original, *smaller, seed);
      if (HasFatalFailure())
        return;
    }
    std::cout << planned << " of " << count << " kernels share bytes, "
              << withBarriers << " need fewer with more barriers\n";
    EXPECT_GE(planned, static_cast<int64_t>(count) / 4);
    EXPECT_GE(withBarriers, static_cast<int64_t>(count) / 20);
  }

  /// The ways to break a planned kernel.
  enum class Mutant {
    Removed,       ///< a barrier
    Moved,         ///< a barrier, behind the next access
    UnderThreadId, ///< a barrier, under a condition that depends on the thread
    AllRemoved,    ///< all barriers
    Placed,        ///< a buffer, at the bytes of another one
  };

  /// Breaks planned kernels. The verifier must refuse each one that is seen to
  /// race or to read lost bytes.
  void runMutants(uint64_t first, uint64_t count) {
    all = refused = broken = racing = 0;
    for (uint64_t seed = first; seed != first + count; ++seed) {
      OwningOpRef<ModuleOp> original = makeKernel(seed);
      ASSERT_TRUE(original);
      OwningOpRef<ModuleOp> shared = plan(*original);
      ASSERT_TRUE(shared) << said;
      if (countViews(*shared) == 0)
        continue;
      size_t barriers = 0;
      shared->walk([&](gpu::BarrierOp) { ++barriers; });
      for (size_t number = 0; number != barriers; ++number) {
        bool isAccepted = tryMutant(*shared, number, Mutant::Removed, seed);
        tryMutant(*shared, number, Mutant::Moved, seed);
        // Under such a condition a barrier is worth nothing.
        EXPECT_EQ(isAccepted,
                  tryMutant(*shared, number, Mutant::UnderThreadId, seed))
            << "seed " << seed << ", barrier " << number;
      }
      tryMutant(*shared, 0, Mutant::AllRemoved, seed);
      for (size_t i = 0; i != 6; ++i)
        tryMutant(*shared, seed + i, Mutant::Placed, seed);
    }
    std::cout << refused << " of " << all << " mutants are refused, " << broken
              << " are seen to read lost bytes, " << racing
              << " to race or to read lost bytes\n";
    EXPECT_GT(broken, static_cast<int64_t>(count) / 4);
  }

  /// True if the verifier accepts the mutant, or if there is no such mutant.
  bool tryMutant(ModuleOp planned, size_t number, Mutant kind, uint64_t seed) {
    OwningOpRef<ModuleOp> mutant = planned.clone();
    if (!mutate(*mutant, number, kind))
      return true;
    ++all;
    bool isAccepted = verify(*mutant);
    refused += !isAccepted;
    bool readsLostBytes = false, races = false;
    // Threads that do not meet at a barrier cannot go on.
    for (uint64_t i = 0; kind != Mutant::UnderThreadId && i != 6; ++i) {
      RunResult result = run(*mutant, 31 * seed + i);
      EXPECT_EQ(result.error, "");
      readsLostBytes |= result.readsLostBytes;
      races |= result.races;
    }
    broken += readsLostBytes;
    racing += readsLostBytes || races;
    EXPECT_FALSE(isAccepted && (readsLostBytes || races))
        << "seed " << seed << ", number " << number << ", kind "
        << static_cast<int>(kind);
    return isAccepted;
  }

  static bool mutate(ModuleOp module, size_t number, Mutant kind) {
    if (kind == Mutant::Placed)
      return place(module, number);
    std::vector<Operation *> barriers;
    module->walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
    if (kind == Mutant::AllRemoved) {
      for (Operation *barrier : barriers)
        barrier->erase();
      return !barriers.empty();
    }
    Operation *barrier = barriers[number];
    if (kind == Mutant::Removed) {
      barrier->erase();
      return true;
    }
    if (kind == Mutant::Moved) {
      // Behind the next op that accesses memory of the workgroup.
      for (Operation *op = barrier->getNextNode(); op; op = op->getNextNode())
        if (isa<memref::StoreOp, memref::LoadOp>(op) &&
            llvm::any_of(op->getOperandTypes(), [](Type type) {
              auto memref = dyn_cast<MemRefType>(type);
              return memref && memref.getMemorySpace();
            })) {
          barrier->moveAfter(op);
          return true;
        }
      return false;
    }
    OpBuilder builder(barrier);
    Location loc = barrier->getLoc();
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value limit = arith::ConstantIndexOp::create(builder, loc, 2);
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       thread, limit);
    auto branch =
        scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
    barrier->moveBefore(&branch.getThenRegion().front().front());
    return true;
  }

  static bool place(ModuleOp module, size_t number) {
    std::vector<memref::ViewOp> views;
    module->walk([&](memref::ViewOp view) { views.push_back(view); });
    memref::ViewOp moved = views[number % views.size()];
    memref::ViewOp other = views[(number / 2 + 1) % views.size()];
    auto offset = other.getByteShift().getDefiningOp<arith::ConstantOp>();
    auto at = cast<IntegerAttr>(offset.getValue());
    MemRefType type = moved.getType();
    int64_t bytes = type.getNumElements() * (type.getElementTypeBitWidth() / 8);
    if (moved == other || at.getInt() + bytes > countBytes(module) ||
        moved.getByteShift() == other.getByteShift())
      return false;
    OpBuilder builder(moved);
    Value shift =
        arith::ConstantIndexOp::create(builder, moved.getLoc(), at.getInt());
    moved.getByteShiftMutable().assign(shift);
    return true;
  }

  MLIRContext context;
  std::string said;
  int64_t all = 0, refused = 0, broken = 0, racing = 0;
};

TEST_F(Workgroup, RandomKernelsComputeTheSame) { runRandomKernels(0, 100); }

TEST_F(Workgroup, MutantsAreRefused) { runMutants(0, 15); }

TEST_F(Workgroup, SlowRandomKernelsComputeTheSame) {
  runRandomKernels(100, 900);
}

TEST_F(Workgroup, SlowMutantsAreRefused) { runMutants(15, 185); }

} // namespace
