//===- SpacesTest.cpp - Assignments to a fast and a slow memory -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Spaces.h"

#include "memplan/Core/Solver.h"

#include "ProblemBuilder.h"
#include "Reference.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::test;

namespace {

SpaceAccess write(int64_t time, int64_t bytes) {
  return {{time, time + 1}, 0, bytes, false, true};
}
SpaceAccess read(int64_t time, int64_t bytes) {
  return {{time, time + 1}, bytes, 0, true, false};
}
SpaceAccess update(int64_t time, int64_t bytes) {
  return {{time, time + 1}, bytes, bytes, true, true};
}

SpaceBuffer makeBuffer(std::string id, int64_t size,
                       std::vector<SpaceAccess> accesses) {
  SpaceBuffer buffer;
  buffer.id = std::move(id);
  buffer.size = size;
  buffer.accesses = std::move(accesses);
  return buffer;
}

/// Solves, and expects that verify() accepts the result.
SpaceAssignment assign(const SpaceProblem &problem,
                       const SpaceOptions &options = {}) {
  EXPECT_EQ(text(check(problem)), "");
  SpaceAssignment assignment = assignSpaces(problem, options);
  if (assignment.hasSteps())
    EXPECT_EQ(text(verify(problem, assignment)), "");
  return assignment;
}

/// A row with everything that a buffer may do.
struct Option {
  /// One bit for each time, and for each access.
  uint64_t held = 0, kept = 0;
  int64_t cost = 0;
  std::vector<SpaceStep> steps;
};

/// All ways of a buffer: each access in each memory, with each piece going on
/// or not. The copies follow.
std::vector<Option> enumerate(const SpaceProblem &problem,
                              const SpaceBuffer &buffer) {
  const SpaceCosts &costs = problem.costs;
  std::vector<Option> options;
  size_t count = buffer.accesses.size();
  for (uint64_t code = 0; code < uint64_t(1) << (3 * count); ++code) {
    Option option;
    option.steps.resize(count);
    bool inFast = false, inSlow = buffer.beginsSlow, isPossible = true;
    int64_t bytes = buffer.size * buffer.times;
    auto copyOut = [&](size_t after) {
      isPossible &= inFast && option.steps[after].held;
      option.steps[after].copyOut = true;
      option.cost += costs.copyOut * bytes;
      inSlow = true;
    };
    for (size_t k = 0; k < count && isPossible; ++k) {
      const SpaceAccess &access = buffer.accesses[k];
      SpaceStep &step = option.steps[k];
      step.fast = code >> (3 * k) & 1;
      step.held = code >> (3 * k + 1) & 1;
      step.kept = code >> (3 * k + 2) & 1;
      isPossible &= !step.kept || (k > 0 && option.steps[k - 1].held &&
                                   step.held && access.needsContents);
      isPossible &= step.fast ? step.held && access.inFast : access.inSlow;
      // A piece that begins at an access in the slow memory has no use.
      isPossible &= !step.held || step.fast || step.kept;
      bool needsSlow =
          access.needsContents && (!step.fast || !step.kept) && !inSlow;
      isPossible &= !needsSlow || k > 0;
      // A write in the slow memory makes the piece around it useless.
      isPossible &= !step.fast || !step.kept || inFast;
      if (!isPossible)
        break;
      if (needsSlow)
        copyOut(k - 1);
      if (!step.kept)
        inFast = false;
      if (step.fast && access.needsContents && !step.kept) {
        step.copyIn = true;
        option.cost += costs.copyIn * bytes;
        inFast = true;
      }
      if (access.writes || !access.needsContents) {
        inFast = step.fast;
        inSlow = !step.fast;
      }
      option.cost += step.fast ? costs.fastRead * access.bytesRead +
                                     costs.fastWrite * access.bytesWritten
                               : costs.slowRead * access.bytesRead +
                                     costs.slowWrite * access.bytesWritten;
      option.kept |= static_cast<uint64_t>(step.kept) << k;
      int64_t from =
          step.kept ? buffer.accesses[k - 1].span.end : access.span.start;
      for (int64_t t = from; step.held && t < access.span.end; ++t)
        option.held |= uint64_t(1) << t;
    }
    if (isPossible && buffer.endsSlow && !inSlow)
      copyOut(count - 1);
    if (isPossible)
      options.push_back(std::move(option));
  }
  std::sort(options.begin(), options.end(),
            [](const Option &a, const Option &b) { return a.cost < b.cost; });
  // A way that costs no more, and holds parts of the pieces of another one,
  // serves instead of it.
  std::vector<Option> best;
  for (Option &option : options)
    if (std::none_of(best.begin(), best.end(), [&](const Option &other) {
          return (other.held & ~option.held) == 0 &&
                 (other.kept & ~option.kept) == 0;
        }))
      best.push_back(std::move(option));
  return best;
}

/// The least cost, by trying all ways of all buffers, and placing their pieces
/// exactly. For problems without pairs in place whose times are below kTimes.
class BruteForce {
public:
  static constexpr int kTimes = 8;
  explicit BruteForce(const SpaceProblem &problem) : problem(problem) {
    for (const SpaceBuffer &buffer : problem.buffers)
      options.push_back(enumerate(problem, buffer));
    rest.resize(options.size() + 1);
    for (size_t b = options.size(); b-- > 0;)
      rest[b] =
          rest[b + 1] + (options[b].empty() ? 0 : options[b].front().cost);
    visit(0, 0);
  }
  std::optional<int64_t> best;

private:
  void visit(size_t b, int64_t cost) {
    if (best && cost + rest[b] >= *best)
      return;
    if (b == options.size()) {
      if (canBePlaced())
        best = cost;
      return;
    }
    for (const Option &option : options[b]) {
      chosen.push_back(&option);
      if (fits())
        visit(b + 1, cost + option.cost);
      chosen.pop_back();
    }
  }
  bool fits() {
    for (int t = 0; t < kTimes; ++t) {
      int64_t bytes = 0;
      for (size_t b = 0; b < chosen.size(); ++b)
        bytes += chosen[b]->held >> t & 1 ? problem.buffers[b].size : 0;
      if (bytes > problem.capacity)
        return false;
    }
    return true;
  }
  bool canBePlaced() {
    Problem placement;
    placement.arenaAlignment = problem.arenaAlignment;
    for (size_t b = 0; b < chosen.size(); ++b)
      for (size_t k = 0; k < chosen[b]->steps.size(); ++k) {
        const SpaceStep &step = chosen[b]->steps[k];
        LiveRange span = problem.buffers[b].accesses[k].span;
        if (step.kept)
          placement.buffers.back().ranges.back().end = span.end;
        else if (step.held)
          placement.buffers.push_back(
              {problem.buffers[b].id + std::to_string(k),
               problem.buffers[b].size,
               problem.buffers[b].alignment,
               {span},
               std::nullopt,
               std::nullopt});
      }
    placement.capacity = problem.capacity;
    SolveOptions exact;
    exact.strategy = Strategy::Exact;
    return placement.buffers.empty() ||
           solve(placement, exact).status != PlanStatus::Infeasible;
  }

  const SpaceProblem &problem;
  std::vector<std::vector<Option>> options;
  std::vector<int64_t> rest;
  std::vector<const Option *> chosen;
};

/// A random problem of buffers with `mostAccesses` accesses at most.
SpaceProblem makeRandom(uint64_t seed, int64_t numBuffers, int64_t mostAccesses,
                        int64_t numTimes, int64_t mostSize) {
  Random random(seed * 7919 + 17);
  SpaceProblem problem;
  problem.arenaAlignment = 4;
  if (random.chance(50))
    problem.costs = {1,
                     1,
                     random.in(2, 8),
                     random.in(2, 8),
                     random.in(1, 9),
                     random.in(1, 9)};
  for (int64_t b = 0; b < numBuffers; ++b) {
    SpaceBuffer buffer;
    buffer.id = "b" + std::to_string(b);
    buffer.size = random.in(1, mostSize);
    buffer.alignment = random.chance(20) ? 2 : 1;
    buffer.times = random.chance(10) ? 3 : 1;
    buffer.beginsSlow = random.chance(20);
    buffer.endsSlow = random.chance(20);
    std::vector<int64_t> times;
    for (int64_t k = random.in(1, mostAccesses); k > 0; --k)
      times.push_back(random.in(0, numTimes - 1));
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (int64_t time : times) {
      bool isFirst = buffer.accesses.empty() && !buffer.beginsSlow;
      int64_t bytes = buffer.size * buffer.times * random.in(1, 2);
      SpaceAccess access = isFirst || random.chance(15) ? write(time, bytes)
                           : random.chance(25)          ? update(time, bytes)
                                                        : read(time, bytes);
      int64_t kind = random.in(1, 100);
      access.inFast = kind > 8;
      access.inSlow = kind <= 97;
      buffer.accesses.push_back(access);
    }
    problem.buffers.push_back(std::move(buffer));
  }
  problem.capacity = random.in(mostSize, mostSize * numBuffers / 2);
  return problem;
}

} // namespace

TEST(Spaces, WhatFitsStays) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.buffers = {makeBuffer("a", 64, {write(0, 64), read(3, 64)})};
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.cost, 0);
  EXPECT_EQ(assignment.status, PlanStatus::Optimal);
  EXPECT_EQ(assignment.pieces.size(), 1U);
}

TEST(Spaces, ABufferThatRestsLeavesForAWhile) {
  // a rests between 1 and 4, while b and c need the memory. Both are accessed
  // more often than a copy costs.
  SpaceProblem problem;
  problem.capacity = 64;
  problem.costs.slowRead = problem.costs.slowWrite = 4;
  problem.buffers = {
      makeBuffer("a", 64,
                 {write(0, 64), update(1, 64), update(4, 64), read(5, 64)}),
      makeBuffer("b", 64, {write(2, 64), read(3, 64)})};
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.cost, 128);
  EXPECT_EQ(assignment.status, PlanStatus::Optimal);
  AssignmentTraffic traffic = getTraffic(problem, assignment);
  EXPECT_EQ(traffic.copiedOut, 64);
  EXPECT_EQ(traffic.copiedIn, 64);
  // Between the pieces the buffer is written as a whole: nothing to copy.
  problem.buffers[0].accesses[2].needsContents = false;
  EXPECT_EQ(assign(problem).cost, 0);
}

TEST(Spaces, ContentsThatTheSlowMemoryHasAreNotCopiedOut) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.costs.slowRead = problem.costs.slowWrite = 4;
  problem.buffers = {
      makeBuffer("a", 64, {read(0, 64), read(1, 64), read(4, 64), read(5, 64)}),
      makeBuffer("b", 64, {write(2, 64), read(3, 64)})};
  problem.buffers[0].beginsSlow = true;
  SpaceAssignment assignment = assign(problem);
  AssignmentTraffic traffic = getTraffic(problem, assignment);
  EXPECT_EQ(traffic.copiedOut, 0);
  EXPECT_EQ(traffic.copiedIn, 128);
  EXPECT_EQ(assignment.cost, 128);
}

TEST(Spaces, APieceGoesOnAtAnAccessInTheSlowMemory) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.buffers = {
      makeBuffer("a", 64, {write(0, 64), read(1, 64), read(2, 64)})};
  problem.buffers[0].accesses[1].inFast = false;
  SpaceAssignment assignment = assign(problem);
  // A copy out, and the read at 1.
  EXPECT_EQ(assignment.cost, 128);
  EXPECT_EQ(assignment.pieces.size(), 1U);
}

TEST(Spaces, OneOpWritesOverWhatItReads) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.buffers = {makeBuffer("a", 64, {write(0, 64), read(1, 64)}),
                     makeBuffer("b", 64, {write(1, 64), read(2, 64)})};
  EXPECT_EQ(assign(problem).cost, 128);
  problem.inPlace = {{0, 1, 1, 0}};
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.cost, 0);
  EXPECT_EQ(assignment.pieces[0].offset, assignment.pieces[1].offset);
}

TEST(Spaces, PiecesArePlacedAndNotOnlySummed) {
  // 3 + 3 bytes at most at any time, but the pieces of 2 bytes at the ends of a
  // cannot both be below or above b.
  SpaceProblem problem;
  problem.capacity = 4;
  problem.arenaAlignment = 1;
  problem.buffers = {makeBuffer("a", 1, {write(0, 9), read(3, 9)}),
                     makeBuffer("b", 2, {write(1, 9), read(2, 9)}),
                     makeBuffer("c", 1, {write(1, 9), read(5, 9)}),
                     makeBuffer("d", 2, {write(4, 9), read(7, 9)}),
                     makeBuffer("e", 1, {write(5, 9), read(7, 9)}),
                     makeBuffer("f", 3, {write(0, 9)})};
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.status, PlanStatus::Optimal);
  EXPECT_EQ(assignment.cost, BruteForce(problem).best);
}

TEST(Spaces, ABufferLargerThanTheFastMemoryStaysSlow) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.buffers = {makeBuffer("a", 65, {write(0, 65), read(3, 65)}),
                     makeBuffer("b", 64, {write(1, 64), read(2, 64)})};
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.cost, 130);
  EXPECT_EQ(assignment.lowerBound, 130);
  EXPECT_EQ(assignment.status, PlanStatus::Optimal);
}

TEST(Spaces, WhatMustBeFastDoesNotFit) {
  SpaceProblem problem;
  problem.capacity = 100;
  problem.buffers = {makeBuffer("a", 64, {write(0, 64)}),
                     makeBuffer("b", 64, {write(0, 64)})};
  for (SpaceBuffer &buffer : problem.buffers)
    buffer.accesses[0].inSlow = false;
  SpaceAssignment assignment = assign(problem);
  EXPECT_EQ(assignment.status, PlanStatus::Infeasible);
  EXPECT_FALSE(assignment.hasSteps());
  problem.capacity = 32;
  EXPECT_EQ(assign(problem).status, PlanStatus::Infeasible);
}

TEST(Spaces, MalformedProblemsAreInvalid) {
  auto expectIssue = [](const SpaceProblem &problem, const std::string &part) {
    EXPECT_NE(text(check(problem)).find(part), std::string::npos)
        << text(check(problem));
    EXPECT_EQ(assignSpaces(problem).status, PlanStatus::Invalid);
  };
  SpaceProblem good;
  good.buffers = {makeBuffer("a", 8, {write(0, 8), read(1, 8)}),
                  makeBuffer("b", 8, {write(1, 8)})};
  EXPECT_EQ(text(check(good)), "");
  SpaceProblem bad = good;
  bad.buffers[0].accesses[0].needsContents = true;
  expectIssue(bad, "needs contents that nothing has written");
  bad = good;
  bad.buffers[0].accesses[1].span = {0, 1};
  expectIssue(bad, "begins before the previous one ends");
  bad = good;
  bad.buffers[0].size = -1;
  expectIssue(bad, "-1 bytes");
  bad = good;
  bad.buffers[1].accesses[0].inFast = false;
  bad.buffers[1].accesses[0].inSlow = false;
  expectIssue(bad, "possible in no memory");
  bad = good;
  bad.inPlace = {{0, 0, 1, 0}};
  expectIssue(bad, "cannot be written over");
  bad = good;
  bad.costs.slowRead = int64_t(1) << 60;
  expectIssue(bad, "50 bits");
  bad = good;
  bad.buffers[1].accesses.clear();
  expectIssue(bad, "has no access");
}

TEST(Spaces, WrongAssignmentsAreRejected) {
  SpaceProblem problem;
  problem.capacity = 64;
  problem.costs.slowRead = problem.costs.slowWrite = 4;
  problem.buffers = {
      makeBuffer("a", 64,
                 {write(0, 64), update(1, 64), update(4, 64), read(5, 64)}),
      makeBuffer("b", 64, {write(2, 64), read(3, 64)})};
  SpaceAssignment good = assign(problem);
  auto expectIssue = [&](const SpaceAssignment &bad, const std::string &part) {
    EXPECT_NE(text(verify(problem, bad)).find(part), std::string::npos)
        << text(verify(problem, bad));
  };
  SpaceAssignment bad = good;
  bad.steps[0][1].copyOut = false;
  expectIssue(bad, "copies in what the slow memory does not have");
  bad = good;
  bad.steps[0][2].copyIn = false;
  expectIssue(bad, "does not find the contents in its memory");
  bad = good;
  bad.steps[0][3].fast = false;
  expectIssue(bad, "does not find the contents in its memory");
  bad = good;
  bad.steps[0][2].kept = true;
  expectIssue(bad, "copies into a piece that goes on");
  bad = good;
  bad.pieces[0].last = 2;
  expectIssue(bad, "the pieces are not those of the steps");
  bad = good;
  bad.pieces[0].offset = 64;
  expectIssue(bad, "capacity");
  bad = good;
  --bad.cost;
  expectIssue(bad, "the cost is");
}

// Against all assignments of tiny problems. The exact search
// finds the optimum, the search without it mostly; no bound is too high.
TEST(Spaces, AgreesWithBruteForce) {
  int solved = 0, equal = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SpaceProblem problem = makeRandom(seed, 4, 4, 8, 5);
    std::optional<int64_t> optimum = BruteForce(problem).best;
    SpaceAssignment exact = assign(problem);
    if (!optimum) {
      EXPECT_EQ(exact.status, PlanStatus::Infeasible) << seed;
      continue;
    }
    EXPECT_EQ(exact.cost, *optimum) << seed;
    EXPECT_EQ(exact.status, PlanStatus::Optimal) << seed;
    SpaceOptions options;
    options.nodeLimit = 0;
    SpaceAssignment quick = assign(problem, options);
    EXPECT_LE(quick.lowerBound, *optimum) << seed;
    SpaceAssignment rule = farthestLastUse(problem);
    if (rule.hasSteps()) {
      EXPECT_EQ(text(verify(problem, rule)), "");
      EXPECT_LE(quick.cost, rule.cost) << seed;
    }
    ++solved;
    equal += quick.hasSteps() && quick.cost == *optimum;
  }
  EXPECT_GE(solved, 120);
  EXPECT_GE(equal * 100, solved * 95) << equal << " of " << solved;
}

// Problems that are too large for brute force: the search alone against the
// optimum that branch and bound proves.
TEST(Spaces, MostlyOptimalOnSmallProblems) {
  int solved = 0, equal = 0, proven = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SpaceProblem problem =
        makeRandom(seed + 1000, 5 + static_cast<int64_t>(seed % 5), 4, 14, 40);
    SpaceOptions options;
    options.nodeLimit = 300000;
    SpaceAssignment exact = assign(problem, options);
    options.nodeLimit = 0;
    SpaceAssignment quick = assign(problem, options);
    if (exact.status == PlanStatus::Infeasible) {
      EXPECT_FALSE(quick.hasSteps());
      continue;
    }
    // Otherwise it is the best one known.
    proven += exact.status == PlanStatus::Optimal;
    EXPECT_LE(quick.lowerBound, exact.cost) << seed;
    EXPECT_LE(quick.cost * 100, exact.cost * 105) << seed;
    ++solved;
    equal += quick.cost == exact.cost;
  }
  EXPECT_GE(equal * 100, solved * 90) << equal << " of " << solved;
  EXPECT_GE(proven, solved - 2);
  RecordProperty("solved", solved);
  RecordProperty("equal", equal);
}
