//===- PartialOverlapTest.cpp - No wrong overlap of loops is accepted -----===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small nests of loops with strides, margins, and elements of several
// sizes. Each nest is executed at every distance of the two buffers. A distance
// at which a load reads a byte that the nest has stored must be rejected, and
// every distance from the least safe one on must be accepted.
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;

namespace {

/// A load or a store of the element `constant` + sum of `factors` times the
/// variables of the loops around it.
struct Access {
  int64_t elementBytes;
  int64_t count = 0;
  int64_t constant = 0;
  std::vector<int64_t> trips;
  std::vector<int64_t> factors;

  int64_t at(llvm::ArrayRef<int64_t> iteration) const {
    int64_t index = constant;
    for (size_t l = 0; l < iteration.size(); ++l)
      index += factors[l] * iteration[l];
    return index;
  }

  /// Shifts the indices so that the least one is 0, and sets `count` so that
  /// all fit.
  void fit() {
    int64_t least = 0, most = 0;
    for (size_t l = 0; l < trips.size(); ++l) {
      int64_t last = factors[l] * (trips[l] - 1);
      (last < 0 ? least : most) += last;
    }
    constant = -least;
    count = most - least + 1;
  }

  std::string type() const {
    return "memref<" + std::to_string(count) + "xi" +
           std::to_string(8 * elementBytes) + ">";
  }
  std::string subscript() const {
    std::string text = "[" + std::to_string(constant);
    for (size_t l = 0; l < factors.size(); ++l)
      text += " + %i" + std::to_string(l) + " * " + std::to_string(factors[l]);
    return text + "]";
  }
};

/// A store and a load in the innermost of their common loops; one of them may
/// be in further loops.
struct Nest {
  Access store, load;
  size_t common;
  bool isStoreFirst;

  std::string print(int64_t distance) const {
    int64_t written = std::max<int64_t>(0, -distance);
    int64_t read = std::max<int64_t>(0, distance);
    std::string arena =
        "memref<" +
        std::to_string(std::max(written + store.count * store.elementBytes,
                                read + load.count * load.elementBytes)) +
        "xi8>";
    auto view = [&](const char *name, int64_t offset, const Access &access) {
      return std::string("  ") + name + " = memplan.view %arena[" +
             std::to_string(offset) + "] align(1) : " + arena + " to " +
             access.type() + "\n";
    };
    std::string text =
        "func.func @f(%in: " + load.type() + ", %out: " + store.type() +
        ") {\n" + "  %c = arith.constant 1 : i" +
        std::to_string(8 * store.elementBytes) +
        "\n  %arena = memplan.arena align(64) : " + arena + "\n" +
        view("%a", read, load) + "  memref.copy %in, %a : " + load.type() +
        " to " + load.type() + "\n" + view("%b", written, store);
    auto open = [](const Access &access, size_t l) {
      return "affine.for %i" + std::to_string(l) + " = 0 to " +
             std::to_string(access.trips[l]) + " {\n";
    };
    for (size_t l = 0; l < common; ++l)
      text += open(store, l);
    auto print = [&](const Access &access, std::string op) {
      for (size_t l = common; l < access.trips.size(); ++l)
        text += open(access, l);
      text += op + access.subscript() + " : " + access.type() + "\n";
      for (size_t l = common; l < access.trips.size(); ++l)
        text += "}\n";
    };
    for (bool isStore : {isStoreFirst, !isStoreFirst})
      if (isStore)
        print(store, "affine.store %c, %b");
      else
        print(load, "%x = affine.load %a");
    for (size_t l = 0; l < common; ++l)
      text += "}\n";
    return text + "  memref.copy %b, %out : " + store.type() + " to " +
           store.type() + "\n  memplan.release %arena : " + arena +
           "\n  return\n}\n";
  }

  /// Calls `visit` with each access and its iteration, in the order of the
  /// execution.
  template <typename Fn> void execute(Fn visit) const {
    std::vector<int64_t> iteration;
    execute(iteration, visit);
  }

  /// Whether each load reads the contents from before the nest.
  bool isRight(int64_t distance) const {
    std::vector<int64_t> written;
    bool isRight = true;
    execute([&](const Access &access, llvm::ArrayRef<int64_t> iteration) {
      int64_t byte = access.at(iteration) * access.elementBytes;
      if (&access == &store) {
        written.push_back(byte);
        return;
      }
      byte += distance;
      for (int64_t other : written)
        isRight &= other + store.elementBytes <= byte ||
                   byte + load.elementBytes <= other;
    });
    return isRight;
  }

private:
  template <typename Fn>
  void execute(std::vector<int64_t> &iteration, Fn visit) const {
    if (iteration.size() < common) {
      for (int64_t t = 0; t < store.trips[iteration.size()]; ++t) {
        iteration.push_back(t);
        execute(iteration, visit);
        iteration.pop_back();
      }
      return;
    }
    for (bool isStore : {isStoreFirst, !isStoreFirst})
      executeOwn(isStore ? store : load, iteration, visit);
  }
  template <typename Fn>
  void executeOwn(const Access &access, std::vector<int64_t> &iteration,
                  Fn visit) const {
    if (iteration.size() == access.trips.size())
      return visit(access, iteration);
    for (int64_t t = 0; t < access.trips[iteration.size()]; ++t) {
      iteration.push_back(t);
      executeOwn(access, iteration, visit);
      iteration.pop_back();
    }
  }
};

Nest randomNest(std::mt19937 &random) {
  auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Nest nest;
  nest.common = static_cast<size_t>(between(1, 3));
  nest.isStoreFirst = between(0, 3) == 0;
  std::vector<int64_t> trips;
  for (size_t l = 0; l < nest.common; ++l)
    trips.push_back(between(1, 4));
  for (Access *access : {&nest.store, &nest.load}) {
    access->elementBytes = int64_t(1) << between(0, 2);
    access->trips = trips;
    for (int64_t own = between(0, 1); own > 0; --own)
      access->trips.push_back(between(1, 3));
    for (size_t l = 0; l < access->trips.size(); ++l)
      access->factors.push_back(between(0, 4) == 0 ? between(-3, 0)
                                                   : between(0, 6));
    access->fit();
  }
  return nest;
}

TEST(PartialOverlap, AcceptsNoDistanceThatIsWrong) {
  MLIRContext context;
  context.loadDialect<affine::AffineDialect, func::FuncDialect,
                      memplan::MemplanDialect, memref::MemRefDialect>();
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  std::mt19937 random(7);
  int accepted = 0, refused = 0, needless = 0;
  for (int i = 0; i < 250; ++i) {
    Nest nest = randomNest(random);
    int64_t most = nest.store.count * nest.store.elementBytes;
    bool isRightBeyond = true;
    for (int64_t distance = most; distance >= -most; --distance) {
      bool isRight = nest.isRight(distance);
      isRightBeyond &= isRight;
      if (distance % (distance > 0 ? nest.load : nest.store).elementBytes != 0)
        continue;
      std::string text = nest.print(distance);
      SCOPED_TRACE(text);
      OwningOpRef<ModuleOp> module =
          parseSourceString<ModuleOp>(text, &context);
      ASSERT_TRUE(module);
      bool isAccepted = succeeded(memplan::verifyPlansIn(*module));
      ASSERT_TRUE(isRight || !isAccepted);
      ASSERT_TRUE(isAccepted || !isRightBeyond);
      accepted += isAccepted;
      refused += !isAccepted;
      needless += isRight && !isAccepted;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
  EXPECT_LT(needless, refused);
}

} // namespace
