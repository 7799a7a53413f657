//===- PlanVerifierParallel.cpp - Slots in parallel regions ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow graph runs the iterations of a parallel region one after another.
// That stands for every order, and for none at all, as long as no iteration
// takes bytes that another one uses as something else.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

struct Touched {
  unsigned slot;
  bool writes;
  bool placed;
  /// The one handle through which it is touched, if that is the same memory in
  /// all iterations; kForeign otherwise.
  int handle;
};

/// A callee's arena is begun anew by every call.
bool isHandedAsArena(CallSummaries &calls, Operation *op, Value memref) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  for (auto [i, operand] : llvm::enumerate(call.getArgOperands()))
    if (operand == memref && calls.getArenaAlignment(call, i) != 0)
      return true;
  return false;
}

SmallVector<Touched> collectTouched(const Model &model, CallSummaries &calls,
                                    Operation *parallel, NodeSpan span) {
  llvm::MapVector<unsigned, Touched> touched;
  auto touch = [&](unsigned slot, bool writes, bool placed, unsigned handle) {
    Value arena = model.arenaOf(slot).value;
    // An arena of the iteration's own is not shared.
    if (parallel->isAncestor(arena.getParentBlock()->getParentOp()))
      return;
    Value value = model.handles[handle].value;
    bool isOutside =
        !parallel->isAncestor(value.getParentBlock()->getParentOp());
    int through = isOutside ? static_cast<int>(handle) : kForeign;
    Touched &entry =
        touched.insert({slot, {slot, false, false, through}}).first->second;
    if (entry.handle != through)
      entry.handle = kForeign;
    entry.writes |= writes;
    entry.placed |= placed;
  };
  for (unsigned node = span.begin; node != span.end; ++node)
    for (const Event &event : model.nodes[node].events) {
      if (event.kind == EventKind::Place)
        touch(event.handle, false, true, event.handle);
      if (event.kind == EventKind::Start)
        touch(event.handle, true, true, event.handle);
      for (const Access &access : event.accesses)
        for (unsigned slot : model.handles[access.handle].slots)
          touch(slot, access.writes,
                isHandedAsArena(calls, event.op, access.memref), access.handle);
    }
  SmallVector<Touched> result;
  // Frames of the iterations are taken by each in its own part.
  if (auto frames = model.workerFrames.find(parallel);
      frames != model.workerFrames.end())
    for (unsigned frame : frames->second)
      result.push_back({frame, /*writes=*/true, /*placed=*/false, kForeign});
  for (auto &entry : touched)
    result.push_back(entry.second);
  return result;
}

void checkRegion(const Model &model, CallSummaries &calls, Operation *op,
                 NodeSpan span, Reporter &reporter) {
  SmallVector<Touched> touched = collectTouched(model, calls, op, span);
  for (const Touched &entry : touched)
    if (entry.placed && entry.writes)
      reporter.placedInParallel(op, entry.slot);
  auto key = [&](const Touched &entry) {
    const Handle &slot = model.handles[entry.slot];
    return std::make_tuple(slot.arena, slot.bytes.begin, entry.slot);
  };
  llvm::sort(touched, [&](const Touched &a, const Touched &b) {
    return key(a) < key(b);
  });
  // Slots that share bytes, in address order. A value that is one of several
  // slots is one of them in all iterations, so these do not meet; in a sound
  // plan no others share bytes.
  SmallVector<const Touched *> open;
  for (const Touched &entry : touched) {
    const Handle &slot = model.handles[entry.slot];
    llvm::erase_if(open, [&](const Touched *other) {
      const Handle &earlier = model.handles[other->slot];
      return earlier.arena != slot.arena ||
             earlier.bytes.end <= slot.bytes.begin;
    });
    for (const Touched *other : open) {
      bool isOneValue =
          entry.handle != kForeign && entry.handle == other->handle;
      if (isOneValue || !(entry.writes || other->writes) ||
          !model.handles[other->slot].bytes.overlaps(slot.bytes))
        continue;
      reporter.sharedInParallel(op, other->slot, entry.slot);
      break;
    }
    open.push_back(&entry);
  }
}

} // namespace

void checkParallelRegions(const Model &model, CallSummaries &calls,
                          Reporter &reporter) {
  for (auto [op, span] : model.structured)
    if (runsInParallel(op))
      checkRegion(model, calls, op, span, reporter);
}

} // namespace memplan::planverifier
