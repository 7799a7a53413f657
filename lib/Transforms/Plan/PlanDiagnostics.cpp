//===- PlanDiagnostics.cpp - Remarks and errors of planning ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanDiagnostics.h"

#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/Verify.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

static remark::RemarkOpts makeOptions(StringRef name, StringRef function) {
  return remark::RemarkOpts::name(name)
      .category("plan-memory")
      .function(function);
}

/// A buffer at `offset` in the frame of each of `workers`.
static void emitWorkerRemarks(const WorkerFrame &workers, StringRef function) {
  for (const ArenaProblem &arena : workers.problem.arenas) {
    if (!arena.plan.hasOffsets())
      continue;
    for (auto [index, buffer] : arena.placements) {
      const BufferRecord &record = workers.problem.buffers[index];
      int64_t offset = arena.plan.offsets[buffer];
      remark::passed(record.allocation->getLoc(),
                     makeOptions("BufferPlanned", function))
          << record.name + " planned at offset " + std::to_string(offset) +
                 " of the frame of each of " + std::to_string(workers.count) +
                 " workers"
          << remark::metric("Offset", offset)
          << remark::metric("Bytes", record.size)
          << remark::metric("Workers", workers.count);
    }
  }
}

void memplan::emitRemarks(const FunctionProblem &problem) {
  FunctionOpInterface function = problem.function;
  StringRef name = function.getName();
  if (!function.getContext()->getRemarkEngine())
    return;
  if (problem.alreadyPlanned) {
    remark::analysis(function.getLoc(), makeOptions("AlreadyPlanned", name))
        << "already has an arena";
    return;
  }
  for (const ArenaProblem &arena : problem.arenas) {
    const Plan &plan = arena.plan;
    int64_t sum = 0;
    for (auto [index, buffer] : arena.placements) {
      const BufferRecord &record = problem.buffers[index];
      sum += record.size;
      if (plan.hasOffsets())
        remark::passed(record.allocation->getLoc(),
                       makeOptions("BufferPlanned", name))
            << record.name + " planned at offset " +
                   std::to_string(plan.offsets[buffer])
            << remark::metric("Offset", plan.offsets[buffer])
            << remark::metric("Bytes", record.size);
    }
    if (plan.hasOffsets())
      remark::analysis(function.getLoc(), makeOptions("ArenaPlan", name))
          << "arena" << remark::metric("ArenaBytes", plan.arenaSize)
          << remark::metric("BoundBytes", plan.lowerBound)
          << remark::metric("SumBytes", sum)
          << remark::metric("Buffers",
                            static_cast<int64_t>(arena.placements.size()));
  }
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame :
         llvm::reverse(problem.workers->frames))
      emitWorkerRemarks(*frame, name);
  for (const BufferRecord &record : problem.buffers) {
    if (record.isPlanned())
      continue;
    std::string text = record.name + " not planned: it " + record.reason;
    if (record.culprit) {
      std::string where;
      llvm::raw_string_ostream(where) << record.culprit->getLoc();
      text += " at " + where;
    }
    remark::missed(record.allocation->getLoc(),
                   makeOptions("BufferNotPlanned", name))
        << text;
  }
}

void memplan::emitRecursionRemark(const FunctionProblem &problem) {
  FunctionOpInterface function = problem.function;
  remark::analysis(function.getLoc(),
                   makeOptions("RecursiveFunction", function.getName()))
      << "is recursive: each activation allocates an arena of its own";
}

LogicalResult memplan::checkPlan(ProblemOp op, ArrayRef<BufferOp> buffers,
                                 const Problem &problem, const Plan &plan) {
  const std::optional<int64_t> &capacity = problem.capacity;
  StringRef function = op.getFunction();
  if (plan.status == PlanStatus::Invalid) {
    InFlightDiagnostic error = emitError(op.getLoc())
                               << "no plan for the arena of @" << function
                               << ": " << plan.message;
    for (const Issue &issue : check(problem))
      for (BufferIndex buffer : issue.buffers)
        error.attachNote(BufferOp(buffers[buffer]).getLoc()) << issue.message;
    return error;
  }
  bool fits = plan.hasOffsets() && (!capacity || plan.arenaSize <= *capacity);
  if (buffers.empty() || fits)
    return success();
  InFlightDiagnostic error = emitError(op.getLoc());
  error << "arena of @" << function;
  if (!capacity)
    return error << " has no plan: " << plan.message;
  // Where even the bound is too large, no strategy could do better.
  bool impossible = plan.lowerBound > *capacity;
  int64_t needed =
      impossible || !plan.hasOffsets() ? plan.lowerBound : plan.arenaSize;
  error << " requires " << (impossible ? "at least " : "") << needed
        << " bytes but its capacity is " << *capacity;
  if (needed > *capacity)
    error << ", " << needed - *capacity << " too few";
  if (!impossible)
    error << " (strategy " << plan.strategy << "; the lower bound is "
          << plan.lowerBound << ")";
  Peak peak = findPeak(problem);
  constexpr size_t kMost = 16;
  for (size_t i = 0; i < std::min(peak.buffers.size(), kMost); ++i) {
    BufferOp buffer = buffers[peak.buffers[i]];
    error.attachNote(buffer.getLoc())
        << buffer.getSymName() << ", " << problem.buffers[peak.buffers[i]].size
        << " bytes, is live at the peak of " << peak.bytes << " bytes";
  }
  if (peak.buffers.size() > kMost)
    error.attachNote(op.getLoc())
        << "and " << peak.buffers.size() - kMost << " more buffers";
  return failure();
}

LogicalResult memplan::checkOptions(Location loc, int64_t alignment,
                                    int64_t capacity, int64_t maxParallelOps) {
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return emitError(loc) << "alignment " << alignment
                          << " is not a power of two";
  if (alignment > kMaxAlignment)
    return emitError(loc) << "alignment " << alignment << " is more than "
                          << kMaxAlignment;
  if (capacity < 0)
    return emitError(loc) << "capacity " << capacity << " is negative";
  if (maxParallelOps < 0)
    return emitError(loc) << "max-parallel-ops " << maxParallelOps
                          << " is negative";
  return success();
}

LogicalResult memplan::checkWorkers(Location loc, StringRef option,
                                    int64_t workers, int64_t least) {
  if (workers < least)
    return emitError(loc) << option << " " << workers << " is less than "
                          << least;
  return success();
}

LogicalResult memplan::checkCallOptions(Location loc, PlanScope scope,
                                        ArrayRef<std::string> entryPoints,
                                        int64_t maxWorkers,
                                        int64_t parallelWorkers) {
  if (failed(checkWorkers(loc, "max-workers", maxWorkers, 0)) ||
      failed(checkWorkers(loc, "parallel-workers", parallelWorkers, 0)))
    return failure();
  if (!entryPoints.empty() && scope != PlanScope::Module)
    return emitError(loc) << "entry-points means nothing without scope=module";
  return success();
}
