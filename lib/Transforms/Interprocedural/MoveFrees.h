//===- MoveFrees.h - Callers free what callees freed ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_MOVEFREES_H
#define MEMPLAN_LIB_TRANSFORMS_MOVEFREES_H

#include "Interprocedural/ArgumentFrees.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace memplan {

/// An argument, by the number of its function in the order of the module's
/// walk, and its own.
using ArgumentNumber = std::pair<unsigned, unsigned>;

/// Private functions that free an argument leave it to their callers, right
/// after the call, where the deallocation can go with the buffer. A function
/// keeps its deallocation if it is not known from its arguments whether it is
/// executed, if its symbol is used other than by func.call, if it is recursive
/// or a coroutine, if one of its calls is part of a step, or if it or a caller
/// has been planned.
class MovedFrees {
public:
  /// Moves them, other than those of `kept`; from callee to caller to caller.
  MovedFrees(mlir::ModuleOp module, CalleeTrust trust,
             const llvm::DenseSet<ArgumentNumber> &kept);

  /// The functions that were changed.
  const llvm::DenseSet<mlir::Operation *> &getChanged() const {
    return changed;
  }

  /// The arguments whose deallocations were moved for nothing: all of these are
  /// still there, and not among `removed`, which plans take out of the program.
  /// To be asked once.
  std::vector<ArgumentNumber>
  findUseless(mlir::ModuleOp module,
              const llvm::DenseSet<mlir::Operation *> &removed) const;

private:
  struct Move {
    ArgumentNumber argument;
    /// How many deallocations there are in the callers.
    unsigned count = 0;
    /// The moves that took others of these further.
    llvm::SmallVector<unsigned, 2> further;
  };

  void move(mlir::func::FuncOp function, const ArgumentFree &free,
            llvm::ArrayRef<mlir::func::CallOp> calls);

  std::vector<Move> moves;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseSet<mlir::Operation *> changed;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_MOVEFREES_H
