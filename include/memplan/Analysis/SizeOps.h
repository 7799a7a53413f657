//===- SizeOps.h - What ops compute sizes with ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows what ops of arith, affine, memref and tensor make of
// index values and extents. What is known of a value is a domain: a formula
// that is exact (SizeFormulas.h), an estimate (SizeModel.h), or that of values
// which are computed alike (CongruentSizes.h), or a range (IndexBounds.h). A
// domain says what an operation makes of what is known of its operands; which
// values these are, it does not ask.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEOPS_H
#define MEMPLAN_ANALYSIS_SIZEOPS_H

#include "memplan/IR/AffineExprs.h"
#include "memplan/IR/Constants.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace memplan {

/// An operation on two integers, as signed or unsigned numbers. Mod is the
/// remainder of a quotient that is rounded down.
enum class SizeOp : uint8_t {
  Add,
  Sub,
  Mul,
  DivU,
  DivS,
  FloorDivS,
  CeilDivU,
  CeilDivS,
  RemU,
  RemS,
  Mod,
  MinU,
  MinS,
  MaxU,
  MaxS
};

/// What an op makes a size from.
struct SizeDefinition {
  enum class Kind : uint8_t {
    Other,     // nothing that is known here
    Extent,    // the dimension `number` of the memref that is the operand
    Same,      // the operand
    Operation, // `op` of two operands
    Affine,    // the results of `map`, joined by `op`
    Select     // operand 1 if operand 0 is true, and operand 2 otherwise
  };
  Kind kind = Kind::Other;
  SizeOp op = SizeOp::MinS;
  mlir::ValueRange operands = {};
  int64_t number = 0;
  mlir::AffineMap map = {};
  /// Of what is not known.
  int64_t least = INT64_MIN;
};

/// Nothing is known of integers of fewer bits than `leastWidth`, or more than
/// 64.
SizeDefinition getSizeDefinition(mlir::OpResult value, unsigned leastWidth);

/// What the extent of a shaped value is: a product of values, and of extents of
/// other shaped values. It is not known if there is no factor.
struct Extent {
  llvm::SmallVector<mlir::OpFoldResult, 1> values;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> extents;
  bool isKnown() const { return !values.empty() || !extents.empty(); }
};
/// The extent of a dimension of what an allocation, a view or a reshape makes,
/// or of a memref that a loop or an `scf.if` carries, if all that it may be
/// have the same one.
Extent findExtent(mlir::Value shaped, int64_t dimension);

/// The attributes of the op without flags that only say when its result is
/// poison (no overflow, no remainder), and without discardable ones.
mlir::DictionaryAttr getAttrsWithoutPoison(mlir::Operation *op);

inline SizeOp toSizeOp(mlir::AffineExprKind kind) {
  switch (kind) {
  case mlir::AffineExprKind::Add:
    return SizeOp::Add;
  case mlir::AffineExprKind::Mul:
    return SizeOp::Mul;
  case mlir::AffineExprKind::FloorDiv:
    return SizeOp::FloorDivS;
  case mlir::AffineExprKind::CeilDiv:
    return SizeOp::CeilDivS;
  default:
    return SizeOp::Mod;
  }
}

/// Finds what is known, a T, of index values. Domain has these members, and may
/// have others of the names that are protected here:
///
///   T ofConstant(int64_t number);
///   T combine(SizeOp op, const T &a, const T &b);
///   T ofOther(Value value, int64_t least);  // of a value that is not known
///   T computeExtent(Value shaped, unsigned dimension);  // of a dynamic one
///
/// Integers of fewer bits than `leastWidth` wrap around earlier.
template <typename Domain, typename T, unsigned leastWidth = 64>
class SizeInterpreter {
public:
  /// Of an index or an integer, found once.
  T get(mlir::OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantNumber(value))
      return self().ofConstant(*constant);
    auto dynamic = llvm::dyn_cast<mlir::Value>(value);
    auto &memo = self().getMemo();
    if (auto it = memo.find(dynamic); it != memo.end())
      return it->second;
    ++depth;
    T found = isTooDeep() ? self().ofOther(dynamic, INT64_MIN)
                          : self().settle(dynamic, interpret(dynamic));
    --depth;
    return self().getMemo()[dynamic] = found;
  }
  /// Of an affine expression. The symbols follow the dimensions in `operands`.
  T getAffine(mlir::AffineExpr expr, unsigned numDims,
              mlir::ValueRange operands) {
    return computeAffine(
        expr, numDims, operands,
        [&](mlir::OpFoldResult operand) { return self().get(operand); },
        [&](mlir::AffineExprKind kind, const T &a, const T &b) {
          return self().combine(toSizeOp(kind), a, b);
        });
  }
  /// Of the extent of a tensor, memref or vector, found once.
  T getExtent(mlir::Value shaped, unsigned dimension) {
    auto type = llvm::cast<mlir::ShapedType>(shaped.getType());
    if (!type.isDynamicDim(dimension))
      return self().ofConstant(type.getDimSize(dimension));
    std::pair<mlir::Value, unsigned> key{shaped, dimension};
    auto &memo = self().getExtentMemo();
    if (auto it = memo.find(key); it != memo.end())
      return it->second;
    T found = self().computeExtent(shaped, dimension);
    return self().getExtentMemo()[key] = found;
  }

protected:
  /// Of the extent that findExtent finds.
  std::optional<T> followExtent(mlir::Value shaped, int64_t dimension) {
    Extent extent = isTooDeep() ? Extent() : findExtent(shaped, dimension);
    if (!extent.isKnown())
      return std::nullopt;
    ++depth;
    T product = self().ofConstant(1);
    for (mlir::OpFoldResult value : extent.values)
      product = self().combine(SizeOp::Mul, product, self().get(value));
    for (auto [source, inner] : extent.extents)
      product = self().combine(
          SizeOp::Mul, product,
          self().getExtent(source, static_cast<unsigned>(inner)));
    --depth;
    return product;
  }
  T ofArgument(mlir::BlockArgument argument) {
    return self().ofOther(argument, INT64_MIN);
  }
  T ofSelect(mlir::Value select, mlir::ValueRange /*operands*/) {
    return self().ofOther(select, INT64_MIN);
  }
  /// With what else is known of the value.
  T settle(mlir::Value /*value*/, const T &found) { return found; }
  llvm::DenseMap<mlir::Value, T> &getMemo() { return known; }
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, T> &getExtentMemo() {
    return extents;
  }
  /// The stack holds so many ops that depend on each other.
  bool isTooDeep() const { return depth > 1000; }

private:
  T interpret(mlir::Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      return self().ofArgument(argument);
    SizeDefinition made =
        getSizeDefinition(llvm::cast<mlir::OpResult>(value), leastWidth);
    switch (made.kind) {
    case SizeDefinition::Kind::Other:
      return self().ofOther(value, made.least);
    case SizeDefinition::Kind::Extent:
      return self().getExtent(made.operands[0],
                              static_cast<unsigned>(made.number));
    case SizeDefinition::Kind::Same:
      return self().get(made.operands[0]);
    case SizeDefinition::Kind::Operation: {
      T a = self().get(made.operands[0]);
      return self().combine(made.op, a, self().get(made.operands[1]));
    }
    case SizeDefinition::Kind::Affine: {
      std::optional<T> all;
      for (mlir::AffineExpr expr : made.map.getResults()) {
        T one = getAffine(expr, made.map.getNumDims(), made.operands);
        all = all ? self().combine(made.op, *all, one) : one;
      }
      return *all;
    }
    case SizeDefinition::Kind::Select:
      return self().ofSelect(value, made.operands);
    }
    llvm_unreachable("all kinds are above");
  }

  Domain &self() { return static_cast<Domain &>(*this); }

  llvm::DenseMap<mlir::Value, T> known;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, T> extents;
  /// Of get() and followExtent() in themselves and each other.
  unsigned depth = 0;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEOPS_H
