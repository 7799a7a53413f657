//===- OpTable.h - Memory and FLOPs per forward op --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of ColossalAI's profiler (PR 1619): for each forward op of a joint
// graph, the memory that it saves for its backward ops and the memory that
// these need. docs/opgraph.md defines the columns and how a backward op is
// assigned to a forward op.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_OPTABLE_H
#define MEMPLAN_GRAPH_OPTABLE_H

#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::graph {

/// In bytes and FLOPs. A saved storage counts in the first row that saves it,
/// so the sum of fwdMemIn and fwdMemTmp over all rows is all saved memory.
/// fwdMemOut counts memory that other rows save in the row of its maker.
struct OpTableFigures {
  int64_t fwdMemIn = 0;  ///< saved, and not made by the op
  int64_t fwdMemTmp = 0; ///< saved, and made by the op
  int64_t fwdMemOut = 0; ///< made by the op and saved by another
  /// The most bytes live at once that only the op's backward ops use, scratch
  /// included.
  int64_t bwdMemTmp = 0;
  /// The same less the saved forward memory that these backward ops have freed.
  int64_t bwdMemTmpNet = 0;
  int64_t bwdMemOut = 0; ///< made by the op's backward ops for other ops
  /// Bytes of parameters; each counts in the first row that reads it.
  int64_t parameterBytes = 0;
  int64_t forwardFlops = 0, backwardFlops = 0;

  /// Adds all figures, except that bwdMemTmp and bwdMemTmpNet become the
  /// maximum, as different rows need them at different times.
  void add(const OpTableFigures &other);
};

struct OpTableRow {
  /// noOp in the row of the backward ops without a forward op, which is the
  /// last row if it exists.
  OpId op = noOp;
  std::vector<OpId> backwardOps;
  OpTableFigures figures;
};

/// A scope with its inner scopes, taken as one op: what only its own ops use is
/// not saved by others, and does not leave it.
struct ScopeRow {
  std::string scope;
  OpTableFigures figures;
};

struct OpTable {
  /// Forward ops in program order.
  std::vector<OpTableRow> rows;
  OpTableFigures total;
  /// By first appearance, outer scopes before inner ones.
  std::vector<ScopeRow> scopes;
};

/// Forward ops are those that a forward output needs; all others are backward
/// ops. Requires a graph that checkGraph accepts. Linear, but for the number of
/// operands and of ops that share a scope or location.
OpTable buildOpTable(const OpGraph &graph);

/// Aligned text with the sums; CSV with one line for each op and without sums;
/// or {"format": "memplan.op_table", "version": 1, "rows", "scopes", "total"}.
std::string formatOpTableText(const OpGraph &graph, const OpTable &table);
std::string formatOpTableCsv(const OpGraph &graph, const OpTable &table);
std::string formatOpTableJson(const OpGraph &graph, const OpTable &table);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_OPTABLE_H
