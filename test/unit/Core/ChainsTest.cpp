//===- ChainsTest.cpp - Buffers that follow each other in one slot --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which buffers become one chain, on examples, and what holds for all chains,
// on random problems.
//
//===----------------------------------------------------------------------===//

#include "Sweeps/Chains.h"

#include "ProblemBuilder.h"
#include "Reference.h"
#include "Strategies/Greedy.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;
using namespace memplan::test;

namespace {

/// The ids of the buffers of each chain, in the order of the chains.
std::vector<std::string> namesOf(const Problem &problem, const Chains &chains) {
  std::vector<std::string> names(chains.problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    names[chains.chainOf[i]] += problem.buffers[i].id;
  return names;
}

std::vector<std::string> chainsOf(const Problem &problem, int64_t goal,
                                  int64_t part) {
  Model model(problem);
  return namesOf(problem, findChains(model, goal, part));
}

using Names = std::vector<std::string>;

} // namespace

TEST(Chains, TakeOnlyTheirPartOfTheRoom) {
  // Between z and b is one section, in which y and w are live: 16 bytes.
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 2}})
                        .add("b", 8, {{6, 8}})
                        .add("x", 15, {{0, 4}})
                        .add("y", 15, {{4, 8}})
                        .add("z", 8, {{3, 4}})
                        .add("w", 1, {{4, 5}})
                        .raw();
  EXPECT_EQ(chainsOf(problem, 24, wholeRoom), (Names{"abz", "xy", "w"}));
  EXPECT_EQ(chainsOf(problem, 24, wholeRoom - 1),
            (Names{"az", "b", "xy", "w"}));
  EXPECT_EQ(chainsOf(problem, 32, wholeRoom / 2), (Names{"abz", "xy", "w"}));
  // Without room, only buffers without a section between them are linked.
  EXPECT_EQ(chainsOf(problem, 16, wholeRoom), (Names{"az", "b", "xy", "w"}));
}

TEST(Chains, HaveOneSizeAndOneAlignment) {
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 1}})
                        .add("b", 16, {{1, 2}})
                        .add("c", 8, {{2, 3}})
                        .align(8)
                        .add("d", 8, {{3, 4}})
                        .raw();
  EXPECT_EQ(chainsOf(problem, 24, wholeRoom), (Names{"ad", "b", "c"}));
}

TEST(Chains, TheShortestGapsComeFirst) {
  // The ends of u, v and w divide the time into sections.
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 2}})
                        .add("b", 8, {{0, 3}})
                        .add("c", 8, {{4, 7}})
                        .add("d", 8, {{5, 7}})
                        .add("w", 3, {{2, 3}})
                        .add("v", 4, {{3, 4}})
                        .add("u", 2, {{4, 5}})
                        .raw();
  // b and c are nearest to each other; then a and d enclose them.
  Names joined = {"ad", "bc", "w", "v", "u"};
  Names apart = {"a", "bc", "d", "w", "v", "u"};
  EXPECT_EQ(chainsOf(problem, 20, wholeRoom), joined);
  EXPECT_EQ(chainsOf(problem, 19, wholeRoom), apart);
  // If a and d are smaller, they still come later.
  problem.buffers[0].size = problem.buffers[3].size = 7;
  EXPECT_EQ(chainsOf(problem, 19, wholeRoom), joined);
  EXPECT_EQ(chainsOf(problem, 18, wholeRoom), apart);
}

TEST(Chains, EmptyBuffersStayAlone) {
  Problem problem = ProblemBuilder()
                        .add("a", 0, {{0, 1}})
                        .add("b", 0, {{2, 3}})
                        .add("c", 8, {{0, 3}})
                        .raw();
  EXPECT_EQ(chainsOf(problem, 8, wholeRoom), (Names{"a", "b", "c"}));
}

TEST(Chains, PlansOfChainsArePlansOfBuffers) {
  bool anyJoined = false;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Problem problem = fewSizes(seed, 300, 20, seed % 3 == 0 ? 64 : 1);
    Model model(problem);
    std::vector<int64_t> loads = model.sectionLoads();
    for (int64_t part : {0, 20, 128, 256}) {
      int64_t goal = lowerBound(problem) + int64_t(seed % 2) * 1000;
      Chains chains = findChains(model, goal, part);
      anyJoined |= chains.problem.buffers.size() < problem.buffers.size();
      // The chains take no more than their part of the room.
      std::vector<int64_t> change(loads.size() + 1, 0);
      for (const Buffer &chain : chains.problem.buffers) {
        change[chain.ranges[0].start] += chain.size;
        change[chain.ranges[0].end] -= chain.size;
      }
      int64_t load = 0;
      for (size_t s = 0; s < loads.size(); ++s) {
        load += change[s];
        ASSERT_LE(load - loads[s],
                  std::max<int64_t>(0, goal - loads[s]) * part / wholeRoom);
      }
      // Any plan of them is one of the buffers.
      Model joined(chains.problem);
      Placement placed = runGreedyOrders(joined, /*goal=*/0, Deadline()).best;
      Plan plan;
      plan.status = PlanStatus::Feasible;
      plan.offsets = chains.expand(placed.offsets);
      plan.arenaSize = placed.height;
      plan.lowerBound = lowerBound(problem);
      ASSERT_EQ(text(verify(problem, plan)), "") << "seed " << seed;
    }
  }
  EXPECT_TRUE(anyJoined);
}
