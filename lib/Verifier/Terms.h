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
// constant and atoms times constants. An atom is a product (Sizes.h), the
// greatest of several sums, or the quotient of a sum and a power of two,
// rounded down; floor64(x) stands for 64 times that of x and 64. Equal values
// are equal sums, wherever they are computed.
//
//   %size = arith.minui %bytes, 2^48 - 1    256*v0, with %bytes = %n * 256
//   %end  = arith.addi %start, %size        max(64, v1) + 256*v0
//   %up   = arith.addi %end, 63
//   %next = arith.andi %up, -64             floor64(...), at least %end
//
// Each atom that is not a plain product is at least some sums. One sum is at
// least another if their difference has no negative part left once atoms are
// replaced by such sums. Nothing is known of what an atom is at most: a maximum
// of the program has all ends that matter as operands.
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

#include "memplan/Verifier/Sizes.h"

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
struct IndexTerm {
  /// The value, or 0 if it is negative as a signed number.
  Sum sum;
  /// The greatest value as an unsigned number, at most INT64_MAX; std::nullopt
  /// if it may be greater, which includes negative numbers.
  std::optional<int64_t> most;
};

/// The sums of index values of one function. Keeps those of values that it was
/// asked for, so the function must not change in between.
class Terms {
public:
  explicit Terms(Sizes &sizes) : sizes(sizes) {}
  Terms(const Terms &) = delete;
  Terms &operator=(const Terms &) = delete;

  const IndexTerm &get(mlir::Value value);
  /// The bytes of a memref without gaps, with elements of so many bytes.
  Sum countBytes(mlir::Value memref, int64_t elementBytes);
  /// From now on values of the body of `function` are known, too. By argument,
  /// `same` has the value here that it stands for, if there is one.
  void addFunction(mlir::FunctionOpInterface function,
                   llvm::DenseMap<mlir::Value, mlir::Value> same);

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
    /// Sums that the atom is not less than, all of them: of a maximum, its
    /// operands, also of one that a product is the value of (added once that
    /// is known). Of a quotient, the dividend.
    std::vector<Sum> operands;
    int64_t multiple = 1;
    /// Of a product.
    mlir::Value value = {};
    /// Of a quotient.
    int64_t divisor = 1;
    /// What the atom is at least, as its operands are.
    int64_t least = 0;
  };
  using Key = std::vector<uint64_t>;

  unsigned makeAtom(Key key, Atom atom);
  Sum makeProduct(const std::optional<Term> &product, mlir::Value value);
  Sum makeMax(std::vector<Sum> operands);
  std::optional<Sum> roundDown(const Sum &sum, int64_t alignment);
  std::optional<Term> getProduct(mlir::Value value);
  mlir::Value matchClamp(mlir::Operation *op);
  Sum getSize(mlir::Value value);
  IndexTerm compute(mlir::Value value);
  std::optional<IndexTerm> computeArith(mlir::Operation *op);
  std::optional<int64_t> getLeast(const Sum &sum) const;
  void updateLeast(Atom &atom) const;
  int64_t getLoss(const Atom &atom) const;
  bool isNeverNegative(const Sum &sum);
  std::string str(const Sum &sum, llvm::SmallVectorImpl<unsigned> &named,
                  unsigned depth) const;

  Sizes &sizes;
  /// Of the function that was added last, and the values here that its
  /// arguments stand for.
  mlir::Region *otherBody = nullptr;
  std::optional<Sizes> otherSizes;
  llvm::DenseMap<mlir::Value, mlir::Value> sameAs;
  llvm::DenseMap<mlir::Value, IndexTerm> known;
  /// A deque, because atoms that are looked at stay while others are made.
  std::deque<Atom> atoms;
  std::map<Key, unsigned> numbers;
  /// The steps that the proof may still take.
  unsigned budget = 0;
};

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_TERMS_H
