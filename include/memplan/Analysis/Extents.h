//===- Extents.h - Extents as products of values ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the extent of a memref is: a product of values, and of extents of other
// memrefs. Two values are the same if they are computed in the same way from
// the same values; so are two products of the same values.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_EXTENTS_H
#define MEMPLAN_ANALYSIS_EXTENTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <map>
#include <vector>

namespace memplan {

/// What the extent of a memref is: a product of values, and of extents of other
/// memrefs. It is not known if there is no factor.
struct Extent {
  llvm::SmallVector<mlir::OpFoldResult, 1> values;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> extents;
  bool isKnown() const { return !values.empty() || !extents.empty(); }
};
/// The extent of a dimension of a memref that an allocation or a view makes, or
/// that a loop or an `scf.if` carries, if all that it may be have the same one.
Extent findExtent(mlir::Value memref, int64_t dimension);

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

/// Numbers the values of a function.
class Extents {
public:
  Extents() = default;
  /// `rename` gives for a value that is not computed from others what it is
  /// called here; null for the value itself.
  explicit Extents(std::function<mlir::Value(mlir::Value)> rename)
      : rename(std::move(rename)) {}

  Product get(mlir::OpFoldResult value);
  /// The extent of a dimension of a memref.
  Product getExtent(mlir::Value memref, int64_t dimension);
  /// The number of elements of a memref.
  Product countElements(mlir::Value memref);
  /// True if both have the same extents, in the same order, without those that
  /// are 1.
  bool haveSameExtents(mlir::Value a, mlir::Value b);
  /// A number for the type and the extents of a memref.
  unsigned getShape(mlir::Value memref);
  /// True if `bytes`, the size of memory that exists, is never more than the
  /// value `size`: it is the same product with a factor that is not greater, or
  /// so for an operand of a maximum.
  bool isAtMost(const Product &bytes, mlir::Value size);

private:
  using Key = std::vector<uint64_t>;
  Product compute(mlir::Value value);
  Product apply(mlir::AffineExpr expr, unsigned numDims,
                mlir::ValueRange operands);
  Product number(Key key);

  std::function<mlir::Value(mlir::Value)> rename;
  std::map<Key, unsigned> numbers;
  llvm::DenseMap<mlir::Value, Product> known;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Product> extents;
};

/// The attributes of the op without flags that only say when its result is
/// poison (no overflow, no remainder), and without discardable ones.
mlir::DictionaryAttr getAttrsWithoutPoison(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_EXTENTS_H
