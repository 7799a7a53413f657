//===- RepeatModel.cpp - The model of the repeat searches -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute/RepeatModel.h"

#include "Cut/Repeat.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::graph;

constexpr size_t maxChoices = 8;

RepeatModel::RepeatModel(const OpGraph &graph, const Schedule &source,
                         const MemoryOptions &options)
    : graph(graph), makers(valueMakers(graph)), nodeOf(graph.ops.size(), none),
      isViewOp(graph.ops.size()) {
  std::vector<OpId> storageMaker = storageMakers(graph);
  std::vector<bool> canRepeat = repeatable(graph);
  for (OpId i : source) {
    const Op &op = graph.ops[i];
    bool isView = canRepeat[i] && op.scratchBytes == 0 &&
                  op.cost == CostClass::Free && !op.results.empty();
    for (ValueId v : op.results)
      isView = isView && storageMaker[graph.values[v].storage] != i;
    for (ValueId v : op.operands)
      isView = isView && graph.values[v].storage ==
                             graph.values[op.results.front()].storage;
    for (ValueId v : op.results)
      isView = isView && graph.values[v].storage ==
                             graph.values[op.results.front()].storage;
    isViewOp[i] = isView;
    viewsHaveFlops = viewsHaveFlops || (isView && op.flops > 0);
    if (isView)
      continue;
    nodeOf[i] = static_cast<uint32_t>(nodes.size());
    nodes.push_back(
        {i, op.flops, op.scratchBytes, canRepeat[i], {}, {}, {}, {}, 0});
  }

  MemoryOptions plain = options;
  plain.takeTies = false;
  ScheduleMemory memory = runSchedule(graph, source, plain);
  std::vector<uint32_t> itemOf(graph.storages.size(), none);
  for (const Allocation &allocation : memory.allocations) {
    OpId op = memory.opAt[allocation.begin];
    uint32_t maker = op == noOp ? none : nodeOf[op];
    itemOf[allocation.storage] = static_cast<uint32_t>(items.size());
    items.push_back({allocation.bytes - allocation.restBytes, maker,
                     !allocation.isReleased,
                     maker != none && nodes[maker].canRepeat,
                     maker != none && nodes[maker].canRepeat, none});
    if (maker != none) {
      nodes[maker].makes.push_back(itemOf[allocation.storage]);
      nodes[maker].scratch += allocation.restBytes;
    }
  }

  // By item and by node: the last node to whose list it was added.
  std::vector<uint32_t> neededBy(items.size(), none);
  std::vector<uint32_t> waitedForBy(nodes.size(), none);
  auto need = [&](uint32_t n, uint32_t item) {
    if (item != none && std::exchange(neededBy[item], n) != n)
      nodes[n].needs.push_back(item);
  };
  auto waitFor = [&](uint32_t n, uint32_t before) {
    if (before != none && std::exchange(waitedForBy[before], n) != n)
      nodes[n].before.push_back(before);
  };
  // The node whose run a value depends on, through views.
  auto nodeBehind = [&](ValueId v) {
    while (makers[v] != noOp && isViewOp[makers[v]])
      v = graph.ops[makers[v]].operands.front();
    return makers[v] == noOp ? none : nodeOf[makers[v]];
  };
  uint32_t lastRandom = none;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    Node &node = nodes[n];
    const Op &op = graph.ops[node.op];
    for (ValueId v : op.operands) {
      need(n, itemOf[graph.values[v].storage]);
      waitFor(n, nodeBehind(v));
    }
    for (ValueId v : op.results) {
      StorageId s = graph.values[v].storage;
      if (storageMaker[s] == node.op)
        continue;
      // The op writes the item in place, so that its maker would make other
      // contents, or it makes a view and other memory as well.
      need(n, itemOf[s]);
      if (itemOf[s] == none)
        continue;
      items[itemOf[s]].canBeMadeAgain = false;
      if (!canRepeat[node.op] && items[itemOf[s]].writer == none)
        items[itemOf[s]].writer = n;
    }
    for (OpId before : op.after)
      waitFor(n, nodeOf[before]);
    if (op.randomness == Randomness::ImplicitState) {
      waitFor(n, lastRandom);
      lastRandom = n;
    }
  }
  for (Node &node : nodes) {
    if (!options.takeTies)
      break;
    Takeovers ties = findTakeovers(graph, graph.ops[node.op]);
    node.otherTies = ties.otherBytes;
    // The exact search tries every subset of them.
    isComplete =
        isComplete && ties.isComplete && ties.list.size() <= maxChoices;
    hasOtherTies |= !ties.isComplete;
    for (Takeover entry : ties.list) {
      uint32_t taken = itemOf[entry.taken];
      if (taken != none && !items[taken].isKept)
        node.takeovers.push_back({itemOf[entry.made], taken, entry.bytes});
    }
  }
  // A node can run again only if all items that it makes can be made again.
  for (Node &node : nodes) {
    for (uint32_t item : node.makes)
      node.canRepeat = node.canRepeat && items[item].canBeMadeAgain;
    for (uint32_t item : node.makes)
      items[item].canBeMadeAgain = node.canRepeat;
  }
  for (const Item &item : items)
    isComplete = isComplete && item.canBeMadeAgain == item.mayBeMadeAgain;
  // With FLOPs of views, another run costs more than the node's FLOPs.
  isComplete = isComplete && !viewsHaveFlops;
  std::vector<bool> isUsed(items.size());
  for (const Node &node : nodes)
    for (uint32_t item : node.needs)
      isUsed[item] = true;
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].maker == none && !items[i].isKept && !isUsed[i])
      startOnly += items[i].bytes;
}

int64_t RepeatModel::peakOf(const Sequence &sequence) const {
  // By item, while going backwards: its last use before it is made again; `end`
  // if it is kept, SIZE_MAX if it has no use.
  size_t end = sequence.size();
  std::vector<size_t> last(items.size(), SIZE_MAX);
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].isKept)
      last[i] = end;
  // By position: the bytes released after it, and the bytes that reuse saves at
  // it.
  std::vector<int64_t> released(end + 1), taken(end);
  for (size_t p = end; p-- > 0;) {
    const Node &node = nodes[sequence[p]];
    for (uint32_t item : node.makes) {
      released[last[item] == SIZE_MAX ? p : last[item]] += items[item].bytes;
      last[item] = SIZE_MAX;
    }
    for (uint32_t item : node.needs)
      if (last[item] == SIZE_MAX)
        last[item] = p;
    taken[p] = takenBytes(node.takeovers,
                          [&](uint32_t item) { return last[item] == p; });
  }
  int64_t live = 0;
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].maker == none && last[i] != SIZE_MAX) {
      live += items[i].bytes;
      released[last[i]] += items[i].bytes;
    }
  int64_t peak = live + startOnly;
  for (size_t p = 0; p < end; ++p) {
    const Node &node = nodes[sequence[p]];
    for (uint32_t item : node.makes)
      live += items[item].bytes;
    peak = std::max(peak, live + node.scratch - taken[p]);
    live -= released[p];
  }
  return peak;
}

bool RepeatModel::isCountable(const Sequence &sequence) const {
  std::vector<OpId> storageMaker = storageMakers(graph);
  std::vector<int64_t> made(graph.ops.size());
  std::optional<int64_t> bytes = 0, flops = 0;
  auto add = [](std::optional<int64_t> &sum, int64_t more) {
    if (sum)
      sum = checkedAdd(*sum, more);
  };
  // Storages and scratch that run once have a sum: checkGraph says so.
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    if (OpId maker = storageMaker[s]; maker != noOp)
      made[maker] += graph.storages[s].bytes;
    else
      add(bytes, graph.storages[s].bytes);
  for (OpId op : viewsHaveFlops ? toSchedule(sequence) : Schedule())
    add(flops, graph.ops[op].flops);
  for (uint32_t n : sequence) {
    const Op &op = graph.ops[nodes[n].op];
    add(bytes, op.scratchBytes);
    add(bytes, made[nodes[n].op]);
    if (!viewsHaveFlops)
      add(flops, op.flops);
  }
  return bytes && flops;
}

int64_t RepeatModel::extraFlops(const Sequence &sequence) const {
  std::vector<bool> hasRun(graph.ops.size());
  int64_t flops = 0;
  auto count = [&](OpId op) {
    if (hasRun[op])
      flops += graph.ops[op].flops;
    hasRun[op] = true;
  };
  if (viewsHaveFlops)
    for (OpId op : toSchedule(sequence))
      count(op);
  else
    for (uint32_t n : sequence)
      count(nodes[n].op);
  return flops;
}

Schedule RepeatModel::toSchedule(const Sequence &sequence) const {
  Schedule schedule;
  // By storage: how often its maker has run. By view op: this number of its
  // storage, plus one, when the view was derived last.
  std::vector<uint32_t> madeTimes(graph.storages.size());
  std::vector<uint32_t> derivedAt(graph.ops.size());
  std::vector<ValueId> chain;
  auto derive = [&](ValueId value) {
    chain.assign(1, value);
    // For views of views, the innermost is derived first.
    for (size_t i = 0; i < chain.size(); ++i)
      if (OpId op = makers[chain[i]]; op != noOp && isViewOp[op])
        for (ValueId operand : graph.ops[op].operands)
          if (makers[operand] != noOp && isViewOp[makers[operand]])
            chain.push_back(operand);
    for (size_t i = chain.size(); i-- > 0;) {
      OpId op = makers[chain[i]];
      if (op == noOp || !isViewOp[op])
        continue;
      uint32_t now = madeTimes[graph.values[chain[i]].storage] + 1;
      if (derivedAt[op] == now)
        continue;
      derivedAt[op] = now;
      schedule.push_back(op);
    }
  };
  for (uint32_t n : sequence) {
    const Op &op = graph.ops[nodes[n].op];
    for (ValueId operand : op.operands)
      derive(operand);
    schedule.push_back(nodes[n].op);
    std::vector<StorageId> made;
    made.reserve(op.results.size());
    for (ValueId v : op.results)
      made.push_back(graph.values[v].storage);
    std::sort(made.begin(), made.end());
    made.erase(std::unique(made.begin(), made.end()), made.end());
    for (StorageId s : made)
      ++madeTimes[s];
  }
  for (ValueId output : graph.outputs)
    derive(output);
  return schedule;
}

Sequence RepeatModel::toSequence(const Schedule &schedule) const {
  Sequence sequence;
  for (OpId op : schedule)
    if (nodeOf[op] != none)
      sequence.push_back(nodeOf[op]);
  return sequence;
}
