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
  findBeginnings();
  for (auto [id, node] : llvm::enumerate(model.nodes)) {
    bool isAlone = node.block->getParent()->hasOneBlock();
    if (!isAlone) {
      NodeSpan &span =
          spans.insert({node.block, {unsigned(id), 0}}).first->second;
      span.end = id + 1;
    }
    for (const Event &event : node.events) {
      events[event.op].push_back(&event);
      // A loop of one block around it is a node of its own, so not at the top.
      if (node.depth == 0 && isAlone)
        continue;
      for (const Access &access : event.accesses)
        if (access.writes)
          if (LoopKey loop = bytes.findCoveringLoop(event.op, access, loops))
            covers[loop].push_back({event.op, &access});
    }
  }
}

void Rewrites::findBeginnings() {
  beginsAgain.resize(model.handles.size());
  for (const Component &component : findComponents(model.nodes)) {
    bool isLoop = isCyclic(model.nodes, component);
    for (unsigned node : component)
      for (const Event &event : model.nodes[node].events)
        if (event.kind == EventKind::Renew ||
            (isLoop && (event.kind == EventKind::Place ||
                        event.kind == EventKind::Start)))
          for (unsigned slot : model.handles[event.handle].slots)
            beginsAgain.set(slot);
  }
}

ArrayRef<Cover> Rewrites::getCovers(LoopKey loop) {
  prepare();
  auto it = covers.find(loop);
  return it == covers.end() ? ArrayRef<Cover>() : it->second;
}

ByteSet Rewrites::getCovered(LoopKey loop, const Cover &cover) {
  unsigned handle = cover.access->handle;
  // What an op defines in its regions is gone at its end.
  if ((isa<Block *>(loop) && isDefinedIn(loop, model.handles[handle].value)) ||
      disturbs(loop, handle))
    return {};
  return bytes.covered(loop, cover.op, *cover.access, loops);
}

bool Rewrites::takes(const Taken &taken, unsigned handle) const {
  const Handle &taker = model.handles[taken.slot];
  for (unsigned own : model.handles[handle].slots) {
    // What is written to the slot is written to what is in it, unless that is
    // the buffer after, or before.
    if (own == taken.slot && !taken.begins &&
        (taken.handle == handle || !beginsAgain[own]))
      continue;
    if (model.handles[own].arena == taker.arena &&
        model.handles[own].bytes.overlaps(taker.bytes))
      return true;
  }
  return false;
}

void Rewrites::collectTaken(const Event &event,
                            std::vector<Taken> &taken) const {
  auto add = [&](unsigned handle, bool begins) {
    for (unsigned slot : model.handles[handle].slots)
      taken.push_back({slot, handle, begins});
  };
  // A view executed anew ends what its slot held as well as a start does.
  if (event.kind == EventKind::Start || event.kind == EventKind::Place ||
      event.kind == EventKind::Renew)
    add(event.handle, true);
  for (const Access &access : event.accesses)
    if (access.writes)
      add(access.handle, false);
}

void Rewrites::collectTaken(NodeSpan nodes, std::vector<Taken> &taken) const {
  for (unsigned node = nodes.begin; node != nodes.end; ++node)
    for (const Event &event : model.nodes[node].events)
      collectTaken(event, taken);
}

const std::vector<Rewrites::Taken> &Rewrites::getTaken(LoopKey loop) {
  auto [it, isNew] = takenIn.insert({loop, {}});
  std::vector<Taken> &taken = it->second;
  if (!isNew)
    return taken;
  if (auto *op = dyn_cast<Operation *>(loop)) {
    collectTaken(model.spans.lookup(op), taken);
    // Its iterations write to their frames.
    if (auto frames = model.workerFrames.find(op);
        frames != model.workerFrames.end())
      for (unsigned slot : frames->second)
        taken.push_back({slot, slot, false});
  } else {
    for (Block *block : loops.getBlocks(cast<Block *>(loop)))
      collectTaken(spans.lookup(block), taken);
  }
  llvm::sort(taken);
  taken.erase(llvm::unique(taken), taken.end());
  return taken;
}

bool Rewrites::isDefinedIn(LoopKey loop, Value value) {
  return loops.contains(loop, value.getParentBlock());
}

/// True if an op in `loop` may take bytes of a slot that `handle` may be.
bool Rewrites::disturbs(LoopKey loop, unsigned handle) {
  return llvm::any_of(getTaken(loop),
                      [&](const Taken &taken) { return takes(taken, handle); });
}

/// The same of `op`, or of what is in it.
bool Rewrites::disturbs(Operation *op, unsigned handle) {
  if (model.spans.count(op) && disturbs(LoopKey(op), handle))
    return true;
  std::vector<Taken> taken;
  if (auto it = events.find(op); it != events.end())
    for (const Event *event : it->second)
      collectTaken(*event, taken);
  return llvm::any_of(taken,
                      [&](const Taken &one) { return takes(one, handle); });
}

/// True if what is executed after `from`, last, and before `op` may take bytes
/// of `handle`. `from` dominates `to`, in the same region, which is `op` or
/// holds it.
bool Rewrites::disturbsBetween(Operation *from, Operation *to, Operation *op,
                               unsigned handle) {
  prepare();
  unsigned count = 0;
  // The ops from one on, but not another.
  auto disturbsIn = [&](Operation *first, Operation *end) {
    for (Operation *other = first; other != end; other = other->getNextNode())
      if (++count > kMaxOpsBetween || disturbs(other, handle))
        return true;
    return false;
  };
  if (to != op && disturbs(to, handle))
    return true;
  if (from->getBlock() == to->getBlock())
    return disturbsIn(from->getNextNode(), to);
  if (disturbsIn(from->getNextNode(), nullptr) ||
      disturbsIn(&to->getBlock()->front(), to))
    return true;
  SmallVector<Block *> worklist(to->getBlock()->getPredecessors());
  llvm::SmallDenseSet<Block *> seen = {from->getBlock()};
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (!seen.insert(block).second)
      continue;
    if (disturbsIn(&block->front(), nullptr))
      return true;
    llvm::append_range(worklist, block->getPredecessors());
  }
  return false;
}

/// `box`, of which `op` reads or writes one in each iteration, becomes that of
/// all iterations of the loops that hold `op` but not `other`. Returns false if
/// that has holes.
bool Rewrites::grow(Box &box, Operation *op, Operation *other,
                    LoopKey &outermost) {
  bool isFilled = true;
  loops.forEachAround(op, [&](LoopKey loop, ArrayRef<LoopRange> ranges) {
    if (loops.contains(loop, other->getBlock()))
      return false;
    for (const LoopRange &range : llvm::reverse(ranges))
      isFilled &= box.grow(range);
    outermost = loop;
    return true;
  });
  return isFilled;
}

bool Rewrites::isRewrittenBy(Operation *writer, Operation *op,
                             const Access &access) {
  std::optional<Box> written = getWritten(writer, access.memref);
  std::optional<Box> read = getElements(op, access.memref);
  if (!read)
    read = getWhole(access.memref);
  LoopKey loop, readIn;
  if (!written || !read || !grow(*written, writer, op, loop))
    return false;
  grow(*read, op, writer, readIn);
  if (!written->contains(*read))
    return false;
  Operation *from = writer;
  if (loop) {
    for (const BoxDim &dim : written->dims)
      for (Value variable : dim.variables)
        if (isDefinedIn(loop, variable))
          return false;
    if (!loops.hasOneExit(loop) || disturbs(loop, access.handle) ||
        isDefinedIn(loop, model.handles[access.handle].value))
      return false;
    auto *header = dyn_cast<Block *>(loop);
    from = header ? header->getTerminator() : cast<Operation *>(loop);
  }
  Operation *to = from->getParentRegion()->findAncestorOpInRegion(*op);
  if (!to || to == from)
    return false;
  bool isBefore = from->getBlock() == to->getBlock()
                      ? from->isBeforeInBlock(to)
                      : loops.dominates(from->getBlock(), to->getBlock());
  return isBefore && !disturbsBetween(from, to, op, access.handle);
}

bool Rewrites::isRewrittenBefore(Operation *op, const Access &access) {
  prepare();
  return access.memref &&
         llvm::any_of(access.memref.getUsers(), [&](Operation *user) {
           return isRewrittenBy(user, op, access);
         });
}

} // namespace memplan::planverifier
