//===- LiveModel.cpp - The memory of an order -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/LiveModel.h"

#include <algorithm>

using namespace memplan::graph;

Lists::Lists(const std::vector<std::vector<uint32_t>> &lists) {
  first.reserve(lists.size() + 1);
  first.push_back(0);
  for (std::vector<uint32_t> list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    items.insert(items.end(), list.begin(), list.end());
    first.push_back(items.size());
  }
}

LiveModel::LiveModel(const OpGraph &graph, const Schedule &source,
                     const MemoryOptions &options)
    : ops(source), scratch(source.size()), made(source.size()),
      takeovers(source.size()), otherTies(source.size()) {
  std::vector<OpId> local(graph.ops.size(), noOp);
  for (OpId k = 0; k < ops.size(); ++k)
    local[ops[k]] = k;

  std::vector<OpId> makers = valueMakers(graph);
  std::vector<std::vector<uint32_t>> preds(size()), succs(size()),
      users(graph.storages.size());
  auto order = [&](OpId first, OpId second) {
    if (first == noOp || first == second)
      return;
    preds[second].push_back(first);
    succs[first].push_back(second);
  };
  OpId lastRandom = noOp;
  for (OpId k = 0; k < size(); ++k) {
    const Op &op = graph.ops[ops[k]];
    scratch[k] = op.scratchBytes;
    for (ValueId operand : op.operands) {
      users[graph.values[operand].storage].push_back(k);
      if (makers[operand] != noOp)
        order(local[makers[operand]], k);
    }
    for (ValueId result : op.results)
      users[graph.values[result].storage].push_back(k);
    for (OpId first : op.after)
      order(local[first], k);
    if (op.randomness == Randomness::ImplicitState) {
      order(lastRandom, k);
      lastRandom = k;
    }
  }
  before = Lists(preds);
  after = Lists(succs);

  // The simulation of the schedule tells which memory is held, unclaimed or
  // excluded.
  MemoryOptions plain = options;
  plain.takeTies = false;
  ScheduleMemory memory = runSchedule(graph, source, plain);
  std::vector<std::vector<uint32_t>> touchers, touches(size());
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> itemOf(graph.storages.size(), none);
  auto addItem = [&](int64_t bytes, OpId maker, bool isReleased,
                     std::vector<uint32_t> by) {
    if (bytes == 0)
      return;
    items.push_back({bytes, maker, isReleased});
    touchers.push_back(std::move(by));
  };
  for (const Allocation &allocation : memory.allocations) {
    OpId maker = memory.opAt[allocation.begin];
    if (maker != noOp)
      maker = local[maker];
    const std::vector<uint32_t> &by = users[allocation.storage];
    if (maker == noOp) {
      startBytes += allocation.bytes;
      if (allocation.isReleased && by.empty())
        continue;
      firstBytes += allocation.bytes;
      itemOf[allocation.storage] = static_cast<uint32_t>(items.size());
      addItem(allocation.bytes, noOp, allocation.isReleased, by);
      continue;
    }
    made[maker] += allocation.bytes;
    itemOf[allocation.storage] = static_cast<uint32_t>(items.size());
    addItem(allocation.bytes - allocation.restBytes, maker,
            allocation.isReleased, by);
    addItem(allocation.restBytes, maker, true, {maker});
  }
  touchedBy = Lists(touchers);
  for (uint32_t item = 0; item < items.size(); ++item)
    for (uint32_t op : touchedBy[item])
      touches[op].push_back(item);
  touched = Lists(touches);
  if (!options.takeTies)
    return;
  for (OpId k = 0; k < size(); ++k) {
    Takeovers found = findTakeovers(graph, graph.ops[ops[k]]);
    otherTies[k] = found.otherBytes;
    hasOtherTies |= !found.isComplete;
    for (Takeover entry : found.list) {
      uint32_t taken = itemOf[entry.taken];
      if (taken != none && items[taken].isReleased)
        takeovers[k].push_back({itemOf[entry.made], taken, entry.bytes});
    }
  }
}

int64_t LiveModel::peakOf(const Schedule &order,
                          std::vector<int64_t> *live) const {
  std::vector<uint32_t> left(items.size());
  for (uint32_t item = 0; item < items.size(); ++item)
    left[item] = static_cast<uint32_t>(touchedBy.size(item));
  if (live)
    live->resize(order.size());
  int64_t bytes = firstBytes, peak = startBytes;
  auto isLast = [&](uint32_t item) { return left[item] == 1; };
  for (size_t k = 0; k < order.size(); ++k) {
    OpId op = order[k];
    bytes += made[op];
    int64_t now = bytes + scratch[op] - takenBytes(takeovers[op], isLast);
    peak = std::max(peak, now);
    if (live)
      (*live)[k] = now;
    for (uint32_t item : touched[op])
      if (--left[item] == 0 && items[item].isReleased)
        bytes -= items[item].bytes;
  }
  return peak;
}

Schedule LiveModel::toSchedule(const Schedule &order) const {
  Schedule schedule(order.size());
  for (size_t k = 0; k < order.size(); ++k)
    schedule[k] = ops[order[k]];
  return schedule;
}
