//===- SizeModel.h - Extents and bytes under hints --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEMODEL_H
#define MEMPLAN_ANALYSIS_SIZEMODEL_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// Sizes of shaped values as formulas over symbols, and under hints as numbers.
///
/// A symbol is an extent of a function argument, an index argument, or an index
/// that nothing tells more of. The hint of an argument's extents is its
/// attribute `memplan.dim_hints` (array<i64>, one a dimension, 0 for none),
/// that of an index argument `memplan.hint` (an i64); all others have the
/// default hint. Formulas are followed through the ops that hand sizes on
/// (tensor.dim, casts, reshapes, slices, pads, destination-passing ties, index
/// arithmetic); each value is looked at once.
class SizeModel {
public:
  /// `defaultHint` is at least 0.
  SizeModel(mlir::MLIRContext *context, int64_t defaultHint)
      : context(context), defaultHint(defaultHint) {}

  mlir::AffineExpr getExtent(mlir::Value shaped, unsigned dimension);
  mlir::AffineExpr getIndex(mlir::Value value);
  mlir::AffineExpr getIndex(mlir::OpFoldResult value);

  /// The value under the hints; the largest number where it does not fit into
  /// 64 bits, and 0 where it would be negative.
  int64_t evaluate(mlir::AffineExpr expr) const;
  /// The same; nothing where the formula depends on a symbol that has only the
  /// default hint.
  std::optional<int64_t> evaluateHinted(mlir::AffineExpr expr) const;

  /// Elements and bytes of a tensor, memref or vector; of a scalar one element.
  mlir::AffineExpr getNumElements(mlir::Value value);
  int64_t getBytes(mlir::Value value);
  /// "4*arg0_d0*16" for a value of dynamic shape; empty for others.
  std::string getFormula(mlir::Value value);
  /// Bytes from one element to the next; 0 where they are not known.
  int64_t getElementBytes(mlir::Type elementType, mlir::Operation *scope);

private:
  struct Symbol {
    std::string name;
    int64_t hint;
    bool isHinted;
  };
  mlir::AffineExpr addSymbol(std::string name, int64_t hint, bool isHinted);
  mlir::AffineExpr addUnknown();
  mlir::AffineExpr constant(int64_t value) const;
  mlir::AffineExpr computeExtent(mlir::Value shaped, unsigned dimension);
  mlir::AffineExpr computeResultExtent(mlir::OpResult result,
                                       unsigned dimension);
  mlir::AffineExpr computeIndex(mlir::Value value);
  mlir::AffineExpr computeArgumentExtent(mlir::BlockArgument argument,
                                         unsigned dimension);
  std::string print(mlir::AffineExpr expr) const;

  mlir::MLIRContext *context;
  int64_t defaultHint;
  std::vector<Symbol> symbols;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::AffineExpr> extents;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> indices;
  llvm::DenseMap<mlir::Type, int64_t> elementBytes;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEMODEL_H
