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
// the same values; so are two products of the same values. Formulas are equal
// more often. But the proof compares values, so that what it must find equal,
// as shapes of buffers that are written in place, is compared here.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_EXTENTS_H
#define MEMPLAN_ANALYSIS_EXTENTS_H

#include "memplan/Analysis/SizeOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"

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

/// Numbers the values of a function, which must not change in between. Values
/// that the same operations compute from the same values are one number.
class Extents : public SizeInterpreter<Extents, Product> {
public:
  explicit Extents(mlir::FunctionOpInterface function);

  /// True if both have the same extents, in the same order, without those that
  /// are 1.
  bool haveSameExtents(mlir::Value a, mlir::Value b);
  /// A number for the type and the extents of a memref.
  unsigned getShape(mlir::Value memref);

private:
  friend SizeInterpreter<Extents, Product>;
  using Key = std::vector<uint64_t>;

  Product get(mlir::OpFoldResult value);
  Product ofConstant(int64_t number) const;
  Product getExtent(mlir::Value memref, int64_t dimension);
  Product combine(SizeOp op, const Product &a, const Product &b);
  Product ofOther(mlir::Value value, int64_t least);
  Product number(Key key);

  bool isIndexNarrow;
  std::map<Key, unsigned> numbers;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Product> extents;
};

/// The attributes of the op without flags that only say when its result is
/// poison (no overflow, no remainder), and without discardable ones.
mlir::DictionaryAttr getAttrsWithoutPoison(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_EXTENTS_H
