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

/// x -> read, write x in place.
GraphBuilder overwriting() {
  GraphBuilder builder;
  builder.input("x", 64);
  builder.op("read", {"x"}, {{"r", 64}});
  return builder;
}

TEST(CheckGraph, AReadAndALaterWriteInPlaceNeedAnOrder) {
  EXPECT_EQ(text(checkGraph(overwriting()
                                .op("write", {"x"}, {{"w", 64, "x"}})
                                .outputs({"r", "w"})
                                .raw())),
            "op 'write' overwrites value 'x', which op 'read' reads before, "
            "but no dependence orders them: list 'read' in \"after\" of "
            "'write' (an op that only makes views has cost free)\n");
  // An effect edge, also through another op, or an operand orders them.
  overwriting()
      .op("write", {"x"}, {{"w", 64, "x"}})
      .after({"read"})
      .outputs({"r", "w"})
      .build();
  overwriting()
      .op("more", {"r"}, {{"m", 64}})
      .op("write", {"x", "m"}, {{"w", 64, "x"}})
      .outputs({"r", "w"})
      .build();
  // Views read nothing, and do not make other memory.
  GraphBuilder view = overwriting();
  view.op("v", {"x"}, {{"half", 32, "x", 32}}).cost(CostClass::Free);
  view.op("write", {"x"}, {{"w", 64, "x"}}).after({"read"});
  view.outputs({"r", "w", "half"}).build();
}

TEST(CheckGraph, AReadThroughAViewOfOverwrittenBytesNeedsAnOrder) {
  for (int64_t offset : {0, 32}) {
    GraphBuilder builder;
    builder.input("x", 64);
    builder.op("v", {"x"}, {{"half", 32, "x", 32}}).cost(CostClass::Free);
    builder.op("read", {"half"}, {{"r", 64}});
    builder.op("u", {"x"}, {{"part", 32, "x", offset}}).cost(CostClass::Free);
    builder.op("write", {"part"}, {{"w", 32, "x", offset}});
    std::string found = text(checkGraph(builder.outputs({"r", "w"}).raw()));
    // Other bytes of the storage may be overwritten.
    EXPECT_EQ(found,
              offset == 0
                  ? ""
                  : "op 'write' overwrites value 'half', which op "
                    "'read' reads before, but no dependence orders "
                    "them: list 'read' in \"after\" of 'write' (an op that "
                    "only makes views has cost free)\n");
  }
}

TEST(CheckGraph, AReadBehindAWriteOfTheOldValueNeedsAnOrder) {
  GraphBuilder builder;
  builder.input("x", 64);
  builder.op("write", {"x"}, {{"w", 64, "x"}});
  GraphBuilder ordered = builder;
  builder.op("read", {"x"}, {{"r", 64}});
  EXPECT_EQ(text(checkGraph(builder.outputs({"r", "w"}).raw())),
            "op 'read' accesses value 'x', which op 'write' overwrites as "
            "'w', but no dependence orders them: list 'write' in \"after\" of "
            "'read' (an op that only makes views has cost free)\n");
  ordered.op("read", {"w"}, {{"r", 64}}).outputs({"r", "w"}).build();
}

TEST(CheckGraph, WritesInPlaceOfTheSameBytesNeedAnOrder) {
  GraphBuilder builder;
  builder.input("x", 64);
  builder.op("first", {"x"}, {{"w1", 64, "x"}});
  GraphBuilder chain = builder;
  builder.op("second", {"x"}, {{"w2", 64, "x"}});
  EXPECT_NE(text(checkGraph(builder.outputs({"w1", "w2"}).raw())), "");
  chain.op("second", {"w1"}, {{"w2", 64, "x"}}).outputs({"w2"}).build();
}

TEST(CheckSchedule, WhatIsOverwrittenIsNotReadAgain) {
  GraphBuilder builder;
  builder.input("i", 64);
  builder.op("make", {"i"}, {{"x", 64}});
  builder.op("read", {"x"}, {{"r", 64}});
  builder.op("write", {"x", "r"}, {{"w", 64, "x"}});
  OpGraph graph = builder.outputs({"r", "w"}).build();
  EXPECT_EQ(text(checkSchedule(
                graph, builder.schedule({"make", "read", "write", "read"}))),
            "op 'read' reads value 'x' after op 'write' has overwritten it\n");
  EXPECT_EQ(text(checkSchedule(
                graph, builder.schedule({"make", "read", "write", "write"}))),
            "op 'write' reads value 'x' after op 'write' has overwritten it\n");
  // Another run of the maker makes fresh memory.
  EXPECT_EQ(
      text(checkSchedule(graph, builder.schedule({"make", "read", "write",
                                                  "make", "read", "write"}))),
      "");
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
