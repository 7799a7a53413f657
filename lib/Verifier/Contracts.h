//===- Contracts.h - What ops and callees do with memrefs -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_CONTRACTS_H
#define MEMPLAN_LIB_VERIFIER_CONTRACTS_H

#include "Flow.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include <memory>

namespace memplan::verifier {

/// What an op does through one operand. With a problem the rest means nothing:
/// the memref is then out of sight.
struct Use {
  bool reads = false;
  bool writes = false;
  /// Writes every element of the memref, and reads none.
  bool overwrites = false;
  /// Verb and preposition of the complaint, as in "returns"; empty if there is
  /// none.
  llvm::StringRef problem = {};
};

/// What a function does with its arguments. Everything not said it does not.
struct Contract {
  llvm::BitVector writes, loses;
  struct Result {
    /// The arguments that it may be.
    llvm::BitVector arguments;
    /// It may be other memory.
    bool isOther = false;
    bool operator==(const Result &other) const {
      return arguments == other.arguments && isOther == other.isOther;
    }
  };
  std::vector<Result> results;
  bool operator==(const Contract &other) const {
    return writes == other.writes && loses == other.loses &&
           results == other.results;
  }
};

/// What is known of callees: derived from their bodies where the module has
/// them, else what upstream's deallocation believes of a function boundary:
/// that callees neither keep nor free their arguments, and that their results
/// may be these.
class Contracts {
public:
  Use classify(mlir::OpOperand &operand);

  /// The memrefs that a result of `op` may be, apart from its own allocation;
  /// nothing for results that control flow or other names tell. `isOther` says
  /// that it may be memory that none of them is.
  llvm::SmallVector<mlir::Value> getSources(mlir::OpResult result,
                                            bool &isOther);

  /// The alignment in bytes of the arena that a callee takes as this operand; 0
  /// if it takes none there.
  int64_t getArenaAlignment(mlir::OpOperand &operand);

  /// True if the op takes the address of a function that gets an arena from its
  /// callers.
  bool addressesArenaUser(mlir::Operation *op);

  /// The function that the op calls; null if it calls none, or an unknown one.
  mlir::FunctionOpInterface getCallee(mlir::Operation *op);

  /// True if every path from the op on which work is started comes to an await.
  bool isAwaited(mlir::Operation *start);

private:
  mlir::FunctionOpInterface getBody(mlir::CallOpInterface call);
  const Contract *getContract(mlir::CallOpInterface call);
  void settle(mlir::FunctionOpInterface function);
  Contract derive(mlir::FunctionOpInterface function);
  const std::vector<mlir::FunctionOpInterface> &
  getAddressed(mlir::CallOpInterface call);
  bool onlyReads(mlir::CallOpInterface call, unsigned argument);
  Use classifyCall(mlir::CallOpInterface call, mlir::OpOperand &operand);
  llvm::StringRef findUnknownEnd(mlir::Operation *op);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, Contract> known;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FlowGraph>> graphs;
  llvm::DenseMap<mlir::Operation *, bool> awaited;
  mlir::Operation *addressedIn = nullptr;
  llvm::DenseMap<mlir::Type, std::vector<mlir::FunctionOpInterface>> addressed;
};

/// The memref that `value` is directly a view of; null if it is no view, or a
/// placement.
mlir::Value getViewed(mlir::Value value);

/// True if the op starts work that goes on behind it, until it is awaited.
bool startsTask(mlir::Operation *op);

/// Calls `visit` with the ops beside which the task that `start` starts may
/// run, and `followed` with the edges that are taken meanwhile. Returns false
/// if on some path nobody awaits it.
bool walkTask(
    const FlowGraph &graph, mlir::Operation *start,
    llvm::function_ref<void(mlir::Operation *)> visit,
    llvm::function_ref<void(const Edge &)> followed = [](const Edge &) {});

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_CONTRACTS_H
