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
//   a loop nest as a whole                   an op before, or a loop, for the
//     scf.for %i = 0 to 8                    very elements
//       scf.for %j = 0 to 4                    scf.for %i ...
//         memref.store %x, %v[%i, %j]            memref.store %x, %v[%i]
//     ... = read %v                              ... = memref.load %v[%i]
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H

#include "PlanVerifierBytes.h"

#include "llvm/ADT/BitVector.h"

namespace memplan::planverifier {

/// A write that covers more than itself by the end of a loop.
struct Cover {
  mlir::Operation *op;
  const Access *access;
};

class Rewrites {
public:
  Rewrites(const Model &model, const Bytes &bytes, Loops &loops)
      : model(model), bytes(bytes), loops(loops) {}

  /// The writes with more to them by the end of `loop`.
  llvm::ArrayRef<Cover> getCovers(LoopKey loop);

  /// What such a write has surely written by the end of `loop`, and nothing in
  /// it may have taken back.
  ByteSet getCovered(LoopKey loop, const Cover &cover);

  /// True if what `op` reads through `access` was written by an op, or by all
  /// of a loop, in the same iteration of the loops around both, and nothing
  /// between them may have taken it.
  bool isRewrittenBefore(mlir::Operation *op, const Access &access);

private:
  void prepare();
  void findBeginnings();
  bool grow(Box &box, mlir::Operation *op, mlir::Operation *other,
            LoopKey &outermost);
  bool isRewrittenBy(mlir::Operation *writer, mlir::Operation *op,
                     const Access &access);
  bool isDefinedIn(LoopKey loop, mlir::Value value);
  bool disturbs(LoopKey loop, unsigned handle);
  bool disturbs(mlir::Operation *op, unsigned handle);
  bool disturbsBetween(mlir::Operation *from, mlir::Operation *to,
                       mlir::Operation *op, unsigned handle);
  /// A slot that is written to through a value, or in which another buffer
  /// begins.
  struct Taken {
    unsigned slot;
    unsigned handle;
    bool begins;
    auto key() const { return std::tie(slot, handle, begins); }
    bool operator<(const Taken &other) const { return key() < other.key(); }
    bool operator==(const Taken &other) const { return key() == other.key(); }
  };
  const std::vector<Taken> &getTaken(LoopKey loop);
  void collectTaken(NodeSpan nodes, std::vector<Taken> &taken) const;
  void collectTaken(const Event &event, std::vector<Taken> &taken) const;
  bool takes(const Taken &taken, unsigned handle) const;

  const Model &model;
  const Bytes &bytes;
  Loops &loops;
  /// What follows is found when it is first asked for: only where a buffer has
  /// lost bytes it does matter.
  bool isPrepared = false;
  llvm::DenseMap<LoopKey, llvm::SmallVector<Cover, 1>> covers;
  llvm::DenseMap<LoopKey, std::vector<Taken>> takenIn;
  /// Of blocks in a graph of several, the nodes of theirs and in their ops.
  llvm::DenseMap<mlir::Block *, NodeSpan> spans;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<const Event *, 1>> events;
  /// The slots in which a buffer may begin after another, so that two values of
  /// one slot may be two buffers.
  llvm::BitVector beginsAgain;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREWRITES_H
