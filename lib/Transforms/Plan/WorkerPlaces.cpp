//===- WorkerPlaces.cpp - Places of the frames of workers -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/WorkerPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace memplan;

/// Creates the number of the iteration, from 0, in which the last dimension
/// varies fastest. The loop has constant bounds.
static Value createWorkerNumber(Operation *loop) {
  OpBuilder builder = OpBuilder::atBlockBegin(&loop->getRegion(0).front());
  Location loc = loop->getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value number;
  auto ranges = getIterationRanges(loop);
  for (const IterationRange &range : *ranges) {
    Value own = range.variable;
    if (range.begin != 0)
      own = arith::SubIOp::create(builder, loc, own, constant(range.begin));
    if (range.step != 1)
      own = arith::DivUIOp::create(builder, loc, own, constant(range.step));
    if (number) {
      number =
          arith::MulIOp::create(builder, loc, number, constant(range.count));
      number = arith::AddIOp::create(builder, loc, number, own);
    } else {
      number = own;
    }
  }
  return number;
}

void WorkerPlaces::enter(const BufferRecord &record, ArenaPlace place) {
  Value &number = numbers[record.origin];
  if (!number)
    number = createWorkerNumber(record.origin);
  place.workers.push_back(number);
  for (const WorkerFrame::Arena &arena : record.workers->arenas)
    if (arena.position == *record.frame)
      place.strides.push_back(arena.stride);
  places[{record.workers, *record.frame}] = std::move(place);
}
