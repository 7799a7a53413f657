//===- Orders.cpp - Placement orders --------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/Orders.h"

#include "Search/FullestSection.h"
#include "Strategies/Strategies.h"

#include <tuple>

using namespace memplan;
using namespace memplan::detail;

std::string_view detail::orderName(Order order) {
  switch (order) {
  case Order::Breadth:
    return "breadth";
  case Order::Size:
    return "size";
  case Order::TotalWidth:
    return "total-width";
  case Order::Area:
    return "area";
  case Order::BreadthLife:
    return "breadth-life";
  case Order::Lifetime:
    return "lifetime";
  case Order::Start:
    return "start";
  }
  return "start";
}

/// The time for which the buffer is live. It is a double because the lengths of
/// the live ranges and their sum may not fit int64_t.
static double timeLive(const Model &model, BufferIndex b) {
  double time = 0;
  for (const LiveRange &range : model.problem.buffers[b].ranges)
    time += double(range.end) - double(range.start);
  return time;
}

std::vector<BufferIndex> detail::orderOf(const Model &model, Order order) {
  auto start = [&](BufferIndex b) {
    return model.problem.buffers[b].ranges.front().start;
  };
  auto size = [&](BufferIndex b) { return model.sizeOf(b); };
  auto time = [&](BufferIndex b) { return timeLive(model, b); };
  switch (order) {
  case Order::Breadth:
    return breadthOrder(model);
  case Order::Size:
    return orderBy(model, [&](BufferIndex b) {
      return std::make_pair(-size(b), start(b));
    });
  case Order::Area:
    return orderBy(model, [&](BufferIndex b) {
      return std::make_tuple(-double(size(b)) * time(b), -size(b), start(b));
    });
  case Order::Lifetime:
    return orderBy(model, [&](BufferIndex b) {
      return std::make_tuple(-time(b), -size(b), start(b));
    });
  case Order::Start:
    return orderBy(model, start);
  case Order::TotalWidth:
  case Order::BreadthLife:
    break;
  }
  FullestSection fullest(model.sectionLoads());
  bool bySection = order == Order::BreadthLife;
  return orderBy(model, [&](BufferIndex b) {
    uint32_t section = fullest.find(model.ranges(b));
    int64_t load = section == UINT32_MAX ? 0 : fullest.load(section);
    return std::make_tuple(-load, bySection ? section : 0, -time(b), -size(b));
  });
}
