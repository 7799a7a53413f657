//===- Problem.cpp - The offset-assignment problem ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Problem.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <unordered_map>

using namespace memplan;

bool memplan::hasFormulas(const Problem &problem) {
  return std::any_of(problem.buffers.begin(), problem.buffers.end(),
                     [](const Buffer &b) { return b.formula.has_value(); });
}

Problem memplan::selectBuffers(const Problem &problem,
                               const std::vector<BufferIndex> &buffers) {
  Problem result;
  result.arenaAlignment = problem.arenaAlignment;
  result.bankSize = problem.bankSize;
  result.buffers.reserve(buffers.size());
  std::unordered_map<BufferIndex, BufferIndex> newIndex;
  for (BufferIndex b : buffers) {
    newIndex.emplace(b, static_cast<BufferIndex>(result.buffers.size()));
    result.buffers.push_back(problem.buffers[b]);
  }
  forEachPairList([&](const auto &field) {
    for (auto pair : problem.*field.member) {
      auto first = newIndex.find(pair.first);
      auto second = newIndex.find(pair.second);
      if (first == newIndex.end() || second == newIndex.end())
        continue;
      pair.first = first->second;
      pair.second = second->second;
      (result.*field.member).push_back(pair);
    }
  });
  return result;
}

int64_t memplan::arenaSizeOf(const Problem &problem,
                             const std::vector<int64_t> &offsets) {
  int64_t size = 0;
  for (size_t i = 0; i < offsets.size(); ++i)
    size = std::max(
        size,
        checkedAdd(offsets[i], problem.buffers[i].size).value_or(INT64_MAX));
  return size;
}

int64_t memplan::penaltyOf(const Problem &problem,
                           const std::vector<int64_t> &offsets) {
  uint64_t sum = 0;
  for (const SoftConflict &soft : problem.softConflicts) {
    int64_t a = offsets[soft.first], b = offsets[soft.second];
    int64_t sizeA = problem.buffers[soft.first].size;
    int64_t sizeB = problem.buffers[soft.second].size;
    if (sizeA == 0 || sizeB == 0)
      continue;
    bool pays = false;
    if (soft.kind == SoftConflict::Kind::Bytes)
      pays = a <= b ? uint64_t(b) - uint64_t(a) < uint64_t(sizeA)
                    : uint64_t(a) - uint64_t(b) < uint64_t(sizeB);
    else if (problem.bankSize.value_or(0) > 0)
      pays = a / *problem.bankSize == b / *problem.bankSize;
    if (pays)
      sum += uint64_t(soft.weight);
  }
  return static_cast<int64_t>(sum);
}

void memplan::normalizeRanges(LiveRanges &ranges) {
  ranges.erase(
      std::remove_if(ranges.begin(), ranges.end(),
                     [](const LiveRange &r) { return r.start >= r.end; }),
      ranges.end());
  std::sort(ranges.begin(), ranges.end(),
            [](const LiveRange &a, const LiveRange &b) {
              return a.start != b.start ? a.start < b.start : a.end < b.end;
            });
  size_t last = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].start <= ranges[last].end)
      ranges[last].end = std::max(ranges[last].end, ranges[i].end);
    else
      ranges[++last] = ranges[i];
  }
  if (!ranges.empty())
    ranges.resize(last + 1);
}

bool memplan::rangesIntersect(const LiveRanges &a, const LiveRanges &b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end <= b[j].start)
      ++i;
    else if (b[j].end <= a[i].start)
      ++j;
    else
      return true;
  }
  return false;
}
