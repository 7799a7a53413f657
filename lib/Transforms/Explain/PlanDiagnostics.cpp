//===- PlanDiagnostics.cpp - Remarks and checks of planning ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain/PlanDiagnostics.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Transforms/DescribePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// The remark about a planned buffer: its slot, or the slots of its phi cycle.
static void emitPlanned(const BufferRecord &record, const ArenaProblem &arena,
                        ArrayRef<BufferIndex> slots, StringRef function) {
  std::string offsets;
  for (BufferIndex slot : slots)
    offsets += (offsets.empty() ? "" : ", ") +
               std::to_string(arena.plan.offsets[slot]);
  if (slots.size() == 1) {
    remark::passed(record.origin->getLoc(),
                   makeOptions("BufferPlanned", function))
        << record.name + " planned at offset " + offsets
        << remark::metric("Offset", arena.plan.offsets[slots.front()])
        << remark::metric("Bytes", record.size);
    return;
  }
  remark::passed(record.origin->getLoc(),
                 makeOptions("BufferPlanned", function))
      << record.name + " moves through the slots at offsets " + offsets
      << remark::metric("Slots", static_cast<int64_t>(slots.size()))
      << remark::metric("Bytes", record.size);
}

/// The remarks about the buffers of a parallel loop's frame.
static void emitWorkerRemarks(const WorkerFrame &workers, StringRef function) {
  for (const ArenaProblem &arena : workers.problem.arenas) {
    if (!arena.plan.hasOffsets())
      continue;
    for (const auto &placement : arena.placements) {
      const BufferRecord &record = workers.problem.buffers[placement.first];
      SmallVector<BufferIndex, 2> slots = arena.getSlots(placement);
      if (slots.size() > 1) {
        emitPlanned(record, arena, slots, function);
        continue;
      }
      int64_t offset = arena.plan.offsets[slots.front()];
      remark::passed(record.origin->getLoc(),
                     makeOptions("BufferPlanned", function))
          << record.name + " planned at offset " + std::to_string(offset) +
                 (workers.count == 0
                      ? std::string(" of the arena of each iteration")
                      : " of the frame of each of " +
                            std::to_string(workers.count) + " workers")
          << remark::metric("Offset", offset)
          << remark::metric("Bytes", record.size)
          << remark::metric("Workers", workers.count);
    }
  }
}

std::string memplan::describeWayOut(const BufferRecord &record) {
  if (!isa_and_present<func::ReturnOp>(record.culprit))
    return "";
  return "results=out-params places it, or scope=module if its function is "
         "private";
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
    if (plan.hasOffsets())
      for (const auto &placement : arena.placements)
        emitPlanned(problem.buffers[placement.first], arena,
                    arena.getSlots(placement), name);
    if (plan.hasOffsets())
      remark::analysis(function.getLoc(), makeOptions("ArenaPlan", name))
          << "arena" << remark::metric("ArenaBytes", plan.arenaSize)
          << remark::metric("BoundBytes", plan.lowerBound)
          << remark::metric("SumBytes", computeSizeWithoutReuse(problem, arena))
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
    if (std::string wayOut = describeWayOut(record); !wayOut.empty())
      text += "; " + wayOut;
    remark::missed(record.origin->getLoc(),
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

void memplan::emitOwnArenaRemark(const FunctionProblem &problem) {
  bool hasSizes = llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
    return hasFormulas(arena.problem);
  });
  FunctionOpInterface function = problem.function;
  if (problem.isFrame || !function.isPrivate() || !hasSizes)
    return;
  remark::missed(function.getLoc(),
                 makeOptions("ArenaNotShared", function.getName()))
      << "allocates an arena of its own: its size is known only when the "
         "program runs, and callers may not know it at their entries";
}
