//===- StripeModel.h - The memory of chains, estimated ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate of the live bytes of a block whose ops are computed in chains,
// without a rewrite. It guides the choice of chains; plans decide.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_STRIPE_STRIPEMODEL_H
#define MEMPLAN_LIB_TRANSFORMS_STRIPE_STRIPEMODEL_H

#include "Stripe/Chain.h"
#include "memplan/Analysis/CostModel.h"

#include <vector>

namespace memplan {

/// What chains cost.
struct StripeCost {
  /// The most bytes that are live at once, and the number of ops at which they
  /// are.
  int64_t peak = 0;
  int64_t peaks = 0;
  /// The sum of the live bytes over all ops.
  int64_t area = 0;
  /// FLOPs that are computed again.
  int64_t extraFlops = 0;
  /// Ops that run, those of a loop once for each stripe.
  int64_t calls = 0;
};

/// A block of ops on tensors. It must not change while the model is used.
class StripeModel {
public:
  StripeModel(mlir::Block &block, CostModel &costs);

  /// If `critical` is not null, sets it to the ops that make or hold what is
  /// live at the first peak.
  StripeCost
  getCost(const std::vector<Chain> &chains,
          llvm::DenseSet<mlir::Operation *> *critical = nullptr) const;

  int64_t extraFlops(const Chain &chain) const;
  /// The FLOPs of all ops, once each.
  int64_t flops() const { return allFlops; }
  /// Of the result of an op of the block.
  int64_t bytes(mlir::Operation *op) const { return infoOf(op).bytes; }

private:
  /// What the model knows of an op, by its position in the block.
  struct Info {
    mlir::Operation *op;
    int64_t bytes = 0;
    int64_t flops = 0;
    llvm::SmallVector<unsigned, 2> users;
    /// Ops whose results this one may share memory with, the first that can:
    /// views always, others if their result is not needed afterwards.
    llvm::SmallVector<unsigned, 2> ties;
    bool isView = false;
    /// The destinations among the ties. The loop over the stripes of an op
    /// takes only these.
    llvm::SmallVector<unsigned, 1> inits;
  };
  const Info &infoOf(mlir::Operation *op) const {
    return infos[positions.lookup(op)];
  }
  int64_t getInnerPeak(const Chain &chain) const;

  std::vector<Info> infos;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  int64_t allFlops = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_STRIPEMODEL_H
