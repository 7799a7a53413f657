//===- SizeFormulas.h - Exact formulas of sizes -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SIZEFORMULAS_H
#define MEMPLAN_ANALYSIS_SIZEFORMULAS_H

#include "memplan/Analysis/IndexBounds.h"
#include "memplan/Core/Formula.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace memplan {

/// Formulas of the extents and indices of a function. A formula is exact where
/// its value fits into 64 bits, and arguments and their extents are no greater
/// than kMostExtent: what the program divides or compares does not wrap around
/// then.
///
/// A symbol is an extent of a function argument, an index argument, or a value
/// of which nothing more is known. The arguments' attributes give names
/// (memplan.dim_names) and hints (memplan.dim_hints, memplan.hint); bounds are
/// those that the entry asserts.
class SizeFormulas : public SizeInterpreter<SizeFormulas, Formula> {
public:
  explicit SizeFormulas(mlir::FunctionOpInterface function)
      : function(function), bounds(function) {}

  /// The bytes of an allocation of elements of `elementBytes` bytes.
  Formula getBytes(mlir::Value buffer, int64_t elementBytes);

  /// All symbols so far.
  const SizeSymbols &getSymbols() const { return symbols; }
  /// The values that the attributes suggest, each with one for each symbol so
  /// far; empty if they suggest none.
  std::vector<std::vector<int64_t>> getHints() const;

  /// True if the formula is a constant, of at most 1M, times a product of
  /// different extents of one argument, whose other extents are known not to be
  /// 0: memory of that size exists, or nearly, whether or not control reaches
  /// the op that asks for it. In a branch, the bytes may be 16 times those of
  /// the argument.
  bool isPartOfArgument(const Formula &formula, bool isInBranch);
  /// True if the program computes the formula's value whatever its arguments
  /// are: if it is a symbol, or isBounded.
  bool isAlwaysExact(const Formula &formula);

  /// The ranges that the formulas are made with.
  IndexBounds &getBounds() { return bounds; }

private:
  friend SizeInterpreter<SizeFormulas, Formula>;
  Formula ofConstant(int64_t number);
  Formula ofArgument(mlir::BlockArgument argument);
  Formula combine(SizeOp op, const Formula &a, const Formula &b);
  Formula ofSelect(mlir::Value select, mlir::ValueRange operands);
  Formula ofOther(mlir::Value value, int64_t least);
  Formula computeExtent(mlir::Value shaped, unsigned dimension);
  /// The value of a comparison, if it is the same for all values of the
  /// symbols.
  std::optional<bool> decide(mlir::Value condition);
  Formula addArgumentExtent(unsigned argument, unsigned dimension);
  Formula addArgument(unsigned argument);
  /// A new symbol of a value, or of an extent of it.
  Formula addUnknown(int64_t least);
  Formula addSymbol(SizeSymbol symbol, std::vector<int64_t> hints,
                    std::optional<std::pair<unsigned, unsigned>> extent);
  /// `formula`, or a new symbol if it is absent.
  Formula orUnknown(const MaybeFormula &formula, int64_t least = INT64_MIN);
  /// The greatest magnitude that the sum of its terms may have on the way, if
  /// no symbol is greater than kMostExtent; std::nullopt if that is more than
  /// 2^62.
  std::optional<int64_t> getMagnitude(const Formula &formula);
  std::optional<int64_t> getMagnitude(const Formula::Term &term);
  std::optional<int64_t> getMagnitude(const Formula::Factor &factor);
  /// True if the formula's value fits, so that it is the program's, which is
  /// equal to it modulo 2^64: each symbol is an extent or bounded, and
  /// getMagnitude knows a number.
  bool isBounded(const Formula &formula);
  /// The greatest product of the dynamic extents of an argument.
  int64_t getMostDynamic(unsigned argument);
  /// The formula; absent if its value may be another one in the program.
  MaybeFormula unlessWrapped(const Formula &formula);
  /// Likewise, and absent if it may be negative. No program divides by 0.
  MaybeFormula asDivisor(const Formula &formula);
  int64_t getConstantBytes(unsigned argument);
  bool hasMemoryOf(unsigned argument, llvm::ArrayRef<unsigned> dimensions);
  bool isKnownNotNegative(const Formula &formula) const {
    return isNeverNegative(formula, symbols);
  }

  mlir::FunctionOpInterface function;
  IndexBounds bounds;
  SizeSymbols symbols;
  /// For each symbol, its values in the hints; empty for none.
  std::vector<std::vector<int64_t>> hints;
  /// For each symbol, the argument and the dimension.
  std::vector<std::optional<std::pair<unsigned, unsigned>>> extents;
  llvm::StringMap<unsigned> numbers;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SIZEFORMULAS_H
