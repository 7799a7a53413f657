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

bool Rewrites::takes(const Taken &taken, unsigned handle) const {
  const Handle &taker = model.handles[taken.slot];
  // What may be several slots is told apart from the values of other buffers.
  bool isSlot = model.handles[handle].kind == HandleKind::Slot;
  for (unsigned own : model.handles[handle].slots)
    if ((own != taken.slot || (isSlot && taken.isRenewed)) &&
        model.handles[own].arena == taker.arena &&
        model.handles[own].bytes.overlaps(taker.bytes))
      return true;
  return false;
}

void Rewrites::collectTaken(const Event &event,
                            std::vector<Taken> &taken) const {
  // A view executed anew ends what its slot held as well as a start does.
  if (event.kind == EventKind::Start || event.kind == EventKind::Place)
    taken.push_back({event.handle, false});
  // A renewal through another value may begin another buffer in this very slot.
  if (event.kind == EventKind::Renew)
    for (unsigned slot : model.handles[event.handle].slots)
      taken.push_back({slot, true});
  for (const Access &access : event.accesses)
    if (access.writes)
      for (unsigned slot : model.handles[access.handle].slots)
        taken.push_back({slot, false});
}

const std::vector<Rewrites::Taken> &Rewrites::getTaken(Operation *loop) {
  auto [it, isNew] = takenIn.insert({loop, {}});
  std::vector<Taken> &taken = it->second;
  if (!isNew)
    return taken;
  NodeSpan span = model.spans.lookup(loop);
  for (unsigned node = span.begin; node != span.end; ++node)
    for (const Event &event : model.nodes[node].events)
      collectTaken(event, taken);
  // Its iterations write to their frames.
  if (auto frames = model.workerFrames.find(loop);
      frames != model.workerFrames.end())
    for (unsigned slot : frames->second)
      taken.push_back({slot, false});
  llvm::sort(taken);
  taken.erase(llvm::unique(taken), taken.end());
  return taken;
}

bool Rewrites::disturbs(Operation *loop, unsigned handle) {
  return llvm::any_of(getTaken(loop),
                      [&](const Taken &taken) { return takes(taken, handle); });
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
    std::vector<Taken> taken;
    if (auto it = events.find(op); it != events.end() && op != to)
      for (const Event *event : it->second)
        collectTaken(*event, taken);
    if (llvm::any_of(taken,
                     [&](const Taken &one) { return takes(one, handle); }))
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
