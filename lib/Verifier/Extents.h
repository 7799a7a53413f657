//===- Extents.h - Sizes as products of values ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size is a product of values that are not taken apart: arguments, extents of
// arguments, and results of other ops. Two results are one value if their ops
// are pure and equal, with equal operands. The extent of a buffer is the
// operand of its allocation or placement, and that of a view follows from the
// extents of its source. So a size that is computed a second time elsewhere has
// the same product.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_EXTENTS_H
#define MEMPLAN_LIB_VERIFIER_EXTENTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace memplan::verifier {

/// A constant times some values. As products of index values in the program, it
/// counts modulo the size of an index.
struct Product {
  uint64_t factor = 1;
  /// The numbers of the values, ascending.
  llvm::SmallVector<unsigned, 2> values;

  bool operator==(const Product &other) const {
    return factor == other.factor && values == other.values;
  }
  bool operator!=(const Product &other) const { return !(*this == other); }
};
Product multiply(Product a, const Product &b);

/// Numbers the values of a function.
class Extents {
public:
  Product get(mlir::OpFoldResult value);
  /// The extent of a dimension of a memref.
  Product getExtent(mlir::Value memref, int64_t dimension);
  /// The number of elements of a memref.
  Product countElements(mlir::Value memref);
  /// True if `bytes` is never more than the value `size`: it is the same
  /// product with a factor that is not greater, or so for an operand of a
  /// maximum.
  bool isAtMost(const Product &bytes, mlir::Value size);

private:
  using Key = std::vector<uint64_t>;
  Product compute(mlir::Value value);
  Product apply(mlir::AffineExpr expr, unsigned numDims,
                mlir::ValueRange operands);
  Product number(Key key);

  std::map<Key, unsigned> numbers;
  llvm::DenseMap<mlir::Value, Product> known;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Product> extents;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_EXTENTS_H
