//===- AsyncUses.h - When asynchronous work is finished ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_ASYNCUSES_H
#define MEMPLAN_ANALYSIS_ASYNCUSES_H

#include "memplan/Analysis/ProgramOrder.h"
#include "memplan/Core/Problem.h"

#include <memory>

namespace memplan {

/// True for ops that start work which may go on after the op (see AsyncWork.h).
bool startsAsyncWork(mlir::Operation *op);

/// Tells how long the work that an op starts may be running.
///
///     %t = async.execute { use %a }        pending from here
///     %u = async.execute [%t] { ... }      %u covers %t's work too
///     async.await %u                       to here
///
/// Control is followed forwards from the start, together with the values that
/// tell when the work is finished: the results of the op, the results of work
/// that depends on it, the groups that they were added to, and the values to
/// which control forwards these. A path ends where one of them is awaited. If a
/// path loses the last of them (it is returned, stored, passed to a call,
/// belongs to the previous iteration, or is in a region that is left), the work
/// is never known to be finished.
class AsyncUses {
public:
  explicit AsyncUses(const ProgramOrder &order) : order(order) {}

  /// True if the work is known to be finished on every path.
  bool isAwaited(mlir::Operation *start) const { return find(start).awaited; }

  /// The points from the start to the awaits, both included. Valid only if the
  /// work is awaited and not inside an opaque op.
  const LiveRanges &getPending(mlir::Operation *start) const {
    return find(start).pending;
  }

private:
  struct Work {
    bool awaited = false;
    LiveRanges pending;
  };
  const Work &find(mlir::Operation *start) const;

  const ProgramOrder &order;
  mutable llvm::DenseMap<mlir::Operation *, std::unique_ptr<Work>> known;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_ASYNCUSES_H
