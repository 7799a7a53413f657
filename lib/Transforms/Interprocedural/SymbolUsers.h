//===- SymbolUsers.h - Calls and other uses of functions --------*- C++ -*-===//
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

/// True if an attribute of LLVM says what memory the function uses
/// (llvm.readnone). It does not hold for memory that is handed in.
bool saysWhatMemoryItUses(mlir::FunctionOpInterface function);

/// The calls and other uses of functions. Walks each symbol table once, when it
/// is first asked about.
class SymbolUsers {
public:
  /// The calls of a private function, in program order. std::nullopt if the
  /// function is not private or has no body, if an attribute other than the
  /// callee of a func.call names it, or if an attribute of the function, such
  /// as llvm.emit_c_interface, makes its signature part of an interface.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCalls(mlir::func::FuncOp function);

  /// The same for any function with a body, also if it is public or has an
  /// interface to C: std::nullopt if another attribute names it, if it may be
  /// an entry point of a device, or if it says what memory it uses.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCallsInModule(mlir::func::FuncOp function);

  /// The calls of any function, with or without a body; std::nullopt if another
  /// attribute names it.
  std::optional<llvm::SmallVector<mlir::func::CallOp>>
  findCallsOfSymbol(mlir::FunctionOpInterface function);

  /// True if some op of the symbol table may use any symbol, because its
  /// regions are unknown (SymbolTable::getSymbolUses fails).
  bool hasUnknownUses(mlir::FunctionOpInterface function) {
    return !get(function->getParentRegion()).isKnown;
  }

  /// Replaces the known calls of the function.
  void setCalls(mlir::func::FuncOp function,
                llvm::SmallVector<mlir::func::CallOp> calls);

private:
  struct Table {
    /// False if there may be uses in regions that are unknown.
    bool isKnown = false;
    llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::func::CallOp>>
        calls;
    /// The symbols that an attribute other than a callee names.
    llvm::DenseSet<mlir::StringAttr> otherwise;
  };

  const Table &get(mlir::Region *region);

  llvm::DenseMap<mlir::Region *, Table> tables;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SYMBOLUSERS_H
