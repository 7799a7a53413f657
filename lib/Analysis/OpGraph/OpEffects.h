//===- OpEffects.h - What an op does to memory ------------------*- C++ -*-===//
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

/// What an op with all that it contains, callees included, does.
struct OpEffects {
  /// By value, in the order of the first access; what callees do to their
  /// arguments is done to the operands of the call.
  llvm::SmallVector<MemoryAccess, 2> accesses;
  /// It does what is not known, or what others see (prints, asserts), or it may
  /// not return: effects keep their side of it.
  bool isBarrier = false;
  /// It may run where the program would not have run it.
  bool isSpeculatable = true;

  bool isPure() const { return accesses.empty() && !isBarrier; }
  void add(mlir::Value memory, bool reads, bool writes);
  void add(const OpEffects &other);
};

/// Looks at each callee once.
class EffectAnalysis {
public:
  OpEffects getEffects(mlir::Operation *op);

private:
  void addOwnEffects(mlir::Operation *op, OpEffects &effects);
  void addCall(mlir::CallOpInterface call, OpEffects &effects);
  const OpEffects *getCalleeEffects(mlir::FunctionOpInterface function);

  mlir::SymbolTableCollection symbols;
  /// What functions do to their arguments; null while one is looked at.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpEffects>> functions;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_OPGRAPH_OPEFFECTS_H
