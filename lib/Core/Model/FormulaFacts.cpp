//===- FormulaFacts.cpp - What is proven of formulas ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Formula.h"

#include <algorithm>
#include <numeric>

using namespace memplan;

using Kind = Formula::Function::Kind;
using Term = Formula::Term;
using Factor = Formula::Factor;

static bool isSame(const Factor &a, const Factor &b) {
  if (!a.function || !b.function)
    return !a.function && !b.function && a.symbol == b.symbol;
  return a.function == b.function ||
         (a.function->kind == b.function->kind &&
          a.function->operands == b.function->operands);
}

static MaybeFormula fromTerm(std::vector<Factor> factors, int64_t coefficient) {
  return Formula::fromTerms({{std::move(factors), coefficient}});
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

namespace {

/// Proves that formulas are not negative. Every step replaces a formula by one
/// that is never greater, or by all alternatives that it may be.
class SignProver {
public:
  explicit SignProver(const SizeSymbols &symbols) {
    for (const SizeSymbol &symbol : symbols)
      normalize(symbol);
  }

  bool prove(const Formula &formula) {
    MaybeFormula shifted = formula.substitute(shifts);
    return shifted && isNeverNegative(*shifted);
  }

private:
  /// A symbol of the least value 0 that is a multiple of 1 stands in place of
  /// each: n = least + multiple * n'. A greatest value is that of n'.
  void normalize(const SizeSymbol &symbol) {
    if (symbol.least == INT64_MIN) {
      unknownSigns.push_back(symbol.name);
      return;
    }
    int64_t by = std::max<int64_t>(symbol.multipleOf, 1);
    // The first multiple that is not less.
    int64_t first = symbol.least / by + (symbol.least % by > 0 ? 1 : 0);
    MaybeFormula value =
        multiply(add(Formula::symbol(symbol.name), Formula(first)), by);
    if (value)
      shifts[symbol.name] = *value;
    if (symbol.greatest && value && *symbol.greatest >= 0)
      if (auto most = checkedAdd(*symbol.greatest / by, -first);
          most && *most >= 0)
        greatest[symbol.name] = *most;
  }

  bool isNeverNegative(const Formula &formula) {
    if (budget == 0)
      return false;
    --budget;
    if (std::all_of(formula.terms().begin(), formula.terms().end(),
                    [&](const Term &term) {
                      return term.coefficient > 0 &&
                             areNeverNegative(term.factors);
                    }))
      return true;
    for (Kind kind : {Kind::Max, Kind::Min, Kind::FloorDiv})
      if (const Factor *factor = findFunction(formula, kind))
        return splitAt(formula, *factor);
    return boundNegative(formula);
  }

  bool areNeverNegative(const std::vector<Factor> &factors) {
    return std::all_of(
        factors.begin(), factors.end(), [&](const Factor &factor) {
          if (!factor.function)
            return std::find(unknownSigns.begin(), unknownSigns.end(),
                             factor.symbol) == unknownSigns.end();
          const std::vector<Formula> &operands = factor.function->operands;
          auto check = [&](const Formula &operand) {
            return isNeverNegative(operand);
          };
          if (factor.function->kind == Kind::FloorDiv)
            return check(operands[0]);
          if (factor.function->kind == Kind::Max)
            return std::any_of(operands.begin(), operands.end(), check);
          return std::all_of(operands.begin(), operands.end(), check);
        });
  }

  static const Factor *findFunction(const Formula &formula, Kind kind) {
    for (const Term &term : formula.terms())
      for (const Factor &factor : term.factors)
        if (factor.function && factor.function->kind == kind)
          return &factor;
    return nullptr;
  }

  /// formula = factor * times + rest. False if `factor` has a higher power.
  static bool split(const Formula &formula, const Factor &factor,
                    Formula &times, Formula &rest) {
    std::vector<Term> with, without;
    for (const Term &term : formula.terms()) {
      size_t first = 0;
      while (first < term.factors.size() &&
             !isSame(term.factors[first], factor))
        ++first;
      if (first == term.factors.size()) {
        without.push_back(term);
        continue;
      }
      Term left = term;
      left.factors.erase(left.factors.begin() + long(first));
      if (std::any_of(left.factors.begin(), left.factors.end(),
                      [&](const Factor &f) { return isSame(f, factor); }))
        return false;
      with.push_back(std::move(left));
    }
    times = *Formula::fromTerms(std::move(with));
    rest = *Formula::fromTerms(std::move(without));
    return true;
  }

  /// Replaces the function by formulas without it.
  bool splitAt(const Formula &formula, const Factor &factor) {
    Formula times, rest;
    if (!split(formula, factor, times, rest))
      return false;
    bool isUp = isNeverNegative(times);
    bool isDown = !isUp && isNeverNegative(*multiply(times, Formula(-1)));
    if (factor.function->kind == Kind::FloorDiv)
      return (isUp || isDown) &&
             splitAtQuotient(formula, factor, times, rest, isUp);
    const std::vector<Formula> &operands = factor.function->operands;
    auto check = [&](const Formula &operand) {
      MaybeFormula one = add(multiply(operand, times), rest);
      return one && isNeverNegative(*one);
    };
    // The value of a maximum is at least each alternative, and it is one of
    // them.
    bool isEnough = factor.function->kind == Kind::Max ? isUp : isDown;
    return isEnough ? std::any_of(operands.begin(), operands.end(), check)
                    : std::all_of(operands.begin(), operands.end(), check);
  }

  bool splitAtQuotient(const Formula &formula, const Factor &factor,
                       const Formula &times, const Formula &rest, bool isUp) {
    if (dropPair(formula))
      return true;
    const Formula &dividend = factor.function->operands[0];
    const Formula &divisor = factor.function->operands[1];
    // (x - c + 1) / c <= floordiv(x, c) <= x / c. As a quotient rounded up of
    // x - c + 1, it is at most that where that is not negative.
    MaybeFormula ceilDividend =
        subtract(dividend, subtract(divisor, Formula(1)));
    MaybeFormula whole = add(multiply(isUp ? ceilDividend : dividend, times),
                             multiply(divisor, rest));
    if (divisor.getConstant() && whole && isNeverNegative(*whole))
      return true;
    if (!isUp) {
      MaybeFormula most = add(multiply(ceilDividend, times), rest);
      return divisor.getConstant() && most && isNeverNegative(*most) &&
             isNeverNegative(*ceilDividend);
    }
    return isNeverNegative(dividend) && isNeverNegative(rest);
  }

  /// Cancels two terms k * floordiv(y, e) * q and -k * floordiv(x, c) * q of
  /// which the first is at least the second, and proves what is left.
  bool dropPair(const Formula &formula) {
    for (const Term &up : formula.terms())
      for (const Term &down : formula.terms()) {
        if (up.coefficient < 0 || down.coefficient > 0)
          continue;
        std::vector<Factor> upRest, downRest;
        const Factor *upper = takeQuotient(up.factors, upRest);
        const Factor *lower = takeQuotient(down.factors, downRest);
        if (!upper || !lower || upRest.size() != downRest.size() ||
            !std::equal(upRest.begin(), upRest.end(), downRest.begin(),
                        isSame) ||
            !areNeverNegative(upRest) || !isQuotientLess(*lower, *upper))
          continue;
        int64_t both = std::min(up.coefficient, -down.coefficient);
        MaybeFormula left = add(add(formula, fromTerm(up.factors, -both)),
                                fromTerm(down.factors, both));
        if (left && isNeverNegative(*left))
          return true;
      }
    return false;
  }

  static const Factor *takeQuotient(const std::vector<Factor> &factors,
                                    std::vector<Factor> &rest) {
    const Factor *found = nullptr;
    for (const Factor &factor : factors)
      if (!found && factor.function &&
          factor.function->kind == Kind::FloorDiv &&
          factor.function->operands[1].getConstant())
        found = &factor;
      else
        rest.push_back(factor);
    return found;
  }

  /// floordiv(x, c) <= floordiv(y, e) if x / c <= y / e; as they are also
  /// quotients rounded up of x - c + 1 and y - e + 1, if those compare so.
  bool isQuotientLess(const Factor &lower, const Factor &upper) {
    const Formula &x = lower.function->operands[0],
                  &c = lower.function->operands[1],
                  &y = upper.function->operands[0],
                  &e = upper.function->operands[1];
    MaybeFormula floors = subtract(multiply(y, c), multiply(x, e));
    if (floors && isNeverNegative(*floors))
      return true;
    MaybeFormula ceils =
        subtract(multiply(subtract(y, subtract(e, Formula(1))), c),
                 multiply(subtract(x, subtract(c, Formula(1))), e));
    return ceils && isNeverNegative(*ceils);
  }

  /// In a negative term, puts the greatest value in place of a symbol.
  bool boundNegative(const Formula &formula) {
    for (const Term &term : formula.terms()) {
      if (term.coefficient > 0)
        continue;
      for (size_t i = 0; i < term.factors.size(); ++i) {
        auto it = greatest.find(term.factors[i].symbol);
        if (term.factors[i].function || it == greatest.end())
          continue;
        std::vector<Factor> others = term.factors;
        others.erase(others.begin() + long(i));
        if (!areNeverNegative(others))
          continue;
        std::optional<int64_t> bound = checkedMul(term.coefficient, it->second);
        if (!bound)
          continue;
        MaybeFormula less =
            add(add(formula, fromTerm(term.factors, -term.coefficient)),
                fromTerm(std::move(others), *bound));
        if (less && isNeverNegative(*less))
          return true;
      }
      return false;
    }
    return false;
  }

  std::map<std::string, Formula, std::less<>> shifts;
  std::map<std::string, int64_t, std::less<>> greatest;
  std::vector<std::string> unknownSigns;
  unsigned budget = 400;
};

} // namespace

bool memplan::isNeverNegative(const Formula &formula,
                              const SizeSymbols &symbols) {
  if (std::optional<int64_t> constant = formula.getConstant())
    return *constant >= 0;
  return SignProver(symbols).prove(formula);
}

bool memplan::isNeverGreater(const Formula &a, const Formula &b,
                             const SizeSymbols &symbols) {
  MaybeFormula difference = subtract(b, a);
  return difference && isNeverNegative(*difference, symbols);
}

//===----------------------------------------------------------------------===//
// Multiples
//===----------------------------------------------------------------------===//

static int64_t getDivisorOf(const std::string &symbol,
                            const SizeSymbols &symbols) {
  for (const SizeSymbol &known : symbols)
    if (known.name == symbol)
      return std::max<int64_t>(known.multipleOf, 1);
  return 1;
}

/// Not 0. Saturates at 2^62, of which no program needs a multiple.
static int64_t getDivisorOf(const Term &term, const SizeSymbols &symbols) {
  int64_t product = std::abs(term.coefficient);
  for (const Factor &factor : term.factors) {
    int64_t divisor = 1;
    if (!factor.function) {
      divisor = getDivisorOf(factor.symbol, symbols);
    } else if (factor.function->kind != Kind::FloorDiv) {
      divisor = 0;
      for (const Formula &operand : factor.function->operands)
        divisor = std::gcd(divisor, getKnownDivisor(operand, symbols));
    }
    std::optional<int64_t> next = checkedMul(product, divisor);
    if (!next)
      return product;
    product = *next;
  }
  return product;
}

int64_t memplan::getKnownDivisor(const Formula &formula,
                                 const SizeSymbols &symbols) {
  // The greatest power of two stands for 0, which everything divides.
  if (formula.terms().empty())
    return int64_t(1) << 62;
  int64_t divisor = 0;
  for (const Term &term : formula.terms())
    divisor = std::gcd(divisor, getDivisorOf(term, symbols));
  return divisor;
}

MaybeFormula memplan::alignUp(const MaybeFormula &a, int64_t alignment,
                              const SizeSymbols &symbols) {
  if (!a)
    return std::nullopt;
  std::vector<Term> whole, rest;
  for (const Term &term : a->terms())
    (getDivisorOf(term, symbols) % alignment == 0 ? whole : rest)
        .push_back(term);
  return add(
      Formula::fromTerms(std::move(whole)),
      multiply(ceilDiv(Formula::fromTerms(std::move(rest)), Formula(alignment)),
               Formula(alignment)));
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// The alternatives without those that another is always at least (or at most)
/// as great as.
static MaybeFormula simplifyAlternatives(Kind kind,
                                         std::vector<Formula> operands,
                                         const SizeSymbols &symbols) {
  for (size_t i = 0; i < operands.size();) {
    bool isNeeded = true;
    for (size_t j = 0; j < operands.size() && isNeeded; ++j)
      if (j != i)
        isNeeded = kind == Kind::Max
                       ? !isNeverGreater(operands[i], operands[j], symbols)
                       : !isNeverGreater(operands[j], operands[i], symbols);
    if (isNeeded)
      ++i;
    else
      operands.erase(operands.begin() + long(i));
  }
  return kind == Kind::Max ? max(operands) : min(operands);
}

/// c * floordiv(x, c) is t + c * floordiv(x - t, c) if c divides t.
static MaybeFormula simplifyQuotient(const Formula &dividend,
                                     const Formula &divisor,
                                     int64_t coefficient,
                                     const SizeSymbols &symbols) {
  std::optional<int64_t> constant = divisor.getConstant();
  if (!constant || coefficient % *constant != 0)
    return multiply(floorDiv(dividend, divisor), Formula(coefficient));
  std::vector<Term> whole, rest;
  for (const Term &term : dividend.terms())
    (getDivisorOf(term, symbols) % *constant == 0 ? whole : rest)
        .push_back(term);
  return add(multiply(Formula::fromTerms(std::move(whole)),
                      Formula(coefficient / *constant)),
             multiply(floorDiv(Formula::fromTerms(std::move(rest)), divisor),
                      Formula(coefficient)));
}

MaybeFormula memplan::simplify(const Formula &formula,
                               const SizeSymbols &symbols) {
  MaybeFormula sum = Formula();
  for (const Term &term : formula.terms()) {
    MaybeFormula product = Formula(1);
    int64_t coefficient = term.coefficient;
    for (const Factor &factor : term.factors) {
      if (!factor.function) {
        product = multiply(product, Formula::symbol(factor.symbol));
        continue;
      }
      std::vector<Formula> operands;
      for (const Formula &operand : factor.function->operands) {
        MaybeFormula simple = simplify(operand, symbols);
        if (!simple)
          return std::nullopt;
        operands.push_back(*simple);
      }
      if (factor.function->kind != Kind::FloorDiv) {
        product = multiply(product,
                           simplifyAlternatives(factor.function->kind,
                                                std::move(operands), symbols));
        continue;
      }
      product = multiply(product, simplifyQuotient(operands[0], operands[1],
                                                   coefficient, symbols));
      coefficient = 1;
    }
    sum = add(sum, multiply(product, Formula(coefficient)));
  }
  return sum;
}
