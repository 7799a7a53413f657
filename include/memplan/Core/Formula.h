//===- Formula.h - Exact integer formulas of sizes --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that depend on numbers which are known only when the program runs, as
// formulas over named symbols. A formula is exact: it has the value of what it
// stands for, over the integers, for all values of its symbols for which its
// divisors are positive.
//
// The canonical form is a sum of products with constant coefficients; a factor
// is a symbol, the quotient of two formulas rounded down, or the greatest or
// the least of several. All other operations become these:
//
//   ceildiv(a, c)        floordiv(a + c - 1, c)
//   mod(a, c)            a - c * floordiv(a, c)
//   floordiv(9 * n, 4)   2 * n + floordiv(n, 4)
//   max(4 * n, 6 * n)    2 * max(2 * n, 3 * n)    (n may be negative, see
//                                                  simplify)
//
// The text, which problems, plans and reports share:
//
//   sum     = product { ("+" | "-") product }
//   product = ["-"] factor { "*" factor }
//   factor  = integer | name | "(" sum ")"
//           | ("floordiv" | "ceildiv" | "mod") "(" sum "," sum ")"
//           | ("min" | "max") "(" sum { "," sum } ")"
//   name    = letter or "_", then letters, digits, "_", "." and "$"
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CORE_FORMULA_H
#define MEMPLAN_CORE_FORMULA_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// A number that is known only when the program runs, and what is known of it.
/// A symbol that no list describes is not negative; nothing else is known.
struct SizeSymbol {
  std::string name;
  /// INT64_MIN if nothing is known.
  int64_t least = 0;
  std::optional<int64_t> greatest;
  /// At least 1; every value is a multiple of it.
  int64_t multipleOf = 1;

  friend bool operator==(const SizeSymbol &a, const SizeSymbol &b) {
    return a.name == b.name && a.least == b.least && a.greatest == b.greatest &&
           a.multipleOf == b.multipleOf;
  }
};
using SizeSymbols = std::vector<SizeSymbol>;

/// Values of symbols by their names.
using SymbolValues = std::map<std::string, int64_t, std::less<>>;

/// An immutable formula in canonical form; cheap to copy.
class Formula {
public:
  /// A factor of a term. Exactly one of the two is set.
  struct Function;
  struct Factor {
    std::string symbol;
    std::shared_ptr<const Function> function;
  };
  struct Term {
    /// Sorted; empty for the constant term, which is the last.
    std::vector<Factor> factors;
    /// Not 0.
    int64_t coefficient;
  };

  /// 0.
  Formula() = default;
  /// The constant is greater than INT64_MIN.
  Formula(int64_t constant);
  static Formula symbol(std::string name);

  /// Sorted; no two have the same factors.
  const std::vector<Term> &terms() const;
  /// The value, if the formula has no symbols.
  std::optional<int64_t> getConstant() const;
  /// The names of its symbols, sorted.
  std::vector<std::string> getSymbols() const;
  /// The number of factors and terms, those of nested formulas included.
  size_t complexity() const { return body ? body->complexity : 0; }

  /// The value; std::nullopt if a symbol has no value, if a divisor is not
  /// positive, or if a value does not fit into int64.
  std::optional<int64_t> evaluate(const SymbolValues &values) const;
  /// The formula with formulas in place of some symbols.
  std::optional<Formula>
  substitute(const std::map<std::string, Formula, std::less<>> &values) const;
  std::string print() const;

  /// A total order, the same on every machine; 0 for equal canonical forms.
  int compare(const Formula &other) const;
  friend bool operator==(const Formula &a, const Formula &b) {
    return a.compare(b) == 0;
  }
  friend bool operator!=(const Formula &a, const Formula &b) {
    return a.compare(b) != 0;
  }
  friend bool operator<(const Formula &a, const Formula &b) {
    return a.compare(b) < 0;
  }

  /// The formula of the terms, in any order and with repetitions; absent if a
  /// coefficient does not fit into int64, or if the formula is too complex.
  static std::optional<Formula> fromTerms(std::vector<Term> terms);

  /// More complex formulas are absent.
  static constexpr size_t kMostComplex = 512;

private:
  struct Body {
    std::vector<Term> terms;
    size_t complexity = 0;
  };
  /// Null for 0.
  std::shared_ptr<const Body> body;
};

/// A factor that is neither a symbol nor a sum.
struct Formula::Function {
  enum class Kind : uint8_t { FloorDiv, Max, Min };
  Kind kind;
  /// The dividend and the divisor, or the alternatives, sorted.
  std::vector<Formula> operands;
};

/// Absent if an operand is absent, a coefficient does not fit into int64, the
/// result is too complex, or a constant divisor is not positive.
using MaybeFormula = std::optional<Formula>;
MaybeFormula add(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula subtract(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula multiply(const MaybeFormula &a, const MaybeFormula &b);
/// The quotients are exact where `b` is positive.
MaybeFormula floorDiv(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula ceilDiv(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula mod(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula max(const MaybeFormula &a, const MaybeFormula &b);
MaybeFormula min(const MaybeFormula &a, const MaybeFormula &b);
/// Of at least one.
MaybeFormula max(const std::vector<Formula> &alternatives);
MaybeFormula min(const std::vector<Formula> &alternatives);

/// The least multiple of `alignment` (at least 1) that is not less than `a`.
/// What is known to be a multiple stays as it is.
MaybeFormula alignUp(const MaybeFormula &a, int64_t alignment,
                     const SizeSymbols &symbols = {});

/// A formula of the same value for all values that the symbols may have.
/// Alternatives that are never the greatest (or the least) disappear.
MaybeFormula simplify(const Formula &formula, const SizeSymbols &symbols);

/// True only if it is proven that the formula is at least 0 for all values that
/// the symbols may have: term by term, without search.
bool isNeverNegative(const Formula &formula, const SizeSymbols &symbols);
/// True only if it is proven that a <= b, likewise.
bool isNeverGreater(const Formula &a, const Formula &b,
                    const SizeSymbols &symbols);
/// A number that divides every value; at least 1.
int64_t getKnownDivisor(const Formula &formula, const SizeSymbols &symbols);

/// Reads a formula. If the text is none, returns std::nullopt and sets `error`
/// to a message in lower case with the position.
std::optional<Formula> parseFormula(std::string_view text, std::string &error);

} // namespace memplan

#endif // MEMPLAN_CORE_FORMULA_H
