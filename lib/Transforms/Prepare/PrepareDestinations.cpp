//===- PrepareDestinations.cpp - Destinations of linalg ops ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryOrder.h"
#include "memplan/Analysis/InPlace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPREPAREDESTINATIONS
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

using namespace memplan;

/// If an elementwise op writes to an empty tensor, makes it write over an
/// operand that dies there. `written` counts for each tensor the ops of the
/// chain that do so.
static void reuseInput(linalg::LinalgOp op,
                       llvm::DenseMap<Value, unsigned> &written) {
  // The time of bufferization grows with the cube of the number of tensors in
  // one buffer. After 64 a new buffer begins, which planning may give the same
  // bytes.
  constexpr unsigned kMostWritten = 64;
  for (OpOperand *input : op.getDpsInputOperands())
    if (written.lookup(input->get()) < kMostWritten &&
        mayWriteOver(op, *input) &&
        llvm::all_of(input->get().getUsers(), [&](Operation *user) {
          return user->getBlock() == op->getBlock() &&
                 (user == op || user->isBeforeInBlock(op));
        })) {
      op.getDpsInitOperand(0)->set(input->get());
      written[op->getResult(0)] = written.lookup(input->get()) + 1;
      return;
    }
}

/// True if the user may write to the buffer of the operand after bufferization.
static bool isDestination(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto op = dyn_cast<DestinationStyleOpInterface>(user))
    return op.isDpsInit(&use);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
    return llvm::is_contained(loop.getInits(), use.get());
  return false;
}

/// True if the op writes a constant or an argument, which live anyway, into all
/// rows of an empty tensor, as the bias of a convolution.
static bool isBroadcast(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || !linalg::isaBroadcastOpInterface(op) ||
      !op.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
    return false;
  Value source = op.getInputs()[0];
  if (auto argument = dyn_cast<BlockArgument>(source))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return source.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

/// Gives each use of the op's result as a destination a clone of the op, except
/// for the last one if there are no other users. An op that writes over what it
/// reads needs one buffer for both. `makeClone` clones the op and its own
/// destination.
static void split(Operation *op,
                  llvm::function_ref<Operation *(OpBuilder &)> makeClone) {
  SmallVector<OpOperand *> destinations, reads;
  // What a writer is to read.
  llvm::DenseMap<Operation *, Value> written;
  for (OpOperand &use : op->getResult(0).getUses()) {
    (isDestination(use) ? destinations : reads).push_back(&use);
    if (isDestination(use))
      written[use.getOwner()] = use.get();
  }
  bool hasReader = llvm::any_of(reads, [&](OpOperand *use) {
    return !written.contains(use->getOwner());
  });
  if (!hasReader && !destinations.empty())
    destinations.pop_back();
  for (OpOperand *use : destinations) {
    OpBuilder builder(use->getOwner());
    use->set(makeClone(builder)->getResult(0));
    written[use->getOwner()] = use->get();
  }
  for (OpOperand *use : reads)
    if (Value value = written.lookup(use->getOwner()))
      use->set(value);
}

/// A memref of which the function makes a tensor, or to which it writes twice,
/// is not written by one op alone: `restrict` is false then, and a value would
/// be computed in the memref while the tensor is read. Unknown memory may be
/// any.
static void dropRestrict(Operation *function) {
  llvm::DenseMap<Value, unsigned> uses;
  SmallVector<bufferization::MaterializeInDestinationOp> writes;
  function->walk([&](Operation *op) {
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
      ++uses[findOwnMemory(tensor.getBuffer())];
    else if (auto write =
                 dyn_cast<bufferization::MaterializeInDestinationOp>(op);
             write && isa<BaseMemRefType>(write.getDest().getType())) {
      ++uses[findOwnMemory(write.getDest())];
      writes.push_back(write);
    }
  });
  unsigned all = 0;
  for (auto [memory, count] : uses)
    all += count;
  for (bufferization::MaterializeInDestinationOp write : writes) {
    Value memory = findOwnMemory(write.getDest());
    unsigned own = memory ? uses.lookup(memory) + uses.lookup(Value()) : all;
    if (own > 1)
      write.setRestrict(false);
  }
}

namespace {
struct PrepareDestinationsPass
    : memplan::impl::MemplanPrepareDestinationsBase<PrepareDestinationsPass> {
  using MemplanPrepareDestinationsBase::MemplanPrepareDestinationsBase;

  void runOnOperation() override {
    dropRestrict(getOperation());
    llvm::DenseMap<Value, unsigned> written;
    SmallVector<linalg::LinalgOp> fills;
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](Operation *op) {
      if (auto structured = dyn_cast<linalg::LinalgOp>(op);
          structured && writeOver)
        reuseInput(structured, written);
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        empties.push_back(empty);
      else if (auto fill = dyn_cast<linalg::FillOp>(op))
        if (fill.hasPureTensorSemantics() &&
            fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
          fills.push_back(fill);
      if (auto broadcast = dyn_cast<linalg::GenericOp>(op);
          broadcast && isBroadcast(broadcast))
        fills.push_back(broadcast);
    });
    for (linalg::LinalgOp fill : fills)
      split(fill, [&](OpBuilder &builder) {
        auto empty =
            fill.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>();
        IRMapping mapping;
        mapping.map(empty.getResult(), builder.clone(*empty)->getResult(0));
        return builder.clone(*fill, mapping);
      });
    for (tensor::EmptyOp empty : empties) {
      split(empty, [&](OpBuilder &builder) { return builder.clone(*empty); });
      if (empty->use_empty())
        empty.erase();
    }
  }
};
} // namespace
