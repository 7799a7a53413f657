//===- Chain.h - Ops that are computed in stripes together ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STRIPE_CHAIN_H
#define MEMPLAN_LIB_TRANSFORMS_STRIPE_CHAIN_H

#include "Prepare/MemoryOrder.h"
#include "Stripe/Rows.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// A structured op, cut along a loop, and the ops that compute what one stripe
/// of it needs. Only slices of the results of these ops exist at a time.
///
///     %a = pad %x                   for each stripe of `rows` rows of %c:
///     %b = conv %a            ->      pad, conv and round the rows it needs
///     %c = round %b                   insert the result into %c
struct Chain {
  mlir::Operation *root = nullptr;
  unsigned loop = 0;
  /// Iterations of the loop.
  int64_t count = 0;
  /// Iterations of the loop in a stripe, a divisor of `count`.
  int64_t rows = 1;
  /// The other ops, with the slices of their results that a stripe needs;
  /// consumers before producers.
  llvm::MapVector<mlir::Operation *, Rows> producers;
  /// Slices that two stripes need are kept by the first one for the second,
  /// instead of computed by both.
  bool keepsRows = false;

  int64_t stripes() const { return count / rows; }
  /// True if slices of the result of a producer are kept: not those of a pad
  /// whose operand exists as a whole.
  bool keeps(mlir::Operation *op) const;
  bool keepsAny() const;
  /// The slices of the result of a producer that a stripe computes.
  Rows computed(mlir::Operation *op) const {
    Rows needed = producers.lookup(op);
    return keeps(op) ? needed.withoutHalo() : needed;
  }
};

/// True for ops that cost no FLOPs: fills, broadcasts of values, pads,
/// concatenations, reshapes. A chain may repeat them.
bool isForFree(mlir::Operation *op);

/// Gives each user of a fill or of the broadcast of a smaller tensor one of its
/// own, right before it: each chain can then compute its slices.
void splitRepeatables(mlir::Block &block);

/// Makes a concatenation of slices that fill an empty tensor along one
/// dimension.
void raiseConcats(mlir::Block &block);

/// The chain of `root`, cut along `loop` of `count` iterations. An op joins it
/// if all its users are in the chain and need the same slices of its result,
/// and `mayJoin` agrees.
Chain growChain(
    mlir::Operation *root, unsigned loop, int64_t count, bool keepsRows,
    llvm::function_ref<bool(mlir::Operation *, const Rows &)> mayJoin);

/// The ops of the chain in the order in which a stripe computes them: what
/// makes an operand before the op that reads it first, one operand after the
/// other.
llvm::SmallVector<mlir::Operation *> orderInStripe(const Chain &chain);

/// Replaces the ops of the chain by a loop over its stripes. Fails, and leaves
/// the program as it was, if upstream cannot tile an op.
mlir::LogicalResult computeInStripes(mlir::RewriterBase &rewriter,
                                     const Chain &chain);

/// Does so for a chain that keeps rows, and returns what the root computes. The
/// ops of the chain stay, without uses in the loop.
mlir::FailureOr<mlir::Value> computeKeepingRows(mlir::RewriterBase &rewriter,
                                                const Chain &chain);

/// Folds what stripes leave behind: slices of empty tensors, sizes of stripes
/// that are constants, slices that are computed twice.
mlir::LogicalResult foldStripes(mlir::Operation *function);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_CHAIN_H
