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

/// What one use of a memref does with the memory behind it. A use may both
/// access it and forward the memref.
struct BufferUse {
  /// Reads or writes the memory, at some time during the (anchored) op.
  bool access = false;
  /// Hands the memref on: a result, a block argument or a region argument may
  /// be the same memory (AliasGraph::successors says which).
  bool forward = false;
  /// Frees the memory.
  bool free = false;
  /// Not empty when it cannot be known where the memref goes or when it is
  /// accessed; says why, as the predicate of a sentence about the buffer.
  std::string escape;
};

/// What callers may assume of a function in the module.
struct FunctionSummary {
  /// Per argument: empty, or how the function keeps or frees it.
  std::vector<std::string> argumentEscapes;
  /// Per result: the arguments whose memory it may be, ascending.
  std::vector<std::vector<unsigned>> resultSources;
  /// Per result: the arguments that would be freed with it, ascending. A clone
  /// of an argument may be the same memory, but is freed apart from it.
  std::vector<std::vector<unsigned>> resultOrigins;
  /// Per result: it has no other origin than arguments, whatever path is taken.
  std::vector<bool> resultIsArgument;
};

class ModuleAliases;

/// The op that makes the function a coroutine, if it is one. It returns at its
/// first suspension, and goes on using what it was given, or has allocated.
mlir::Operation *findCoroutine(const ProgramOrder &order);

/// Registers the external models by which AliasGraph learns which ops forward
/// memrefs. A pass that builds one must name them among its dependencies: what
/// is not registered cannot be asked, and a tool may register little.
void registerAliasInterfaces(mlir::DialectRegistry &registry);

/// The memref values of a function, or of an op and those that its regions take
/// from outside, and which may be the same memory as a
/// result of which: the immediate dependencies of upstream's
/// BufferViewFlowAnalysis, with calls refined by what their callees do. What
/// that analysis does not see (memrefs stored in memory, pointers taken as
/// integers, unknown ops, tensors, asynchronous execution) is an escape of the
/// use concerned, never a missing edge.
class AliasGraph {
public:
  /// `root` is a function, or an op without results that are memrefs whose
  /// region `order` numbers.
  AliasGraph(mlir::Operation *root, const ProgramOrder &order,
             const ModuleAliases &module);

  using Id = unsigned;
  size_t size() const { return values.size(); }
  mlir::Value getValue(Id id) const { return values[id]; }
  /// The number of a memref value, in walk order.
  Id getId(mlir::Value value) const { return ids.lookup(value); }
  llvm::ArrayRef<Id> successors(Id id) const { return forwardEdges[id]; }
  llvm::ArrayRef<Id> predecessors(Id id) const { return reverseEdges[id]; }

  /// Everything that may be memory of `id`, itself included, ascending.
  std::vector<Id> getAliases(Id id) const {
    return getAliases(llvm::ArrayRef<Id>(id));
  }
  /// Everything that may be memory of one of `ids`, these included, ascending.
  std::vector<Id> getAliases(llvm::ArrayRef<Id> ids) const;
  /// For each value the first of `wanted` among its aliases; size() if there is
  /// none. Cost: that of the graph.
  std::vector<Id> findFirstAliases(llvm::ArrayRef<Id> wanted) const;
  /// The values without predecessors whose memory `id` may be, ascending. A
  /// clone is one of them, and owns what it is, though it may be other memory.
  std::vector<Id> getSources(Id id) const {
    return getSources(llvm::ArrayRef<Id>(id));
  }
  std::vector<Id> getSources(llvm::ArrayRef<Id> ids) const;
  /// All values whose memory `id` may be, itself included, clones or not.
  llvm::SmallVector<Id> getPossibleMemory(Id id) const;
  /// The values that would be freed with `id`, one step back. Sets `begins` if
  /// it may be memory that none of them is.
  llvm::SmallVector<Id, 2> getOrigins(Id id, bool &begins) const;

  BufferUse classify(mlir::OpOperand &use) const;
  /// Adds the edges that the summaries of callees have come to ask for.
  void updateCalls();
  const AsyncUses &getAsyncUses() const { return async; }

  /// True for the result of a call that may be memory which none of the call's
  /// operands is.
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
/// Callees come before callers. Those of one SCC of the call graph begin
/// with summaries that say nothing, and are looked at until none of these
/// changes: what no finite chain of calls does is not done.
class ModuleAliases {
public:
  explicit ModuleAliases(mlir::Operation *root,
                         CalleeTrust trust = CalleeTrust::Boundary);

  CalleeTrust getTrust() const { return trust; }

  /// The functions with a body, in the order of the module.
  llvm::ArrayRef<mlir::FunctionOpInterface> getFunctions() const {
    return functions;
  }
  /// The same functions, callees before callers. Those that call each other in
  /// an SCC are together; any other is by itself.
  llvm::ArrayRef<llvm::SmallVector<mlir::FunctionOpInterface>>
  getCalleeFirstOrder() const {
    return sccs;
  }
  /// True when a call chain leads from the function back to it.
  bool isRecursive(mlir::FunctionOpInterface function) const {
    return recursive.contains(function);
  }
  /// What shows that many threads of a device run the function, itself or
  /// through a chain of calls from code that they run: an op. Null if nothing
  /// does.
  mlir::Operation *getDeviceMark(mlir::FunctionOpInterface function) const {
    return deviceMarks.lookup(function);
  }
  /// The function of that symbol, or null.
  mlir::FunctionOpInterface getCallee(mlir::func::CallOp call) const;
  const ProgramOrder &getOrder(mlir::FunctionOpInterface function) const;
  const AliasGraph &getGraph(mlir::FunctionOpInterface function) const;

  using FunctionSet = llvm::DenseSet<mlir::Operation *>;
  /// Looks anew at the functions of an SCC if one of them, or a callee of
  /// one, is in `changed`, and adds them to it. If all SCCs are asked about,
  /// in callee-first order, everything is known again.
  void refresh(llvm::ArrayRef<mlir::FunctionOpInterface> scc,
               FunctionSet &changed);

  enum class CalleeKind {
    /// Its body is known and summarised.
    Summarised,
    /// Declared only: the function-boundary rules of ownership-based
    /// deallocation hold (arguments are not kept; results may alias them).
    External,
  };
  CalleeKind resolveCall(mlir::func::CallOp call,
                         const FunctionSummary *&summary) const;
  /// The functions with a body that may be called through a value: those of
  /// its type whose address is taken.
  llvm::ArrayRef<mlir::FunctionOpInterface>
  getIndirectCallees(mlir::func::CallIndirectOp call) const;
  /// The summary of a function with a body. It may still grow while the
  /// functions of a recursion are being analyzed.
  const FunctionSummary *getSummary(mlir::FunctionOpInterface function) const;

  /// Uses that free memory.
  using FreeSet = llvm::SmallPtrSet<mlir::OpOperand *, 4>;
  /// From now on the functions of an SCC free what they will once they are
  /// planned: these uses, all of one function, no longer; `removed` has a set
  /// for each. To be told of in callee-first order. Returns true if a summary
  /// changes.
  bool assumeRemoved(llvm::ArrayRef<mlir::FunctionOpInterface> scc,
                     llvm::MutableArrayRef<FreeSet> removed);

private:
  struct Entry {
    std::unique_ptr<ProgramOrder> order;
    std::unique_ptr<AliasGraph> graph;
    FunctionSummary summary;
    /// As the function stands it keeps or frees an argument.
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
