//===- RaisedFunctions.h - Functions changed before planning ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_RAISEDFUNCTIONS_H
#define MEMPLAN_LIB_TRANSFORMS_RAISEDFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <vector>

namespace memplan {

/// The functions in which deallocations have been raised, clones copied or
/// selects moved so that they can be planned. What is not planned stays as it
/// was.
class RaisedFunctions {
public:
  /// Changes the functions of the module that have no arena. `beforeChange` is
  /// called before each is changed.
  explicit RaisedFunctions(
      mlir::ModuleOp module, llvm::function_ref<void()> beforeChange = [] {});

  bool empty() const { return functions.empty(); }

  /// Makes all functions what they were.
  void restoreAll();

  /// Makes those what they were on which no plan of the module rests. `find`
  /// gives what has become of a function in `module`, or null if it has been
  /// rewritten.
  void restoreUnplanned(
      mlir::ModuleOp module,
      llvm::function_ref<mlir::func::FuncOp(mlir::func::FuncOp)> find =
          [](mlir::func::FuncOp same) { return same; });

private:
  struct Entry {
    mlir::func::FuncOp function;
    /// What it was.
    std::unique_ptr<mlir::Region> original;
    bool copiesClones;
  };
  std::vector<Entry> functions;
};

/// Moves selects of buffers down to where their results are first used, past
/// other uses of their operands. Returns true if there were any; `beforeChange`
/// is called then.
///
/// Cost: the uses of each select's result and operands.
bool sinkSelects(mlir::func::FuncOp function,
                 llvm::function_ref<void()> beforeChange);

/// Gives the function that body.
void takeBody(mlir::func::FuncOp function, mlir::Region &body);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_RAISEDFUNCTIONS_H
