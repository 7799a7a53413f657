//===- ObserveMarks.cpp - Marks in observed programs ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/ObserveMarks.h"

#include "memplan/Analysis/ProblemIR.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"

using namespace mlir;
using namespace memplan;

static void mark(const ProgramOrder &order, int64_t loop) {
  for (int64_t point = 0; point < order.size(); ++point) {
    Operation *op = order.getOp(point);
    op->setDiscardableAttr(
        MemplanDialect::kPointAttr,
        DenseI64ArrayAttr::get(op->getContext(), {loop, point}));
  }
}

void memplan::markPoints(ModuleOp module) {
  module->walk([](FunctionOpInterface function) {
    if (function.isExternal() || !getObserveGuard(function))
      return;
    mark(ProgramOrder(function), -1);
    for (auto [number, loop] : llvm::enumerate(numberParallelLoops(function)))
      mark(ProgramOrder(loop->getRegion(0)), static_cast<int64_t>(number));
  });
}

void memplan::markView(ViewOp view, const FunctionProblem &problem,
                       const ArenaProblem &arena, BufferIndex buffer,
                       const ArenaPlace &base, bool slotIsBase) {
  FunctionOpInterface function = problem.function;
  std::optional<int64_t> guard = getObserveGuard(function);
  if (!guard)
    return;
  const Buffer &slot = arena.problem.buffers[buffer];
  Observed observed;
  observed.slot = slot.id;
  if (problem.parallel)
    for (auto [number, loop] : llvm::enumerate(numberParallelLoops(function)))
      if (loop == problem.parallel)
        observed.loop = static_cast<int64_t>(number);
  for (const LiveRange &range : slot.ranges)
    llvm::append_values(observed.live, range.start, range.end);
  observed.base = base.offset;
  observed.baseInSlot = slotIsBase;
  observed.guard = *guard;
  for (const PermittedOverlap &overlap : arena.problem.overlaps)
    if (overlap.first == buffer || overlap.second == buffer) {
      if (!observed.shares.empty())
        observed.shares += ',';
      observed.shares +=
          arena.problem
              .buffers[overlap.first == buffer ? overlap.second : overlap.first]
              .id;
    }
  view->setDiscardableAttr(MemplanDialect::kObservedAttr,
                           writeObserved(view.getContext(), observed));
}
