//===- Terms.h - The arithmetic of offsets ----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offset of a slot is computed by additions, maxima and the rounding up to
// multiples of an alignment, from sizes. Such a value becomes a sum here: a
// constant and atoms times constants. An atom is a product of values, the
// greatest of several sums, or the quotient of a sum and a power of two,
// rounded down; floor64(x) stands for 64 times that of x and 64. Equal values
// are equal sums, wherever they are computed.
//
//   %size = arith.minui %bytes, 2^48 - 1    256*v0, with %bytes = %n * 256
//   %end  = arith.addi %start, %size        max(64, v1) + 256*v0
//   %up   = arith.addi %end, 63
//   %next = arith.andi %up, -64             floor64(...), at least %end
//
// Sums are compared over the integers. That is right because no value of a
// comparison wraps around, which is checked by its greatest value, and because
// of these assumptions:
//
// - An arena has fewer than 2^48 - 1 bytes, and is at least as large as each
//   size that its offsets are computed from. A size that a minimum limits to
//   2^48 - 1 is then less than that.
// - The products from which sizes are computed do not wrap around, nor do
//   their multiples.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_TERMS_H
#define MEMPLAN_LIB_VERIFIER_TERMS_H

#include "memplan/IR/Extents.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan::verifier {

/// A constant and atoms, each times a factor.
struct Sum {
  int64_t constant = 0;
  /// By number of the atom, ascending. No factor is 0.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 2> parts = {};

  bool operator==(const Sum &other) const {
    return constant == other.constant && parts == other.parts;
  }
  bool operator!=(const Sum &other) const { return !(*this == other); }
};

/// a + times * b; std::nullopt on overflow.
std::optional<Sum> add(const Sum &a, const Sum &b, int64_t times = 1);

/// What is known of an index value.
struct Term {
  /// The value, or 0 if it is negative as a signed number.
  Sum sum;
  /// The greatest value as an unsigned number, at most INT64_MAX; std::nullopt
  /// if it may be greater, which includes negative numbers.
  std::optional<int64_t> most;
  /// False if it is known not to be negative as a signed number.
  bool mayBeNegative = false;
};

/// Terms of index values of one function. Keeps the terms of values that it was
/// asked for, so the function must not change in between.
class Terms {
public:
  Terms()
      : extents([this](mlir::Value value) { return names.lookup(value); }) {}
  Terms(const Terms &) = delete;
  Terms &operator=(const Terms &) = delete;

  const Term &get(mlir::Value value);
  /// The bytes of a memref with elements of so many bytes; std::nullopt on
  /// overflow.
  std::optional<Sum> countBytes(mlir::Value memref, int64_t elementBytes);
  /// Makes `value`, of another function, the same as `known`.
  void rename(mlir::Value value, mlir::Value known) { names[value] = known; }

  /// True only if a >= b whatever the sizes are.
  bool isNeverLess(const Sum &a, const Sum &b);
  /// A number that divides every value of the sum; at least 1.
  int64_t getMultiple(const Sum &sum) const;

  /// The op of the first value, in order of computation, from which on the
  /// value may wrap around; null if it is bounded, or an argument.
  mlir::Operation *findWrap(mlir::Value value);

  /// The sum for a message. Adds the products that it names to `named`.
  std::string str(const Sum &sum, llvm::SmallVectorImpl<unsigned> &named) const;
  /// The name of a product in messages, and a value that has it as a factor.
  std::string getName(unsigned atom) const {
    return "v" + std::to_string(atom);
  }
  mlir::Value getValue(unsigned atom) const { return atoms[atom].value; }

private:
  enum class Kind : uint8_t { Product, Max, Floor };
  struct Atom {
    Kind kind;
    /// Of a maximum, or the dividend.
    std::vector<Sum> operands;
    int64_t multiple;
    /// Of a product.
    mlir::Value value = {};
    /// Of a quotient.
    int64_t divisor = 1;
    /// True for a maximum, and for a quotient of which a maximum is a part.
    bool isSplit = false;
  };
  using Key = std::vector<uint64_t>;

  unsigned makeAtom(Kind kind, Key key, Atom atom);
  Sum makeProduct(const Product &product, mlir::Value value);
  Sum makeMax(Sum a, Sum b);
  std::optional<Sum> roundDown(const Sum &sum, int64_t alignment);
  Term computeLeaf(mlir::Value value, std::optional<int64_t> most = {});
  Term compute(mlir::Value value);
  std::optional<Term> computeArith(mlir::Operation *op);

  std::optional<std::pair<unsigned, int64_t>> findSplit(const Sum &sum) const;
  const std::vector<Sum> &getAlternatives(unsigned number);
  bool isNeverNegative(const Sum &sum, bool negativeFirst);
  int64_t getLoss(const Atom &atom) const;
  bool isQuotientNotLess(const Atom &upper, const Atom &lower);
  bool isRoundedNotLess(const Atom &upper, const Atom &lower);
  bool expandSplit(const Sum &sum, std::pair<unsigned, int64_t> part,
                   bool negativeFirst);
  bool expandFloor(const Sum &sum, std::pair<unsigned, int64_t> part,
                   bool negativeFirst);
  std::string str(const Sum &sum, llvm::SmallVectorImpl<unsigned> &named,
                  unsigned depth) const;

  llvm::DenseMap<mlir::Value, mlir::Value> names;
  Extents extents;
  llvm::DenseMap<mlir::Value, Term> known;
  /// A deque, because atoms that are looked at stay while others are made.
  std::deque<Atom> atoms;
  std::map<Key, unsigned> numbers;
  /// By maximum, its operands and, in place of maxima among them, theirs; by
  /// quotient, the products of its divisor and the quotients of which it is the
  /// greatest.
  std::map<unsigned, std::vector<Sum>> alternatives;
  /// The steps that the proof may still take.
  unsigned budget = 0;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_TERMS_H
