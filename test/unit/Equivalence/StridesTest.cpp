//===- StridesTest.cpp - Strides are those of MLIR ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Strides.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <vector>

using namespace mlir;

TEST(Strides, AreThoseOfMLIR) {
  MLIRContext context;
  constexpr int64_t kAny = ShapedType::kDynamic;
  std::vector<std::vector<int64_t>> shapes = {
      {},           {1},          {7},          {kAny},    {0},
      {2, 3, 5},    {1, 4},       {4, 1, 1},    {0, 3},    {3, 0},
      {kAny, 3, 2}, {3, kAny, 2}, {3, 2, kAny}, {2, 0, 3}, {kAny, 0, kAny}};
  for (const std::vector<int64_t> &shape : shapes) {
    auto rank = static_cast<unsigned>(shape.size());
    SmallVector<MemRefLayoutAttrInterface> layouts = {
        MemRefLayoutAttrInterface(),
        StridedLayoutAttr::get(&context, 4, SmallVector<int64_t>(rank, kAny))};
    if (rank == 3)
      layouts.push_back(AffineMapAttr::get(
          AffineMap::getPermutationMap(ArrayRef<unsigned>{2, 0, 1}, &context)));
    for (MemRefLayoutAttrInterface layout : layouts) {
      auto type = MemRefType::get(shape, IntegerType::get(&context, 8), layout);
      SmallVector<int64_t> own, expected;
      int64_t offset = -1, expectedOffset = -1;
      EXPECT_EQ(succeeded(memplan::getStridesAndOffset(type, own, offset)),
                succeeded(type.getStridesAndOffset(expected, expectedOffset)));
      EXPECT_EQ(own, expected);
      EXPECT_EQ(offset, expectedOffset);
    }
  }
}
