//===- CongruentSizes.h - Sizes that are computed alike ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are equal if their formulas are (SizeFormulas.h). They are congruent if
// the program computes them in the same way from the same values, or as the
// same product. The proof, which knows no formulas, follows congruence alone.
// So buffers that control flow joins share a slot if their bytes are equal, as
// it is as large as the greatest of what the program computes; but shapes that
// a plan takes to be the same, in place and in phi cycles, must be congruent.
//
//   %a = arith.muli %n, %m         n * m
//   %b = arith.muli %m, %n         n * m               congruent to %a
//   %c = arith.addi %n, %c1        v2
//   %d = arith.muli %c, %m         v2 * m
//   %e = arith.addi %a, %m         v3                  equal to %d only
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_CONGRUENTSIZES_H
#define MEMPLAN_ANALYSIS_CONGRUENTSIZES_H

#include "memplan/Analysis/SizeOps.h"
#include "memplan/Core/Formula.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace memplan {

/// Formulas of the values of a function, which must not change in between.
/// Congruent values have the same formula: a product of constants and symbols,
/// each of which is a value, an extent, or any other operation on formulas.
class CongruentSizes : public SizeInterpreter<CongruentSizes, Formula> {
public:
  explicit CongruentSizes(mlir::FunctionOpInterface function);

  /// True if both memrefs have the same extents, in the same order, without
  /// those that are 1.
  bool haveSameExtents(mlir::Value a, mlir::Value b);
  /// A number for the type and the extents of a memref.
  unsigned getShape(mlir::Value memref);

private:
  friend SizeInterpreter<CongruentSizes, Formula>;
  Formula get(mlir::OpFoldResult value);
  Formula ofConstant(int64_t number);
  Formula combine(SizeOp op, const Formula &a, const Formula &b);
  Formula ofOther(mlir::Value value, int64_t least);
  Formula computeExtent(mlir::Value memref, unsigned dimension);
  /// The number of what the text describes.
  unsigned number(llvm::StringRef text);
  Formula addSymbol(llvm::StringRef text);

  bool isIndexNarrow;
  llvm::StringMap<unsigned> numbers;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_CONGRUENTSIZES_H
