//===- Sizes.h - What the proofs know of sizes ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms of index values and extents. Two values with one term are equal
// wherever both are known; a term may also have a range. lib/Verifier/README.md
// says why this is sound. What is not understood is an atom of its own, which
// is equal to itself alone.
//
//   %n = memref.dim %x, %c0          x_0          (an atom)
//   %m = arith.addi %n, %c1          x_0 + 1      (a sum, which is an atom)
//   %b = arith.muli %m, %c4          4 (x_0 + 1)
//   memref<?x8xf32>(%m): bytes       32 (x_0 + 1)
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_VERIFIER_SIZES_H
#define MEMPLAN_VERIFIER_SIZES_H

#include "memplan/Verifier/Flow.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include <map>

namespace memplan::verifier {

/// A constant times atoms, modulo 2^64 and so modulo the size of an index.
struct Term {
  uint64_t factor = 1;
  /// The numbers of the atoms, ascending; empty if the factor is 0.
  llvm::SmallVector<unsigned, 2> atoms = {};

  static Term constant(int64_t value) {
    return Term{static_cast<uint64_t>(value)};
  }
  /// std::nullopt if there are atoms.
  std::optional<int64_t> getConstant() const {
    return atoms.empty() ? std::optional(static_cast<int64_t>(factor))
                         : std::nullopt;
  }
  bool operator==(const Term &other) const {
    return factor == other.factor && atoms == other.atoms;
  }
  bool operator!=(const Term &other) const { return !(*this == other); }
  bool operator<(const Term &other) const {
    return std::tie(atoms, factor) < std::tie(other.atoms, other.factor);
  }
};

/// The terms of a function, which must not change in between.
class Sizes {
public:
  /// `graph` is that of the body. It is not kept.
  Sizes(mlir::FunctionOpInterface function, const FlowGraph &graph);

  /// The term of an index or an integer.
  Term get(mlir::OpFoldResult value);
  Term getExtent(mlir::Value memref, int64_t dimension);
  /// The bytes of a memref without gaps.
  Term countBytes(mlir::Value memref, int64_t elementBytes);
  /// True if both have the same extents, in the same order, without those that
  /// are 1.
  bool haveSameExtents(mlir::Value a, mlir::Value b);

  /// True if a buffer of `bytes` bytes is not larger than a slot of this size:
  /// it has the same term, or that of an operand of a signed maximum, or both
  /// are constants, or there is no such buffer.
  bool fits(const Term &bytes, const Term &size) const;
  /// The most elements that a memref may have where the function uses memory;
  /// std::nullopt if that is not known, or does not fit into 64 bits.
  std::optional<int64_t> getMostElements(mlir::Value memref);
  /// True if the term is a product of numbers that are not negative, each by
  /// its range, which a sum that may wrap around does not have. The product
  /// itself may wrap around (lib/Verifier/README.md says why that is no harm).
  bool isProductOfSizes(const Term &term);

  /// The term here of one of another function. `find` gives the value here that
  /// a value there corresponds to, or null; std::nullopt if it needs such a
  /// value. Answers are kept until `forgetImported`.
  std::optional<Term> import(const Sizes &other, const Term &term,
                             llvm::function_ref<mlir::Value(mlir::Value)> find);
  void forgetImported() { imported.clear(); }

private:
  /// What an atom is. A division by 0 counts as one by 1: no program divides by
  /// 0, and at the entry a divisor d may be max(d, 1).
  enum class Kind : uint8_t {
    Value,    // `value`, of which nothing is known but its type
    Variable, // `value` is that of a loop from operand 0 to before operand 1
    Extent,   // of the memref `value`; `number` is the dimension
    Sum,      // of terms in ascending order without a common divisor
    Product,  // of two terms that together have too many factors
    // Of two index values:
    DivU,
    CeilDivU,
    RemU,
    DivS,
    FloorDivS,
    CeilDivS,
    RemS,
    Mod,
    // Of different index values in ascending order:
    MinS,
    MaxS,
    MinU,
    MaxU,
    Select,
    Op // `name` and, of a comparison, `number`; of operands of any `types`
  };
  struct Atom {
    Kind kind;
    llvm::SmallVector<Term, 2> operands = {};
    mlir::Value value = {};
    int64_t number = 0;
    const void *name = nullptr;
    llvm::SmallVector<const void *, 2> types = {};

    bool operator<(const Atom &other) const;
  };
  /// The signed values that an atom or a term may have, both inclusive.
  struct Range {
    int64_t least, greatest;
  };
  /// A dynamic dimension of a memref that control flow forwards, and the values
  /// that the memref takes.
  struct Phi {
    mlir::Value value;
    unsigned dimension;
    llvm::SmallVector<mlir::Value, 2> sources = {};
    /// Its extent is that of no other.
    bool isOwn = false;
  };

  /// Large enough for the product of two numbers.
  using Wide = __int128;

  Term intern(Atom atom);
  const Atom *asAtom(const Term &term) const;
  Term multiply(const Term &a, const Term &b);
  Term add(const Term &a, const Term &b);
  Term divide(Kind kind, const Term &a, const Term &b);
  Term choose(Kind kind, llvm::ArrayRef<Term> operands);
  Term computeExtent(mlir::Value memref, unsigned dimension);
  Term compute(mlir::Value value);
  Term computeWide(mlir::Operation *op);
  Term computeOp(mlir::Operation *op);
  Term compute(mlir::AffineExpr expr, unsigned numDims,
               mlir::ValueRange operands);
  Term makeVariable(mlir::BlockArgument variable);

  void findPhis(const FlowGraph &graph);
  void settlePhis();
  bool agrees(const Phi &phi, bool &changes);

  /// True for index and for integers of at most 64 bits.
  static bool isSmall(mlir::Type type);
  bool isWide(mlir::Type type) const;
  Range getFull(mlir::Type type) const;
  Range getIndexRange(Wide least, Wide greatest) const;
  template <typename Fn> Range getCornerRange(Range a, Range b, Fn fn) const;
  Range getRange(const Term &term);
  bool isProductOfKnown(const Term &term) const;
  Range restrict(Range range, const Term &term) const;
  Range computeRange(const Term &term) const;
  Range computeRange(const Atom &atom) const;
  void collectFacts();
  void addFact(mlir::Value condition);
  Term rebuild(Atom atom);

  mlir::FunctionOpInterface function;
  unsigned indexBits;
  /// The operands of an atom have smaller numbers.
  std::map<Atom, unsigned> numbers;
  std::vector<const Atom *> atoms;
  llvm::DenseMap<mlir::Value, Term> known;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Term> extents;
  /// The values and extents that are being computed.
  unsigned depth = 0;

  std::vector<Phi> phis;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> phiOf;
  /// The extents that the phis are assumed to have.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Term> assumed;
  bool areSettled = false;
  /// While the phis are settled: what is computed needs an extent of which
  /// nothing is assumed yet.
  bool isOpen = false;
  llvm::DenseSet<mlir::Value> openValues;

  /// What the entry asserts; std::nullopt until it is needed.
  std::optional<std::map<Term, Range>> facts;
  /// By atom.
  std::vector<Range> ranges;
  /// By atom: it is not negative, or a product of such.
  std::vector<bool> areSizes;
  llvm::DenseMap<unsigned, Term> imported;
};

} // namespace memplan::verifier

#endif // MEMPLAN_VERIFIER_SIZES_H
