//===- Flow.h - The flow graph of a function --------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks are cut at the ops whose regions control enters, so that structured
// and unstructured control flow become one graph:
//
//   block { a; scf.if {b} else {c}; d }      [a, scf.if] -> [b] -> [d]
//                                                        -> [c] ->
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_FLOW_H
#define MEMPLAN_LIB_VERIFIER_FLOW_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <vector>

namespace memplan::verifier {

inline bool isMemRef(mlir::Value value) {
  return mlir::isa<mlir::BaseMemRefType>(value.getType());
}
bool isToken(mlir::Type type);

struct Edge {
  unsigned target;
  /// Memrefs, tokens and conditions: what a block argument or a result becomes,
  /// and of what. All of an edge happens at once.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 2> forwarded = {};
  /// The condition that leads here, if that is known, and its value then.
  mlir::Value choice = {};
  bool chosen = false;
  /// False for the way into a region that control is known never to enter. It
  /// only says what the names in there are.
  bool isTaken = true;
};

struct Node {
  /// The ops that could matter for memory, in order.
  std::vector<mlir::Operation *> ops;
  std::vector<Edge> edges;
};

/// Ops of a block that run at once.
struct Step {
  mlir::IntegerAttr number;
  std::vector<mlir::Operation *> members;
};

/// Node 0 is the entry.
class FlowGraph {
public:
  explicit FlowGraph(mlir::Region &root);

  std::vector<Node> nodes;
  /// The nodes that control comes to, each before those that are only behind it
  /// (reverse postorder); of several successors the first one in the text comes
  /// first: a loop before what is behind it.
  std::vector<unsigned> order;
  /// By node, its place in `order`.
  std::vector<unsigned> rank;
  /// False if control is known to come to the node once at most.
  bool mayRepeat(unsigned node) const { return passed[rank[node]] != 0; }
  /// True if an edge leads from the node, or from one behind it, to it.
  bool isEnteredFromBehind(unsigned node) const { return isHead[node]; }
  /// Of each operand that control flow forwards, the memrefs that it becomes.
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value, 1>> becomes;
  /// By op with known control flow, the nodes that control comes from to it,
  /// and to from it.
  struct Sides {
    unsigned before, behind;
  };
  llvm::DenseMap<mlir::Operation *, Sides> sidesOf;
  std::vector<Step> steps;
  /// The step of every op from its first to its last member.
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
  /// Where in `nodes` the ops are that have tokens as results.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, size_t>> tokenOps;
  /// Members of steps whose ops are not together.
  std::vector<mlir::Operation *> strayMembers;

private:
  void findOrder();

  /// By place in `order`, how many edges lead back past the node, or to it.
  std::vector<int> passed;
  std::vector<bool> isHead;
};

/// Visits all ops inside `root`, and itself, but not what is inside of isolated
/// ops: these are functions of their own.
void walkOwn(mlir::Operation *root,
             llvm::function_ref<void(mlir::Operation *)> visit);

/// True if control leaves the function at `op`, or if it may, as nothing is
/// known of where it goes.
bool isExit(mlir::Operation *op);

/// True if control enters the regions of `op` in a way that the graph knows.
bool hasKnownControlFlow(mlir::Operation *op);
/// Of these, a loop whose iterations may run at once.
bool isParallelLoop(mlir::Operation *op);

/// One induction variable with constant bounds, and at least one iteration.
struct LoopRange {
  mlir::BlockArgument variable;
  int64_t begin;
  int64_t step;
  int64_t count;
};
std::optional<llvm::SmallVector<LoopRange>> getLoopRanges(mlir::Operation *op);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_FLOW_H
