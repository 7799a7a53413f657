//===- PlanVerifierLoops.h - Loops whose iterations are known ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is an op of one block, or a cycle of blocks that a header counts:
//
//   ^header(%i: index):                   // from outside with a constant
//     %more = arith.cmpi slt, %i, %c8 : index
//     cf.cond_br %more, ^body, ^exit
//   ^body:
//     ...
//     %next = arith.addi %i, %c1 : index
//     cf.br ^header(%next : index)
//
// It is told by its header then. Whatever else leaves it, from the header to
// the exit control goes only after the last iteration.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLOOPS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLOOPS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerUnion.h"

#include <memory>
#include <optional>

namespace memplan::planverifier {

/// A constant range of an induction variable; it is not empty.
struct LoopRange {
  mlir::Value variable;
  int64_t begin;
  int64_t end;
  int64_t step;
};

using LoopRanges = llvm::SmallVector<LoopRange, 2>;

/// The ranges of the induction variables of a loop that surely runs; nothing
/// for other ops and for loops whose bounds are not constants.
std::optional<LoopRanges> getLoopRanges(mlir::Operation *op);

/// A loop by its op, or by its header.
using LoopKey = llvm::PointerUnion<mlir::Operation *, mlir::Block *>;

/// The loops of a function. Those of a graph of blocks are found when they are
/// first asked for.
class Loops {
public:
  /// Calls `fn` with the loops around `op`, innermost first, and what they
  /// count, as long as each surely runs in each iteration of the next and `fn`
  /// returns true. `op` is executed in each iteration of the first.
  void forEachAround(
      mlir::Operation *op,
      llvm::function_ref<bool(LoopKey, llvm::ArrayRef<LoopRange>)> fn);

  /// Where control goes after the last iteration of the loop with this header;
  /// null if it is the header of no loop, or of one that does not count.
  mlir::Block *getExit(mlir::Block *header);

  /// The blocks of the loop with a header that has an exit.
  llvm::ArrayRef<mlir::Block *> getBlocks(mlir::Block *header);

  /// True if `block` is in a loop of which the iterations are known, be it in
  /// one of its ops.
  bool contains(LoopKey loop, mlir::Block *block);

  /// True if control goes from a loop of which the iterations are known to
  /// nowhere else than on after the last of them.
  bool hasOneExit(LoopKey loop);

  /// Of blocks of one region.
  bool dominates(mlir::Block *a, mlir::Block *b);

private:
  struct Counted {
    LoopRange range;
    mlir::Block *exit;
    const mlir::CFGLoop *loop;
    /// Control leaves it to `exit` alone.
    bool hasOneExit;
  };
  struct Graph {
    explicit Graph(const llvm::DominatorTreeBase<mlir::Block, false> &tree)
        : info(tree) {}
    mlir::CFGLoopInfo info;
    llvm::DenseMap<mlir::Block *, Counted> counted;
  };
  Graph &getGraph(mlir::Region *region);
  const Counted *find(mlir::Block *header);

  mlir::DominanceInfo dominance;
  llvm::DenseMap<mlir::Region *, std::unique_ptr<Graph>> graphs;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERLOOPS_H
