//===- SingleEntryRangesTest.cpp - Single-entry single-exit ranges --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace memplan;

namespace {

/// By block: its successors; blocks without successors return.
using Graph = std::vector<std::vector<int>>;

/// The blocks with the numbers [begin, end).
using Range = std::pair<int, int>;

/// A function with the graph as its body, and the search for single-entry
/// ranges in it.
class Finder {
public:
  explicit Finder(const Graph &graph) {
    context.loadDialect<func::FuncDialect, cf::ControlFlowDialect>();
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto type = builder.getFunctionType({builder.getI32Type()}, {});
    function = func::FuncOp::create(builder, loc, "f", type);
    function.addEntryBlock();
    blocks.push_back(&function.front());
    while (blocks.size() < graph.size())
      blocks.push_back(function.addBlock());
    for (auto [block, successors] : llvm::zip_equal(blocks, graph)) {
      builder.setInsertionPointToEnd(block);
      if (successors.empty()) {
        func::ReturnOp::create(builder, loc);
        continue;
      }
      SmallVector<Block *> targets;
      for (int successor : llvm::drop_begin(successors))
        targets.push_back(blocks[successor]);
      auto cases = llvm::to_vector(
          llvm::seq<int32_t>(0, static_cast<int32_t>(targets.size())));
      SmallVector<ValueRange> operands(targets.size());
      cf::SwitchOp::create(builder, loc, function.getArgument(0),
                           blocks[successors.front()], ValueRange(), cases,
                           targets, operands);
    }
    order.emplace(function);
  }

  Range find(int from, int to) {
    std::optional<SingleEntryRange> found =
        order->findSingleEntryRange(blocks[from], blocks[to]);
    if (!found)
      return {0, 0};
    auto numberOf = [&](Block *block) {
      return static_cast<int>(llvm::find(blocks, block) - blocks.begin());
    };
    return {numberOf(found->first), numberOf(found->behind)};
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::vector<Block *> blocks;
  std::optional<ProgramOrder> order;
};

/// Whether control enters the range only at its begin and leaves it only to its
/// end.
bool isSingleEntryRange(const Graph &graph, Range range, int from, int to) {
  auto isInside = [&](int block) {
    return range.first <= block && block < range.second;
  };
  if (range.first <= from || range.second > to)
    return false;
  for (int block = 0; block < static_cast<int>(graph.size()); ++block) {
    if (isInside(block) && graph[block].empty())
      return false;
    for (int successor : graph[block]) {
      if (isInside(block) && !isInside(successor) && successor != range.second)
        return false;
      if (!isInside(block) && isInside(successor) && successor != range.first)
        return false;
    }
  }
  return true;
}

void expectSingleEntryRange(const Graph &graph, int from, int to,
                            Range expected) {
  Finder finder(graph);
  EXPECT_EQ(finder.find(from, to), expected);
}

TEST(SingleEntryRanges, BlocksInAChain) {
  Graph graph{{1}, {2}, {3}, {4}, {}};
  expectSingleEntryRange(graph, 0, 4, {1, 4});
  expectSingleEntryRange(graph, 1, 3, {2, 3});
  expectSingleEntryRange(graph, 1, 2, {0, 0});
}

// Header, body, block after the loop; twice.
TEST(SingleEntryRanges, LoopsOneAfterAnother) {
  Graph graph{{1}, {2, 3}, {1}, {4}, {5, 6}, {4}, {}};
  expectSingleEntryRange(graph, 0, 6, {1, 6});
  // From the body of a loop on, the range begins after the loop.
  expectSingleEntryRange(graph, 2, 6, {3, 6});
  expectSingleEntryRange(graph, 0, 5, {1, 4});
}

TEST(SingleEntryRanges, LoopsInALoop) {
  Graph graph{{1}, {2, 9}, {3}, {4, 5}, {3}, {6}, {7, 8}, {6}, {1}, {}};
  expectSingleEntryRange(graph, 2, 8, {3, 8});
  // Control leaves the outer loop only from its header.
  expectSingleEntryRange(graph, 0, 9, {1, 9});
}

TEST(SingleEntryRanges, NotWhereTheRegionIsLeft) {
  expectSingleEntryRange({{1}, {2, 3}, {}, {4}, {5}, {}}, 0, 5, {0, 0});
  expectSingleEntryRange({{1}, {2, 3}, {}, {4}, {5}, {}}, 2, 5, {3, 5});
}

TEST(SingleEntryRanges, NotWhereEdgesOverlap) {
  // A loop with two entries.
  expectSingleEntryRange({{1, 2}, {2}, {3}, {1, 4}, {}}, 0, 4, {0, 0});
}

TEST(SingleEntryRanges, AreWhatControlEntersAndLeavesInOnePlace) {
  std::mt19937 random(1);
  int found = 0;
  for (int run = 0; run < 400; ++run) {
    int size = 3 + static_cast<int>(random() % 10);
    Graph graph(size);
    for (int block = 0; block < size; ++block) {
      int near = block + 1 < size ? block + 1 : 0;
      if (near != 0 || random() % 2)
        graph[block].push_back(std::max(near, 1));
      if (random() % 3 == 0)
        graph[block].push_back(1 + static_cast<int>(random() % (size - 1)));
      if (block + 1 == size)
        graph[block].clear();
    }
    Finder finder(graph);
    for (int from = 0; from < size; ++from)
      for (int to = from; to < size; ++to)
        if (Range range = finder.find(from, to); range.first < range.second) {
          ++found;
          EXPECT_TRUE(isSingleEntryRange(graph, range, from, to))
              << "run " << run << ": [" << range.first << ", " << range.second
              << ") between " << from << " and " << to;
        }
  }
  EXPECT_GT(found, 500);
}

} // namespace
