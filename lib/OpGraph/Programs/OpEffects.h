//===- OpEffects.h - Effects of ops on memory -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_OPGRAPH_OPEFFECTS_H
#define MEMPLAN_ANALYSIS_OPGRAPH_OPEFFECTS_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace memplan {

/// An access to memory through a memref value.
struct MemoryAccess {
  mlir::Value memory;
  bool reads = false;
  bool writes = false;
};

/// The effects of an op, with its regions and its callees.
struct OpEffects {
  /// One for each value, in the order of the first access. An access of a
  /// callee to an argument counts as an access to the operand of the call.
  llvm::SmallVector<MemoryAccess, 2> accesses;
  /// It has unknown effects, or effects that others see (prints, asserts), or
  /// may not return: no effect may be moved across it.
  bool isBarrier = false;
  /// It may be executed where the program would not execute it.
  bool isSpeculatable = true;

  bool isPure() const { return accesses.empty() && !isBarrier; }
  void add(mlir::Value memory, bool reads, bool writes);
  void add(const OpEffects &other);
};

/// Computes the effects of ops; visits each callee once.
class EffectAnalysis {
public:
  OpEffects getEffects(mlir::Operation *op);

private:
  void addOwnEffects(mlir::Operation *op, OpEffects &effects);
  void addCall(mlir::CallOpInterface call, OpEffects &effects);
  const OpEffects *getCalleeEffects(mlir::FunctionOpInterface function);

  mlir::SymbolTableCollection symbols;
  /// The effects of each function on its arguments; null while it is computed.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpEffects>> functions;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_OPEFFECTS_H
