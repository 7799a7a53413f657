//===- PlanVerifierSteps.cpp - Slots of ops that run at once --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of one block with the same `memplan.step` run at once, and so do
// neighbours with a `memplan.stream` each. The dataflow takes them in the order
// of the text, which stands for every order if no op writes bytes that another
// one of the step uses, and if no life begins or ends among them.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace memplan::planverifier {
namespace {

struct Member {
  Operation *op;
  IntegerAttr stream;
};

struct ConcurrentGroup {
  IntegerAttr step;
  SmallVector<Member> members;

  Operation *first() const { return members.front().op; }
  Operation *last() const { return members.back().op; }
};

std::string describe(const ConcurrentGroup &group) {
  return group.step ? "step " + std::to_string(group.step.getInt())
                    : "a step of streams";
}

/// Ops that make or unmake memory, or only name it.
bool isBookkeeping(Operation *op) {
  return isa<ArenaOp, ViewOp, LifetimeStartOp, LifetimeEndOp, ReleaseOp,
             WorkspaceOp, memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
             bufferization::DeallocOp>(op) ||
         isMemoryEffectFree(op);
}

class StepCheck {
public:
  StepCheck(const Model &model, const Aliases &aliases)
      : model(model), bytes(model, aliases) {}

  LogicalResult run() {
    forEachOp(model, [&](const ListedOp &listed) {
      for (Region &region : listed.op->getRegions())
        for (Block &block : region)
          group(block);
    });
    FunctionOpInterface function = model.function;
    for (Block &block : function.getFunctionBody())
      group(block);
    if (groups.empty())
      return success();
    index();
    for (const Node &node : model.nodes)
      for (const Event &event : node.events)
        place(event);
    for (unsigned i = 0; i != groups.size(); ++i)
      compare(i);
    return failure(failed);
  }

private:
  struct Touch {
    Operation *member;
    IntegerAttr stream;
    unsigned slot;
    bool writes;
    /// The op that accesses it, the member itself or inside of it, and how.
    Operation *op;
    const Access *access;
  };

  //===--------------------------------------------------------------------===//
  // Groups
  //===--------------------------------------------------------------------===//

  void group(Block &block) {
    std::optional<unsigned> open;
    for (Operation &op : block) {
      auto step = op.getAttrOfType<IntegerAttr>(MemplanDialect::kStepAttr);
      auto stream = op.getAttrOfType<IntegerAttr>(MemplanDialect::kStreamAttr);
      // What an op does is told by all that is in it: to be asked only if it
      // matters.
      bool matters = step || stream || (open && !groups[*open].step);
      if (!matters || isBookkeeping(&op))
        continue;
      if (!step && !stream) {
        // Uses of slots amid a numbered step are found when events are placed.
        open = std::nullopt;
        continue;
      }
      bool joins = open && groups[*open].step == step;
      if (!joins && step && !numbers.insert(step.getInt()).second) {
        failed = true;
        op.emitError() << "ops of step " << step.getInt()
                       << " are not together, cannot be verified";
        continue;
      }
      if (!joins) {
        open = groups.size();
        groups.push_back({step, {}});
      }
      groups[*open].members.push_back({&op, stream});
    }
  }

  /// Which group each op from the first member to the last lies in.
  void index() {
    for (unsigned i = 0; i != groups.size(); ++i) {
      for (Operation *op = groups[i].first();; op = op->getNextNode()) {
        groupOf[op] = i;
        if (op == groups[i].last())
          break;
      }
      for (const Member &member : groups[i].members)
        memberOf[member.op] = &member;
    }
    touches.resize(groups.size());
  }

  //===--------------------------------------------------------------------===//
  // Events
  //===--------------------------------------------------------------------===//

  void place(const Event &event) {
    for (Operation *op = event.op; op != model.function;
         op = op->getParentOp()) {
      auto it = groupOf.find(op);
      if (it == groupOf.end())
        continue;
      // Steps inside an op of a step would need to be compared across levels;
      // all that is inside counts for the outer one.
      place(event, op, it->second);
    }
  }

  void place(const Event &event, Operation *op, unsigned id) {
    const ConcurrentGroup &group = groups[id];
    switch (event.kind) {
    case EventKind::Start:
    case EventKind::End:
    case EventKind::Release:
      report(event.op, group)
          << (event.kind == EventKind::Release ? "releases the arena"
              : event.kind == EventKind::Start ? "starts a lifetime"
                                               : "ends a lifetime")
          << " inside " << describe(group) << ", whose ops run at once";
      break;
    case EventKind::Access: {
      const Member *member = memberOf.lookup(op);
      if (!member) {
        report(event.op, group) << "uses a buffer that lies in an arena amid "
                                << describe(group) << " and is not part of it";
        break;
      }
      for (const Access &access : event.accesses)
        for (unsigned slot : model.handles[access.handle].slots)
          touches[id].push_back(
              {op, member->stream, slot, access.writes, event.op, &access});
      break;
    }
    default:
      break;
    }
  }

  InFlightDiagnostic report(Operation *op, const ConcurrentGroup &group) {
    failed = true;
    InFlightDiagnostic diag = op->emitError();
    diag.attachNote(group.first()->getLoc()) << "the step begins here";
    return diag;
  }

  //===--------------------------------------------------------------------===//
  // Bytes
  //===--------------------------------------------------------------------===//

  void compare(unsigned id) {
    SmallVectorImpl<Touch> &list = touches[id];
    auto key = [&](const Touch &touch) {
      const Handle &slot = model.handles[touch.slot];
      return std::make_pair(slot.arena, slot.bytes.begin);
    };
    llvm::stable_sort(
        list, [&](const Touch &a, const Touch &b) { return key(a) < key(b); });
    SmallVector<const Touch *> open;
    for (const Touch &touch : list) {
      const Handle &slot = model.handles[touch.slot];
      llvm::erase_if(open, [&](const Touch *other) {
        const Handle &earlier = model.handles[other->slot];
        return earlier.arena != slot.arena ||
               earlier.bytes.end <= slot.bytes.begin;
      });
      for (const Touch *other : open)
        if (clashes(touch, *other))
          return reportClash(id, *other, touch);
      open.push_back(&touch);
    }
  }

  bool clashes(const Touch &a, const Touch &b) const {
    bool inOrder = a.stream && a.stream == b.stream;
    if (a.member == b.member || !(a.writes || b.writes) ||
        !model.handles[a.slot].bytes.overlaps(model.handles[b.slot].bytes))
      return false;
    // One buffer may be used by ops that run in order, or use different bytes.
    return a.slot != b.slot || !(inOrder || useDifferentBytes(a, b));
  }

  bool useDifferentBytes(const Touch &a, const Touch &b) const {
    // Bytes count from the start of the slot, so both need to have just one.
    if (a.access->handle != a.slot || b.access->handle != b.slot)
      return false;
    // What may be read is no less than what is named, read or written.
    ByteSet first = bytes.read(a.op, *a.access);
    ByteSet second = bytes.read(b.op, *b.access);
    return llvm::none_of(first, [&](ByteRange range) {
      return llvm::any_of(
          second, [&](ByteRange other) { return range.overlaps(other); });
    });
  }

  void reportClash(unsigned id, const Touch &a, const Touch &b) {
    failed = true;
    bool inOrder = a.member->isBeforeInBlock(b.member);
    const Touch &first = inOrder ? a : b, &second = inOrder ? b : a;
    ByteRange x = model.handles[first.slot].bytes;
    ByteRange y = model.handles[second.slot].bytes;
    InFlightDiagnostic diag = second.member->emitError();
    diag << (second.writes ? "writes" : "reads") << " the buffer at bytes ["
         << y.begin << ", " << y.end << ") of the arena, but another op of "
         << describe(groups[id]) << (first.writes ? " writes" : " reads")
         << " the buffer at [" << x.begin << ", " << x.end
         << ") at the same time";
    diag.attachNote(first.member->getLoc()) << "this op of the same step";
  }

  const Model &model;
  Bytes bytes;
  std::vector<ConcurrentGroup> groups;
  std::set<int64_t> numbers;
  llvm::DenseMap<Operation *, unsigned> groupOf;
  llvm::DenseMap<Operation *, const Member *> memberOf;
  std::vector<SmallVector<Touch>> touches;
  bool failed = false;
};

} // namespace

LogicalResult checkSteps(const Model &model, const Aliases &aliases) {
  return StepCheck(model, aliases).run();
}

} // namespace memplan::planverifier
