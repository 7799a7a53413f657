//===- ArgumentFrees.h - When a function frees its arguments ----*- C++ -*-===//
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

/// Deallocations of one argument, of which each execution of the function
/// executes one if its condition holds, and none otherwise.
struct ArgumentFree {
  unsigned argument = 0;
  /// The operands of the deallocations, each the argument's memory and nothing
  /// else.
  llvm::SmallVector<mlir::OpOperand *, 2> frees;
  /// The i1 argument that says whether it is freed; always if there is none.
  std::optional<unsigned> condition;
  /// What the condition has to be.
  bool wanted = true;
};

/// The arguments of which a caller can know whether the function frees them,
/// ascending. A program that frees memory twice means nothing, so none does.
///
/// Cost: a walk over the function for each pair of a freed argument and an i1
/// argument.
llvm::SmallVector<ArgumentFree> findArgumentFrees(mlir::func::FuncOp function,
                                                  const AliasGraph &graph);

/// Takes the deallocations out of the function, with the conditionals that are
/// empty then.
void removeFrees(const ArgumentFree &free);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ARGUMENTFREES_H
