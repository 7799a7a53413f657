//===- OpTableTest.cpp - Tests of the op table ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpTable.h"
#include "GraphBuilder.h"

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// The figures of the op's row: fwdMemIn, fwdMemTmp, fwdMemOut, bwdMemTmp,
/// bwdMemTmpNet, bwdMemOut and parameterBytes, then the backward ops.
std::string figuresOf(const OpTableFigures &f) {
  std::string text;
  for (int64_t number : {f.fwdMemIn, f.fwdMemTmp, f.fwdMemOut, f.bwdMemTmp,
                         f.bwdMemTmpNet, f.bwdMemOut, f.parameterBytes})
    text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

std::string rowOf(const OpGraph &graph, const OpTable &table,
                  const std::string &id) {
  for (const OpTableRow &row : table.rows)
    if (row.op == noOp ? id.empty() : graph.ops[row.op].id == id) {
      std::string text = figuresOf(row.figures) + " |";
      for (OpId op : row.backwardOps)
        text += " " + graph.ops[op].id;
      return text;
    }
  return "no row";
}

/// The joint graph of dense, relu, dense, softmax and sum, without scopes.
GraphBuilder network() {
  return GraphBuilder()
      .input("x", 100, InputRole::Primal)
      .parameter("w1", 1000)
      .parameter("w2", 2000)
      .parameter("b2", 20)
      .input("t", 4, InputRole::Tangent)
      .op("mm1", {"x", "w1"}, {{"h", 200}})
      .flops(10)
      .op("relu", {"h"}, {{"r", 200}})
      .op("mm2", {"r", "w2", "b2"}, {{"g", 300}})
      .flops(20)
      .op("softmax", {"g"}, {{"s", 300}})
      .op("sum", {"s"}, {{"loss", 4}})
      .op("dsum", {"t"}, {{"ds", 300}})
      .op("dsoftmax", {"ds", "s"}, {{"dg", 300}})
      .op("rt", {"r"}, {{"rT", 200, "r"}})
      .cost(CostClass::Free)
      .op("dw2", {"rT", "dg"}, {{"gw2", 2000}})
      .flops(21)
      .op("db2", {"dg"}, {{"gb2", 20}})
      .op("dr", {"dg", "w2"}, {{"gr", 200}})
      .flops(22)
      .op("drelu", {"gr", "r"}, {{"dh", 200}})
      .op("dw1", {"x", "dh"}, {{"gw1", 1000}})
      .scratch(7)
      .flops(11)
      .outputs({"loss", "gw1", "gw2", "gb2"}, 1);
}

TEST(OpTable, DenseNetworkWithoutScopes) {
  OpGraph graph = network().build();
  OpTable table = buildOpTable(graph);
  // x is the only saved value that no op made; w1 is a parameter.
  EXPECT_EQ(rowOf(graph, table, "mm1"), "100 0 0 7 7 1000 1000 | dw1");
  // relu saves its own result, and so does mm2; it counts in the first row.
  EXPECT_EQ(rowOf(graph, table, "relu"), "0 200 200 0 0 200 0 | rt drelu");
  EXPECT_EQ(rowOf(graph, table, "mm2"), "0 0 0 0 0 2220 2020 | dw2 db2 dr");
  EXPECT_EQ(rowOf(graph, table, "softmax"), "0 300 0 0 0 300 0 | dsoftmax");
  EXPECT_EQ(rowOf(graph, table, "sum"), "0 0 0 0 0 300 0 | dsum");
  // x, r and s are saved; each counts once.
  EXPECT_EQ(table.total.fwdMemIn + table.total.fwdMemTmp, 600);
  EXPECT_EQ(table.total.forwardFlops, 30);
  EXPECT_EQ(table.total.backwardFlops, 54);
  EXPECT_EQ(table.total.parameterBytes, 3020);
}

TEST(OpTable, OneStorageSavedByThreeCountsOnce) {
  // The three projections of attention save x; one of them saves a view of it.
  OpGraph graph = GraphBuilder()
                      .input("x", 100, InputRole::Primal)
                      .parameter("w", 50)
                      .input("t", 100, InputRole::Tangent)
                      .op("view", {"x"}, {{"xv", 100, "x"}})
                      .op("attention", {"x", "xv", "x", "w", "w"}, {{"y", 100}})
                      .op("b", {"t", "x", "xv", "x"}, {{"dx", 100}})
                      .outputs({"y", "dx"}, 1)
                      .build();
  OpTable table = buildOpTable(graph);
  EXPECT_EQ(rowOf(graph, table, "attention"), "100 0 0 0 0 100 50 | b");
}

TEST(OpTable, InPlaceOpSavesWhatItWrote) {
  OpGraph graph = GraphBuilder()
                      .input("x", 100, InputRole::Primal)
                      .input("t", 100, InputRole::Tangent)
                      .op("mm", {"x"}, {{"h", 100}})
                      .op("relu_", {"h"}, {{"r", 100, "h"}})
                      .impure()
                      .op("drelu", {"t", "r"}, {{"dh", 100}})
                      .op("dmm", {"dh", "x"}, {{"dx", 100}})
                      .outputs({"r", "dx"}, 1)
                      .build();
  OpTable table = buildOpTable(graph);
  EXPECT_EQ(rowOf(graph, table, "relu_"), "100 0 0 0 0 100 0 | drelu");
  EXPECT_EQ(rowOf(graph, table, "mm"), "100 0 100 0 0 100 0 | dmm");
}

TEST(OpTable, ScopesDecideTheOwner) {
  OpGraph graph = GraphBuilder()
                      .input("x", 8, InputRole::Primal)
                      .input("t", 8, InputRole::Tangent)
                      .op("f", {"x"}, {{"a", 8}})
                      .scope("net/one")
                      .op("g", {"a"}, {{"b", 8}})
                      .scope("net/two")
                      .op("h", {"b"}, {{"c", 8}})
                      .scope("net/two")
                      .op("d1", {"t", "b"}, {{"e", 8}})
                      .scope("net/two")
                      .op("d2", {"e", "a"}, {{"k", 8}})
                      .scope("net/two")
                      .op("d3", {"k", "b"}, {{"m", 8}})
                      .scope("net/one")
                      .outputs({"c", "m"}, 1)
                      .build();
  OpTable table = buildOpTable(graph);
  EXPECT_EQ(rowOf(graph, table, "h"), "0 0 0 0 0 8 0 | d1");
  EXPECT_EQ(rowOf(graph, table, "g"), "8 0 8 0 0 8 0 | d2");
  EXPECT_EQ(rowOf(graph, table, "f"), "8 0 8 0 0 8 0 | d3");
  ASSERT_EQ(table.scopes.size(), 3u);
  EXPECT_EQ(table.scopes[0].scope, "net");
  // The net makes what it saves, and e and k do not leave it.
  EXPECT_EQ(figuresOf(table.scopes[0].figures), "0 16 0 16 16 8 0");
  EXPECT_EQ(table.scopes[2].scope, "net/two");
  // b counts in the first row that saves it, that of f.
  EXPECT_EQ(table.scopes[2].figures.fwdMemIn, 8);
}

TEST(OpTable, BackwardTemporariesAndWhatTheyFree) {
  // The backward ops of f: p (50 bytes) is made from s, which is freed then; q
  // (30) is made from p; r is the gradient. p and q are live at once, after s
  // was freed.
  OpGraph graph = GraphBuilder()
                      .input("x", 8, InputRole::Primal)
                      .input("t", 8, InputRole::Tangent)
                      .op("f", {"x"}, {{"y", 8}, {"s", 40}})
                      .op("p", {"t", "s"}, {{"p", 50}})
                      .op("q", {"p"}, {{"q", 30}})
                      .op("r", {"p", "q"}, {{"r", 8}})
                      .outputs({"y", "r"}, 1)
                      .build();
  OpTable table = buildOpTable(graph);
  EXPECT_EQ(rowOf(graph, table, "f"), "0 40 0 80 50 8 0 | p q r");
}

TEST(OpTable, GraphWithoutBackward) {
  OpGraph graph = GraphBuilder()
                      .input("x", 8)
                      .op("f", {"x"}, {{"y", 8}})
                      .outputs({"y"})
                      .build();
  OpTable table = buildOpTable(graph);
  EXPECT_EQ(rowOf(graph, table, "f"), "0 0 0 0 0 0 0 |");
}

// A module of two ops: what only they use does not leave it.
TEST(OpTable, AScopeIsItsOpsTakenAsOne) {
  OpGraph graph = GraphBuilder()
                      .input("x", 100, InputRole::Primal)
                      .parameter("w", 10)
                      .input("t", 1, InputRole::Tangent)
                      .op("mean", {"x"}, {{"m", 7}})
                      .scope("norm/a")
                      .op("scale", {"x", "m", "w"}, {{"n", 100}})
                      .scope("norm/b")
                      .op("sum", {"n"}, {{"y", 1}})
                      .scope("sum")
                      .op("dsum", {"t"}, {{"dn", 100}})
                      .scope("sum")
                      .op("dscale", {"dn", "m", "x"}, {{"dm", 7}, {"ds", 100}})
                      .scope("norm/b")
                      .op("dw", {"dn", "n"}, {{"gw", 10}})
                      .scope("norm/b")
                      .op("dmean", {"dm", "ds", "x"}, {{"gx", 100}})
                      .scope("norm/a")
                      .outputs({"y", "gw", "gx"}, 1)
                      .build();
  OpTable table = buildOpTable(graph);
  auto scope = [&](const std::string &name) {
    for (const ScopeRow &row : table.scopes)
      if (row.scope == name)
        return figuresOf(row.figures);
    return std::string("no scope");
  };
  EXPECT_EQ(rowOf(graph, table, "mean"), "100 0 7 0 0 100 0 | dmean");
  // dm and ds go to the backward of mean.
  EXPECT_EQ(rowOf(graph, table, "scale"), "7 100 0 0 0 117 10 | dscale dw");
  EXPECT_EQ(scope("norm/a"), "100 0 7 0 0 100 0");
  EXPECT_EQ(scope("norm/b"), "7 100 0 0 0 117 10");
  // m is made and saved in the module, and dm and ds do not leave it.
  EXPECT_EQ(scope("norm"), "100 107 0 107 107 110 10");
}

} // namespace
