//===- Uniformity.h - Values and ops that threads share ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_WORKGROUP_UNIFORMITY_H
#define MEMPLAN_LIB_ANALYSIS_WORKGROUP_UNIFORMITY_H

#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace memplan {

/// The ops of a kernel that all threads of a workgroup execute together. All
/// threads enter the kernel; they part at a branch whose condition is not
/// proven to be uniform (the same for all threads), and meet again where all
/// ways from it lead. The ops in between are a *divergent* part of the kernel.
///
///     %t = gpu.thread_id x
///     scf.for ... {            uniform: constant bounds
///       gpu.barrier            all threads execute it
///       scf.if (%t < 16) {     varying condition
///         gpu.barrier          divergent
///       }
///     }
///
/// Uniform are constants, the arguments of the kernel, block ids, sizes of
/// blocks and grids, what pure ops compute from these, and what uniform control
/// flow forwards. Not uniform are the ids of threads, everything that is read
/// from memory or from other threads, results of calls, and all values that a
/// divergent part defines.
class Uniformity {
public:
  /// `kernel` is a function, or a gpu.launch; `order` numbers its region.
  Uniformity(mlir::Operation *kernel, const ProgramOrder &order);

  bool isUniform(mlir::Value value) const { return !varying.contains(value); }
  /// The outermost divergent part with the op, as a key; null if all threads
  /// execute the op together.
  const void *findDivergentPart(mlir::Operation *op) const;
  /// True if threads may part at the op.
  bool mayPart(mlir::Operation *op) const;

private:
  void visit(mlir::Operation *op);
  void visitTerminator(mlir::Operation *op);
  void setVarying(mlir::Value value);
  void setVarying(mlir::Region &region);
  void setVarying(mlir::Block *block);
  void part(mlir::Operation *op);
  void part(mlir::Block *block);
  mlir::Block *findLeader(mlir::Block *block) const;
  void forward(mlir::OperandRange from, mlir::ValueRange to);

  mlir::Operation *kernel;
  const ProgramOrder &order;
  mlir::PostDominanceInfo postDominance;
  llvm::DenseSet<mlir::Value> varying;
  /// Ops with regions that the threads execute differently.
  llvm::DenseSet<mlir::Operation *> parted;
  /// The blocks behind a varying branch and before the block in which its ways
  /// meet; of overlapping sets of blocks, the way to a common block.
  llvm::DenseMap<mlir::Block *, mlir::Block *> leaders;
  /// Blocks that end with a varying branch that has been handled.
  llvm::DenseSet<mlir::Block *> handled;
  llvm::SetVector<mlir::Operation *> pending;
};

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_WORKGROUP_UNIFORMITY_H
