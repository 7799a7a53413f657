//===- PlanVerifierRewrites.h - Buffers written anew ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where views of one place were merged, or hoisted out of a loop, no op says
// that a buffer begins anew: it shows in that everything is written before it
// is read. One op may do that (see Bytes::written), or
//
//   a loop nest as a whole                   an op before, for the very
//   elements
//     scf.for %i = 0 to 8                      scf.for %i ...
//       scf.for %j = 0 to 4                      memref.store %x, %v[%i]
//         memref.store %x, %v[%i, %j]            ... = memref.load %v[%i]
//     ... = read %v
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H

#include "PlanVerifierBytes.h"

namespace memplan::planverifier {

/// A write that covers more than itself by the end of a loop.
struct Cover {
  mlir::Operation *op;
  const Access *access;
};

class Rewrites {
public:
  Rewrites(const Model &model, const Bytes &bytes)
      : model(model), bytes(bytes) {}

  llvm::ArrayRef<Cover> getCovers(mlir::Operation *loop);

  /// True if an op in `loop` may take bytes of a slot that `handle` may be.
  bool disturbs(mlir::Operation *loop, unsigned handle);

  /// True if what `op` reads through `access` was written by an op in the same
  /// iteration, and nothing between them may have taken it.
  bool isRewrittenBefore(mlir::Operation *op, const Access &access);

private:
  void prepare();
  bool disturbsBetween(mlir::Operation *from, mlir::Operation *to,
                       unsigned handle);
  /// A slot that is written to, or in which another buffer begins.
  struct Taken {
    unsigned slot;
    bool isRenewed;
    bool operator<(const Taken &other) const {
      return std::tie(slot, isRenewed) < std::tie(other.slot, other.isRenewed);
    }
    bool operator==(const Taken &other) const {
      return slot == other.slot && isRenewed == other.isRenewed;
    }
  };
  const std::vector<Taken> &getTaken(mlir::Operation *loop);
  void collectTaken(const Event &event, std::vector<Taken> &taken) const;
  bool takes(const Taken &taken, unsigned handle) const;

  const Model &model;
  const Bytes &bytes;
  /// What follows is found when it is first asked for: only where a buffer has
  /// lost bytes it does matter.
  bool isPrepared = false;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Cover, 1>> covers;
  llvm::DenseMap<mlir::Operation *, std::vector<Taken>> takenIn;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<const Event *, 1>> events;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H
