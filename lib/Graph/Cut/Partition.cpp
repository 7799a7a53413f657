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
         backwardBaseline(graph, partition);
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

/// The recomputed ops whose results are live at the peak of the backward
/// function.
std::vector<OpId> recomputedAtPeak(const OpGraph &graph,
                                   const Partition &partition,
                                   const std::vector<OpId> &shared) {
  PartGraph part = backwardPart(graph, partition);
  MemoryProfile profile =
      buildProfile(part.graph, programOrder(part.graph), backwardMemory());
  std::vector<bool> isShared(graph.ops.size());
  for (OpId op : shared)
    isShared[op] = true;
  std::vector<OpId> makers = storageMakers(part.graph), found;
  for (const ProfileChange &live : profile.liveAt(profile.peakEntry())) {
    OpId maker = makers[profile.memory.allocations[live.allocation].storage];
    if (maker != noOp && isShared[part.ops[maker]])
      found.push_back(part.ops[maker]);
  }
  return found;
}

/// Sums up the bytes of the saved values, by value and by storage.
void countSaved(const OpGraph &graph, const Sides &sides,
                Partition &partition) {
  std::set<StorageId> whole, primal;
  for (ValueId v : partition.saved) {
    const Value &value = graph.values[v];
    const Storage &storage = graph.storages[value.storage];
    // A view of an input is the input's memory, which the caller holds.
    if (sides.maker[v] == noOp || storage.kind == StorageKind::Input ||
        storage.kind == StorageKind::Parameter ||
        storage.kind == StorageKind::Constant) {
      if (primal.insert(value.storage).second)
        partition.savedPrimalBytes += storage.bytes;
      continue;
    }
    partition.savedBytes += value.bytes;
    if (value.bytes == storage.bytes && whole.insert(value.storage).second)
      partition.savedUniqueBytes += storage.bytes;
  }
  std::set<std::pair<StorageId, std::pair<int64_t, int64_t>>> parts;
  for (ValueId v : partition.saved) {
    const Value &value = graph.values[v];
    if (sides.maker[v] == noOp || whole.count(value.storage) ||
        primal.count(value.storage))
      continue;
    if (parts.insert({value.storage, {value.offset, value.bytes}}).second)
      partition.savedUniqueBytes += value.bytes;
  }
}

} // namespace

MemoryOptions memplan::graph::backwardMemory() {
  MemoryOptions options;
  options.held.insert(Origin::Tangent);
  return options;
}

int64_t memplan::graph::backwardBaseline(const OpGraph &graph,
                                         const Partition &partition) {
  std::set<StorageId> taken;
  for (ValueId v : partition.saved)
    taken.insert(graph.values[v].storage);
  int64_t bytes = 0;
  for (size_t i = 0; i < graph.numForwardOutputs; ++i) {
    StorageId s = graph.values[graph.outputs[i]].storage;
    if (graph.storages[s].kind == StorageKind::Output && taken.insert(s).second)
      bytes += graph.storages[s].bytes;
  }
  return bytes;
}

namespace {

Cut findCut(const OpGraph &graph, const Sides &sides,
            const std::vector<RecomputeTag> &tags,
            const PartitionOptions &options) {
  if (options.strategy == PartitionStrategy::Default)
    return cutDefault(graph, sides, tags);
  return options.model == CutModel::Bytes
             ? cutBytes(graph, sides, tags, options)
             : cutTorch(graph, sides, tags, options);
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
    if (graph.ops[op].cost != CostClass::Free || graph.ops[op].flops > 0)
      result.recomputed.push_back(op);
  }
  shared = std::move(functions.shared);
  countSaved(graph, sides, result);
  result.peaks.forward = forwardPeak(graph, result);
  orderBackward(graph, sides, options, guide, result);
  result.peaks.pair = std::max(result.peaks.forward, result.peaks.backward);
  return result;
}

/// The most cuts that keepPeak may take.
constexpr int maxCuts = 4;

} // namespace

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
  Partition byDefault = makePartition(
      graph, sides, cutDefault(graph, sides, tags), options, nullptr, shared);
  Partition result = byDefault;
  if (options.strategy == PartitionStrategy::MinCut) {
    result = makePartition(graph, sides, findCut(graph, sides, tags, options),
                           options, &byDefault.backward, shared);
    // Recomputation may raise the peak above that of the default partition.
    bool isChecked = options.model == CutModel::Bytes && options.keepPeak;
    bool hasTags = std::any_of(tags.begin(), tags.end(), [](RecomputeTag tag) {
      return tag != RecomputeTag::None;
    });
    for (int cuts = 1; isChecked && result.peaks.pair > byDefault.peaks.pair;
         ++cuts) {
      // Tags of the program are not changed.
      bool isChanged = false;
      for (OpId op : recomputedAtPeak(graph, result, shared))
        if (tags[op] == RecomputeTag::None) {
          tags[op] = RecomputeTag::MustSave;
          isChanged = true;
          remarks.push_back({op, "saved, as the peak of the pair would be "
                                 "higher than that of the default partition"});
        }
      // The last resort is the default partition, but only without tags.
      if (!isChanged || cuts == maxCuts) {
        if (!hasTags)
          result = byDefault;
        break;
      }
      result = makePartition(graph, sides, findCut(graph, sides, tags, options),
                             options, &byDefault.backward, shared);
    }
  }
  result.remarks = std::move(remarks);
  return result;
}
