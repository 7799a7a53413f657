//===- FunctionGraph.h - From functions to op graphs ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_FUNCTIONGRAPH_H
#define MEMPLAN_ANALYSIS_FUNCTIONGRAPH_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Analysis/SymbolicSizes.h"
#include "memplan/Graph/OpGraph.h"

#include <memory>
#include <vector>

namespace memplan {

/// The op graph of a function of one block, with what of the IR its ops and
/// values are. The function must not change while it is used.
///
/// On tensors every result is a storage of its own, with ties to the
/// destination it may be computed in and to what it may be written over
/// (InPlace.h); results of reshapes, casts and extractions are views. A
/// destination that nothing has been written to
/// (`tensor.empty`) is no value: the op makes its result anew.
///
///     %e = tensor.empty()                    no op
///     %z = linalg.fill outs(%e)              op 0 makes v0
///     %m = linalg.matmul ins(..) outs(%z)    op 1 makes v1, which may take the
///                                            place of its operand v0
///
/// On memrefs an allocation is a storage, which the first op that accesses it
/// makes; views of it are no ops. Order is kept by effects: reads and writes of
/// one alias class, and barriers where the effects of an op are not known or it
/// may not return. All arguments, globals that are not constant and results of
/// calls are one class, but for memory that a callee in the module is seen to
/// allocate and to give to nobody else. Ops on a tensor that is what a buffer
/// holds read the buffer.
///
/// An op with regions is one op, whose scratch is what lives inside at once
/// beyond its results; so is a call. Constants of one element are no values.
struct FunctionGraph {
  mlir::FunctionOpInterface function;
  graph::OpGraph graph;
  /// By OpId.
  std::vector<mlir::Operation *> ops;
  /// By ValueId: the value, or the allocation whose storage it is; null for
  /// reserves.
  std::vector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, graph::ValueId> ids;
  /// Of deallocations that may stand anywhere behind the last use of a storage,
  /// which; any other frees what is reached in other ways, too.
  llvm::DenseMap<mlir::Operation *, graph::StorageId> freed;
  /// The formulas of the graph's bytes.
  SymbolicSizes sizes;

  mlir::FunctionOpInterface getFunction() const { return function; }
};

/// Builds the graphs of the functions of a module, each when it is asked for.
class FunctionGraphBuilder {
public:
  /// The module must not change while the builder is used.
  FunctionGraphBuilder(mlir::Operation *module, CostModel &costs);
  ~FunctionGraphBuilder();

  /// Emits an error and fails where getNoGraphReason tells one.
  mlir::FailureOr<FunctionGraph> build(mlir::FunctionOpInterface function);

  class Impl;

private:
  std::unique_ptr<Impl> impl;
};

/// Why no op graph can be made of the function, as the predicate of a sentence
/// about it; empty where it can. It is a func.func with one block.
std::string getNoGraphReason(mlir::FunctionOpInterface function);

/// True for ops that are no ops of a graph but go with those that use them:
/// constants, static `tensor.empty` that is only written to, and on memrefs
/// allocations, views and deallocations.
bool isGlue(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_FUNCTIONGRAPH_H
