//===- EntryValues.h - Index values at the entry ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is known at the entry of its function if pure ops compute it from the
// arguments: these ops can be executed at the entry, whatever path control
// takes later. The extent of a buffer is an operand of its allocation, and that
// of a view follows from the extents of its source.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_ENTRYVALUES_H
#define MEMPLAN_ANALYSIS_ENTRYVALUES_H

#include "memplan/IR/Constants.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace memplan {

/// Finds and computes values at the entry of a function. The function must not
/// change in between, other than by what is computed here.
class EntryValues {
public:
  explicit EntryValues(mlir::FunctionOpInterface function)
      : function(function), constants(function) {}

  /// A value on which `value` depends and which is not known at the entry; null
  /// if there is none.
  mlir::Value findUnknown(mlir::OpFoldResult value);
  /// The same for the extent of a dimension of a memref.
  mlir::Value findUnknownExtent(mlir::Value memref, int64_t dimension);

  /// Computes a value that is known at the entry. The builder must insert in
  /// the entry block, in front of all uses, and behind what has been computed
  /// so far. Each op is cloned once.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::OpFoldResult value);
  mlir::Value emitExtent(mlir::OpBuilder &builder, mlir::Value memref,
                         int64_t dimension);
  /// The dynamic extents of an allocation.
  llvm::SmallVector<mlir::Value> emitExtents(mlir::OpBuilder &builder,
                                             mlir::Operation *allocation);
  /// The bytes of an allocation.
  mlir::Value emitBytes(mlir::OpBuilder &builder, mlir::Operation *allocation);

private:
  bool isArgument(mlir::Value value);
  mlir::Value computeUnknown(mlir::Value value);
  mlir::Value emitAffine(mlir::OpBuilder &builder, mlir::Operation *op);
  mlir::Value createConstant(mlir::OpBuilder &builder, int64_t value);
  mlir::Value createProduct(mlir::OpBuilder &builder,
                            llvm::SmallVector<mlir::Value> factors,
                            int64_t constant);

  mlir::FunctionOpInterface function;
  ConstantMaker constants;
  /// The calls of findUnknown and findUnknownExtent inside each other.
  unsigned depth = 0;
  /// The results of findUnknown.
  llvm::DenseMap<mlir::Value, mlir::Value> unknown;
  llvm::DenseMap<mlir::Value, mlir::Value> emitted;
  /// By extent of an argument.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> extents;
  llvm::DenseMap<int64_t, mlir::Value> numbers;
  /// By constant factor and other factors. For lookups only: the order depends
  /// on addresses.
  std::map<std::pair<int64_t, std::vector<const void *>>, mlir::Value> products;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_ENTRYVALUES_H
