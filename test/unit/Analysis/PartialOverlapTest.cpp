//===- PartialOverlapTest.cpp - The displacement is the least safe one ----===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares findDisplacement with all pairs of iterations of small nests, and
// with an execution of them.
//
//===----------------------------------------------------------------------===//

#include "Problem/PartialOverlap.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace memplan;

namespace {

struct Nest {
  NestAccess store, load;
  unsigned common = 0;
  bool isStoreFirst = false;
};

using Iteration = std::vector<int64_t>;

/// All iterations of the loops, in order.
std::vector<Iteration> allIterations(llvm::ArrayRef<NestLoop> loops) {
  std::vector<Iteration> all = {{}};
  for (const NestLoop &loop : loops) {
    std::vector<Iteration> next;
    for (const Iteration &outer : all)
      for (int64_t t = 0; t < loop.trips; ++t) {
        next.push_back(outer);
        next.back().push_back(t);
      }
    all = std::move(next);
  }
  return all;
}

int64_t byteOf(const NestAccess &access, const Iteration &iteration) {
  int64_t byte = access.begin;
  for (size_t l = 0; l < iteration.size(); ++l)
    byte += access.strides[l] * iteration[l];
  return byte;
}

/// Whether the load may execute after the store.
bool mayFollow(const Nest &nest, const Iteration &store,
               const Iteration &load) {
  for (unsigned l = 0; l < nest.common; ++l)
    if (store[l] != load[l])
      return nest.store.loops[l].isParallel || store[l] < load[l];
  return nest.isStoreFirst;
}

std::optional<int64_t> enumerateDisplacement(const Nest &nest) {
  std::optional<int64_t> most;
  for (const Iteration &store : allIterations(nest.store.loops))
    for (const Iteration &load : allIterations(nest.load.loops))
      if (mayFollow(nest, store, load)) {
        int64_t own = byteOf(nest.store, store) + nest.store.bytes -
                      byteOf(nest.load, load);
        if (!most || *most < own)
          most = own;
      }
  return most;
}

/// Runs a nest without parallel loops; returns whether each load reads the
/// contents from before the nest.
bool isRight(const Nest &nest, int64_t displacement) {
  struct Step {
    Iteration common;
    bool isSecond;
    int64_t byte;
    bool isStore;
  };
  std::vector<Step> steps;
  auto add = [&](const NestAccess &access, bool isStore) {
    for (const Iteration &iteration : allIterations(access.loops))
      steps.push_back({{iteration.begin(), iteration.begin() + nest.common},
                       isStore != nest.isStoreFirst,
                       byteOf(access, iteration) + (isStore ? 0 : displacement),
                       isStore});
  };
  add(nest.store, true);
  add(nest.load, false);
  std::stable_sort(
      steps.begin(), steps.end(), [](const Step &a, const Step &b) {
        return std::tie(a.common, a.isSecond) < std::tie(b.common, b.isSecond);
      });
  std::map<int64_t, bool> isWritten;
  for (const Step &step : steps) {
    int64_t bytes = step.isStore ? nest.store.bytes : nest.load.bytes;
    for (int64_t byte = step.byte; byte < step.byte + bytes; ++byte) {
      if (step.isStore)
        isWritten[byte] = true;
      else if (isWritten.count(byte))
        return false;
    }
  }
  return true;
}

Nest randomNest(std::mt19937 &random, bool mayBeParallel) {
  auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Nest nest;
  nest.common = static_cast<unsigned>(between(0, 3));
  nest.isStoreFirst = between(0, 1) != 0;
  std::vector<NestLoop> around;
  for (unsigned l = 0; l < nest.common; ++l)
    around.push_back({between(1, 4), mayBeParallel && between(0, 3) == 0});
  for (NestAccess *access : {&nest.store, &nest.load}) {
    access->loops.assign(around.begin(), around.end());
    for (int64_t own = between(0, 2); own > 0; --own)
      access->loops.push_back({between(1, 3), false});
    for (size_t l = 0; l < access->loops.size(); ++l)
      access->strides.push_back(between(-7, 12));
    access->begin = between(-20, 20);
    access->bytes = between(1, 8);
  }
  return nest;
}

TEST(PartialOverlap, EqualsAllPairsOfIterations) {
  std::mt19937 random(1);
  int withNone = 0;
  for (int i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    Nest nest = randomNest(random, /*mayBeParallel=*/true);
    std::optional<Displacement> found =
        findDisplacement(nest.store, nest.load, nest.common, nest.isStoreFirst);
    std::optional<int64_t> expected = enumerateDisplacement(nest);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (found)
      ASSERT_EQ(found->bytes, *expected);
    withNone += !found;
  }
  EXPECT_GT(withNone, 100);
  EXPECT_LT(withNone, 2000);
}

TEST(PartialOverlap, IsTheLeastThatIsRightWhenExecuted) {
  std::mt19937 random(2);
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(i);
    Nest nest = randomNest(random, /*mayBeParallel=*/false);
    std::optional<Displacement> found =
        findDisplacement(nest.store, nest.load, nest.common, nest.isStoreFirst);
    for (int64_t above : {0, 1, 2, 5, 64})
      ASSERT_TRUE(isRight(nest, found ? found->bytes + above : above));
    if (found)
      ASSERT_FALSE(isRight(nest, found->bytes - 1));
    else
      ASSERT_TRUE(isRight(nest, -9));
  }
}

/// A depthwise 3x3 convolution as loops over its rows, columns and channels,
/// and the rows and columns of the window.
struct Depthwise {
  int64_t rows, columns, channels, stride, dilation, multiplier;

  Nest get() const {
    int64_t window = 2 * dilation + 1;
    int64_t width = (columns - 1) * stride + window;
    Nest nest;
    nest.common = 4;
    nest.store.loops = {{rows}, {columns}, {channels}, {multiplier}};
    nest.store.strides = {4 * columns * channels * multiplier,
                          4 * channels * multiplier, 4 * multiplier, 4};
    nest.load.loops = {{rows}, {columns}, {channels}, {multiplier}, {3}, {3}};
    nest.load.strides = {
        4 * stride * width * channels,   4 * stride * channels,  4, 0,
        4 * dilation * width * channels, 4 * dilation * channels};
    nest.store.bytes = nest.load.bytes = 4;
    return nest;
  }
};

TEST(PartialOverlap, OfWindows) {
  for (int64_t stride : {1, 2, 3})
    for (int64_t dilation : {1, 2})
      for (int64_t multiplier : {1, 2})
        for (int64_t channels : {1, 3}) {
          Nest nest =
              Depthwise{3, 4, channels, stride, dilation, multiplier}.get();
          std::optional<Displacement> found =
              findDisplacement(nest.store, nest.load, nest.common, false);
          ASSERT_TRUE(found);
          EXPECT_EQ(found->bytes, *enumerateDisplacement(nest));
          EXPECT_TRUE(isRight(nest, found->bytes));
          EXPECT_FALSE(isRight(nest, found->bytes - 1));
        }
  // Without a margin, a row of the result is shorter than a row of the input.
  Nest nest = Depthwise{8, 8, 4, 1, 1, 1}.get();
  std::optional<Displacement> found =
      findDisplacement(nest.store, nest.load, nest.common, false);
  EXPECT_EQ(found->bytes, 0);
  // With a margin of one pixel, the input begins a row and a pixel lower.
  nest.load.begin = -4 * 4 * (10 + 1);
  found = findDisplacement(nest.store, nest.load, nest.common, false);
  EXPECT_EQ(found->bytes, 4 * 4 * (10 + 1));
}

} // namespace
