//===- FunctionGraph.h - From functions to op graphs ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_FUNCTIONGRAPH_H
#define MEMPLAN_OPGRAPH_FUNCTIONGRAPH_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Graph/OpGraph.h"
#include "memplan/OpGraph/SymbolicSizes.h"

#include <memory>
#include <vector>

namespace memplan {

/// The op graph of a function with one block, and the IR of its ops and values.
/// The function must not change while the graph is used.
///
/// On tensors each result is a storage of its own. It has ties to the operands
/// whose storage it may take: its destination, and inputs that it may overwrite
/// (InPlace.h). Results of reshapes, casts and extractions are views. A
/// destination without contents (`tensor.empty`) is no value: the op makes a
/// new result.
///
///     %e = tensor.empty()                    no op
///     %z = linalg.fill outs(%e)              op 0 makes v0
///     %m = linalg.matmul ins(..) outs(%z)    op 1 makes v1, which may take the
///                                            storage of its operand v0
///
/// On memrefs an allocation is a storage, which the first op that accesses it
/// makes; views are no ops. Effects keep their order: reads and writes of one
/// alias class, and barriers, which are ops that may not return or have unknown
/// effects. All arguments, globals that are not constant, and results of calls
/// are one class, except memory that a callee in the module allocates and gives
/// to nobody else. Ops on a tensor that views a buffer read the buffer.
///
/// An op with regions is one op; its scratch is the peak of the live bytes
/// inside it, beyond its results. The same holds for a call. Constants of one
/// element are no values.
struct FunctionGraph {
  mlir::FunctionOpInterface function;
  graph::OpGraph graph;
  /// By OpId.
  std::vector<mlir::Operation *> ops;
  /// By ValueId: the value, or the allocation whose storage it is; null for
  /// reserves (OpCost::reserveBytes).
  std::vector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, graph::ValueId> ids;
  /// The deallocations that may be anywhere behind the last use of a storage,
  /// and that storage. Other deallocations free memory that may be reached in
  /// other ways, too.
  llvm::DenseMap<mlir::Operation *, graph::StorageId> freed;
  /// The formulas for the bytes of the graph.
  SymbolicSizes sizes;

  mlir::FunctionOpInterface getFunction() const { return function; }
};

/// Builds the op graphs of functions of a module, one at a time.
class FunctionGraphBuilder {
public:
  /// The module must not change while the builder is used.
  FunctionGraphBuilder(mlir::Operation *module, CostModel &costs);
  ~FunctionGraphBuilder();

  /// Emits an error and fails if there is no graph (getNoGraphReason) or if it
  /// is not well-formed.
  mlir::FailureOr<FunctionGraph> build(mlir::FunctionOpInterface function);

  class Impl;

private:
  std::unique_ptr<Impl> impl;
};

/// Why the function has no op graph, as the predicate of a sentence about it;
/// empty if it has one. It must be a func.func with one block.
std::string getNoGraphReason(mlir::FunctionOpInterface function);

/// True for ops that are no ops of a graph but belong to the ops that use them:
/// constants, a `tensor.empty` that is only written to, and on memrefs
/// allocations, views and deallocations.
bool isGlue(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_OPGRAPH_FUNCTIONGRAPH_H
