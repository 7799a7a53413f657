//===- ProblemTypes.h - The types of problems and their rules ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each type of problem adds fields to a plain one, and has its own check, its
// own verification and its own solver, which solves plain problems:
//
//   type      its fields                 check          verification
//   plain     all others                 Check          Verify
//   with cuts cuts                       Check          Verify
//   sized     formula, symbols, hints    CheckSizes     VerifyOrder
//   sharing   softConflicts, allOrNone,  SharingRules   SharingRules
//             bankSize
//
// The solvers are the strategies, SolveCuts, SolveOrder and SolveSharing.
// So each strategy takes plain problems only (a Model), and all honour all
// types. A sharing problem without banks may have cuts; check() refuses each
// other mixture.
//
// The verification shares no code with the solvers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_MODEL_PROBLEMTYPES_H
#define MEMPLAN_LIB_CORE_MODEL_PROBLEMTYPES_H

#include "memplan/Core/Verify.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace memplan::detail {

/// The rules of sized and sharing problems about the problem itself. The
/// indices of pairs may be wrong.
std::vector<Issue> checkSizes(const Problem &problem, size_t maxIssues);
std::vector<Issue> checkSharing(const Problem &problem, size_t maxIssues);

/// What verify() demands of a sharing problem only. Requires offsets that are
/// not negative and ends that do not overflow. verifyOrder
/// (memplan/Core/Order.h) is its counterpart for sized ones.
std::vector<Issue> verifySharing(const Problem &problem, const Plan &plan,
                                 size_t maxIssues);

/// The base of checks and verifiers: collects at most `maxIssues` issues.
class IssueCollector {
protected:
  explicit IssueCollector(size_t maxIssues) : maxIssues(maxIssues) {}

  void report(std::string message, std::vector<BufferIndex> buffers = {}) {
    if (issues.size() < maxIssues)
      issues.push_back({std::move(message), std::move(buffers)});
  }
  void reportAll(std::vector<Issue> others) {
    for (Issue &issue : others)
      report(std::move(issue.message), std::move(issue.buffers));
  }

  size_t maxIssues;
  std::vector<Issue> issues;
};

/// The base of verifiers of offsets.
class OffsetVerifier : protected IssueCollector {
protected:
  OffsetVerifier(const Problem &problem, const Plan &plan, size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem), plan(plan) {}

  int64_t offset(BufferIndex i) const { return plan.offsets[i]; }
  int64_t end(BufferIndex i) const {
    return plan.offsets[i] + problem.buffers[i].size;
  }

  /// "'id' [offset, end)"
  std::string place(BufferIndex i) const {
    return "'" + problem.buffers[i].id + "' [" + std::to_string(offset(i)) +
           ", " + std::to_string(end(i)) + ")";
  }

  bool shareBytes(BufferIndex a, BufferIndex b) const {
    return offset(a) < end(b) && offset(b) < end(a) &&
           problem.buffers[a].size > 0 && problem.buffers[b].size > 0;
  }

  /// "buffers 'a' [0, 64) and 'b' [32, 96) share bytes [32, 64)"
  std::string shared(BufferIndex a, BufferIndex b) const {
    return "buffers " + place(a) + " and " + place(b) + " share bytes [" +
           std::to_string(std::max(offset(a), offset(b))) + ", " +
           std::to_string(std::min(end(a), end(b))) + ")";
  }

  const Problem &problem;
  const Plan &plan;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MODEL_PROBLEMTYPES_H
