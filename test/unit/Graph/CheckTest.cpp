//===- CheckTest.cpp - Tests of the checks --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// x -> a -> y; v is a view of the upper half of y, and b reads v.
GraphBuilder chain() {
  return GraphBuilder()
      .input("x", 64)
      .op("a", {"x"}, {{"y", 64}})
      .op("half", {"y"}, {{"v", 32, "y", 32}})
      .op("b", {"v"}, {{"z", 16}})
      .outputs({"z"});
}

TEST(Check, ViewsAndUnclaimedPartsAreWellFormed) {
  chain().build();
  GraphBuilder()
      .storage("s", 100)
      .op("split", {}, {{"p", 40, "s", 0}, {"q", 40, "s", 40}})
      .outputs({"q"})
      .build();
}

TEST(Check, ValueLeavingItsStorage) {
  OpGraph graph = chain().raw();
  graph.values[2].offset = 33;
  EXPECT_EQ(text(checkGraph(graph)),
            "value 'v' of 32 bytes at 33 leaves storage 'y' of 64 bytes\n");
  graph.values[2].offset = INT64_MAX;
  EXPECT_NE(text(checkGraph(graph)), "");
}

TEST(Check, ViewWithoutOperandInItsStorage) {
  OpGraph graph = chain().raw();
  graph.ops[1].operands = {0};
  EXPECT_EQ(text(checkGraph(graph)), "op 'half': result 'v' lies in storage "
                                     "'y', of which no operand is a part\n");
}

TEST(Check, UseBeforeItsMaker) {
  OpGraph graph = chain().raw();
  std::swap(graph.ops[0], graph.ops[1]);
  EXPECT_NE(text(checkGraph(graph))
                .find("op 'half' uses value 'y' before it is made"),
            std::string::npos);
}

TEST(Check, ValueWithTwoMakers) {
  OpGraph graph = chain().raw();
  graph.ops[2].results.push_back(1);
  graph.ops[2].operands.push_back(1);
  EXPECT_EQ(text(checkGraph(graph)),
            "op 'b' makes value 'y', which is there already\n");
}

TEST(Check, KindThatContradictsItsValues) {
  OpGraph graph = chain().raw();
  graph.storages[1].kind = StorageKind::Input;
  EXPECT_EQ(text(checkGraph(graph)), "storage 'y' is said to be input but its "
                                     "values make it temporary\n");
}

TEST(Check, ValueThatNothingMakes) {
  OpGraph graph = chain().raw();
  graph.ops[1].results.clear();
  EXPECT_EQ(
      text(checkGraph(graph)),
      "value 'v' is no input, no constant and no op's result\nop 'b' uses "
      "value 'v' before it is made\n");
}

TEST(Check, RepeatedIdsAndBadNumbers) {
  OpGraph graph = chain().raw();
  graph.ops[2].id = "a";
  graph.storages[0].alignment = 24;
  graph.ops[1].flops = -1;
  EXPECT_EQ(text(checkGraph(graph)),
            "two ops have the id 'a'\nstorage 'x' has alignment 24, which is "
            "not a power of two\nop 'half' has -1 FLOPs\n");
}

TEST(Check, EffectEdgeFromALaterOp) {
  OpGraph graph = chain().raw();
  graph.ops[0].after = {2};
  EXPECT_EQ(text(checkGraph(graph)),
            "op 'a' must run after op 'b', which is not an earlier op\n");
}

TEST(Check, TieOfAView) {
  OpGraph graph = chain().tie(0, 0).raw();
  EXPECT_EQ(text(checkGraph(graph)), "");
  graph.ops[1].ties = {{0, 0}};
  EXPECT_EQ(text(checkGraph(graph)),
            "op 'half' ties result 'v', which is a view\n");
}

TEST(Check, SumsThatOverflow) {
  OpGraph graph = GraphBuilder()
                      .input("x", INT64_MAX)
                      .op("a", {"x"}, {{"y", 1}})
                      .outputs({"y"})
                      .raw();
  EXPECT_EQ(text(checkGraph(graph)), "the sum of all storages and scratch "
                                     "bytes exceeds 2^63 - 1\n");
}

TEST(CheckSchedule, RepeatsOfPureOpsAndUnneededOpsLeftOut) {
  GraphBuilder builder = chain();
  OpGraph graph = builder.op("unused", {"x"}, {{"u", 8}}).build();
  EXPECT_EQ(text(checkSchedule(graph,
                               builder.schedule({"a", "a", "half", "a", "b"}))),
            "");
}

TEST(CheckSchedule, OperandNotMadeAndOutputNotMade) {
  GraphBuilder builder = chain();
  OpGraph graph = builder.build();
  EXPECT_EQ(text(checkSchedule(graph, builder.schedule({"half", "a"}))),
            "op 'half' runs before op 'a', which makes its operand 'y'\n"
            "op 'b', which makes output 'z', does not run\n");
  EXPECT_EQ(text(checkSchedule(graph, {7})), "entry is op number 7 of 3\n");
}

TEST(CheckSchedule, EffectsKeepTheirOrder) {
  GraphBuilder builder;
  OpGraph graph = builder.input("x", 64)
                      .op("read", {"x"}, {{"y", 64}})
                      .op("write", {"x"}, {{"w", 64, "x"}})
                      .impure()
                      .after({"read"})
                      .outputs({"y", "w"})
                      .build();
  EXPECT_EQ(text(checkSchedule(graph, builder.schedule({"read", "write"}))),
            "");
  EXPECT_EQ(text(checkSchedule(graph, builder.schedule({"write", "read"}))),
            "op 'write' runs before op 'read', whose effects it must follow\n");
  EXPECT_EQ(
      text(checkSchedule(graph, builder.schedule({"read", "write", "read"}))),
      "op 'read' is repeated after an op whose effects must follow it\n");
  EXPECT_EQ(
      text(checkSchedule(graph, builder.schedule({"read", "write", "write"}))),
      "op 'write' has effects and may not be repeated\n");
}

TEST(CheckSchedule, ImplicitRandomOpsKeepTheirOrder) {
  GraphBuilder builder;
  OpGraph graph = builder.op("r1", {}, {{"a", 8}})
                      .random(Randomness::ImplicitState)
                      .op("r2", {}, {{"b", 8}})
                      .random(Randomness::ImplicitState)
                      .outputs({"a", "b"})
                      .build();
  EXPECT_EQ(text(checkSchedule(graph, builder.schedule({"r2", "r1"}))),
            "op 'r1' runs after op 'r2', but draws from implicit random state "
            "before it\n");
  EXPECT_EQ(text(checkSchedule(graph, builder.schedule({"r1", "r2", "r2"}))),
            "op 'r2' draws from implicit random state and may not be "
            "repeated\n");
}

} // namespace
