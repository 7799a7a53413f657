//===- ProfileTest.cpp - Tests of profiles --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Profile.h"
#include "CountingInterpreter.h"
#include "GraphBuilder.h"
#include "RandomGraph.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Verify.h"

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// The entries of a profile: "0=live" first, "time+live" after allocations,
/// "time-live" after releases.
std::string curve(const MemoryProfile &profile) {
  std::string text;
  for (const ProfileEntry &entry : profile.entries)
    text += (text.empty() ? "" : " ") + std::to_string(entry.time) +
            (entry.phase == ProfilePhase::Start      ? "="
             : entry.phase == ProfilePhase::Allocate ? "+"
                                                     : "-") +
            std::to_string(entry.liveBytes);
  return text;
}

std::string curve(const OpGraph &graph, const MemoryOptions &options = {}) {
  return curve(buildProfile(graph, programOrder(graph), options));
}

TEST(Profile, EntriesAfterAllocationsAndReleases) {
  OpGraph graph = GraphBuilder()
                      .input("x", 100)
                      .op("a", {"x"}, {{"y", 10}})
                      .op("b", {"y"}, {{"z", 20}})
                      .op("c", {"z"}, {{"w", 30}})
                      .outputs({"w"})
                      .build();
  EXPECT_EQ(curve(graph), "0=100 1+110 2+130 2-120 3+150 3-130");
}

TEST(Profile, ViewsMakeNoEntryAndKeepTheirStorage) {
  OpGraph graph = GraphBuilder()
                      .op("a", {}, {{"y", 10}})
                      .op("v", {"y"}, {{"half", 5, "y", 5}})
                      .op("w", {"half"}, {{"inner", 2, "y", 7}})
                      .op("b", {"inner"}, {{"z", 1}})
                      .outputs({"z"})
                      .build();
  EXPECT_EQ(curve(graph), "0=0 1+10 4+11 4-1");
}

TEST(Profile, UnusedIsReleasedAtOnce) {
  OpGraph graph = GraphBuilder()
                      .donated("d", 7)
                      .op("a", {}, {{"y", 10}, {"z", 3}})
                      .op("b", {"z"}, {{"w", 1}})
                      .outputs({"w"})
                      .build();
  EXPECT_EQ(curve(graph), "0=7 0-0 1+13 1-3 2+4 2-1");
}

TEST(Profile, UnclaimedRestGoesAfterItsOp) {
  OpGraph graph = GraphBuilder()
                      .storage("s", 100)
                      .op("a", {}, {{"p", 40, "s", 0}, {"q", 30, "s", 50}})
                      .op("b", {"p"}, {{"y", 1}})
                      .op("c", {"q", "y"}, {{"z", 1}})
                      .outputs({"z"})
                      .build();
  EXPECT_EQ(curve(graph), "0=0 1+100 1-70 2+71 3+72 3-1");
}

TEST(Profile, ScratchCountsWhileItsOpRuns) {
  OpGraph graph = GraphBuilder()
                      .op("a", {}, {{"y", 10}})
                      .scratch(50)
                      .op("effect", {"y"}, {})
                      .scratch(5)
                      .op("b", {"y"}, {{"z", 1}})
                      .outputs({"z"})
                      .build();
  EXPECT_EQ(curve(graph), "0=0 1+60 2+15 3+11 3-1");
}

TEST(Profile, HeldAndReleasedByRole) {
  OpGraph graph =
      GraphBuilder()
          .input("p", 1, InputRole::Primal)
          .input("t", 2, InputRole::Tangent)
          .donated("d", 4)
          .parameter("w", 8)
          .constant("c", 16)
          .input("r", 32, InputRole::ForwardRng)
          .input("i", 64)
          .op("a", {"p", "t", "d", "w", "c", "r", "i"}, {{"y", 128}})
          .outputs({"y"})
          .build();
  EXPECT_EQ(curve(graph), "0=127 1+255 1-249");
  MemoryOptions options;
  options.held.insert(Origin::Tangent);
  EXPECT_EQ(curve(graph, options), "0=127 1+255 1-251");
  options.held = {};
  EXPECT_EQ(curve(graph, options), "0=127 1+255 1-128");
  options.excluded = {Origin::Parameter, Origin::Constant};
  EXPECT_EQ(curve(graph, options), "0=103 1+231 1-128");
  EXPECT_EQ(namesOf(MemoryOptions().held),
            "parameter, constant, primal, rng, input");
}

TEST(Profile, DonatedInputThatIsReturned) {
  OpGraph graph = GraphBuilder()
                      .donated("d", 4)
                      .op("a", {"d"}, {{"y", 1}})
                      .outputs({"y", "d"})
                      .build();
  EXPECT_EQ(curve(graph), "0=4 1+5");
}

TEST(Profile, TiesOnlyWhenAskedForAndOnlyWhenTheOperandDies) {
  GraphBuilder builder;
  builder.op("a", {}, {{"y", 10}})
      .op("b", {"y"}, {{"z", 10}})
      .tie(0, 0)
      .op("c", {"z"}, {{"w", 10}})
      .tie(0, 0)
      .op("d", {"w", "z"}, {{"u", 10}})
      .tie(0, 0)
      .outputs({"u"});
  OpGraph graph = builder.build();
  EXPECT_EQ(curve(graph), "0=0 1+10 2+20 2-10 3+20 4+30 4-10");
  MemoryOptions options;
  options.takeTies = true;
  // b reuses the memory of y; c cannot reuse that of z, which d reads; d reuses
  // that of w, and z is released.
  EXPECT_EQ(curve(graph, options), "0=0 1+10 3+20 4-10");
}

TEST(Profile, TieAgainstAnotherReadOfTheSameMemory) {
  MemoryOptions options;
  options.takeTies = true;
  // x + transpose(x) may not be written over x; x * x may.
  OpGraph graph = GraphBuilder()
                      .op("a", {}, {{"x", 10}})
                      .op("t", {"x"}, {{"xt", 10, "x"}})
                      .op("add", {"x", "xt"}, {{"y", 10}})
                      .tie(0, 0)
                      .op("mul", {"y", "y"}, {{"z", 10}})
                      .tie(0, 0)
                      .tie(0, 1)
                      .outputs({"z"})
                      .build();
  EXPECT_EQ(curve(graph, options), "0=0 1+10 3+20 3-10");
}

TEST(Profile, RepeatMakesFreshStorageThatLaterUsesRead) {
  GraphBuilder builder;
  OpGraph graph = builder.input("x", 1)
                      .op("a", {"x"}, {{"y", 10}})
                      .op("v", {"y"}, {{"view", 10, "y"}})
                      .op("b", {"view"}, {{"z", 20}})
                      .op("c", {"view", "z"}, {{"w", 30}})
                      .outputs({"w"})
                      .build();
  // a and its view run again, so the first y is released after b.
  EXPECT_EQ(curve(buildProfile(
                graph, builder.schedule({"a", "v", "b", "a", "v", "c"}))),
            "0=1 1+11 3+31 3-21 4+31 6+61 6-31");
  // Without the view, c reads the first y through the first view, and the
  // second y is not used.
  EXPECT_EQ(
      curve(buildProfile(graph, builder.schedule({"a", "v", "b", "a", "c"}))),
      "0=1 1+11 3+31 4+41 4-31 5+61 5-31");
}

TEST(Profile, MemorySpacesApart) {
  OpGraph graph = GraphBuilder()
                      .storage("f", 7, "fast")
                      .op("a", {}, {{"x", 10}})
                      .op("b", {"x"}, {{"y", 7, "f"}})
                      .op("c", {"y"}, {{"z", 1}})
                      .outputs({"z"})
                      .build();
  MemoryProfile profile = buildProfile(graph, programOrder(graph));
  EXPECT_EQ(curve(profile), "0=0 1+10 2+17 2-7 3+8 3-1");
  ASSERT_EQ(profile.memory.spaces.size(), 2u);
  EXPECT_EQ(profile.liveIn(profile.peakEntry(0), 0), 10);
  EXPECT_EQ(profile.liveIn(profile.peakEntry(1), 1), 7);
  EXPECT_EQ(profile.peakEntry(1), 2u);
}

TEST(Profile, LiveSetAtThePeakAddsUp) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    RandomGraph random(seed);
    MemoryProfile profile = buildProfile(random.graph, random.schedule);
    for (size_t i = 0; i < profile.entries.size(); ++i) {
      int64_t sum = profile.entries[i].scratchBytes;
      for (const ProfileChange &live : profile.liveAt(i))
        sum += live.bytes;
      ASSERT_EQ(sum, profile.entries[i].liveBytes) << seed << " entry " << i;
    }
  }
}

std::vector<Count> countsOf(const MemoryProfile &profile) {
  std::vector<Count> counts;
  for (size_t i = 0; i < profile.entries.size(); ++i) {
    const ProfileEntry &entry = profile.entries[i];
    Count count{entry.time, entry.phase == ProfilePhase::Release, {}};
    for (uint32_t s = 0; s < profile.memory.spaces.size(); ++s)
      if (int64_t bytes = profile.liveIn(i, s))
        count.bytes[profile.memory.spaces[s]] = bytes;
    counts.push_back(count);
  }
  return counts;
}

TEST(Profile, EqualsACountingInterpreterEntryByEntry) {
  size_t numTies = 0, numRests = 0, numRepeats = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    RandomGraph random(seed);
    ASSERT_EQ(text(checkGraph(random.graph)), "") << seed;
    ASSERT_EQ(text(checkSchedule(random.graph, random.schedule)), "") << seed;
    for (bool takeTies : {false, true}) {
      MemoryOptions options;
      options.takeTies = takeTies;
      MemoryProfile profile =
          buildProfile(random.graph, random.schedule, options);
      std::vector<Count> expected =
          CountingInterpreter(random.graph, random.schedule, takeTies).run();
      ASSERT_EQ(countsOf(profile), expected) << seed << " ties " << takeTies;
      for (const Allocation &a : profile.memory.allocations) {
        numTies += a.tied.size();
        numRests += a.restBytes > 0;
        numRepeats += a.repeat > 1;
      }
    }
  }
  // The random graphs have enough of these features.
  EXPECT_GT(numTies, 300u);
  EXPECT_GT(numRests, 300u);
  EXPECT_GT(numRepeats, 1000u);
}

TEST(Profile, PeakIsTheBoundOfTheProblem) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomGraph random(seed);
    MemoryOptions options;
    options.takeTies = seed % 2;
    MemoryProfile profile =
        buildProfile(random.graph, random.schedule, options);
    for (const ProblemInSpace &space :
         buildProblems(random.graph, profile.memory, 1)) {
      ASSERT_TRUE(memplan::check(space.problem).empty()) << seed;
      EXPECT_EQ(memplan::findPeak(space.problem).bytes,
                profile.liveIn(profile.peakEntry(space.space), space.space))
          << seed;
    }
  }
}

/// Anything quadratic would take minutes.
TEST(Profile, SlowMillionOps) {
  constexpr uint32_t count = 1000000;
  OpGraph graph;
  graph.storages.resize(count);
  graph.values.resize(count);
  graph.ops.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    std::string number = std::to_string(i);
    graph.storages[i].id = graph.values[i].id = graph.ops[i].id = number;
    graph.storages[i].bytes = graph.values[i].bytes = 10;
    graph.values[i].storage = i;
    graph.ops[i].results = {i};
    if (i > 0)
      graph.ops[i].operands = {i - 1, i / 2};
  }
  graph.outputs = {count - 1};
  inferStorageKinds(graph);
  ASSERT_EQ(text(checkGraph(graph)), "");
  MemoryProfile profile = buildProfile(graph, programOrder(graph));
  // A value j < n / 2 is live until op 2j + 1, a later one until the next op.
  // At op n / 2 + 1, the values from n / 4 on are live, including the op's own.
  EXPECT_EQ(profile.peakBytes(), 10 * (count / 4 + 2));
}

TEST(InductorProfile, ItsOwnRules) {
  // Two entries for each op, views included. An unused result is not released
  // except beside a used result of the same op; tangents and donated inputs are
  // released.
  OpGraph graph = GraphBuilder()
                      .input("p", 100, InputRole::Primal)
                      .inputIn({"pv", 50, "p", 0}, InputRole::Primal)
                      .input("t", 7, InputRole::Tangent)
                      .op("a", {"p", "t"}, {{"y", 10}, {"unused", 5}})
                      .scratch(1000)
                      .op("v", {"y"}, {{"half", 5, "y", 5}})
                      .op("dead", {"half"}, {{"d", 3}})
                      .op("b", {"half"}, {{"z", 1}})
                      .outputs({"z"})
                      .build();
  EXPECT_EQ(
      buildInductorProfile(graph, programOrder(graph)),
      (std::vector<int64_t>{157, 172, 160, 160, 160, 163, 163, 164, 154}));
}

} // namespace
