//===- Partition.cpp - What a backward function keeps ---------------------===//
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

/// Program order, or recomputation right before its use, or what a search
/// finds: the first of those with the least peak.
void orderBackward(const OpGraph &graph, const Sides &sides,
                   const PartitionOptions &options, Partition &partition) {
  Schedule early = partition.backward;
  int64_t earlyPeak = backwardPeak(graph, partition);
  partition.backward = lateOrder(graph, sides, early);
  int64_t latePeak = backwardPeak(graph, partition);
  Schedule best = partition.backward;
  int64_t bestPeak = latePeak;
  if (options.orderSteps > 0) {
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
    partition.backward = std::move(found);
    int64_t peak = backwardPeak(graph, partition);
    if (peak < bestPeak) {
      best = partition.backward;
      bestPeak = peak;
    }
  }
  if (earlyPeak < bestPeak) {
    best = early;
    bestPeak = earlyPeak;
  }
  partition.backward = std::move(best);
  partition.peaks.backward = bestPeak;
}

/// Counts what is saved, each value by itself and each storage once.
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

Partition memplan::graph::partition(const OpGraph &graph,
                                    const PartitionOptions &options) {
  Sides sides(graph);
  std::vector<RecomputeTag> tags = cleanRecomputeTags(graph);
  Partition result;
  std::vector<bool> isOrdered = effectOrdered(graph);
  for (OpId op = 0; op < graph.ops.size(); ++op)
    if ((graph.ops[op].tag == RecomputeTag::MustRecompute ||
         graph.ops[op].tag == RecomputeTag::PreferRecompute) &&
        !sides.isRepeatable[op])
      result.remarks.push_back(
          {op, "not recomputed although tagged " +
                   std::string(nameOf(graph.ops[op].tag)) + ": '" +
                   graph.ops[op].name + "' " +
                   whyNotRepeatable(graph, op, isOrdered[op])});

  Cut cut = options.strategy == PartitionStrategy::Default
                ? cutDefault(graph, sides, tags)
            : options.model == CutModel::Bytes
                ? cutBytes(graph, sides, tags, options)
                : cutTorch(graph, sides, tags, options);
  result.cutCapacity = cut.capacity;
  result.flow = cut.flow;

  Functions functions = extractFunctions(graph, sides, cut);
  result.saved = std::move(functions.saved);
  result.forward = std::move(functions.forward);
  result.backward = std::move(functions.backward);
  for (OpId op : functions.shared) {
    result.recomputedFlops += graph.ops[op].flops;
    if (graph.ops[op].cost != CostClass::Free)
      result.recomputed.push_back(op);
  }
  countSaved(graph, sides, result);

  result.peaks.forward = forwardPeak(graph, result);
  orderBackward(graph, sides, options, result);
  result.peaks.pair = std::max(result.peaks.forward, result.peaks.backward);
  return result;
}
