//===- Foreign.cpp - A dialect unknown to memplan -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"

#include "memplan/IR/Memplan.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace foreign;

#include "ForeignDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ForeignTypes.cpp.inc"

#define GET_OP_CLASSES
#include "ForeignOps.cpp.inc"

void ForeignDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ForeignOps.cpp.inc"
      >();
  addTypes<EventType>();
}

int64_t BufferOp::getRequestedAlignment() {
  return static_cast<int64_t>(getAlign().value_or(1));
}

memplan::BufferStorage ScratchOp::getStorage() {
  return memplan::BufferStorage::UniqueScratch;
}

bool MergeOp::mayOverwrite(OpOperand &read, OpOperand &written) {
  return read == getFromMutable() && written == getToMutable();
}

memplan::AsyncRole SendOp::getAsyncRole() { return memplan::AsyncRole::Starts; }

SmallVector<Value> SendOp::getAwaitedValues() {
  return getAfter() ? SmallVector<Value>{getAfter()} : SmallVector<Value>();
}

memplan::AsyncRole WaitOp::getAsyncRole() { return memplan::AsyncRole::Awaits; }

SmallVector<Value> WaitOp::getAwaitedValues() { return {getEvent()}; }

SmallVector<Value> WaitOp::getFinishedValues() { return {}; }

void WhenOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent()) {
    successors.emplace_back(&getFirst());
    successors.emplace_back(&getSecond());
  } else {
    successors.emplace_back(getOperation(), getResults());
  }
}

void FickleOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  bool isTrue = (*this)->hasAttr("honest") ||
                !(*this)->getBlock()->getOps<memplan::ArenaOp>().empty();
  Region *from =
      point.isParent()
          ? nullptr
          : point.getTerminatorPredecessorOrNull()->getParentRegion();
  if (!from)
    successors.emplace_back(&getFirst());
  if (isTrue ? from == &getFirst() : !from)
    successors.emplace_back(&getSecond());
  if (isTrue ? from == &getSecond() : from != nullptr)
    successors.emplace_back(getOperation(), getOperation()->getResults());
}

/// The body runs at least once.
void RepeatOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody(), getBody().getArguments());
  if (!point.isParent())
    successors.emplace_back(getOperation(), getResults());
}

OperandRange RepeatOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInits();
}
