//===- Partition.cpp - Partitions of joint graphs -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Partition.h"

#include "Cut/Extract.h"
#include "Cut/Repeat.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/Reorder.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace memplan::graph;

namespace {

int64_t forwardPeak(const OpGraph &graph, const Partition &partition) {
  PartGraph part = forwardPart(graph, partition);
  return buildProfile(part.graph, programOrder(part.graph)).peakBytes();
}

int64_t backwardPeak(const OpGraph &graph, const Partition &partition) {
  PartGraph part = backwardPart(graph, partition);
  return buildProfile(part.graph, programOrder(part.graph), backwardMemory())
             .peakBytes() +
         partition.heldBytes;
}

/// Orders a backward function as another one, `guide`: the ops of both in the
/// order of `guide`, the others right before their first use.
Schedule orderLike(const OpGraph &graph, const Sides &sides,
                   const Schedule &guide, const Schedule &backward) {
  std::vector<bool> isHere(graph.ops.size());
  for (OpId op : backward)
    isHere[op] = true;
  Schedule order;
  for (OpId op : guide)
    if (isHere[op]) {
      order.push_back(op);
      isHere[op] = false;
    }
  for (OpId op : backward)
    if (isHere[op])
      order.push_back(op);
  return lateOrder(graph, sides, order);
}

/// Sets the order of the backward function with the lowest peak among
/// recomputation right before its use, program order, the order of `guide` (if
/// given), and the result of a search that starts from the best of these.
void orderBackward(const OpGraph &graph, const Sides &sides,
                   const PartitionOptions &options, const Schedule *guide,
                   Partition &partition) {
  Schedule best;
  int64_t bestPeak = INT64_MAX;
  auto consider = [&](Schedule order) {
    partition.backward = std::move(order);
    int64_t peak = backwardPeak(graph, partition);
    if (peak < bestPeak) {
      best = partition.backward;
      bestPeak = peak;
    }
  };
  Schedule early = partition.backward;
  consider(lateOrder(graph, sides, early));
  consider(early);
  if (guide)
    consider(orderLike(graph, sides, *guide, early));
  if (options.orderSteps > 0) {
    partition.backward = best;
    PartGraph part = backwardPart(graph, partition);
    ReorderOptions reorderOptions;
    reorderOptions.memory = backwardMemory();
    reorderOptions.steps = options.orderSteps;
    reorderOptions.judgeByArena = false;
    reorderOptions.stop = options.stop;
    ReorderResult reordered =
        reorder(part.graph, programOrder(part.graph), reorderOptions);
    Schedule found;
    for (OpId op : reordered.order)
      found.push_back(part.ops[op]);
    consider(std::move(found));
  }
  partition.backward = std::move(best);
  partition.peaks.backward = bestPeak;
}

/// The recomputed ops whose results are live when the backward function needs
/// more than `limit` bytes in all; if `onlyPeak`, when it needs most.
std::vector<OpId> recomputedAbove(const OpGraph &graph,
                                  const Partition &partition,
                                  const std::vector<OpId> &shared,
                                  int64_t limit, bool onlyPeak) {
  PartGraph part = backwardPart(graph, partition);
  MemoryProfile profile =
      buildProfile(part.graph, programOrder(part.graph), backwardMemory());
  std::vector<bool> isShared(graph.ops.size());
  for (OpId op : shared)
    isShared[op] = true;
  // By time: the number of earlier times that count.
  std::vector<size_t> above(profile.memory.opAt.size() + 1);
  const ProfileEntry &peak = profile.entries[profile.peakEntry()];
  for (const ProfileEntry &entry : profile.entries)
    if (onlyPeak ? entry.time == peak.time
                 : entry.liveBytes + partition.heldBytes > limit)
      above[entry.time + 1] = 1;
  for (size_t time = 1; time < above.size(); ++time)
    above[time] += above[time - 1];
  std::vector<OpId> makers = storageMakers(part.graph), found;
  for (const Allocation &allocation : profile.memory.allocations) {
    OpId maker = makers[allocation.storage];
    if (maker == noOp || !isShared[part.ops[maker]] ||
        above[allocation.end] == above[allocation.begin])
      continue;
    isShared[part.ops[maker]] = false;
    found.push_back(part.ops[maker]);
  }
  return found;
}

/// Sums up the bytes of the saved values, by value and by storage, and those
/// that the caller holds anyway.
void countSaved(const OpGraph &graph, const std::vector<bool> &isHeld,
                Partition &partition) {
  enum class Kind { Made, Input, Output };
  std::vector<Kind> kinds(graph.storages.size(), Kind::Made);
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    kinds[graph.values[graph.outputs[i]].storage] = Kind::Output;
  // A view of an input is the input's memory.
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    if (StorageKind kind = graph.storages[s].kind;
        kind == StorageKind::Input || kind == StorageKind::Parameter ||
        kind == StorageKind::Constant)
      kinds[s] = Kind::Input;
  std::vector<bool> isTaken(graph.storages.size()), isWhole(isTaken);
  for (ValueId v : partition.saved) {
    const Value &value = graph.values[v];
    StorageId s = value.storage;
    isTaken[s] = true;
    isWhole[s] = isWhole[s] || kinds[s] == Kind::Input ||
                 value.bytes == graph.storages[s].bytes;
    if (kinds[s] == Kind::Made)
      partition.savedBytes += value.bytes;
  }
  auto count = [&](StorageId s, int64_t bytes) {
    int64_t &sum = kinds[s] == Kind::Input    ? partition.savedPrimalBytes
                   : kinds[s] == Kind::Output ? partition.savedOutputBytes
                                              : partition.savedUniqueBytes;
    sum += bytes;
    // Neither function passes constants to the other.
    if (!isHeld[s] && graph.storages[s].kind != StorageKind::Constant)
      partition.keptBytes += bytes;
  };
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    if (isWhole[s])
      count(s, graph.storages[s].bytes);
    else if (isHeld[s] && !isTaken[s])
      partition.heldBytes += graph.storages[s].bytes;
  std::set<std::tuple<StorageId, int64_t, int64_t>> parts;
  for (ValueId v : partition.saved)
    if (const Value &value = graph.values[v];
        !isWhole[value.storage] &&
        parts.insert({value.storage, value.offset, value.bytes}).second)
      count(value.storage, value.bytes);
}

} // namespace

MemoryOptions memplan::graph::backwardMemory() {
  MemoryOptions options;
  options.held.insert(Origin::Tangent);
  return options;
}

namespace {

Cut findCut(const OpGraph &graph, const Sides &sides,
            const std::vector<RecomputeTag> &tags,
            const PartitionOptions &options) {
  if (options.strategy == PartitionStrategy::Default)
    return cutDefault(graph, sides, tags);
  return cutBytes(graph, sides, tags, options);
}

/// The partition of a cut, with the orders of both functions. `shared` gets the
/// ops that both functions run.
Partition makePartition(const OpGraph &graph, const Sides &sides,
                        const Cut &cut, const PartitionOptions &options,
                        const Schedule *guide, std::vector<OpId> &shared) {
  Partition result;
  result.cutCapacity = cut.capacity;
  result.flow = cut.flow;
  Functions functions = extractFunctions(graph, sides, cut);
  result.saved = std::move(functions.saved);
  result.forward = std::move(functions.forward);
  result.backward = std::move(functions.backward);
  for (OpId op : functions.shared) {
    result.recomputedFlops += graph.ops[op].flops;
    result.recomputeCost += recomputeCost(graph.ops[op], op, graph.ops.size());
    if (graph.ops[op].cost != CostClass::Free || graph.ops[op].flops > 0)
      result.recomputed.push_back(op);
  }
  shared = std::move(functions.shared);
  countSaved(graph, heldByCaller(graph, options.primalsAreHeld), result);
  result.peaks.forward = forwardPeak(graph, result);
  orderBackward(graph, sides, options, guide, result);
  result.peaks.pair = std::max(result.peaks.forward, result.peaks.backward);
  return result;
}

/// The most cuts that keepPeak may take. The first ones keep only what is live
/// at the peak, the others what is live at any time above the limit.
constexpr int maxCuts = 8;
constexpr int maxPeakCuts = 4;
/// The most cuts within a budget whose peaks are computed.
constexpr int maxTries = 16;

/// The partition of the cut of `options`, and with keepPeak one whose peak is
/// at most that of `byDefault`.
Partition partitionFreely(const OpGraph &graph, const Sides &sides,
                          const std::vector<RecomputeTag> &tags,
                          const PartitionOptions &options,
                          const Partition &byDefault,
                          std::vector<PartitionRemark> &remarks) {
  std::vector<OpId> shared;
  Partition result =
      makePartition(graph, sides, findCut(graph, sides, tags, options), options,
                    &byDefault.backward, shared);
  // Recomputation may raise the peak above that of the default partition.
  auto isTooHigh = [&] {
    return options.keepPeak && result.peaks.pair > byDefault.peaks.pair;
  };
  auto cutAgain = [&](const std::vector<RecomputeTag> &tags,
                      const PartitionOptions &options) {
    result = makePartition(graph, sides, findCut(graph, sides, tags, options),
                           options, &byDefault.backward, shared);
  };
  std::vector<RecomputeTag> kept = tags;
  for (int cuts = 1; isTooHigh() && cuts < maxCuts && !options.isStopped();
       ++cuts) {
    // Tags of the program are not changed.
    bool isChanged = false;
    for (OpId op : recomputedAbove(graph, result, shared, byDefault.peaks.pair,
                                   cuts <= maxPeakCuts))
      if (kept[op] == RecomputeTag::None) {
        kept[op] = RecomputeTag::MustSave;
        isChanged = true;
        remarks.push_back({op, "saved, as the peak of the pair would be "
                               "higher than that of the default partition"});
      }
    if (isChanged)
      cutAgain(kept, options);
    else if (cuts > maxPeakCuts)
      break;
    else
      cuts = maxPeakCuts;
  }
  // Recompute cheaper ops only.
  PartitionOptions cheaper = options;
  while (isTooHigh() && cheaper.recompute != CostClass::Free &&
         !options.isStopped()) {
    cheaper.recompute =
        static_cast<CostClass>(static_cast<int>(cheaper.recompute) - 1);
    cutAgain(tags, cheaper);
  }
  // The last resort is the default partition.
  return isTooHigh() ? byDefault : result;
}

/// The cheapest partition of the frontier within the budget, and with keepPeak
/// the cheapest with a peak of at most that of `byDefault`, or that of no
/// budget if it is within the budget.
Partition partitionWithin(const OpGraph &graph, const Sides &sides,
                          const std::vector<RecomputeTag> &tags,
                          const PartitionOptions &options,
                          const Partition &byDefault,
                          std::vector<PartitionRemark> &remarks) {
  std::vector<BudgetedCut> frontier =
      cutFrontier(graph, sides, tags, options, *options.budget);
  size_t chosen = frontier.size();
  while (chosen > 0 && frontier[chosen - 1].kept > *options.budget)
    --chosen;
  int64_t least = frontier.front().kept;
  if (chosen == 0) {
    remarks.push_back({noOp, "a budget of " + std::to_string(*options.budget) +
                                 " bytes is infeasible: at least " +
                                 std::to_string(least) + " must be kept"});
    chosen = 1;
  }
  Partition best;
  std::vector<OpId> shared;
  for (int tries = 0; chosen > 0 && tries < maxTries; ++tries) {
    --chosen;
    Partition result = makePartition(graph, sides, frontier[chosen].cut,
                                     options, &byDefault.backward, shared);
    if (tries == 0 || result.peaks.pair < best.peaks.pair)
      best = std::move(result);
    if (!options.keepPeak || best.peaks.pair <= byDefault.peaks.pair ||
        options.isStopped())
      break;
  }
  // A cut off the frontier may do.
  if (options.keepPeak && best.peaks.pair > byDefault.peaks.pair) {
    std::vector<PartitionRemark> more;
    Partition other =
        partitionFreely(graph, sides, tags, options, byDefault, more);
    if (other.keptBytes <= std::max(*options.budget, least)) {
      best = std::move(other);
      remarks.insert(remarks.end(), more.begin(), more.end());
    }
  }
  if (options.keepPeak && best.peaks.pair > byDefault.peaks.pair)
    remarks.push_back(
        {noOp, "the peak of the pair is " + std::to_string(best.peaks.pair) +
                   " bytes, above the " + std::to_string(byDefault.peaks.pair) +
                   " of the default partition: no cut within the budget has a "
                   "lower one"});
  best.leastKeptBytes = least;
  return best;
}

} // namespace

std::string memplan::graph::whyNotUsable(const PartitionOptions &options) {
  if (options.budget && options.strategy != PartitionStrategy::MinCut)
    return "a budget of kept bytes needs the strategy min-cut";
  return "";
}

Partition memplan::graph::partition(const OpGraph &graph,
                                    const PartitionOptions &options) {
  Sides sides(graph);
  std::vector<RecomputeTag> tags = cleanRecomputeTags(graph);
  std::vector<PartitionRemark> remarks;
  std::vector<bool> isOrdered = effectOrdered(graph);
  for (OpId op = 0; op < graph.ops.size(); ++op)
    if ((graph.ops[op].tag == RecomputeTag::MustRecompute ||
         graph.ops[op].tag == RecomputeTag::PreferRecompute) &&
        !sides.isRepeatable[op])
      remarks.push_back({op, "not recomputed although tagged " +
                                 std::string(nameOf(graph.ops[op].tag)) +
                                 ": '" + graph.ops[op].name + "' " +
                                 whyNotRepeatable(graph, op, isOrdered[op])});

  std::vector<OpId> shared;
  // Nobody searches for an order of the default partition: its peak, which
  // keepPeak compares with, is that without a search.
  PartitionOptions unordered = options;
  unordered.orderSteps = 0;
  Partition byDefault = makePartition(
      graph, sides, cutDefault(graph, sides, tags), unordered, nullptr, shared);
  Partition result = byDefault;
  if (options.strategy == PartitionStrategy::MinCut && options.budget) {
    result = partitionWithin(graph, sides, tags, options, byDefault, remarks);
  } else if (options.strategy == PartitionStrategy::Default) {
    orderBackward(graph, sides, options, nullptr, result);
    result.peaks.pair = std::max(result.peaks.forward, result.peaks.backward);
  } else {
    result = partitionFreely(graph, sides, tags, options, byDefault, remarks);
  }
  result.remarks = std::move(remarks);
  return result;
}
