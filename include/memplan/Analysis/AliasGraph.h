//===- AliasGraph.h - Which values may share memory -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_ALIASGRAPH_H
#define MEMPLAN_ANALYSIS_ALIASGRAPH_H

#include "memplan/Analysis/AsyncUses.h"
#include "memplan/Analysis/CalleeTrust.h"
#include "memplan/Analysis/ProgramOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::func {
class CallIndirectOp;
class CallOp;
} // namespace mlir::func

namespace memplan {

/// The effects of one use of a memref on its memory. A use may both access the
/// memory and forward the memref.
struct BufferUse {
  /// Reads or writes the memory while the op, or the opaque op around it, runs.
  bool access = false;
  /// Forwards the memref: a result, a block argument or a region argument may
  /// be the same memory (AliasGraph::successors says which).
  bool forward = false;
  /// Frees the memory.
  bool free = false;
  /// Not empty if it is unknown where the memref goes or when it is accessed:
  /// the reason, as the predicate of a sentence about the buffer.
  std::string escape;
};

/// The facts about a function in the module that its callers may rely on.
struct FunctionSummary {
  /// Per argument: how the function keeps or frees it, as a predicate; empty if
  /// it does neither.
  std::vector<std::string> argumentEscapes;
  /// Per result: the arguments whose memory it may be, ascending.
  std::vector<std::vector<unsigned>> resultSources;
  /// Per result: the arguments that are freed if the result is freed,
  /// ascending. A clone of an argument may be the same memory, but is freed
  /// separately.
  std::vector<std::vector<unsigned>> resultOrigins;
  /// Per result: it is an argument, whichever path is taken.
  std::vector<bool> resultIsArgument;
};

class ModuleAliases;

/// The op that makes the function a coroutine; null if it is none. A coroutine
/// returns at its first suspension, and uses its arguments and allocations
/// after that.
mlir::Operation *findCoroutine(const ProgramOrder &order);

/// Registers the external models from which AliasGraph learns which ops forward
/// memrefs. A pass that builds an AliasGraph must register these as its
/// dependencies, as a tool may register few dialects.
void registerAliasInterfaces(mlir::DialectRegistry &registry);

/// The memref values of a function, or of an op and those that its regions take
/// from outside. An edge leads from a value to each result, block argument or
/// region argument that may be the same memory: the immediate dependencies of
/// upstream's BufferViewFlowAnalysis, with calls refined by the summaries of
/// their callees. Where that analysis loses track of a memref (stored in
/// memory, pointer taken as an integer, unknown op, tensor, asynchronous
/// execution) the use is an escape; an edge is never missing.
class AliasGraph {
public:
  /// `root` is a function, or an op without memref results whose region `order`
  /// numbers.
  AliasGraph(mlir::Operation *root, const ProgramOrder &order,
             const ModuleAliases &module);

  using Id = unsigned;
  size_t size() const { return values.size(); }
  mlir::Value getValue(Id id) const { return values[id]; }
  /// The number of a memref value, in walk order.
  Id getId(mlir::Value value) const { return ids.lookup(value); }
  llvm::ArrayRef<Id> successors(Id id) const { return forwardEdges[id]; }
  llvm::ArrayRef<Id> predecessors(Id id) const { return reverseEdges[id]; }

  /// All values that may be the memory of `id`, itself included, ascending.
  std::vector<Id> getAliases(Id id) const {
    return getAliases(llvm::ArrayRef<Id>(id));
  }
  /// All values that may be the memory of one of `ids`, these included,
  /// ascending.
  std::vector<Id> getAliases(llvm::ArrayRef<Id> ids) const;
  /// For each value the first of `wanted` that it reaches along edges, itself
  /// included; size() if there is none. Linear in the graph.
  std::vector<Id> findFirstAliases(llvm::ArrayRef<Id> wanted) const;
  /// The values at which the memory of `id` may begin, ascending: allocations,
  /// arguments, results of calls, and clones. A clone is a source although it
  /// may be the memory of its operand, because it is freed separately.
  std::vector<Id> getSources(Id id) const {
    return getSources(llvm::ArrayRef<Id>(id));
  }
  std::vector<Id> getSources(llvm::ArrayRef<Id> ids) const;
  /// All values whose memory `id` may be, itself included. Goes on through
  /// clones.
  llvm::SmallVector<Id> getPossibleMemory(Id id) const;
  /// The predecessors of `id` that are freed if `id` is freed. Sets `begins` if
  /// `id` may be memory of none of its predecessors.
  llvm::SmallVector<Id, 2> getOrigins(Id id, bool &begins) const;

  /// The effects of a use of a memref. Conservative: an op that is not
  /// understood makes it an escape.
  BufferUse classify(mlir::OpOperand &use) const;
  /// Adds the edges of calls that the summaries of callees have gained.
  void updateCalls();
  const AsyncUses &getAsyncUses() const { return async; }

  /// True for a result of a call that may be memory of none of the operands of
  /// the call.
  bool mayBeFreshFromCall(Id id) const;

private:
  using Edges = std::vector<llvm::SmallVector<Id, 2>>;
  void collectValues(mlir::Operation *root);
  void addEdge(mlir::Value from, mlir::Value to);
  void addCallEdges(mlir::func::CallOp call);
  void sortEdges();
  void addLoopEdges(mlir::affine::AffineForOp loop);
  bool forwardsTo(mlir::OpOperand &use, mlir::Operation *op) const;
  const FunctionSummary *getSummary(Id id) const;
  BufferUse classifyCall(mlir::func::CallOp call, mlir::OpOperand &use) const;
  BufferUse classifyIndirectCall(mlir::func::CallIndirectOp call,
                                 mlir::OpOperand &use) const;

  const ProgramOrder &order;
  const ModuleAliases &module;
  AsyncUses async;
  std::vector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, Id> ids;
  Edges forwardEdges, reverseEdges;
};

/// Program order, alias graph and summary of every function below an op.
/// Callees are analyzed before callers. The functions of one SCC of the call
/// graph start with empty summaries, which grow to a fixed point: an effect
/// that no finite chain of calls has is not assumed.
class ModuleAliases {
public:
  explicit ModuleAliases(mlir::Operation *root,
                         CalleeTrust trust = CalleeTrust::Boundary);

  CalleeTrust getTrust() const { return trust; }

  /// The functions with a body, in the order of the module.
  llvm::ArrayRef<mlir::FunctionOpInterface> getFunctions() const {
    return functions;
  }
  /// The same functions, callees before callers: one list for each SCC of the
  /// call graph.
  llvm::ArrayRef<llvm::SmallVector<mlir::FunctionOpInterface>>
  getCalleeFirstOrder() const {
    return sccs;
  }
  /// True when a call chain leads from the function back to it.
  bool isRecursive(mlir::FunctionOpInterface function) const {
    return recursive.contains(function);
  }
  /// The op which shows that many threads of a device run the function,
  /// directly or through calls. Null if there is none.
  mlir::Operation *getDeviceMark(mlir::FunctionOpInterface function) const {
    return deviceMarks.lookup(function);
  }
  /// The function that the symbol names; null if there is none.
  mlir::FunctionOpInterface getCallee(mlir::func::CallOp call) const;
  const ProgramOrder &getOrder(mlir::FunctionOpInterface function) const;
  const AliasGraph &getGraph(mlir::FunctionOpInterface function) const;

  using FunctionSet = llvm::DenseSet<mlir::Operation *>;
  /// Analyzes the functions of an SCC again if one of them, or a callee of one,
  /// is in `changed`, and adds them to `changed`. Calling this for all SCCs in
  /// callee-first order brings everything up to date.
  void refresh(llvm::ArrayRef<mlir::FunctionOpInterface> scc,
               FunctionSet &changed);

  enum class CalleeKind {
    /// It has a body and a summary.
    Summarised,
    /// Declared only: the function-boundary rules of ownership-based
    /// deallocation hold (arguments are not kept; results may alias them).
    External,
  };
  /// Sets `summary` only if the callee is Summarised.
  CalleeKind resolveCall(mlir::func::CallOp call,
                         const FunctionSummary *&summary) const;
  /// The functions with a body that a call through a value may reach: those of
  /// its type whose address is taken.
  llvm::ArrayRef<mlir::FunctionOpInterface>
  getIndirectCallees(mlir::func::CallIndirectOp call) const;
  /// The summary of a function with a body. It may still grow while the
  /// functions of a recursion are being analyzed.
  const FunctionSummary *getSummary(mlir::FunctionOpInterface function) const;

  /// Uses that free memory.
  using FreeSet = llvm::SmallPtrSet<mlir::OpOperand *, 4>;
  /// Computes the summaries of an SCC as if certain uses no longer freed
  /// memory, as planning removes these deallocations. `removed` has a set of
  /// such uses for each function of the SCC. Must be called in callee-first
  /// order. Returns true if a summary changes.
  bool assumeRemoved(llvm::ArrayRef<mlir::FunctionOpInterface> scc,
                     llvm::MutableArrayRef<FreeSet> removed);

private:
  struct Entry {
    std::unique_ptr<ProgramOrder> order;
    std::unique_ptr<AliasGraph> graph;
    FunctionSummary summary;
    /// True if the function, with all its deallocations, keeps or frees an
    /// argument.
    bool keepsArguments = false;
    FreeSet removedFrees;
  };
  void analyze(llvm::ArrayRef<mlir::FunctionOpInterface> scc);
  void settle(llvm::ArrayRef<mlir::FunctionOpInterface> scc);
  bool summarize(mlir::FunctionOpInterface function, Entry &entry);
  void collectAddressTaken(mlir::Operation *root);
  void findDeviceCode();
  std::vector<mlir::FunctionOpInterface>
  collectCallees(mlir::Operation *root) const;

  CalleeTrust trust;
  llvm::DenseMap<mlir::Type, llvm::SmallVector<mlir::FunctionOpInterface>>
      addressTaken;
  std::vector<mlir::FunctionOpInterface> functions;
  std::vector<llvm::SmallVector<mlir::FunctionOpInterface>> sccs;
  llvm::DenseSet<mlir::Operation *> recursive;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> deviceMarks;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Entry>> entries;
  mutable mlir::SymbolTableCollection symbols;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_ALIASGRAPH_H
