//===- ArgumentFrees.h - Deallocations of arguments -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_ARGUMENTFREES_H
#define MEMPLAN_LIB_TRANSFORMS_ARGUMENTFREES_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

/// The deallocations of one argument. Each execution of the function executes
/// exactly one of them if the condition holds, and none otherwise.
struct ArgumentFree {
  unsigned argument = 0;
  /// The freed operands; each is always a view of the argument.
  llvm::SmallVector<mlir::OpOperand *, 2> frees;
  /// The i1 argument that decides whether the argument is freed; std::nullopt
  /// if it is always freed.
  std::optional<unsigned> condition;
  /// The value of the condition with which it is freed.
  bool wanted = true;
};

/// The arguments that the function frees, if a caller can tell from the
/// arguments whether it does; in ascending order. Assumes that no program frees
/// memory twice.
///
/// Cost: a walk over the function for each pair of a freed argument and an i1
/// argument.
llvm::SmallVector<ArgumentFree> findArgumentFrees(mlir::func::FuncOp function,
                                                  const AliasGraph &graph);

/// Removes the deallocations from the function, and conditionals that become
/// empty.
void removeFrees(const ArgumentFree &free);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ARGUMENTFREES_H
