//===- SizeOps.h - What ops compute sizes with ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows what ops of arith, affine and memref make of index
// values. What is known of a value is a domain: a formula (SizeFormulas.h), a
// range (IndexBounds.h), a number that congruent values share (Extents.h), or
// an estimate (SizeModel.h). A domain says what an operation makes of what is
// known of its operands; which values these are, it does not ask.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEOPS_H
#define MEMPLAN_ANALYSIS_SIZEOPS_H

#include "memplan/IR/AffineExprs.h"
#include "memplan/IR/Constants.h"

#include "mlir/IR/AffineMap.h"
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
///   T getExtent(Value memref, unsigned dimension);
///   T combine(SizeOp op, const T &a, const T &b);
///   T ofOther(Value value, int64_t least);  // of a value that is not known
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

protected:
  T ofArgument(mlir::BlockArgument argument) {
    return self().ofOther(argument, INT64_MIN);
  }
  T ofSelect(mlir::Value select, mlir::ValueRange /*operands*/) {
    return self().ofOther(select, INT64_MIN);
  }
  /// With what else is known of the value.
  T settle(mlir::Value /*value*/, const T &found) { return found; }
  llvm::DenseMap<mlir::Value, T> &getMemo() { return known; }
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
      auto combine = [&](mlir::AffineExprKind kind, const T &a, const T &b) {
        return self().combine(toSizeOp(kind), a, b);
      };
      auto getOperand = [&](mlir::OpFoldResult operand) {
        return self().get(operand);
      };
      std::optional<T> all;
      for (mlir::AffineExpr expr : made.map.getResults()) {
        T one = computeAffine(expr, made.map.getNumDims(), made.operands,
                              getOperand, combine);
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
  /// Of get() in itself.
  unsigned depth = 0;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEOPS_H
