//===- OracleTest.cpp - Budgets against a linear program ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares with an integer program for schedules with repeats, after Jain et
// al., "Checkmate" (MLSys 2020), but for any order; CBC solves it. It shares no
// code with the searches.
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Rematerialize.h"

#include "GraphBuilder.h"
#include "memplan/Graph/Profile.h"

#include <coin/Cbc_C_Interface.h>

#include <optional>
#include <random>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

OpGraph randomDag(uint32_t seed, size_t numOps) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  std::vector<std::string> names = {"x"};
  builder.input("x", 1 + random() % 30);
  for (size_t k = 0; k < numOps; ++k) {
    std::vector<std::string> operands = {names[random() % names.size()]};
    if (random() % 2)
      operands.push_back(names.back());
    std::string name = "v" + std::to_string(k);
    builder.op(name, operands, {{name, int64_t(1 + random() % 100)}});
    builder.flops(1 + random() % 50);
    names.push_back(name);
  }
  return builder.outputs({names.back(), names[1 + random() % numOps]}).build();
}

/// Rows of a linear program: sums of variables with bounds.
class Program {
public:
  int addVariable(double objective, bool isInteger) {
    objectives.push_back(objective);
    integers.push_back(isInteger);
    return static_cast<int>(objectives.size()) - 1;
  }
  using Term = std::pair<int, double>;
  void addRow(double low, const std::vector<Term> &terms, double high) {
    rows.push_back({low, terms, high});
  }
  /// The least objective, or std::nullopt if there is no solution.
  std::optional<double> solve() const {
    Cbc_Model *model = Cbc_newModel();
    Cbc_setLogLevel(model, 0);
    for (size_t i = 0; i < objectives.size(); ++i) {
      std::string name = "v" + std::to_string(i);
      Cbc_addCol(model, name.c_str(), 0, 1, objectives[i], integers[i], 0,
                 nullptr, nullptr);
    }
    for (const auto &[low, terms, high] : rows) {
      std::vector<int> columns;
      std::vector<double> factors;
      for (auto [column, factor] : terms) {
        columns.push_back(column);
        factors.push_back(factor);
      }
      for (auto [sense, bound] : {std::pair('G', low), std::pair('L', high)})
        if (bound > -1e30 && bound < 1e30)
          Cbc_addRow(model, "r", static_cast<int>(terms.size()), columns.data(),
                     factors.data(), sense, bound);
    }
    Cbc_solve(model);
    std::optional<double> best;
    if (Cbc_isProvenOptimal(model))
      best = Cbc_getObjValue(model);
    Cbc_deleteModel(model);
    return best;
  }

private:
  struct Row {
    double low;
    std::vector<Term> terms;
    double high;
  };
  std::vector<double> objectives;
  std::vector<bool> integers;
  std::vector<Row> rows;
};

/// The fewest additional FLOPs within the budget with at most `repeats`
/// repeats. Requires that each op of the graph makes exactly one storage.
std::optional<int64_t> oracle(const OpGraph &graph, int64_t budget,
                              size_t repeats) {
  constexpr double none = 1e31;
  size_t n = graph.ops.size(), length = n + repeats;
  std::vector<OpId> makers = valueMakers(graph);
  int64_t held = 0, once = 0;
  for (const Input &input : graph.inputs)
    held += graph.values[input.value].bytes;
  Program program;
  // Whether op k runs at position p, and whether its result is live there.
  std::vector<std::vector<int>> runs(length), live(length);
  for (size_t p = 0; p < length; ++p)
    for (OpId k = 0; k < n; ++k) {
      runs[p].push_back(
          program.addVariable(static_cast<double>(graph.ops[k].flops), true));
      live[p].push_back(program.addVariable(0, false));
    }
  for (size_t p = 0; p < length; ++p) {
    std::vector<Program::Term> one, bytes, next;
    for (OpId k = 0; k < n; ++k) {
      ValueId result = graph.ops[k].results.front();
      one.push_back({runs[p][k], 1});
      next.push_back({runs[p][k], 1});
      if (p + 1 < length)
        next.push_back({runs[p + 1][k], -1});
      bytes.push_back(
          {live[p][k], static_cast<double>(graph.values[result].bytes)});
      // A result is live only after it was made, and where it is made.
      std::vector<Program::Term> since = {{live[p][k], 1}, {runs[p][k], -1}};
      if (p > 0)
        since.push_back({live[p - 1][k], -1});
      program.addRow(-none, since, 0);
      program.addRow(-none, {{runs[p][k], 1}, {live[p][k], -1}}, 0);
      for (ValueId operand : graph.ops[k].operands) {
        if (makers[operand] == noOp)
          continue;
        program.addRow(-none, {{runs[p][k], 1}, {live[p][makers[operand]], -1}},
                       0);
        if (p == 0)
          program.addRow(-none, {{runs[p][k], 1}}, 0);
        else
          program.addRow(
              -none, {{runs[p][k], 1}, {live[p - 1][makers[operand]], -1}}, 0);
      }
    }
    program.addRow(-none, one, 1);
    program.addRow(0, next, none);
    program.addRow(-none, bytes, static_cast<double>(budget - held));
  }
  for (OpId k = 0; k < n; ++k) {
    std::vector<Program::Term> all;
    for (size_t p = 0; p < length; ++p)
      all.push_back({runs[p][k], 1});
    program.addRow(1, all, none);
    once += graph.ops[k].flops;
  }
  for (ValueId output : graph.outputs)
    program.addRow(1, {{live[length - 1][makers[output]], 1}}, none);
  std::optional<double> best = program.solve();
  if (!best)
    return std::nullopt;
  return static_cast<int64_t>(*best + 0.5) - once;
}

TEST(Oracle, BudgetsCostAtMostOnePercentMoreThanTheOptimum) {
  size_t repeated = 0, solved = 0;
  for (uint32_t seed = 0; seed < 30; ++seed) {
    OpGraph graph = randomDag(900 + seed, 5 + seed % 3);
    Schedule source = programOrder(graph);
    RematerializeFrontier frontier(graph, source);
    int64_t peak = buildProfile(graph, source, budgetMemory()).peakBytes();
    int64_t flops = 0;
    for (const Op &op : graph.ops)
      flops += op.flops;
    for (int part : {100, 90, 80, 70, 60}) {
      int64_t budget = peak * part / 100;
      std::optional<int64_t> best = oracle(graph, budget, 2);
      RematerializeResult result = frontier.within(budget);
      // A schedule may need more repeats than the oracle may use.
      if (!best)
        continue;
      ++solved;
      repeated += *best > 0;
      ASSERT_EQ(result.status, RematerializeStatus::Optimal)
          << "seed " << seed << " budget " << budget;
      EXPECT_LE(100 * (flops + result.point.extraFlops), 101 * (flops + *best))
          << "seed " << seed << " budget " << budget;
      EXPECT_LE(result.flopsBound, *best) << "seed " << seed;
      EXPECT_LE(result.peakBound, budget) << "seed " << seed;
    }
  }
  EXPECT_GT(solved, 40u);
  EXPECT_GT(repeated, 5u);
}

} // namespace
