//===- Flow.h - The flow graph of a function --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is split at each op with known control flow, so that structured and
// unstructured control flow become one graph:
//
//   block { a; scf.if {b} else {c}; d }      [a, scf.if] -> [b] -> [d]
//                                                        -> [c] ->
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_FLOW_H
#define MEMPLAN_VERIFIER_FLOW_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <vector>

namespace memplan::verifier {

inline bool isMemRef(mlir::Value value) {
  return mlir::isa<mlir::BaseMemRefType>(value.getType());
}
/// True for the types of values that stand for asynchronous work.
bool isToken(mlir::Type type);

struct Edge {
  unsigned target;
  /// Pairs of a block argument or result and the value that it takes on this
  /// edge. They are memrefs, tokens and conditions. All pairs take effect at
  /// once.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 2> forwarded = {};
  /// The condition under which control takes this edge, and the value that it
  /// then has; null if there is none that is known.
  mlir::Value choice = {};
  bool chosen = false;
  /// False for an edge into a region that control is known never to enter. Such
  /// an edge only gives the arguments of the region their sources.
  bool isTaken = true;
};

struct Node {
  /// The ops that may matter for memory, in the order of the text.
  std::vector<mlir::Operation *> ops;
  std::vector<Edge> edges;
};

/// Ops of a block that run at the same time. `number` is their `memplan.step`;
/// it is null for ops with a `memplan.stream` each.
struct OpsAtOnce {
  mlir::IntegerAttr number;
  std::vector<mlir::Operation *> members;
};

/// Node 0 is the entry.
class FlowGraph {
public:
  explicit FlowGraph(mlir::Region &root);

  std::vector<Node> nodes;
  /// The reachable nodes in reverse postorder. Of the successors of a node, the
  /// first one in the text comes first, so a loop comes before the code behind
  /// it.
  std::vector<unsigned> order;
  /// By node, its index in `order`.
  std::vector<unsigned> rank;
  /// False if control is known to reach the node once at most.
  bool mayRepeat(unsigned node) const { return passed[rank[node]] != 0; }
  /// By operand that control flow forwards, the memrefs that it becomes.
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value, 1>> becomes;
  /// By op with known control flow that is in no step, the node that ends with
  /// the op and the node that begins behind it.
  struct Sides {
    unsigned before, behind;
  };
  llvm::DenseMap<mlir::Operation *, Sides> sidesOf;
  std::vector<OpsAtOnce> steps;
  /// By op, the index of its step. Includes the ops that stand between the
  /// first and the last member.
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
  /// By op that starts asynchronous work, its node and its index in the ops of
  /// that node.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, size_t>> tokenOps;
  /// Members that are not together with the first members of their step.
  std::vector<mlir::Operation *> strayMembers;

private:
  void findOrder();

  /// By index in `order`, the number of edges that lead back from the node or
  /// one behind it to the node or one before it.
  std::vector<int> passed;
};

/// True for an op that places a buffer: memplan.view, memplan.renew, and what
/// memplan-lower writes for a renewal.
bool isPlacement(mlir::Operation *op);

/// The memref that `value` is a direct view of, or a choice among; null if it
/// is no view or is a placement.
mlir::Value getViewed(mlir::Value value);

/// True for a view whose elements are elements of its source and whose layout
/// counts from where that of its source does.
bool isRelativeView(mlir::Operation *op);

/// Visits `root` and the ops inside of it in pre-order. Of an op inside that is
/// isolated from above, it visits the op but not the regions, which belong to a
/// function of their own.
void walkOwn(mlir::Operation *root,
             llvm::function_ref<void(mlir::Operation *)> visit);

/// True if control leaves the function at `op`, or may leave it because the
/// successors of `op` are not known.
bool isExit(mlir::Operation *op);

/// True if the graph represents how control enters and leaves the regions of
/// `op`.
bool hasKnownControlFlow(mlir::Operation *op);
/// True for a loop with known control flow whose iterations may run at the same
/// time.
bool isParallelLoop(mlir::Operation *op);
/// True for a parallel loop, and for the sequential loops of scf and affine
/// that count their iterations.
bool isCountedLoop(mlir::Operation *op);

/// An induction variable with constant bounds: `count` values, at least one,
/// from `begin` on in steps of `step`.
struct LoopRange {
  mlir::BlockArgument variable;
  int64_t begin;
  int64_t step;
  int64_t count;
};
/// The ranges of all induction variables of a loop; std::nullopt if one is not
/// constant or is empty.
std::optional<llvm::SmallVector<LoopRange>> getLoopRanges(mlir::Operation *op);

} // namespace memplan::verifier

#endif // MEMPLAN_VERIFIER_FLOW_H
