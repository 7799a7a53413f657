//===- Bound.h - Lower bounds of the arena size -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_BOUND_H
#define MEMPLAN_CORE_BOUND_H

#include "memplan/Core/Problem.h"

#include <cstdint>
#include <vector>

namespace memplan {

/// The time at which the most bytes are live at once.
struct Peak {
  /// Sum of the sizes live at `time`, bytes. 0 for an empty problem.
  int64_t bytes = 0;
  /// The first time point at which `bytes` are live.
  int64_t time = 0;
  /// The buffers live at `time`, the largest first, then by index. Buffers of
  /// size 0 are left out.
  std::vector<BufferIndex> buffers;
};

/// The maximal load (sum of the sizes live at once), by one sweep over time in
/// O(n log n). It ignores permitted overlaps: where the problem has some, the
/// result is for display only and not a lower bound.
Peak findPeak(const Problem &problem);

/// In bytes: no correct plan has a smaller arena. It is at least the maximal
/// load, with permitted overlaps accounted for, and higher where alignments,
/// pins or conflicts prove more (lib/Core/Model/Bound.cpp). Requires a problem
/// that check() accepts.
int64_t lowerBound(const Problem &problem);

/// The sum of all sizes, in bytes and without padding for alignment.
int64_t totalSize(const Problem &problem);

} // namespace memplan

#endif // MEMPLAN_CORE_BOUND_H
