//===- Reference.h - Random problems and exhaustive search ---- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// References for tests of the solvers: seeded random problems with every
// feature of the model, and the optimum by enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CORE_REFERENCE_H
#define MEMPLAN_TEST_UNIT_CORE_REFERENCE_H

#include "memplan/Core/Problem.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace memplan::test {

/// Gives the same numbers on every machine, unlike the distributions of
/// <random>.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Nearly uniform in [low, high].
  int64_t in(int64_t low, int64_t high);
  bool chance(int percent) { return in(1, 100) <= percent; }

private:
  uint64_t state;
};

/// The features that a random problem may use, and its size.
struct RandomOptions {
  int maxBuffers = 7;
  int64_t maxSize = 6;
  int64_t maxTime = 12;
  bool severalRanges = true;
  bool alignment = true;
  bool pins = true;
  bool conflicts = true;
  bool overlaps = true;
  /// Soft conflicts, pairs of all or none, and banks.
  bool sharing = false;
};

/// A well-formed problem; its pins may contradict each other.
Problem randomProblem(uint64_t seed, const RandomOptions &options);

/// A problem of `count` buffers of a few sizes, each live for up to `life` of
/// `count` steps; some of them are aligned.
Problem fewSizes(uint64_t seed, int count, int64_t life, int64_t alignment = 1);

/// The least arena of a correct plan, by trying every offset of every buffer;
/// std::nullopt if it exceeds `limit` bytes.
std::optional<int64_t> exhaustiveOptimum(const Problem &problem, int64_t limit);

/// The least penalty of a plan of at most `capacity` bytes and the least arena
/// with that penalty, by trying every offset of every buffer; std::nullopt if
/// there is no such plan.
std::optional<std::pair<int64_t, int64_t>>
exhaustiveSharing(const Problem &problem, int64_t capacity);

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_CORE_REFERENCE_H
