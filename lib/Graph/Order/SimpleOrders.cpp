//===- SimpleOrders.cpp - Orders without search ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order/Orders.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan::graph;

Schedule memplan::graph::lpmfOrder(const LiveModel &model) {
  std::vector<uint32_t> left(model.items.size()), waits(model.size());
  for (uint32_t item = 0; item < left.size(); ++item)
    left[item] = static_cast<uint32_t>(model.touchedBy.size(item));
  std::vector<OpId> ready;
  for (OpId op = 0; op < model.size(); ++op) {
    waits[op] = static_cast<uint32_t>(model.before.size(op));
    if (waits[op] == 0)
      ready.push_back(op);
  }
  Schedule order;
  auto isLast = [&](uint32_t item) { return left[item] == 1; };
  int64_t live = model.firstBytes, peak = model.startBytes;
  while (!ready.empty()) {
    size_t best = 0;
    std::tuple<int64_t, int64_t, OpId> bestKey;
    for (size_t i = 0; i < ready.size(); ++i) {
      OpId op = ready[i];
      int64_t freed = 0;
      for (uint32_t item : model.touched[op])
        if (left[item] == 1 && model.items[item].isReleased)
          freed += model.items[item].bytes;
      std::tuple<int64_t, int64_t, OpId> key = {
          std::max(peak, live + model.made[op] + model.scratch[op] -
                             takenBytes(model.takeovers[op], isLast)),
          model.made[op] - freed, op};
      if (i == 0 || key < bestKey) {
        best = i;
        bestKey = key;
      }
    }
    OpId op = ready[best];
    ready[best] = ready.back();
    ready.pop_back();
    order.push_back(op);
    peak = std::get<0>(bestKey);
    live += std::get<1>(bestKey);
    for (uint32_t item : model.touched[op])
      --left[item];
    for (uint32_t next : model.after[op])
      if (--waits[next] == 0)
        ready.push_back(next);
  }
  return order;
}

Schedule memplan::graph::dfsOrder(const LiveModel &model) {
  std::vector<bool> isVisited(model.size());
  Schedule order;
  struct Frame {
    OpId op;
    std::vector<OpId> before;
    size_t next;
  };
  std::vector<Frame> stack;
  auto visit = [&](OpId op) {
    if (isVisited[op])
      return;
    isVisited[op] = true;
    std::vector<OpId> before(model.before[op].begin(), model.before[op].end());
    std::stable_sort(before.begin(), before.end(), [&](OpId a, OpId b) {
      return model.made[a] > model.made[b];
    });
    stack.push_back({op, std::move(before), 0});
  };
  for (OpId root = 0; root < model.size(); ++root) {
    if (model.after.size(root) != 0)
      continue;
    visit(root);
    while (!stack.empty()) {
      if (stack.back().next < stack.back().before.size()) {
        visit(stack.back().before[stack.back().next++]);
        continue;
      }
      order.push_back(stack.back().op);
      stack.pop_back();
    }
  }
  return order;
}

Schedule memplan::graph::bfsOrder(const LiveModel &model) {
  std::vector<uint32_t> depth(model.size());
  for (OpId op = 0; op < model.size(); ++op)
    for (uint32_t before : model.before[op])
      depth[op] = std::max(depth[op], depth[before] + 1);
  Schedule order(model.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](OpId a, OpId b) { return depth[a] < depth[b]; });
  return order;
}
