//===- PlanVerifierReport.cpp - Diagnostics of the plan verifier ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan::planverifier {

static std::string str(ByteRange bytes) {
  return ("[" + Twine(bytes.begin) + ", " + Twine(bytes.end) + ")").str();
}

static bool isStart(Operation *op) { return isa<LifetimeStartOp>(op); }
static bool isEnd(Operation *op) { return isa<LifetimeEndOp>(op); }
static bool isRelease(Operation *op) {
  return isa<ReleaseOp, memref::DeallocOp>(op);
}

InFlightDiagnostic DiagnosticReporter::error(Operation *op) {
  ++errors;
  return op->emitError();
}

const Handle &DiagnosticReporter::slotOf(unsigned handle) const {
  return model.handles[model.handles[handle].slots.front()];
}

void DiagnosticReporter::noteView(InFlightDiagnostic &diag,
                                  unsigned handle) const {
  const Handle &slot = slotOf(handle);
  diag.attachNote(slot.value.getLoc())
      << "the buffer at " << str(slot.bytes) << " is placed here";
}

DiagnosticReporter::Users
DiagnosticReporter::findUsers(Operation *op, Value value,
                              bool (*isWanted)(Operation *)) const {
  Users users;
  for (Operation *user : value.getUsers()) {
    if (!isWanted(user) || user == op)
      continue;
    Block *block = user->getBlock();
    Operation *ancestor = block->findAncestorOpInBlock(*op);
    if (!ancestor) {
      users.elsewhere = user;
    } else if (user->isBeforeInBlock(ancestor)) {
      // The innermost block first, and in it the last.
      bool closer =
          !users.before ||
          (users.before->getBlock() == block
               ? users.before->isBeforeInBlock(user)
               : !users.before->getBlock()->findAncestorOpInBlock(*user));
      users.before = closer ? user : users.before;
    } else if (!users.after || (users.after->getBlock() == block &&
                                user->isBeforeInBlock(users.after))) {
      users.after = user;
    }
  }
  return users;
}

void DiagnosticReporter::readClobbered(Operation *op, unsigned handle,
                                       const Clobber &clobber) {
  const Handle &taker = model.handles[clobber.slot];
  // Of the slots a merged value may be, name one that was hit.
  unsigned hit = handle;
  for (unsigned slot : model.handles[handle].slots)
    if (slot != clobber.slot &&
        model.handles[slot].bytes.overlaps(taker.bytes)) {
      hit = slot;
      break;
    }
  InFlightDiagnostic diag = error(op);
  diag << "reads buffer at bytes " << str(slotOf(hit).bytes)
       << " of the arena, which '" << clobber.op->getName()
       << "' through the buffer at " << str(taker.bytes) << " has overwritten";
  diag.attachNote(clobber.op->getLoc())
      << "bytes " << str(taker.bytes)
      << (isStart(clobber.op) || isa<RenewOp>(clobber.op) ||
                  clobber.op->hasAttr(MemplanDialect::kRenewAttr)
              ? " are taken here"
              : " are written here");
  noteView(diag, hit);
}

void DiagnosticReporter::readBeforeWritten(Operation *op, unsigned handle,
                                           Operation *renewal) {
  if (isFresh)
    return;
  unsigned slot = model.handles[handle].slots.front();
  ByteRange bytes = model.handles[slot].bytes;
  readClobbered(op, handle, {0, bytes.end - bytes.begin, renewal, slot});
}

void DiagnosticReporter::notBegun(Operation *op, unsigned handle) {
  unsigned slot = handle;
  for (unsigned one : model.handles[handle].slots)
    if (model.handles[one].renewable) {
      slot = one;
      break;
    }
  InFlightDiagnostic diag = error(op);
  diag << "accesses bytes " << str(slotOf(slot).bytes)
       << " of the arena, where no buffer has begun on some path";
  for (Operation *user : model.handles[handle].value.getUsers())
    if (isa<RenewOp>(user)) {
      diag.attachNote(user->getLoc()) << "the buffer begins here";
      break;
    }
  noteView(diag, slot);
}

void DiagnosticReporter::outsideLifetime(Operation *op, unsigned handle,
                                         Life life) {
  const Handle &slot = slotOf(handle);
  InFlightDiagnostic diag = error(op);
  diag << "accesses buffer at bytes " << str(slot.bytes)
       << " of the arena outside its lifetime"
       << (life == Life::Maybe ? " on some path" : "");
  Users ends = findUsers(op, slot.value, isEnd);
  Users starts = findUsers(op, slot.value, isStart);
  if (!starts.any())
    diag.attachNote(slot.value.getLoc())
        << "no lifetime of this buffer is ever started";
  else if (starts.before && ends.any())
    diag.attachNote(ends.any()->getLoc()) << "a lifetime of it ends here";
  else if (!starts.before && (ends.before || ends.elsewhere))
    diag.attachNote(ends.any()->getLoc()) << "a lifetime of it ends here";
  else
    diag.attachNote(starts.any()->getLoc()) << "a lifetime of it starts here";
}

void DiagnosticReporter::startWhileLive(Operation *op, unsigned handle,
                                        unsigned other) {
  const Handle &slot = slotOf(other);
  InFlightDiagnostic diag = error(op);
  diag << "starts the lifetime of buffer at bytes " << str(slotOf(handle).bytes)
       << " of the arena while the buffer at " << str(slot.bytes)
       << ", which shares bytes with it, is live";
  if (Operation *start = findUsers(op, slot.value, isStart).any())
    diag.attachNote(start->getLoc()) << "the lifetime of the buffer at "
                                     << str(slot.bytes) << " starts here";
}

void DiagnosticReporter::startAgain(Operation *op, unsigned handle) {
  const Handle &slot = slotOf(handle);
  InFlightDiagnostic diag = error(op);
  diag << "starts the lifetime of buffer at bytes " << str(slot.bytes)
       << " of the arena, which has started and not ended";
  if (Operation *start = findUsers(op, slot.value, isStart).any())
    diag.attachNote(start->getLoc()) << "started here";
}

void DiagnosticReporter::endAgain(Operation *op, Operation *earlier,
                                  unsigned handle) {
  InFlightDiagnostic diag = error(op);
  diag << "ends the lifetime of buffer at bytes " << str(slotOf(handle).bytes)
       << " of the arena, which has ended already";
  diag.attachNote(earlier->getLoc()) << "ended here";
}

void DiagnosticReporter::afterRelease(Operation *op, unsigned handle) {
  const Handle &slot = slotOf(handle);
  Value arena = model.handles[slot.arena].value;
  InFlightDiagnostic diag = error(op);
  diag << "uses buffer at bytes " << str(slot.bytes)
       << " of the arena after the arena's release";
  if (Operation *release = findUsers(op, arena, isRelease).any())
    diag.attachNote(release->getLoc()) << "released here";
}

void DiagnosticReporter::releaseAgain(Operation *op, unsigned arena,
                                      Life life) {
  InFlightDiagnostic diag = error(op);
  diag << "releases the arena, which has been released already"
       << (life == Life::Maybe ? " on some path" : "");
  Value value = model.handles[arena].value;
  if (Operation *other = findUsers(op, value, isRelease).any())
    diag.attachNote(other->getLoc()) << "released here";
}

void DiagnosticReporter::leak(Operation *op, unsigned arena) {
  InFlightDiagnostic diag = error(op);
  diag << "leaves the arena without a release";
  diag.attachNote(model.handles[arena].value.getLoc())
      << "the arena is allocated here";
}

void DiagnosticReporter::sharedInOneOp(Operation *op, unsigned used,
                                       unsigned written) {
  InFlightDiagnostic diag = error(op);
  diag << "writes buffer at bytes " << str(slotOf(written).bytes)
       << " of the arena and uses the buffer at " << str(slotOf(used).bytes)
       << ", which shares bytes with it";
  noteView(diag, written);
  noteView(diag, used);
}

void DiagnosticReporter::sharedInParallel(Operation *op, unsigned first,
                                          unsigned second) {
  InFlightDiagnostic diag = error(op);
  diag << "iterations that may run at once use buffers at bytes "
       << str(slotOf(first).bytes) << " and " << str(slotOf(second).bytes)
       << " of the arena, which share bytes";
  noteView(diag, first);
  noteView(diag, second);
}

void DiagnosticReporter::placedInParallel(Operation *op, unsigned handle) {
  InFlightDiagnostic diag = error(op);
  diag << "iterations that may run at once share the buffer at bytes "
       << str(slotOf(handle).bytes)
       << " of the arena, which each of them begins anew";
  noteView(diag, handle);
}

void DiagnosticReporter::besideTask(Operation *op, Operation *start,
                                    StringRef what, unsigned handle) {
  InFlightDiagnostic diag = error(op);
  diag << what << " while '" << start->getName()
       << "', which has not been awaited, may use the buffer at bytes "
       << str(slotOf(handle).bytes) << " of the arena";
  diag.attachNote(start->getLoc()) << "started here";
}

} // namespace memplan::planverifier
