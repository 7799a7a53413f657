//===- FuzzGraph.cpp - Searches on op graphs against their checks
//-----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Op graphs of all features, made of bytes. Orders, partitions and schedules
// that run ops again must be accepted by the checks, and must have the peaks
// that they claim by the profile.

#include "Bytes.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/Verify.h"
#include "memplan/Graph/Check.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/OpTable.h"
#include "memplan/Graph/Partition.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/Rematerialize.h"
#include "memplan/Graph/Reorder.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::fuzz;
using namespace memplan::graph;

namespace {

/// Makes a graph that is mostly well-formed; with tangents, mostly a joint one.
class GraphMaker {
public:
  explicit GraphMaker(Bytes &bytes) : bytes(bytes) {}

  OpGraph make() {
    numSpaces = 1 + bytes.below(3);
    bool isJoint = bytes.flag();
    for (size_t i = 1 + bytes.below(4); i-- > 0;)
      addInput(isJoint ? InputRole::Primal : InputRole(bytes.below(5)));
    for (size_t i = bytes.below(3); i-- > 0;)
      graph.storages[graph.values[addValue(addStorage(), true)].storage].kind =
          StorageKind::Constant;
    size_t numOps = 1 + bytes.below(24);
    size_t numForward = isJoint ? bytes.below(numOps) : numOps;
    for (size_t i = 0; i < numOps; ++i) {
      if (isJoint && i == numForward)
        beginBackward();
      addOp();
    }
    for (size_t i = bytes.below(4); i-- > 0;)
      graph.outputs.push_back(anyValue());
    if (!isJoint)
      graph.numForwardOutputs =
          static_cast<uint32_t>(bytes.below(graph.outputs.size() + 1));
    inferStorageKinds(graph);
    return std::move(graph);
  }

private:
  void beginBackward() {
    graph.outputs.push_back(anyValue());
    graph.numForwardOutputs = 1;
    addInput(InputRole::Tangent);
  }

  ValueId anyValue() {
    // Mostly recent ones, so that chains become long.
    size_t count = graph.values.size();
    size_t back =
        bytes.below(bytes.oneOf(4) ? count : std::min(count, size_t(6)));
    return static_cast<ValueId>(count - 1 - back);
  }

  int64_t size() {
    int64_t number = bytes.number();
    // Negative sizes are of no interest behind the checks.
    return number < 0 ? 0 : number;
  }

  StorageId addStorage() {
    Storage storage;
    storage.id = "s" + std::to_string(graph.storages.size());
    storage.bytes = size();
    uint8_t features = bytes.byte();
    if (features & 1)
      storage.alignment = int64_t(1) << (features >> 5);
    if (size_t space = (features & 2) ? bytes.below(numSpaces) : 0)
      storage.space = "m" + std::to_string(space);
    graph.storages.push_back(storage);
    return static_cast<StorageId>(graph.storages.size() - 1);
  }

  ValueId addValue(StorageId storage, bool isWhole) {
    Value value;
    value.id = "v" + std::to_string(graph.values.size());
    value.storage = storage;
    value.bytes = graph.storages[storage].bytes;
    if (!isWhole && value.bytes > 0) {
      value.offset = size() % value.bytes;
      value.bytes = std::min(size(), value.bytes - value.offset);
    }
    graph.values.push_back(value);
    return static_cast<ValueId>(graph.values.size() - 1);
  }

  void addInput(InputRole role) {
    Input input;
    uint8_t features = bytes.byte();
    bool isShared = !graph.values.empty() && (features & 3) == 3;
    StorageId storage =
        isShared ? graph.values[anyValue()].storage : addStorage();
    input.value = addValue(storage, !isShared);
    input.role = role;
    input.isStatic = (features & 0xc) == 0xc;
    input.isDonated = (features & 0x30) == 0x30;
    graph.inputs.push_back(input);
  }

  void addOp() {
    Op op;
    op.id = "op" + std::to_string(graph.ops.size());
    uint8_t features = bytes.byte();
    for (size_t i = features & 3; i-- > 0;)
      op.operands.push_back(anyValue());
    if (!op.operands.empty() && (features & 0xc) == 0xc) {
      // Views, or writes in place.
      for (size_t i = 1 + bytes.below(2); i-- > 0;)
        op.results.push_back(
            addValue(graph.values[op.operands[0]].storage, bytes.flag()));
      op.cost = bytes.oneOf(4) ? CostClass::Cheap : CostClass::Free;
    }
    if (op.results.empty() || (features & 0x30) == 0x30)
      for (size_t i = 1 + bytes.below(2); i-- > 0;) {
        StorageId storage = addStorage();
        size_t numParts = bytes.oneOf(4) ? 1 + bytes.below(3) : 1;
        for (size_t part = 0; part < numParts; ++part) {
          if (part == 0 && !op.operands.empty() && bytes.flag())
            op.ties.push_back(
                {static_cast<uint32_t>(op.results.size()),
                 static_cast<uint32_t>(bytes.below(op.operands.size()))});
          op.results.push_back(addValue(storage, numParts == 1));
        }
      }
    if (features & 0x40)
      addDetails(op);
    graph.ops.push_back(std::move(op));
  }

  void addDetails(Op &op) {
    uint8_t features = bytes.byte();
    op.scratchBytes = (features & 1) ? size() : 0;
    op.flops = (features & 2) ? size() : 0;
    op.bytesRead = (features & 4) ? size() : 0;
    op.pure = (features & 0x18) != 0x18;
    op.speculatable = (features & 0x60) != 0x60;
    if (op.cost != CostClass::Free)
      op.cost = CostClass(bytes.below(4));
    op.randomness = Randomness(bytes.below(3));
    op.tag = RecomputeTag(bytes.below(5));
    if (!graph.ops.empty() && bytes.oneOf(4))
      op.after.push_back(static_cast<OpId>(bytes.below(graph.ops.size())));
    if (bytes.oneOf(4))
      op.scope = std::string(1, char('a' + bytes.below(3)));
  }

  Bytes &bytes;
  OpGraph graph;
  size_t numSpaces = 1;
};

int64_t peakOf(const OpGraph &graph, const Schedule &schedule,
               const MemoryOptions &memory) {
  std::vector<GraphIssue> issues = checkSchedule(graph, schedule);
  if (!issues.empty())
    fail("a schedule is wrong: " + issues.front().message);
  return buildProfile(graph, schedule, memory).peakBytes();
}

void checkProfile(const OpGraph &graph, const MemoryOptions &memory) {
  MemoryProfile profile = buildProfile(graph, programOrder(graph), memory);
  for (size_t i = 0; i < profile.entries.size(); ++i) {
    int64_t sum = profile.entries[i].scratchBytes;
    for (const ProfileChange &live : profile.liveAt(i))
      sum += live.bytes;
    require(sum == profile.entries[i].liveBytes,
            "the live bytes are not the sum of what is live");
  }
  for (const ProblemInSpace &space : buildProblems(graph, profile.memory, 1)) {
    if (!check(space.problem).empty())
      continue;
    require(findPeak(space.problem).bytes ==
                profile.liveIn(profile.peakEntry(space.space), space.space),
            "the load of a problem is not the peak of the profile");
  }
  (void)formatOpTableJson(graph, buildOpTable(graph));
}

void checkOrders(const OpGraph &graph, const MemoryOptions &memory,
                 OrderStrategy strategy, uint64_t seed) {
  ReorderOptions options;
  options.strategy = strategy;
  options.memory = memory;
  options.steps = 400;
  options.seed = seed;
  options.judgeByArena = seed & 1;
  Schedule source = programOrder(graph);
  ReorderResult result = reorder(graph, source, options);
  require(result.order.size() == source.size(), "an order loses an op");
  require(peakOf(graph, result.order, memory) == result.peak,
          "an order has another peak than it says");
  require(result.sourcePeak == peakOf(graph, source, memory),
          "the source has another peak");
  require(result.bound <= result.peak, "a peak is below the bound");
  require(result.isOptimal == (result.bound == result.peak),
          "an order is said to be optimal");
  bool isSimple = strategy == OrderStrategy::Lpmf ||
                  strategy == OrderStrategy::Dfs ||
                  strategy == OrderStrategy::Bfs;
  require(isSimple || result.peak <= result.sourcePeak,
          "an order is worse than the source");
  require(reorder(graph, source, options).order == result.order,
          "an order is not reproducible");
}

void checkRepeats(const OpGraph &graph, uint64_t seed) {
  RematerializeOptions options;
  options.steps = 2000;
  options.orderSteps = 200;
  options.seed = seed;
  options.memory.takeTies = seed & 2;
  RematerializeFrontier frontier(graph, programOrder(graph), options);
  const std::vector<RematerializePoint> &points = frontier.points();
  require(!points.empty(), "a frontier has no point");
  for (size_t i = 0; i < points.size(); ++i) {
    require(peakOf(graph, points[i].schedule, options.memory) == points[i].peak,
            "a schedule has another peak than it says");
    require(i == 0 || (points[i].peak < points[i - 1].peak &&
                       points[i].extraFlops > points[i - 1].extraFlops),
            "a frontier does not fall");
    std::vector<unsigned> runs(graph.ops.size());
    int64_t extra = 0;
    for (OpId op : points[i].schedule)
      if (runs[op]++ > 0) {
        require(whyNotRepeatable(graph, op).empty(),
                "an op runs again that must not");
        extra += graph.ops[op].flops;
      }
    require(extra == points[i].extraFlops, "a schedule has other FLOPs");
  }
  int64_t budget = points.front().peak / 2;
  RematerializeResult result = frontier.within(budget);
  bool fits = result.status == RematerializeStatus::Optimal ||
              result.status == RematerializeStatus::Feasible;
  require(!fits || result.point.peak <= budget, "a budget does not hold");
  require(result.peakBound <= points.back().peak || !fits,
          "a peak is below the bound");
  if (result.status != RematerializeStatus::Infeasible)
    require(peakOf(graph, result.point.schedule, options.memory) ==
                result.point.peak,
            "a schedule has another peak than it says");
}

void checkPart(const PartGraph &part) {
  std::vector<GraphIssue> issues = checkGraph(part.graph);
  if (!issues.empty())
    fail("a part is wrong: " + issues.front().message);
  issues = checkSchedule(part.graph, programOrder(part.graph));
  if (!issues.empty())
    fail("the order of a part is wrong: " + issues.front().message);
}

void checkPartition(const OpGraph &graph, PartitionOptions options) {
  options.orderSteps = 200;
  Partition result = partition(graph, options);
  PartGraph forward = forwardPart(graph, result);
  PartGraph backward = backwardPart(graph, result);
  checkPart(forward);
  checkPart(backward);
  require(result.cutCapacity == result.flow, "a cut is not the flow");
  require(!options.budget ||
              result.keptBytes <=
                  std::max(*options.budget, result.leastKeptBytes),
          "a partition keeps more than its budget");
  require(result.peaks.pair ==
              std::max(result.peaks.forward, result.peaks.backward),
          "the peak of a pair is not that of a part");
  (void)partitionReport(graph, result);
  (void)partitionJson(graph, result);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  uint64_t seed = bytes.byte();
  MemoryOptions memory;
  memory.takeTies = bytes.flag();
  auto strategy = OrderStrategy(bytes.below(7));
  PartitionOptions options;
  options.strategy = PartitionStrategy(bytes.below(2));
  options.recompute = CostClass(bytes.below(4));
  options.primalsAreHeld = bytes.flag();
  // Only the cut has budgets and the limit on the peak.
  bool isCut = options.strategy == PartitionStrategy::MinCut;
  options.keepPeak = isCut && bytes.flag();
  if (isCut && bytes.oneOf(3))
    options.budget = std::max<int64_t>(bytes.number(), 0);
  OpGraph graph = GraphMaker(bytes).make();
  std::string text = formatGraph(graph);
  if (!checkGraph(graph).empty() ||
      !checkSchedule(graph, programOrder(graph)).empty())
    return 0;
  OpGraph again;
  std::optional<Schedule> schedule;
  TextError error;
  require(parseGraph(text, again, schedule, error) &&
              formatGraph(again) == text,
          "a written graph is not read as the same");
  checkProfile(graph, memory);
  if (whyNotJoint(graph).empty())
    checkPartition(graph, options);
  else if (seed & 4)
    checkRepeats(graph, seed);
  else
    checkOrders(graph, memory, strategy, seed);
  return 0;
}
