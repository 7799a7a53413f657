//===- SharingRules.cpp - Rules of problems where sharing costs -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/CheckedMath.h"

#include <optional>

using namespace memplan;
using namespace memplan::detail;

namespace {

class SharingChecker : IssueCollector {
public:
  SharingChecker(const Problem &problem, size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem) {}

  std::vector<Issue> run() {
    if (problem.bankSize)
      checkBanks(*problem.bankSize);
    for (const SoftConflict &soft : problem.softConflicts)
      if (std::max(soft.first, soft.second) < problem.buffers.size())
        checkSoft(soft);
    return std::move(issues);
  }

private:
  std::string name(BufferIndex i) const {
    return "buffer '" + problem.buffers[i].id + "'";
  }

  void checkBanks(int64_t bankSize) {
    if (bankSize <= 0)
      return report("bank size " + std::to_string(bankSize) +
                    " is not positive");
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      const Buffer &b = problem.buffers[i];
      if (b.size > bankSize)
        report(name(i) + " of " + std::to_string(b.size) +
                   " bytes does not fit into a bank of " +
                   std::to_string(bankSize),
               {i});
      if (isPowerOfTwo(b.alignment) && bankSize % b.alignment != 0)
        report("bank size " + std::to_string(bankSize) +
                   " is no multiple of the alignment " +
                   std::to_string(b.alignment) + " of " + name(i),
               {i});
    }
  }

  void checkSoft(const SoftConflict &soft) {
    auto describe = [&] {
      return std::string(SoftConflict::noun) + " of " + name(soft.first) +
             " and " + name(soft.second);
    };
    if (soft.kind == SoftConflict::Kind::Bank && !problem.bankSize)
      report(describe() + " is about banks, and the problem has no bank size",
             {soft.first, soft.second});
    if (soft.weight < 0 || !weights)
      return;
    weights = checkedAdd(*weights, soft.weight);
    if (!weights)
      report("the sum of the weights overflows 64 bits at the " + describe(),
             {soft.first, soft.second});
  }

  const Problem &problem;
  /// The sum of the weights of soft conflicts, unless it overflows.
  std::optional<int64_t> weights = 0;
};

class SharingVerifier : OffsetVerifier {
public:
  SharingVerifier(const Problem &problem, const Plan &plan, size_t maxIssues)
      : OffsetVerifier(problem, plan, maxIssues) {}

  std::vector<Issue> run() {
    for (const AllOrNone &pair : problem.allOrNone)
      if (offset(pair.first) != offset(pair.second) &&
          shareBytes(pair.first, pair.second))
        report(shared(pair.first, pair.second) +
                   " but do not begin at the same byte",
               {pair.first, pair.second});
    if (problem.bankSize)
      for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
        if (problem.buffers[i].size > 0 && firstBank(i) != lastBank(i))
          report("buffer " + place(i) + " crosses the end of a bank at " +
                     std::to_string(lastBank(i) * *problem.bankSize),
                 {i});
    verifyPenalty();
    return std::move(issues);
  }

private:
  void verifyPenalty() {
    int64_t penalty = 0;
    for (const SoftConflict &soft : problem.softConflicts)
      if (isPaid(soft))
        penalty += soft.weight;
    if (plan.penalty != penalty)
      report("the penalty of " + std::to_string(plan.penalty) +
             " is not the sum of the weights that the plan pays, " +
             std::to_string(penalty));
    if (plan.penalty < plan.penaltyBound)
      report("the penalty of " + std::to_string(plan.penalty) +
             " is below its lower bound of " +
             std::to_string(plan.penaltyBound));
  }

  int64_t firstBank(BufferIndex i) const {
    return offset(i) / *problem.bankSize;
  }
  int64_t lastBank(BufferIndex i) const {
    return (end(i) - 1) / *problem.bankSize;
  }

  bool isPaid(const SoftConflict &soft) const {
    if (soft.kind == SoftConflict::Kind::Bytes)
      return shareBytes(soft.first, soft.second);
    return problem.buffers[soft.first].size > 0 &&
           problem.buffers[soft.second].size > 0 &&
           firstBank(soft.first) <= lastBank(soft.second) &&
           firstBank(soft.second) <= lastBank(soft.first);
  }
};

} // namespace

std::vector<Issue> detail::checkSharing(const Problem &problem,
                                        size_t maxIssues) {
  return SharingChecker(problem, maxIssues).run();
}

std::vector<Issue> detail::verifySharing(const Problem &problem,
                                         const Plan &plan, size_t maxIssues) {
  return SharingVerifier(problem, plan, maxIssues).run();
}
