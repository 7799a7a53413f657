//===- BodyBackup.cpp - What a function was before it was planned ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/BodyBackup.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace memplan;

static bool isMemRef(Type type) { return isa<BaseMemRefType>(type); }

/// True for an op that planning keeps, with everything inside: it has effects,
/// and nothing in it has to do with memrefs.
static bool hasPlainPayload(Operation *op) {
  if (op->getNumRegions() != 1 || op->getNumResults() != 0 ||
      !isa<linalg::LinalgOp>(op) ||
      !llvm::any_of(op->getOperandTypes(), isMemRef))
    return false;
  Region &region = op->getRegion(0);
  return region.hasOneBlock() &&
         llvm::all_of(region.front(), [](Operation &in) {
           return in.getNumRegions() == 0 && in.getNumSuccessors() == 0 &&
                  llvm::none_of(in.getOperandTypes(), isMemRef) &&
                  llvm::none_of(in.getResultTypes(), isMemRef);
         });
}

BodyBackup::BodyBackup(Region &body) : body(body) { copy(body, saved); }

/// What is in a block is looked through when it is destroyed. From the inside
/// out that is little; from the outside in, a nest costs the square of its
/// depth.
BodyBackup::~BodyBackup() {
  saved.dropAllReferences();
  SmallVector<Block *> blocks;
  saved.walk<WalkOrder::PreOrder>(
      [&](Block *block) { blocks.push_back(block); });
  for (Block *block : llvm::reverse(blocks))
    block->clear();
}

/// As Region::cloneInto: all values first, as a use may stand before its
/// definition.
void BodyBackup::copy(Region &from, Region &to) {
  for (Block &block : from) {
    auto *mirror = new Block();
    to.push_back(mirror);
    mapping.map(&block, mirror);
    for (BlockArgument argument : block.getArguments())
      mapping.map(argument,
                  mirror->addArgument(argument.getType(), argument.getLoc()));
  }
  auto options =
      Operation::CloneOptions::all().cloneRegions(false).cloneOperands(false);
  for (Block &block : from)
    for (Operation &op : block)
      mapping.lookup(&block)->push_back(op.clone(mapping, options));
  SmallVector<Value> operands;
  for (Block &block : from)
    for (auto [op, mirror] : llvm::zip_equal(block, *mapping.lookup(&block))) {
      operands.clear();
      for (Value operand : op.getOperands())
        operands.push_back(mapping.lookupOrDefault(operand));
      mirror.setOperands(operands);
      if (hasPlainPayload(&op)) {
        keepPayload(op, mirror);
        continue;
      }
      for (auto [inner, mirrorInner] :
           llvm::zip_equal(op.getRegions(), mirror.getRegions()))
        copy(inner, mirrorInner);
    }
}

/// What the payload takes from outside is there twice from now on.
void BodyBackup::keepPayload(Operation &op, Operation &mirror) {
  payloads.push_back({&op, &mirror});
  Block &block = op.getRegion(0).front();
  for (Operation &inner : block)
    for (OpOperand &operand : inner.getOpOperands())
      if (operand.get().getParentBlock() != &block)
        captures.push_back({&operand, mapping.lookupOrDefault(operand.get())});
}

void BodyBackup::restore() {
  for (auto [operand, value] : captures)
    operand->set(value);
  for (auto [op, mirror] : payloads)
    mirror->getRegion(0).takeBody(op->getRegion(0));
  body.dropAllReferences();
  body.takeBody(saved);
}
