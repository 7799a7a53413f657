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
  /// The first time point that reaches it.
  int64_t time = 0;
  /// The buffers live then, largest first, then by index.
  std::vector<BufferIndex> buffers;
};

/// Max load by one sweep over time, O(n log n). Ignores permitted overlaps, so
/// with overlaps it is a figure for people, not a bound.
Peak findPeak(const Problem &problem);

/// Bytes: no correct plan has a smaller arena. Max load (buffers that a
/// permitted overlap may let share are counted so that the value stays a
/// bound), strengthened where a proof exists.
int64_t lowerBound(const Problem &problem);

/// Bytes: the sum of all sizes (each on its own, without padding).
int64_t totalSize(const Problem &problem);

} // namespace memplan

#endif // MEMPLAN_CORE_BOUND_H
