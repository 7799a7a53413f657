//===- SweepPeak.h - Where sweeps start -------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers that are live in one full section, from which two sweeps start
// (SweepSearch.h). They form a stack without holes; its order decides where
// gaps appear when its buffers end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SWEEPPEAK_H
#define MEMPLAN_LIB_CORE_SWEEPPEAK_H

#include "Model/Model.h"
#include "Sweeps/Sweep.h"
#include "memplan/Core/CheckedMath.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::detail {

/// Converts sections to the times of a sweep: from section `start` on, or
/// backwards.
struct SweepView {
  int64_t start;
  bool isAfter;
  /// The warped time at which each section begins, and the end of the last.
  const std::vector<int64_t> &warp;

  std::pair<int64_t, int64_t> of(SectionRange range) const {
    int64_t begin = range.begin, end = range.end;
    return isAfter ? std::make_pair(begin - start, end - start)
                   : std::make_pair(start + 1 - end, start + 1 - begin);
  }
  std::pair<int64_t, int64_t> warped(SectionRange range) const {
    return isAfter ? std::make_pair(warp[range.begin], warp[range.end])
                   : std::make_pair(-warp[range.end], -warp[range.begin]);
  }
};

class SweepPeak {
public:
  /// Model and warp must outlive the peak. `goal` is in bytes.
  SweepPeak(const Model &model, const std::vector<int64_t> &warp,
            uint32_t section, int64_t goal)
      : section(section), model(&model), warp(&warp), goal(goal) {}

  /// The views of the sweeps from the section on, and backwards.
  SweepView after() const { return {section, true, *warp}; }
  SweepView before() const { return {section, false, *warp}; }

  /// Adds a buffer that is live in the section.
  void add(BufferIndex b) {
    order.push_back(uint32_t(members.size()));
    members.push_back(b);
  }
  const std::vector<BufferIndex> &buffers() const { return members; }

  /// Chooses the order of the stack such that buffers next to each other begin
  /// and end at similar times.
  void arrange(Random &random, SweepEffort &effort);
  /// Changes the order of the stack such that the two sweeps get far.
  void climb(Sweep &backward, Sweep &forward, Random &random,
             SweepEffort &effort);

  bool isWithinGoal() const { return height() <= goal; }
  /// The offset of each buffer in bytes.
  std::vector<int64_t> offsets() const;

  /// A sweep that places the buffers of `list`, and its start with the stack.
  Sweep makeSweep(const SweepView &view,
                  const std::vector<BufferIndex> &list) const;
  void startSweep(Sweep &sweep) const;

  uint32_t section;

private:
  /// The steps of the two sweeps, and the positions in the stack of the buffers
  /// that have ended when the worse sweep fails.
  struct Score {
    size_t worse = 0, better = 0;
    std::vector<uint32_t> gone;
    bool operator<(const Score &other) const {
      return worse != other.worse ? worse < other.worse : better < other.better;
    }
  };
  Score judge(Sweep &backward, Sweep &forward, size_t steps,
              SweepEffort &effort) const;
  void move(const std::vector<uint32_t> &gone, Random &random);

  std::vector<Job> jobsOf(const SweepView &view,
                          const std::vector<BufferIndex> &list) const;
  /// Calls the function with the index and the offset of each buffer, from
  /// offset 0 upwards. Returns the height of the stack in bytes.
  template <typename Function> int64_t visit(Function function) const;
  int64_t height() const {
    return visit([](uint32_t, int64_t) {});
  }

  std::vector<BufferIndex> members;
  /// The stack, from offset 0 upwards: indices of members.
  std::vector<uint32_t> order;
  const Model *model;
  const std::vector<int64_t> *warp;
  int64_t goal;
};

template <typename Function> int64_t SweepPeak::visit(Function function) const {
  int64_t at = 0;
  for (uint32_t i : order) {
    int64_t low = alignTo(at, model->alignOf(members[i]));
    function(i, low);
    at = low + model->sizeOf(members[i]);
  }
  return at;
}

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SWEEPPEAK_H
