//===- MergePhiCycles.cpp - Slots that several phi cycles share -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots/MergePhiCycles.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>

using namespace mlir;
using namespace memplan;

/// Bounds of the cost: each attempt walks the control flow once, and sweeps
/// once over all buffers if it saves slots.
constexpr size_t kMostAttempts = 64;
constexpr size_t kMostMembers = 256;

static LiveRanges getRanges(const PhiCycle &cycle) {
  LiveRanges ranges;
  for (const LiveRanges &slot : cycle.slots)
    ranges.insert(ranges.end(), slot.begin(), slot.end());
  normalizeRanges(ranges);
  return ranges;
}

void memplan::settleRecords(FunctionProblem &problem, const PhiCycle &cycle) {
  LiveRanges ranges = getRanges(cycle);
  int64_t alignment = 1;
  for (unsigned index : cycle.records)
    alignment = std::max(alignment, problem.buffers[index].alignment);
  for (auto [index, live] : llvm::zip_equal(cycle.records, cycle.liveOf)) {
    BufferRecord &record = problem.buffers[index];
    record.lifetime = ranges;
    record.held = live;
    record.slotOwner = index;
    record.alignment = alignment;
  }
}

namespace {
class Merger {
public:
  Merger(FunctionProblem &problem, std::vector<CarriedGroup> &groups,
         FindPhiCycleFn find)
      : problem(problem), groups(groups), find(find) {}

  void run(CongruentSizes &sizes) {
    llvm::MapVector<unsigned, SmallVector<unsigned>> byShape;
    for (auto [i, cycle] : llvm::enumerate(problem.phiCycles)) {
      Operation *first = problem.buffers[cycle.records.front()].origin;
      byShape[sizes.getShape(first->getResult(0))].push_back(
          static_cast<unsigned>(i));
    }
    for (auto &[shape, phiCycles] : byShape)
      for (ArrayRef<unsigned> together : cluster(phiCycles))
        mergeAll(together);
    std::vector<PhiCycle> kept;
    for (auto [i, cycle] : llvm::enumerate(problem.phiCycles))
      if (!isGone(static_cast<unsigned>(i)))
        kept.push_back(std::move(cycle));
    problem.phiCycles = std::move(kept);
  }

private:
  bool isGone(unsigned i) const { return groups[i].members.empty(); }

  /// Groups the phi cycles whose spans overlap, directly or through others.
  std::vector<SmallVector<unsigned>> cluster(SmallVector<unsigned> phiCycles) {
    auto span = [&](unsigned i) {
      LiveRanges ranges = getRanges(problem.phiCycles[i]);
      return LiveRange{ranges.front().start, ranges.back().end};
    };
    std::vector<std::pair<LiveRange, unsigned>> spans;
    for (unsigned i : phiCycles)
      spans.push_back({span(i), i});
    llvm::sort(spans, [](const auto &a, const auto &b) {
      return std::tie(a.first.start, a.second) <
             std::tie(b.first.start, b.second);
    });
    std::vector<SmallVector<unsigned>> clusters;
    int64_t end = -1;
    for (auto &[range, i] : spans) {
      if (clusters.empty() || range.start >= end)
        clusters.emplace_back();
      clusters.back().push_back(i);
      end = std::max(end, range.end);
    }
    return clusters;
  }

  /// Merges all of them at once; if that fails, merges pairs one after the
  /// other.
  void mergeAll(ArrayRef<unsigned> together) {
    if (together.size() < 2 || merge(together))
      return;
    if (together.size() == 2)
      return;
    for (auto [n, first] : llvm::enumerate(together))
      for (unsigned next : together.drop_front(n + 1))
        if (!isGone(first) && !isGone(next))
          merge({first, next});
  }

  bool merge(ArrayRef<unsigned> parts) {
    CarriedGroup group;
    size_t slots = 0;
    std::vector<unsigned> records;
    for (unsigned i : parts) {
      const PhiCycle &cycle = problem.phiCycles[i];
      llvm::append_range(group.members, groups[i].members);
      llvm::append_range(group.carried, groups[i].carried);
      llvm::append_range(records, cycle.records);
      slots += cycle.slots.size();
    }
    if (group.members.size() > kMostMembers || attempts == kMostAttempts)
      return false;
    ++attempts;
    llvm::sort(group.members);
    llvm::sort(group.carried);
    llvm::sort(records);
    std::optional<PhiCycle> merged = find(group.members, group.carried);
    if (!merged || merged->slots.size() >= slots || merged->records != records)
      return false;
    SmallVector<const PhiCycle *> before, after{&*merged};
    for (auto [i, cycle] : llvm::enumerate(problem.phiCycles)) {
      if (isGone(static_cast<unsigned>(i)))
        continue;
      before.push_back(&cycle);
      if (!llvm::is_contained(parts, i))
        after.push_back(&cycle);
    }
    if (computePeak(after) >= computePeak(before))
      return false;
    settleRecords(problem, *merged);
    problem.phiCycles[parts.front()] = std::move(*merged);
    groups[parts.front()] = std::move(group);
    for (unsigned i : parts.drop_front())
      groups[i] = {};
    return true;
  }

  /// The most bytes that are live at one point, with these phi cycles. A slot
  /// counts wherever it may be held, so fewer slots are not always fewer bytes.
  int64_t computePeak(ArrayRef<const PhiCycle *> phiCycles) const {
    std::vector<std::pair<int64_t, int64_t>> events;
    auto add = [&](const LiveRanges &ranges, int64_t size) {
      for (const LiveRange &range : ranges) {
        events.push_back({range.start, size});
        events.push_back({range.end, -size});
      }
    };
    llvm::DenseSet<unsigned> inPhiCycles;
    for (const PhiCycle *cycle : phiCycles) {
      inPhiCycles.insert(cycle->records.begin(), cycle->records.end());
      for (const LiveRanges &slot : cycle->slots)
        add(slot, problem.buffers[cycle->records.front()].size);
    }
    llvm::DenseMap<unsigned, int64_t> sizes;
    for (auto [i, record] : llvm::enumerate(problem.buffers))
      if (record.isPlanned() && !inPhiCycles.contains(static_cast<unsigned>(i)))
        sizes[record.slotOwner] =
            std::max(sizes[record.slotOwner], record.size);
    for (auto [i, record] : llvm::enumerate(problem.buffers))
      if (record.isPlanned() && record.slotOwner == i &&
          !inPhiCycles.contains(static_cast<unsigned>(i)))
        add(record.lifetime, sizes[record.slotOwner]);
    // At one point the ends, which are negative, come before the begins.
    llvm::sort(events);
    int64_t bytes = 0, peak = 0;
    for (auto [point, change] : events)
      peak = std::max(peak, bytes += change);
    return peak;
  }

  FunctionProblem &problem;
  std::vector<CarriedGroup> &groups;
  FindPhiCycleFn find;
  size_t attempts = 0;
};
} // namespace

void memplan::mergePhiCycles(FunctionProblem &problem,
                             std::vector<CarriedGroup> groups,
                             CongruentSizes &sizes, FindPhiCycleFn find) {
  if (problem.phiCycles.size() > 1)
    Merger(problem, groups, find).run(sizes);
}
