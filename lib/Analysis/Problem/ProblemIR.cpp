//===- ProblemIR.cpp - Problems as IR -------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/ProblemIR.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace memplan;

static DenseI64ArrayAttr toAttribute(OpBuilder &builder,
                                     const LiveRanges &ranges) {
  SmallVector<int64_t> points;
  for (const LiveRange &range : ranges) {
    points.push_back(range.start);
    points.push_back(range.end);
  }
  return builder.getDenseI64ArrayAttr(points);
}

static void appendRanges(LiveRanges &ranges, ArrayRef<int64_t> points) {
  for (size_t i = 0; i + 1 < points.size(); i += 2)
    ranges.push_back({points[i], points[i + 1]});
}

ProblemOp memplan::writeProblem(OpBuilder &builder, Location loc,
                                const FunctionProblem &function,
                                const ArenaProblem &arena) {
  OpBuilder::InsertionGuard guard(builder);
  auto op = ProblemOp::create(builder, loc,
                              FunctionOpInterface(function.function).getName(),
                              arena.memorySpace);
  op.setAlign(arena.problem.arenaAlignment);
  if (arena.problem.capacity)
    op.setCapacity(*arena.problem.capacity);
  builder.setInsertionPointToEnd(&op.getBody().front());
  for (auto [buffer, index] :
       llvm::zip_equal(arena.problem.buffers, arena.records)) {
    Location where = function.buffers[index].allocation->getLoc();
    BufferOp::create(builder, where, builder.getStringAttr(buffer.id),
                     builder.getI64IntegerAttr(buffer.size),
                     builder.getI64IntegerAttr(buffer.alignment),
                     toAttribute(builder, buffer.ranges), IntegerAttr(),
                     UnitAttr());
  }
  return op;
}

Problem memplan::readProblem(ProblemOp op, SmallVectorImpl<BufferOp> *buffers) {
  Problem problem;
  problem.arenaAlignment = op.getArenaAlignment();
  if (op.getCapacity())
    problem.capacity = static_cast<int64_t>(*op.getCapacity());
  llvm::StringMap<BufferIndex> indices;
  Block &body = op.getBody().front();
  for (BufferOp entry : body.getOps<BufferOp>()) {
    indices[entry.getSymName()] =
        static_cast<BufferIndex>(problem.buffers.size());
    Buffer buffer;
    buffer.id = entry.getSymName().str();
    buffer.size = static_cast<int64_t>(entry.getSize());
    buffer.alignment = static_cast<int64_t>(entry.getAlign());
    appendRanges(buffer.ranges, entry.getLive());
    if (entry.getOffset() && (!op.getStatus() || entry.getPinned()))
      buffer.pinnedOffset = static_cast<int64_t>(*entry.getOffset());
    problem.buffers.push_back(std::move(buffer));
    if (buffers)
      buffers->push_back(entry);
  }
  for (Operation &entry : body) {
    if (auto view = dyn_cast<BufferViewOp>(entry)) {
      appendRanges(problem.buffers[indices[view.getSource()]].ranges,
                   view.getLive());
    } else if (auto conflict = dyn_cast<ConflictOp>(entry)) {
      problem.conflicts.push_back(
          {indices[conflict.getFirst()], indices[conflict.getSecond()]});
    } else if (auto overlap = dyn_cast<OverlapOp>(entry)) {
      problem.overlaps.push_back({indices[overlap.getFirst()],
                                  indices[overlap.getSecond()],
                                  static_cast<int64_t>(overlap.getMinDelta()),
                                  static_cast<int64_t>(overlap.getMaxDelta())});
    }
  }
  for (Buffer &buffer : problem.buffers)
    normalizeRanges(buffer.ranges);
  return problem;
}

void memplan::writePlan(ProblemOp op, ArrayRef<BufferOp> buffers,
                        const Plan &plan) {
  Builder builder(op.getContext());
  for (auto [index, entry] : llvm::enumerate(buffers)) {
    BufferOp buffer = entry;
    if (buffer.getOffset() && !op.getStatus())
      buffer.setPinned(true);
    if (plan.hasOffsets())
      buffer.setOffset(plan.offsets[index]);
  }
  op.setStatusAttr(builder.getStringAttr(llvm::StringRef(
      statusName(plan.status).data(), statusName(plan.status).size())));
  op.setStrategyAttr(builder.getStringAttr(plan.strategy));
  op.setArenaSize(plan.arenaSize);
  op.setLowerBound(plan.lowerBound);
}
