//===- CheckOptions.cpp - Range checks of pass options --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"

#include "memplan/Analysis/BuildProblem.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

LogicalResult memplan::checkOptions(Location loc, int64_t alignment,
                                    const Capacities &capacities) {
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return emitError(loc) << "alignment " << alignment
                          << " is not a power of two";
  if (alignment > kMaxAlignment)
    return emitError(loc) << "alignment " << alignment << " is more than "
                          << kMaxAlignment;
  if (int64_t bytes = capacities.least(); bytes < 0)
    return emitError(loc) << "capacity " << bytes << " is negative";
  return success();
}

LogicalResult memplan::checkSolverOptions(Location loc, int64_t nodeLimit,
                                          int64_t timeLimitMs,
                                          unsigned threads) {
  // Longer than any run, and small enough for the nanoseconds of the clock.
  constexpr int64_t kMostMilliseconds = INT64_MAX / 10'000'000;
  constexpr unsigned kMostThreads = 1024;
  if (nodeLimit < 0)
    return emitError(loc) << "node-limit " << nodeLimit << " is negative";
  if (timeLimitMs < 0)
    return emitError(loc) << "time-limit-ms " << timeLimitMs << " is negative";
  if (timeLimitMs > kMostMilliseconds)
    return emitError(loc) << "time-limit-ms " << timeLimitMs << " is more than "
                          << kMostMilliseconds;
  if (threads > kMostThreads)
    return emitError(loc) << "threads " << threads << " is more than "
                          << kMostThreads;
  return success();
}

LogicalResult memplan::checkAtLeast(Location loc, StringRef option,
                                    int64_t value, int64_t least) {
  if (value < least)
    return emitError(loc) << option << " " << value << " is less than "
                          << least;
  return success();
}

LogicalResult memplan::checkResultOptions(Location loc, ResultPlacement results,
                                          ArenaPlacement arena) {
  if (results == ResultPlacement::Arena && arena != ArenaPlacement::Argument &&
      arena != ArenaPlacement::Global)
    return emitError(loc) << "results=arena needs arena=argument or "
                             "arena=global: no other arena outlives the call";
  if (results == ResultPlacement::Lend && arena == ArenaPlacement::Argument)
    return emitError(loc) << "results=lend does not go with arena=argument; "
                             "results=arena needs the least memory there";
  return success();
}
