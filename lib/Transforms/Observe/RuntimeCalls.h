//===- RuntimeCalls.h - Calls of libMemPlanRuntime --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_RUNTIMECALLS_H
#define MEMPLAN_LIB_TRANSFORMS_RUNTIMECALLS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace memplan {

/// A place of the program, as libMemPlanRuntime gets it: the op, and what is
/// known of the buffer (memplan-c/Runtime.h).
struct Site {
  mlir::Operation *op = nullptr;
  std::string buffer = "";
  /// The memory space of the buffer.
  mlir::Attribute space = nullptr;
  /// The parallel loop whose arena the slot is in, or -1.
  int64_t loop = -1;
  std::string shares = "";
};

/// Creates calls in the functions of a module. The text of each place is a
/// constant of the module, once for each distinct text.
class RuntimeCalls {
public:
  /// Creates a call at the builder's insertion point. All operands besides the
  /// site are of type index.
  void call(mlir::OpBuilder &builder, llvm::StringRef callee, const Site &site,
            mlir::ValueRange operands);

  static mlir::Value createIndex(mlir::OpBuilder &builder, mlir::Location loc,
                                 int64_t value);
  /// The address of the first byte of the allocation or view that the memref
  /// is, or is a part of.
  static mlir::Value createAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value memref);
  /// The bytes of a memref of identity layout; 0 if its elements have no known
  /// size.
  static mlir::Value createBytes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value memref);

private:
  mlir::Value createSite(mlir::OpBuilder &builder, mlir::Operation *table,
                         const Site &site);

  mlir::SymbolTableCollection symbols;
  /// By symbol table, the constants by their texts.
  llvm::DenseMap<mlir::Operation *, llvm::StringMap<mlir::StringAttr>> texts;
};

/// True for code that runs on a device, which cannot call the library.
bool isOnDevice(mlir::Operation *op);

/// The ops with which control leaves the function.
llvm::SmallVector<mlir::Operation *>
findReturns(mlir::FunctionOpInterface function);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_RUNTIMECALLS_H
