//===- PlanVerifierAliases.h - Where slots flow -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERALIASES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERALIASES_H

#include "PlanVerifierModel.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace memplan::planverifier {

/// What a function does with the memrefs it is given. Functions without a body
/// follow the rules of the function boundary: they keep and free no argument,
/// and a result may be any of them.
struct CallSummary {
  /// Of a function that does nothing and never returns.
  CallSummary(unsigned numArguments, unsigned numResults)
      : resultIsArgument(numResults, llvm::BitVector(numArguments)),
        resultIsOnlyArguments(numResults, true), losesArgument(numArguments),
        writesArgument(numArguments) {}

  /// For each result the arguments it may be, or be part of.
  llvm::SmallVector<llvm::BitVector, 1> resultIsArgument;
  /// The results that are nothing but these.
  llvm::BitVector resultIsOnlyArguments;
  /// The arguments that the function keeps, frees or takes the address of.
  llvm::BitVector losesArgument;
  /// The arguments that it may write.
  llvm::BitVector writesArgument;
};

/// What a function does with the contents of the memrefs it is given.
struct CallContents {
  /// The arguments that it may read before it writes them.
  llvm::BitVector reads;
  /// The arguments that it writes from the first byte to the last.
  llvm::BitVector overwrites;
};

/// Functions that call each other, or a single one.
struct Circle {
  llvm::SmallVector<mlir::FunctionOpInterface, 1> members;
  /// By member, which members call it.
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 1> callers;
};

/// The summaries of the functions of a module, computed when asked for.
class CallSummaries {
public:
  /// The summary of the function that is called; null if it is not known.
  const CallSummary *get(mlir::CallOpInterface call);
  const CallContents *getContents(mlir::CallOpInterface call);

  /// True if a function that may be called through the value loses the
  /// argument: one of the module of which the address is taken.
  bool mayLoseIndirectly(mlir::CallOpInterface call, unsigned argument);

  /// What the callee expects of the address of an argument that it takes for
  /// its arena, in bytes; 0 for every other argument.
  int64_t getArenaAlignment(mlir::CallOpInterface call, unsigned argument);

  /// True if the callee does not write the argument: by its body or, where it
  /// has none, by its declaration.
  bool onlyReads(mlir::CallOpInterface call, unsigned argument);

  /// True if the task that the op starts has ended wherever control leaves the
  /// function, or the op of unknown control flow around the start.
  bool isAwaited(mlir::Operation *start);

private:
  mlir::FunctionOpInterface resolve(mlir::CallOpInterface call);
  /// What may be called through a value.
  llvm::ArrayRef<mlir::FunctionOpInterface>
  getAddressed(mlir::CallOpInterface call);
  std::vector<std::shared_ptr<Circle>>
  discover(mlir::FunctionOpInterface function);
  const CallSummary *getOf(mlir::FunctionOpInterface function);
  CallSummary summarize(mlir::FunctionOpInterface function);
  CallContents analyzeContents(mlir::FunctionOpInterface function);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<CallSummary>> summaries;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<CallContents>> contents;
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<Circle>> circles;
  /// How many callees are being looked into.
  unsigned depth = 0;
  /// By type, the functions of which the address is taken, in one module.
  mlir::Operation *addressedIn = nullptr;
  llvm::DenseMap<mlir::Type, llvm::SmallVector<mlir::FunctionOpInterface, 1>>
      addressed;
  llvm::DenseMap<mlir::Operation *, bool> awaited;
  llvm::DenseMap<mlir::Region *, std::unique_ptr<Model>> taskGraphs;
};

/// From which values memory flows to which, in no order of execution.
class Flows {
public:
  /// `model` needs its graph only.
  Flows(const Model &model, CallSummaries &calls);

  /// Gives each value the union of the roots that flow to it.
  void
  propagate(llvm::ArrayRef<std::pair<mlir::Value, unsigned>> rootsOfValues);

  IdSet rootsOf(mlir::Value value) const { return roots.lookup(value); }
  llvm::ArrayRef<mlir::Value> sourcesOf(mlir::Value value) const;
  llvm::ArrayRef<mlir::Value> targetsOf(mlir::Value value) const;

  /// False if byte offsets that the type of `value` states count from another
  /// base than that of its root.
  bool isBased(mlir::Value value) const { return !rebased.contains(value); }

  /// True if the call's result is surely one of the values that flow to it.
  bool isOnlySources(mlir::Value result) const {
    return onlySources.contains(result);
  }
  /// True if `value` is surely one of the function's arguments.
  bool isOnlyArguments(mlir::Value value, const Model &model) const;

private:
  void add(mlir::Value from, mlir::Value to);
  void addResult(mlir::Operation *op, mlir::Value result);
  void addOpaqueRegions(mlir::Operation *op);

  IdSets &idSets;
  CallSummaries &calls;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> targets;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> sources;
  llvm::DenseMap<mlir::Value, IdSet> roots;
  llvm::DenseSet<mlir::Value> rebased;
  llvm::DenseSet<mlir::Value> onlySources;
};

/// Which handle each memref value belongs to.
class Aliases {
public:
  /// Creates the merged handles of `model` and resolves its edges' bindings.
  Aliases(Model &model, CallSummaries &calls);

  /// The handle that `value` views, or kForeign.
  int handleOf(mlir::Value value) const;
  /// `target` becoming one of `values`.
  Binding bind(unsigned target, llvm::ArrayRef<mlir::Value> values) const;
  const Flows &getFlows() const { return flows; }

private:
  bool hasRepeatedViews();
  void createMerged(mlir::ValueRange values);
  void simplifyMerged();
  bool dominates(mlir::Value definition, mlir::Value value);

  Model &model;
  Flows flows;
  mlir::DominanceInfo dominance;
  llvm::DenseMap<mlir::Value, int> handles;
  std::vector<mlir::Value> merged;
  /// The slots that have lifetime markers.
  IdSet marked;
};

/// What an op does through one of its operands.
struct Use {
  bool reads = false;
  bool writes = false;
  /// Why the operand cannot be followed from here, a verb phrase; empty if it
  /// can.
  llvm::StringRef problem;
};

/// Classifies the operands of one op.
class UseClassifier {
public:
  UseClassifier(const ListedOp &listed, CallSummaries &calls)
      : op(listed.op), kind(listed.kind), calls(calls) {}

  Use classify(mlir::OpOperand &operand);

private:
  bool isForwarded(mlir::OpOperand &operand) const;
  Use classifyEffects(mlir::Value value);

  mlir::Operation *op;
  OpKind kind;
  CallSummaries &calls;
  /// Asked for with the first operand that needs them.
  std::optional<llvm::SmallVector<mlir::MemoryEffects::EffectInstance>> effects;
};

/// True if a callee gets memory for its arena from the function.
bool handsArenas(const Model &model, CallSummaries &calls);

/// Checks what the function hands to callees as their arenas: a slot or an
/// allocation, aligned as the callee expects, and nothing else the callee gets.
mlir::LogicalResult checkHandedArenas(const Model &model,
                                      const Aliases &aliases,
                                      CallSummaries &calls);

/// Fills in the events of every node. Fails if a slot is used where it cannot
/// be followed, with an error for each such use unless `quiet`.
mlir::LogicalResult buildEvents(Model &model, const Aliases &aliases,
                                CallSummaries &calls, bool quiet = false);

/// Finds the last uses of all handles.
void findLastUses(Model &model);

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERALIASES_H
