//===- VerifySpaces.cpp - Assignments to two memories are right -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/Spaces.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

AssignmentTraffic memplan::getTraffic(const SpaceProblem &problem,
                                      const SpaceAssignment &assignment) {
  AssignmentTraffic traffic;
  for (size_t b = 0; b < assignment.steps.size(); ++b) {
    const SpaceBuffer &buffer = problem.buffers[b];
    int64_t bytes = buffer.size * buffer.times;
    for (size_t k = 0; k < buffer.accesses.size(); ++k) {
      const SpaceAccess &access = buffer.accesses[k];
      const SpaceStep &step = assignment.steps[b][k];
      (step.fast ? traffic.fastRead : traffic.slowRead) += access.bytesRead;
      (step.fast ? traffic.fastWritten : traffic.slowWritten) +=
          access.bytesWritten;
      traffic.copiedIn += step.copyIn ? bytes : 0;
      traffic.copiedOut += step.copyOut ? bytes : 0;
    }
  }
  return traffic;
}

Problem memplan::getPlacement(const SpaceProblem &problem,
                              const std::vector<std::vector<SpaceStep>> &steps,
                              const std::vector<SpacePiece> &pieces) {
  Problem placement;
  placement.capacity = problem.capacity;
  placement.arenaAlignment = problem.arenaAlignment;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const SpacePiece &piece = pieces[i];
    const SpaceBuffer &buffer = problem.buffers[piece.buffer];
    Buffer placed;
    placed.id = buffer.id + "." + std::to_string(piece.first);
    placed.size = buffer.size;
    placed.alignment = buffer.alignment;
    placed.ranges = {{buffer.accesses[piece.first].span.start,
                      buffer.accesses[piece.last].span.end}};
    placement.buffers.push_back(std::move(placed));
  }
  auto findPiece = [&](BufferIndex b, unsigned access) {
    auto it = std::lower_bound(
        pieces.begin(), pieces.end(), std::make_pair(b, access),
        [](const SpacePiece &piece, std::pair<BufferIndex, unsigned> key) {
          return std::make_pair(piece.buffer, piece.last) < key;
        });
    return static_cast<BufferIndex>(it - pieces.begin());
  };
  for (const SpaceInPlace &pair : problem.inPlace)
    if (steps[pair.read][pair.readAccess].held &&
        steps[pair.written][pair.writtenAccess].held)
      placement.overlaps.push_back({findPiece(pair.read, pair.readAccess),
                                    findPiece(pair.written, pair.writtenAccess),
                                    0, 0});
  return placement;
}

namespace {
class SpaceVerifier : IssueCollector {
public:
  SpaceVerifier(const SpaceProblem &problem, const SpaceAssignment &assignment,
                size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem), assignment(assignment) {}

  std::vector<Issue> run() {
    if (assignment.steps.size() != problem.buffers.size()) {
      report("the number of buffers with steps is wrong");
      return std::move(issues);
    }
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      verifyRow(b);
    verifyPieces();
    if (!issues.empty())
      return std::move(issues);
    AssignmentTraffic traffic = getTraffic(problem, assignment);
    const SpaceCosts &costs = problem.costs;
    int64_t cost = costs.fastRead * traffic.fastRead +
                   costs.fastWrite * traffic.fastWritten +
                   costs.slowRead * traffic.slowRead +
                   costs.slowWrite * traffic.slowWritten +
                   costs.copyIn * traffic.copiedIn +
                   costs.copyOut * traffic.copiedOut;
    if (cost != assignment.cost || cost < assignment.lowerBound)
      report("the cost is " + std::to_string(cost) + ", and not " +
             std::to_string(assignment.cost) + ", or below the bound " +
             std::to_string(assignment.lowerBound));
    verifyPlaces();
    return std::move(issues);
  }

private:
  void verifyRow(BufferIndex b) {
    const SpaceBuffer &buffer = problem.buffers[b];
    const std::vector<SpaceStep> &steps = assignment.steps[b];
    if (steps.size() != buffer.accesses.size())
      return report("buffer '" + buffer.id + "' has " +
                        std::to_string(steps.size()) + " steps for " +
                        std::to_string(buffer.accesses.size()) + " accesses",
                    {b});
    // Which memory has the contents that are needed next.
    bool inSlow = buffer.beginsSlow, inFast = false;
    for (size_t k = 0; k < steps.size(); ++k) {
      const SpaceAccess &access = buffer.accesses[k];
      const SpaceStep &step = steps[k];
      auto fail = [&](const char *what) {
        report("access " + std::to_string(k) + " to buffer '" + buffer.id +
                   "' " + what,
               {b});
      };
      if (step.fast ? !access.inFast : !access.inSlow)
        fail("is in a memory that its op does not take");
      if (step.kept && (k == 0 || !steps[k - 1].held || !step.held))
        fail("goes on with a piece that is not there");
      if (step.fast && !step.held)
        fail("is in the fast memory without a piece");
      if (!step.kept) {
        inFast = false;
        if (step.copyIn && !inSlow)
          fail("copies in what the slow memory does not have");
        if (step.copyIn)
          inFast = true;
      } else if (step.copyIn) {
        fail("copies into a piece that goes on");
      }
      if (access.needsContents && !(step.fast ? inFast : inSlow))
        fail("does not find the contents in its memory");
      // Nothing needs the contents from before. Those of a new piece are
      // undefined.
      if (!access.needsContents)
        (step.fast ? inSlow : inFast) = false;
      if (access.writes)
        (step.fast ? inSlow : inFast) = false;
      if (access.writes || !access.needsContents)
        (step.fast ? inFast : inSlow) = true;
      if (step.copyOut) {
        if (!inFast)
          fail("copies out what the fast memory does not have");
        inSlow = true;
      }
    }
    if (buffer.endsSlow && !inSlow)
      report("buffer '" + buffer.id + "' does not end in the slow memory", {b});
  }

  void verifyPieces() {
    std::vector<SpacePiece> expected;
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      for (unsigned k = 0; k < assignment.steps[b].size(); ++k) {
        if (!assignment.steps[b][k].held)
          continue;
        if (assignment.steps[b][k].kept && !expected.empty())
          expected.back().last = k;
        else
          expected.push_back({b, k, k});
      }
    bool isSame =
        expected.size() == assignment.pieces.size() &&
        std::equal(expected.begin(), expected.end(), assignment.pieces.begin(),
                   [](const SpacePiece &a, const SpacePiece &b) {
                     return a.buffer == b.buffer && a.first == b.first &&
                            a.last == b.last;
                   });
    if (!isSame)
      report("the pieces are not those of the steps");
  }

  void verifyPlaces() {
    Problem placement =
        getPlacement(problem, assignment.steps, assignment.pieces);
    Plan plan;
    for (const SpacePiece &piece : assignment.pieces) {
      plan.offsets.push_back(piece.offset);
      plan.arenaSize = std::max(
          plan.arenaSize, piece.offset + problem.buffers[piece.buffer].size);
    }
    plan.status = PlanStatus::Feasible;
    for (Issue &issue : verify(placement, plan, maxIssues))
      report(std::move(issue.message));
  }

  const SpaceProblem &problem;
  const SpaceAssignment &assignment;
};
} // namespace

std::vector<Issue> memplan::verify(const SpaceProblem &problem,
                                   const SpaceAssignment &assignment,
                                   size_t maxIssues) {
  return SpaceVerifier(problem, assignment, maxIssues).run();
}
