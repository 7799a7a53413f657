//===- SymbolUsers.h - Who uses a private function --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SYMBOLUSERS_H
#define MEMPLAN_LIB_TRANSFORMS_SYMBOLUSERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

/// The uses of symbols, found with one walk over each symbol table.
class SymbolUsers {
public:
  /// The calls of a private function, in the order of the program; nothing if
  /// its symbol is used otherwise: by another op, or by an attribute of any op
  /// that is not the callee of a call, that of the symbol table included; or if
  /// an attribute of the function, such as llvm.emit_c_interface, makes its
  /// signature part of an interface.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCalls(mlir::func::FuncOp function);

  /// The same of any function with a body, public ones and those with an
  /// interface to C included: nothing if the module uses its symbol otherwise
  /// or a device does.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCallsInModule(mlir::func::FuncOp function);

  /// The calls of the symbol of any function; nothing if the module uses it
  /// otherwise.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCallsOfSymbol(mlir::FunctionOpInterface function);

  /// True if some op of the module may use any symbol, as nothing is known of
  /// its regions.
  bool hasUnknownUses(mlir::FunctionOpInterface function) {
    return !get(function->getParentRegion()).isKnown;
  }

  /// The calls of the function are these from now on, and it is not used
  /// otherwise.
  void setCalls(mlir::func::FuncOp function,
                llvm::SmallVector<mlir::func::CallOp> calls);

private:
  struct Table {
    /// False if there may be uses that cannot be seen.
    bool isKnown = false;
    llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::func::CallOp>>
        calls;
    llvm::DenseSet<mlir::StringAttr> otherwise;
  };

  const Table &get(mlir::Region *region);

  llvm::DenseMap<mlir::Region *, Table> tables;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SYMBOLUSERS_H
