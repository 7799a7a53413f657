//===- AffineExprs.h - Values of affine expressions -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_AFFINEEXPRS_H
#define MEMPLAN_IR_AFFINEEXPRS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace memplan {

/// Computes an affine expression. The symbols follow the dimensions in
/// `operands`. `get` gives the value of a constant or an operand, and `combine`
/// that of an AffineExprKind.
template <typename GetFn, typename CombineFn>
auto computeAffine(mlir::AffineExpr expr, unsigned numDims,
                   mlir::ValueRange operands, GetFn get, CombineFn combine)
    -> decltype(get(mlir::OpFoldResult())) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return get(mlir::IntegerAttr::get(mlir::IndexType::get(expr.getContext()),
                                      constant.getValue()));
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return get(operands[dim.getPosition()]);
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return get(operands[numDims + symbol.getPosition()]);
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  auto a = computeAffine(binary.getLHS(), numDims, operands, get, combine);
  auto b = computeAffine(binary.getRHS(), numDims, operands, get, combine);
  return combine(expr.getKind(), a, b);
}

} // namespace memplan

#endif // MEMPLAN_IR_AFFINEEXPRS_H
