//===- PlanVerifierRewrites.cpp - Buffers written anew --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierRewrites.h"

using namespace mlir;

namespace memplan::planverifier {

/// How far back an op that writes what is read is looked for.
constexpr unsigned kMaxOpsBetween = 512;

void Rewrites::prepare() {
  if (isPrepared)
    return;
  isPrepared = true;
  for (const Node &node : model.nodes)
    for (const Event &event : node.events) {
      events[event.op].push_back(&event);
      // A loop around it is a node of its own, so not at the top.
      if (node.depth == 0)
        continue;
      for (const Access &access : event.accesses)
        if (access.writes)
          if (Operation *loop = bytes.findCoveringLoop(event.op, access))
            covers[loop].push_back({event.op, &access});
    }
}

ArrayRef<Cover> Rewrites::getCovers(Operation *loop) {
  prepare();
  auto it = covers.find(loop);
  return it == covers.end() ? ArrayRef<Cover>() : it->second;
}

bool Rewrites::overlaps(unsigned slot, unsigned handle) const {
  const Handle &taker = model.handles[slot];
  for (unsigned own : model.handles[handle].slots)
    if (own != slot && model.handles[own].arena == taker.arena &&
        model.handles[own].bytes.overlaps(taker.bytes))
      return true;
  return false;
}

void Rewrites::collectWrittenSlots(const Event &event,
                                   std::vector<unsigned> &slots) const {
  // A view executed anew ends what its slot held as well as a start does.
  if (event.kind == EventKind::Start || event.kind == EventKind::Place)
    slots.push_back(event.handle);
  for (const Access &access : event.accesses)
    if (access.writes)
      llvm::append_range(slots, model.handles[access.handle].slots);
}

const std::vector<unsigned> &Rewrites::getWrittenSlots(Operation *loop) {
  auto [it, isNew] = written.insert({loop, {}});
  std::vector<unsigned> &slots = it->second;
  if (!isNew)
    return slots;
  NodeSpan span = model.spans.lookup(loop);
  for (unsigned node = span.begin; node != span.end; ++node)
    for (const Event &event : model.nodes[node].events)
      collectWrittenSlots(event, slots);
  // Its iterations write to their frames.
  if (auto frames = model.workerFrames.find(loop);
      frames != model.workerFrames.end())
    llvm::append_range(slots, frames->second);
  llvm::sort(slots);
  slots.erase(llvm::unique(slots), slots.end());
  return slots;
}

bool Rewrites::disturbs(Operation *loop, unsigned handle) {
  return llvm::any_of(getWrittenSlots(loop),
                      [&](unsigned slot) { return overlaps(slot, handle); });
}

bool Rewrites::disturbsBetween(Operation *from, Operation *to,
                               unsigned handle) {
  prepare();
  unsigned count = 0;
  for (Operation *op = from->getNextNode(); op; op = op->getNextNode()) {
    if (++count > kMaxOpsBetween)
      return true;
    if (model.spans.count(op) && disturbs(op, handle))
      return true;
    std::vector<unsigned> slots;
    if (auto it = events.find(op); it != events.end() && op != to)
      for (const Event *event : it->second)
        collectWrittenSlots(*event, slots);
    if (llvm::any_of(slots,
                     [&](unsigned slot) { return overlaps(slot, handle); }))
      return true;
    if (op == to)
      return false;
  }
  return true;
}

bool Rewrites::isRewrittenBefore(Operation *op, const Access &access) {
  // A merged value may have been bound anew in between.
  if (!access.memref || model.handles[access.handle].kind != HandleKind::Slot)
    return false;
  for (Operation *user : access.memref.getUsers()) {
    Operation *ancestor = user->getBlock()->findAncestorOpInBlock(*op);
    if (!ancestor || ancestor == user || !user->isBeforeInBlock(ancestor))
      continue;
    if (bytes.writesAllThatIsRead(user, op, access.memref) &&
        !disturbsBetween(user, ancestor, access.handle))
      return true;
  }
  return false;
}

} // namespace memplan::planverifier
