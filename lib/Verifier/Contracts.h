//===- Contracts.h - Effects of ops and callees on memrefs ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_CONTRACTS_H
#define MEMPLAN_LIB_VERIFIER_CONTRACTS_H

#include "memplan/Verifier/Flow.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include <memory>

namespace memplan::verifier {

/// The effects of an op on the memref that is one of its operands. If there is
/// a problem, the memref escapes and the other members have no meaning.
struct Use {
  bool reads = false;
  bool writes = false;
  /// True if the op writes every element of the memref and reads none of them.
  bool overwrites = false;
  /// The predicate of an error about the operand, such as "returns"; empty if
  /// there is no problem.
  llvm::StringRef problem = {};
};

/// The effects of a function on its arguments, other than reads. An effect that
/// is not listed does not occur.
struct Contract {
  /// The arguments that it may write to, and those that it may keep or free.
  llvm::BitVector writes, keepsOrFrees;
  struct Result {
    /// The arguments that the result may be.
    llvm::BitVector arguments;
    /// True if the result may be memory other than the arguments.
    bool isOther = false;
    bool operator==(const Result &other) const {
      return arguments == other.arguments && isOther == other.isOther;
    }
  };
  std::vector<Result> results;
  bool operator==(const Contract &other) const {
    return writes == other.writes && keepsOrFrees == other.keepsOrFrees &&
           results == other.results;
  }
};

/// The contracts of functions. That of a function with a body is derived from
/// the body. Of a function without a body, the assumptions of upstream's buffer
/// deallocation hold: it neither keeps nor frees its arguments, and its results
/// may be the arguments.
class Contracts {
public:
  /// The effects of the owner of the operand on the memref.
  Use classify(mlir::OpOperand &operand);

  /// The memrefs that the result of an op may be, other than memory that the op
  /// allocates. Empty for placements, views and results that control flow
  /// forwards; other functions give their sources. Sets `isOther` if the result
  /// may be memory that is none of the sources.
  llvm::SmallVector<mlir::Value> getSources(mlir::OpResult result,
                                            bool &isOther);

  /// If a callee takes the operand as its arena, the alignment in bytes that it
  /// expects; otherwise 0.
  int64_t getArenaAlignment(mlir::OpOperand &operand);

  /// True if the op takes the address of a function with an arena as an
  /// argument.
  bool addressesArenaUser(mlir::Operation *op);

  /// The function that the op calls; null if it calls none or the function is
  /// not known.
  mlir::FunctionOpInterface getCallee(mlir::Operation *op);

  /// True if every path from `start`, an op that starts a task, leads to an
  /// await of the task.
  bool isAwaited(mlir::Operation *start);

private:
  mlir::FunctionOpInterface getBody(mlir::CallOpInterface call);
  const Contract *getContract(mlir::CallOpInterface call);
  const Contract &getContract(mlir::FunctionOpInterface function);
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
  /// By type, the functions with a body whose address this module takes.
  mlir::Operation *addressedIn = nullptr;
  llvm::DenseMap<mlir::Type, std::vector<mlir::FunctionOpInterface>> addressed;
};

/// True if the op starts a task: work that may continue behind the op until an
/// op awaits it.
bool startsTask(mlir::Operation *op);

/// Follows the task that `start` starts over all paths until an await. Calls
/// `visit` for each op that comes while the task may run, including the await,
/// and `followed` for each edge that control takes meanwhile; it may call them
/// again for the same op or edge. Returns false if some path does not await the
/// task.
bool walkTask(
    const FlowGraph &graph, mlir::Operation *start,
    llvm::function_ref<void(mlir::Operation *)> visit,
    llvm::function_ref<void(const Edge &)> followed = [](const Edge &) {});

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_CONTRACTS_H
