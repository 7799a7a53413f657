//===- OpTable.h - Memory and FLOPs per forward op --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of ColossalAI's profiler (PR 1619): what each op of a training
// program saves for its backward, and what that needs. Made from a joint graph;
// docs/opgraph.md states how a column is counted and how a backward op finds
// its forward op.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_OPTABLE_H
#define MEMPLAN_GRAPH_OPTABLE_H

#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::graph {

/// Bytes and FLOPs. A saved storage counts in the first row that saves it, so
/// that fwdMemIn and fwdMemTmp add up to all that is saved; fwdMemOut is the
/// same memory seen from its maker.
struct OpTableFigures {
  int64_t fwdMemIn = 0;  ///< saved, and not made by the op: its inputs
  int64_t fwdMemTmp = 0; ///< saved, and made by the op
  int64_t fwdMemOut = 0; ///< made by the op and saved by another
  /// Most bytes live at once that the op's backward makes and keeps to itself,
  /// scratch included.
  int64_t bwdMemTmp = 0;
  /// The same less the forward values that this backward has freed by then.
  int64_t bwdMemTmpNet = 0;
  int64_t bwdMemOut = 0; ///< made by the op's backward for others: gradients
  /// Parameters read, each in the first row that reads it.
  int64_t parameterBytes = 0;
  int64_t forwardFlops = 0, backwardFlops = 0;

  /// Sums; of bwdMemTmp and bwdMemTmpNet, which are never live together, the
  /// largest.
  void add(const OpTableFigures &other);
};

struct OpTableRow {
  /// noOp in the last row of a graph that has backward ops without forward op.
  OpId op = noOp;
  std::vector<OpId> backwardOps;
  OpTableFigures figures;
};

/// All rows of a scope and of the scopes inside it.
struct ScopeSum {
  std::string scope;
  OpTableFigures figures;
};

struct OpTable {
  /// Forward ops in program order.
  std::vector<OpTableRow> rows;
  OpTableFigures total;
  /// By first appearance, outer scopes before inner ones.
  std::vector<ScopeSum> scopes;
};

/// Forward ops are those that a forward output needs; all others are backward
/// ops. Requires a graph that checkGraph accepts. Linear, but for the number of
/// operands and of ops that share a scope or location.
OpTable buildOpTable(const OpGraph &graph);

/// Aligned text with the sums; CSV with one line an op (no sums); or
/// {"format": "memplan.op_table", "version": 1, "rows", "scopes", "total"}.
std::string formatOpTableText(const OpGraph &graph, const OpTable &table);
std::string formatOpTableCsv(const OpGraph &graph, const OpTable &table);
std::string formatOpTableJson(const OpGraph &graph, const OpTable &table);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_OPTABLE_H
