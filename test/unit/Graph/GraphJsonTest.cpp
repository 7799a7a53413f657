//===- GraphJsonTest.cpp - Tests of op graphs as JSON ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "GraphBuilder.h"

#include <random>

using namespace memplan;
using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// The error as "line:column: message", or "" if the text is a graph.
std::string errorOf(std::string_view json) {
  OpGraph graph;
  std::optional<Schedule> schedule;
  TextError error;
  if (parseGraph(json, graph, schedule, error))
    return "";
  return std::to_string(error.line) + ":" + std::to_string(error.column) +
         ": " + error.message;
}

/// The text of a graph with `members` after its format.
std::string withMembers(const std::string &members) {
  return "{\"format\": \"memplan.opgraph\",\n" + members + "}";
}

OpGraph everything() {
  GraphBuilder builder;
  builder.storage("s", 128, "fast")
      .parameter("w", 32)
      .constant("c", 4)
      .input("t", 8, InputRole::Tangent)
      .donated("d \"quoted\" \n \x01", 16)
      .op("make", {"w", "c"}, {{"p", 40, "s", 0}, {"q", 40, "s", 40}})
      .scratch(7)
      .flops(9)
      .scope("layer/0")
      .op("view", {"q"}, {{"v", 8, "q", 48}})
      .cost(CostClass::Free)
      .op("take", {"p", "t"}, {{"r", 40}, {"e", 4}})
      .tie(0, 0)
      .impure()
      .after({"make", "view"})
      .random(Randomness::ExplicitState)
      .outputs({"r", "v", "r"}, 1);
  Op &op = builder.lastOp();
  op.bytesRead = 1;
  op.bytesWritten = 2;
  op.speculatable = false;
  op.tag = RecomputeTag::MustRecompute;
  op.location = "model.mlir:3:4";
  OpGraph graph = builder.build();
  graph.name = "g";
  graph.storages[0].alignment = 64;
  graph.storages[0].formula = "4*n";
  return graph;
}

TEST(GraphJson, WhatIsWrittenIsRead) {
  OpGraph graph = everything(), read;
  std::optional<Schedule> schedule;
  TextError error;
  std::string written = formatGraph(graph);
  ASSERT_TRUE(parseGraph(written, read, schedule, error)) << error.message;
  EXPECT_FALSE(schedule.has_value());
  EXPECT_EQ(formatGraph(read), written);
  Schedule order = programOrder(graph);
  std::string withSchedule = formatGraph(graph, &order);
  ASSERT_TRUE(parseGraph(withSchedule, read, schedule, error));
  EXPECT_EQ(*schedule, order);
  EXPECT_EQ(formatGraph(read, &*schedule), withSchedule);
  // Compares every field, so that a field that is not written or read is
  // detected.
  const Op &op = read.ops[2];
  EXPECT_EQ(op.bytesRead, 1);
  EXPECT_EQ(op.bytesWritten, 2);
  EXPECT_FALSE(op.pure || op.speculatable);
  EXPECT_EQ(op.tag, RecomputeTag::MustRecompute);
  EXPECT_EQ(op.randomness, Randomness::ExplicitState);
  EXPECT_EQ(op.location, "model.mlir:3:4");
  EXPECT_EQ(op.after, (std::vector<OpId>{0, 1}));
  EXPECT_EQ(op.ties.size(), 1u);
  EXPECT_EQ(read.ops[0].scratchBytes, 7);
  EXPECT_EQ(read.ops[0].flops, 9);
  EXPECT_EQ(read.ops[0].scope, "layer/0");
  EXPECT_EQ(read.ops[1].cost, CostClass::Free);
  EXPECT_EQ(read.storages[0].space, "fast");
  EXPECT_EQ(read.storages[0].alignment, 64);
  EXPECT_EQ(read.storages[0].formula, "4*n");
  EXPECT_EQ(read.storages[1].kind, StorageKind::Parameter);
  EXPECT_EQ(read.storages[2].kind, StorageKind::Constant);
  EXPECT_TRUE(read.inputs[0].isStatic);
  EXPECT_EQ(read.inputs[1].role, InputRole::Tangent);
  EXPECT_TRUE(read.inputs[2].isDonated);
  EXPECT_EQ(read.values[3].id, "d \"quoted\" \n \x01");
  EXPECT_EQ(read.numForwardOutputs, 1u);
}

TEST(GraphJson, ImpliedStoragesAndKinds) {
  OpGraph graph;
  std::optional<Schedule> schedule;
  TextError error;
  ASSERT_TRUE(parseGraph(withMembers(R"("ops": [
      {"id": "a", "operands": ["x"], "results": ["y"]}],
      "values": [{"id": "x", "bytes": 8}, {"id": "y", "bytes": 4}],
      "inputs": [{"value": "x"}], "outputs": ["y"])"),
                         graph, schedule, error))
      << error.message;
  EXPECT_EQ(graph.storages[0].kind, StorageKind::Input);
  EXPECT_EQ(graph.storages[1].kind, StorageKind::Output);
  EXPECT_EQ(graph.storages[1].bytes, 4);
  EXPECT_EQ(graph.numForwardOutputs, 1u);
}

TEST(GraphJson, FilesOfOtherKindsAreNamed) {
  auto kindOf = [](const std::string &text) {
    std::string error = errorOf(text), head = ": not an op graph: the text is ";
    size_t at = error.find(head);
    return at == error.npos ? "" : error.substr(at + head.size());
  };
  EXPECT_EQ(kindOf("event,pointer,bytes\nalloc,1,8\n"),
            "a trace, which 'memplan-graph plan --trace=auto' reads");
  EXPECT_EQ(kindOf("{\"arenas\": [{\"slots\": []}]}"),
            "a planning problem or a plan, which 'memplan-solve' reads");
  EXPECT_EQ(kindOf("id,lower,upper,size\n0,0,1,64\n"),
            "a planning problem or a plan, which 'memplan-solve' reads");
  EXPECT_EQ(kindOf("// A program.\nfunc.func @f() {\n  return\n}\n"),
            "a program in MLIR, which 'memplan-opt --plan-memory' plans and "
            "whose graph 'memplan-opt --memplan-export-graph' writes");
  EXPECT_EQ(kindOf("{\"format\": \"memplan.profile\", \"version\": 1}"),
            "a report, which no tool reads");
  EXPECT_EQ(kindOf("<!doctype html>"), "a page for browsers");
  // A graph with an error is a graph.
  EXPECT_EQ(kindOf("{\"name\": 1, \"format\": \"memplan.opgraph\"}"), "");
}

TEST(GraphJson, ErrorsHaveTheirPlace) {
  EXPECT_EQ(errorOf(""), "1:1: not an op graph: the text is empty");
  EXPECT_EQ(errorOf("[]"), "1:1: expected an object");
  EXPECT_EQ(errorOf("{}"),
            "1:1: no key 'format' with the value 'memplan.opgraph'");
  EXPECT_EQ(errorOf("{\"format\": \"graph\"}"),
            "1:12: expected the format 'memplan.opgraph'");
  EXPECT_EQ(errorOf(withMembers("\"version\": 2")), "2:12: expected version 1");
  EXPECT_EQ(errorOf(withMembers("\"nodes\": []")), "2:1: unknown key 'nodes'");
  EXPECT_EQ(errorOf(withMembers("\"ops\": [], \"ops\": []")),
            "2:12: the key 'ops' stands twice");
  EXPECT_EQ(
      errorOf(withMembers("\"values\": [{\"id\": \"x\", \"bytes\": -1}]")),
      "2:33: expected a number from 0");
  EXPECT_EQ(errorOf(withMembers("\"values\": [{\"bytes\": 1.5}]")),
            "2:22: expected a whole number");
  EXPECT_EQ(
      errorOf(withMembers("\"values\": [{\"bytes\": 9223372036854775808}]")),
      "2:22: the number 9223372036854775808 does not fit into 64 bits");
  EXPECT_EQ(errorOf(withMembers("\"outputs\": [\"z\"]")),
            "2:13: no value has the id 'z'");
  EXPECT_EQ(errorOf(withMembers("\"ops\": [{\"id\": \"a\",\n"
                                "\"cost\": \"huge\"}]")),
            "3:9: 'huge' is not one of free, cheap, medium or expensive");
  EXPECT_EQ(
      errorOf(withMembers("\"ops\": [\n{\"id\": \"a\"},\n{\"id\": \"a\"}]")),
      "4:1: two ops have the id 'a'");
  EXPECT_EQ(errorOf(withMembers("\"ops\": [{\"id\": \"a\"}], \"schedule\": "
                                "[\"a\", \"b\"]")),
            "2:41: no op has the id 'b'");
  EXPECT_EQ(errorOf(withMembers("\"ops\": [{\"id\": \"a\", \"pure\": false}], "
                                "\"schedule\": [\"a\",\n\"a\"]")),
            "3:1: op 'a' has effects and may not be repeated");
  EXPECT_EQ(errorOf(withMembers("\"name\": \"x\"") + "x"),
            "2:13: something follows the end of the value");
}

TEST(GraphJson, SyntaxErrors) {
  EXPECT_EQ(errorOf("{\"format\" 1}"),
            "1:11: expected ':' after the key 'format'");
  EXPECT_EQ(errorOf("{\"format\": \"memplan.opgraph\" \"version\": 1}"),
            "1:30: expected ',' or '}'");
  EXPECT_EQ(errorOf(withMembers("\"ops\": [{},]")), "2:12: expected an object");
}

TEST(GraphJson, EscapesOfAllKinds) {
  OpGraph graph;
  std::optional<Schedule> schedule;
  TextError error;
  ASSERT_TRUE(parseGraph(withMembers(R"("name": "\u00e9\ud83d\ude00\t\/\\")"),
                         graph, schedule, error));
  EXPECT_EQ(graph.name, "\xc3\xa9\xf0\x9f\x98\x80\t/\\");
  EXPECT_NE(errorOf(withMembers(R"("name": "\ud83d")")), "");
  EXPECT_NE(errorOf(withMembers(R"("name": "\x")")), "");
  EXPECT_NE(errorOf(withMembers("\"name\": \"\n\"")), "");
}

TEST(GraphJson, NoPrefixAndNoSlipCrashesTheReader) {
  std::string whole = formatGraph(everything());
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_NE(errorOf(whole.substr(0, length)), "") << length;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = whole;
    for (int slips = 1 + int(random() % 3); slips > 0; --slips) {
      size_t at = random() % text.size();
      if (random() % 2)
        text[at] = "{}[]\",:0-9x\\"[random() % 12];
      else
        text.erase(at, 1 + random() % 8);
    }
    errorOf(text);
  }
}

TEST(GraphJson, DeepNestingIsRefused) {
  EXPECT_EQ(errorOf(std::string(100000, '[')), "1:1: expected an object");
  std::string deep = withMembers("\"ops\": " + std::string(100000, '['));
  EXPECT_NE(errorOf(deep), "");
}

} // namespace
