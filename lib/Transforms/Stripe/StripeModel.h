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

#include <optional>
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

  int64_t extraFlops(const Chain &chain) const;
  /// The FLOPs of all ops, once each.
  int64_t flops() const { return allFlops; }

private:
  friend class StripeState;

  /// What the model knows of an op, by its position in the block.
  struct Info {
    mlir::Operation *op;
    int64_t bytes = 0;
    int64_t flops = 0;
    llvm::SmallVector<unsigned, 2> users;
    /// The ops of the block that make its operands.
    llvm::SmallVector<unsigned, 4> makers;
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
  /// What an op or a chain counts at most, in bytes, FLOPs or calls: sums of
  /// old and new ones over all ops fit.
  int64_t mostOfOp() const {
    return INT64_MAX / 16 / static_cast<int64_t>(infos.size() + 1);
  }

  std::vector<Info> infos;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  int64_t allFlops = 0;
};

/// FLOPs that are computed as a floating-point number, not negative; the most
/// that fit if these do not.
int64_t toFlops(double flops);

/// The live bytes of the block of a model with chains that have no op in
/// common.
class StripeState {
public:
  explicit StripeState(const StripeModel &model,
                       std::vector<Chain> chains = {});

  const StripeCost &cost() const { return ownCost; }
  size_t size() const { return entries.size(); }
  const Chain &chain(size_t index) const { return entries[index].chain; }
  std::vector<Chain> chains() const;
  /// The chain that has the op.
  std::optional<size_t> chainOf(mlir::Operation *op) const;
  /// The ops that make or hold what is live at the first peak.
  llvm::DenseSet<mlir::Operation *> critical();

  /// The cost without the chains at the ascending positions `removed` and with
  /// `added`. Looks only at the ops whose memory changes, and at the time
  /// between the first and the last one.
  StripeCost costWith(llvm::ArrayRef<size_t> removed,
                      llvm::ArrayRef<Chain> added);
  /// Does so; the new chains are the last ones.
  void replace(llvm::ArrayRef<size_t> removed, std::vector<Chain> added);

  /// The ops and times that have been looked at.
  int64_t work() const { return allWork; }

private:
  struct Entry {
    Chain chain;
    int64_t innerPeak, extraFlops, calls;
  };
  /// The greatest load of a range of times, and how often it occurs.
  struct Peak {
    int64_t bytes = 0;
    int64_t count = 0;
    void add(Peak other);
  };

  Entry makeEntry(const Chain &chain) const;
  void run(const Chain &chain, bool inStripes);
  unsigned lastUse(unsigned op) const;
  unsigned findTie(unsigned op) const;
  void store(unsigned op);
  void rebuild();
  llvm::SmallVector<unsigned> getAffected(llvm::ArrayRef<unsigned> touched);

  const StripeModel *model;
  std::vector<Entry> entries;
  StripeCost ownCost;
  int64_t allWork = 0;
  static constexpr size_t kNone = SIZE_MAX;
  /// By op: the position at which it runs (that of the root of its chain), and
  /// its chain.
  std::vector<unsigned> runsAt;
  std::vector<bool> isGone, isRoot;
  std::vector<size_t> owner;
  /// By op: the first of the ops with the same memory; by the first one, the
  /// last use, the bytes, and all ops.
  std::vector<unsigned> storage, last;
  std::vector<int64_t> bytes;
  std::vector<llvm::SmallVector<unsigned, 1>> members;
  /// By time: live bytes; the peak before it, and from it on.
  std::vector<int64_t> load;
  std::vector<Peak> before, after;
  /// By op: the number of the last call of getAffected that met it.
  std::vector<unsigned> met;
  unsigned meeting = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_STRIPE_STRIPEMODEL_H
