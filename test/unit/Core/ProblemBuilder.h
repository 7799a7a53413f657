//===- ProblemBuilder.h - Problems for tests ------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems for tests in one expression. Plans come only from solved(), which
// verifies them and compares them with the bound, so that no test can forget
// it:
//
//   ProblemBuilder().add("a", 64, {{0, 4}}).add("b", 32, {{1, 3}}).align(16)
//       .permit("a", "b", 0, 0).solved(Strategy::GreedyBySize)
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CORE_PROBLEMBUILDER_H
#define MEMPLAN_TEST_UNIT_CORE_PROBLEMBUILDER_H

#include "memplan/Core/Bound.h"
#include "memplan/Core/Solver.h"
#include "memplan/Core/Verify.h"

#include "gtest/gtest.h"

#include <string>

namespace memplan::test {

/// All messages, one in each line, for the output of a failed expectation.
inline std::string text(const std::vector<Issue> &issues) {
  std::string result;
  for (const Issue &issue : issues)
    result += issue.message + "\n";
  return result;
}

/// Solves the problem and expects the properties that hold for every strategy:
/// the problem is well formed, the plan is correct, its arena is at least the
/// bound, and an optimal plan meets the bound.
inline Plan solveVerified(const Problem &problem, const SolveOptions &options) {
  EXPECT_EQ(text(check(problem)), "");
  Plan plan = solve(problem, options);
  EXPECT_NE(plan.status, PlanStatus::Invalid) << plan.message;
  EXPECT_EQ(plan.lowerBound >= memplan::lowerBound(problem), true);
  if (plan.status == PlanStatus::Infeasible)
    EXPECT_NE(plan.message, "");
  else if (plan.hasOffsets() || plan.status != PlanStatus::Limit)
    EXPECT_EQ(text(verify(problem, plan)), "") << plan.strategy;
  if (plan.status == PlanStatus::Optimal)
    EXPECT_EQ(plan.arenaSize, plan.lowerBound);
  return plan;
}

/// Options with limits that keep every test short.
inline SolveOptions optionsFor(Strategy strategy) {
  SolveOptions options;
  options.strategy = strategy;
  if (strategy == Strategy::Exact || strategy == Strategy::Auto)
    options.nodeLimit = 3000;
  if (strategy == Strategy::HillClimb)
    options.nodeLimit = 20;
  return options;
}

class ProblemBuilder {
public:
  ProblemBuilder &add(std::string id, int64_t size, LiveRanges ranges) {
    Buffer buffer;
    buffer.id = std::move(id);
    buffer.size = size;
    buffer.ranges = std::move(ranges);
    problem.buffers.push_back(std::move(buffer));
    return *this;
  }
  /// The alignment of the buffer added last.
  ProblemBuilder &align(int64_t alignment) {
    problem.buffers.back().alignment = alignment;
    return *this;
  }
  /// The pinned offset of the buffer added last.
  ProblemBuilder &pin(int64_t offset) {
    problem.buffers.back().pinnedOffset = offset;
    return *this;
  }
  ProblemBuilder &capacity(int64_t bytes) {
    problem.capacity = bytes;
    return *this;
  }
  ProblemBuilder &arenaAlign(int64_t bytes) {
    problem.arenaAlignment = bytes;
    return *this;
  }
  ProblemBuilder &conflict(const std::string &a, const std::string &b) {
    problem.conflicts.push_back({index(a), index(b)});
    return *this;
  }
  ProblemBuilder &permit(const std::string &a, const std::string &b,
                         int64_t minDelta, int64_t maxDelta) {
    problem.overlaps.push_back({index(a), index(b), minDelta, maxDelta});
    return *this;
  }

  ProblemBuilder &soft(const std::string &a, const std::string &b,
                       int64_t weight,
                       SoftConflict::Kind kind = SoftConflict::Kind::Bytes) {
    problem.softConflicts.push_back({index(a), index(b), weight, kind});
    return *this;
  }
  ProblemBuilder &allOrNone(const std::string &a, const std::string &b) {
    problem.allOrNone.push_back({index(a), index(b)});
    return *this;
  }
  ProblemBuilder &banks(int64_t bytes) {
    problem.bankSize = bytes;
    return *this;
  }

  const Problem &raw() const { return problem; }
  Plan solved(Strategy strategy = Strategy::Auto) const {
    SolveOptions options = optionsFor(strategy);
    return solveVerified(problem, options);
  }

private:
  BufferIndex index(const std::string &id) const {
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      if (problem.buffers[i].id == id)
        return i;
    ADD_FAILURE() << "no buffer " << id;
    return 0;
  }

  Problem problem;
};

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_CORE_PROBLEMBUILDER_H
