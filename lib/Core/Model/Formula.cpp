//===- Formula.cpp - Exact integer formulas of sizes ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Formula.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace memplan;

using Kind = Formula::Function::Kind;
using Term = Formula::Term;
using Factor = Formula::Factor;

//===----------------------------------------------------------------------===//
// Order and canonical form
//===----------------------------------------------------------------------===//

/// Symbols come first.
static int compareFactors(const Factor &a, const Factor &b) {
  if (!a.function || !b.function) {
    if (a.function || b.function)
      return a.function ? 1 : -1;
    int names = a.symbol.compare(b.symbol);
    return names < 0 ? -1 : names > 0;
  }
  if (a.function == b.function)
    return 0;
  const Formula::Function &f = *a.function, &g = *b.function;
  if (f.kind != g.kind)
    return f.kind < g.kind ? -1 : 1;
  if (f.operands.size() != g.operands.size())
    return f.operands.size() < g.operands.size() ? -1 : 1;
  for (size_t i = 0; i < f.operands.size(); ++i)
    if (int order = f.operands[i].compare(g.operands[i]))
      return order;
  return 0;
}

/// A product before its prefixes, so that the constant is last.
static int compareProducts(const std::vector<Factor> &a,
                           const std::vector<Factor> &b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (int order = compareFactors(a[i], b[i]))
      return order;
  if (a.size() == b.size())
    return 0;
  return a.size() > b.size() ? -1 : 1;
}

int Formula::compare(const Formula &other) const {
  if (body == other.body)
    return 0;
  const std::vector<Term> &a = terms(), &b = other.terms();
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    if (int order = compareProducts(a[i].factors, b[i].factors))
      return order;
    if (a[i].coefficient != b[i].coefficient)
      return a[i].coefficient < b[i].coefficient ? -1 : 1;
  }
  return 0;
}

std::optional<Formula> Formula::fromTerms(std::vector<Term> terms) {
  for (Term &term : terms)
    std::sort(term.factors.begin(), term.factors.end(),
              [](const Factor &a, const Factor &b) {
                return compareFactors(a, b) < 0;
              });
  std::sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) {
    return compareProducts(a.factors, b.factors) < 0;
  });
  auto made = std::make_shared<Body>();
  for (Term &term : terms) {
    if (!made->terms.empty() &&
        compareProducts(made->terms.back().factors, term.factors) == 0) {
      std::optional<int64_t> sum =
          checkedAdd(made->terms.back().coefficient, term.coefficient);
      if (!sum)
        return std::nullopt;
      made->terms.back().coefficient = *sum;
      if (*sum == 0)
        made->terms.pop_back();
    } else if (term.coefficient != 0) {
      made->terms.push_back(std::move(term));
    }
  }
  for (const Term &term : made->terms) {
    // It has no opposite.
    if (term.coefficient == INT64_MIN)
      return std::nullopt;
    made->complexity += 1;
    for (const Factor &factor : term.factors) {
      made->complexity += 1;
      if (factor.function)
        for (const Formula &operand : factor.function->operands)
          made->complexity += operand.complexity();
    }
  }
  if (made->complexity > kMostComplex)
    return std::nullopt;
  Formula result;
  if (!made->terms.empty())
    result.body = std::move(made);
  return result;
}

Formula::Formula(int64_t constant) {
  if (constant != 0)
    *this = *fromTerms({{{}, constant}});
}

Formula Formula::symbol(std::string name) {
  return *fromTerms({{{{std::move(name), nullptr}}, 1}});
}

const std::vector<Term> &Formula::terms() const {
  static const std::vector<Term> none;
  return body ? body->terms : none;
}

std::optional<int64_t> Formula::getConstant() const {
  if (!body)
    return 0;
  if (body->terms.size() == 1 && body->terms.front().factors.empty())
    return body->terms.front().coefficient;
  return std::nullopt;
}

static void collectSymbols(const Formula &formula, std::set<std::string> &out) {
  for (const Term &term : formula.terms())
    for (const Factor &factor : term.factors) {
      if (!factor.function)
        out.insert(factor.symbol);
      else
        for (const Formula &operand : factor.function->operands)
          collectSymbols(operand, out);
    }
}

std::vector<std::string> Formula::getSymbols() const {
  std::set<std::string> names;
  collectSymbols(*this, names);
  return {names.begin(), names.end()};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static int64_t floorOf(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

static std::optional<int64_t> evaluateFactor(const Factor &factor,
                                             const SymbolValues &values) {
  if (!factor.function) {
    auto it = values.find(factor.symbol);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<int64_t> result;
  for (const Formula &operand : factor.function->operands) {
    std::optional<int64_t> value = operand.evaluate(values);
    if (!value)
      return std::nullopt;
    if (!result) {
      result = value;
      continue;
    }
    switch (factor.function->kind) {
    case Kind::FloorDiv:
      if (*value <= 0)
        return std::nullopt;
      result = floorOf(*result, *value);
      break;
    case Kind::Max:
      result = std::max(*result, *value);
      break;
    case Kind::Min:
      result = std::min(*result, *value);
      break;
    }
  }
  return result;
}

std::optional<int64_t> Formula::evaluate(const SymbolValues &values) const {
  // Terms may cancel that do not fit into 64 bits.
  __int128 sum = 0;
  for (const Term &term : terms()) {
    __int128 product = term.coefficient;
    for (const Factor &factor : term.factors) {
      std::optional<int64_t> value = evaluateFactor(factor, values);
      if (!value || __builtin_mul_overflow(product, __int128(*value), &product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  if (sum < INT64_MIN || sum > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(sum);
}

static MaybeFormula makeFunction(Kind kind,
                                 const std::vector<Formula> &operands) {
  if (kind == Kind::FloorDiv)
    return floorDiv(operands[0], operands[1]);
  return kind == Kind::Max ? max(operands) : min(operands);
}

MaybeFormula Formula::substitute(
    const std::map<std::string, Formula, std::less<>> &values) const {
  MaybeFormula sum = Formula();
  for (const Term &term : terms()) {
    MaybeFormula product = Formula(term.coefficient);
    for (const Factor &factor : term.factors) {
      if (!factor.function) {
        auto it = values.find(factor.symbol);
        product = multiply(product, it == values.end() ? symbol(factor.symbol)
                                                       : it->second);
        continue;
      }
      std::vector<Formula> operands;
      for (const Formula &operand : factor.function->operands) {
        MaybeFormula changed = operand.substitute(values);
        if (!changed)
          return std::nullopt;
        operands.push_back(*changed);
      }
      product =
          multiply(product, makeFunction(factor.function->kind, operands));
    }
    sum = add(sum, product);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

MaybeFormula memplan::add(const MaybeFormula &a, const MaybeFormula &b) {
  if (!a || !b)
    return std::nullopt;
  std::vector<Term> terms = a->terms();
  terms.insert(terms.end(), b->terms().begin(), b->terms().end());
  return Formula::fromTerms(std::move(terms));
}

MaybeFormula memplan::multiply(const MaybeFormula &a, const MaybeFormula &b) {
  if (!a || !b || a->terms().size() * b->terms().size() > Formula::kMostComplex)
    return std::nullopt;
  std::vector<Term> terms;
  for (const Term &left : a->terms())
    for (const Term &right : b->terms()) {
      std::optional<int64_t> coefficient =
          checkedMul(left.coefficient, right.coefficient);
      if (!coefficient)
        return std::nullopt;
      terms.push_back({left.factors, *coefficient});
      terms.back().factors.insert(terms.back().factors.end(),
                                  right.factors.begin(), right.factors.end());
    }
  return Formula::fromTerms(std::move(terms));
}

MaybeFormula memplan::subtract(const MaybeFormula &a, const MaybeFormula &b) {
  return add(a, multiply(b, Formula(-1)));
}

static MaybeFormula fromFunction(Kind kind, std::vector<Formula> operands) {
  auto function = std::make_shared<Formula::Function>(
      Formula::Function{kind, std::move(operands)});
  return Formula::fromTerms({{{{"", std::move(function)}}, 1}});
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// A formula as times * function + rest, `rest` without functions of the kind.
struct SplitFunction {
  std::shared_ptr<const Formula::Function> function;
  int64_t times;
  Formula rest;
};

/// If exactly one term is a function of the kind times a positive number, and
/// no other has such a factor.
static std::optional<SplitFunction> splitFunction(const Formula &formula,
                                                  Kind kind) {
  std::optional<SplitFunction> found;
  std::vector<Term> rest;
  for (const Term &term : formula.terms()) {
    bool has = std::any_of(
        term.factors.begin(), term.factors.end(), [&](const Factor &factor) {
          return factor.function && factor.function->kind == kind;
        });
    if (!has) {
      rest.push_back(term);
      continue;
    }
    if (found || term.factors.size() != 1 || term.coefficient < 0)
      return std::nullopt;
    found = {term.factors.front().function, term.coefficient, Formula()};
  }
  if (found)
    found->rest = *Formula::fromTerms(std::move(rest));
  return found;
}

/// floor((r * max(x, y) + k) / c) is max(floor((r * x + k) / c), ...), and the
/// floor of a floor divides once.
static MaybeFormula pushInside(const Formula &dividend, int64_t divisor) {
  for (Kind kind : {Kind::Max, Kind::Min}) {
    std::optional<SplitFunction> split = splitFunction(dividend, kind);
    if (!split || !split->rest.getConstant())
      continue;
    std::vector<Formula> quotients;
    for (const Formula &operand : split->function->operands) {
      MaybeFormula quotient = floorDiv(
          add(multiply(operand, Formula(split->times)), split->rest), divisor);
      if (!quotient)
        return std::nullopt;
      quotients.push_back(*quotient);
    }
    return makeFunction(kind, quotients);
  }
  std::optional<SplitFunction> split = splitFunction(dividend, Kind::FloorDiv);
  if (!split || split->times != 1 || !split->rest.getConstant())
    return std::nullopt;
  const std::vector<Formula> &operands = split->function->operands;
  std::optional<int64_t> inner = operands[1].getConstant();
  std::optional<int64_t> both =
      inner ? checkedMul(*inner, divisor) : std::nullopt;
  if (!both)
    return std::nullopt;
  return floorDiv(add(operands[0], multiply(split->rest, Formula(*inner))),
                  Formula(*both));
}

static MaybeFormula divideByConstant(const Formula &a, int64_t divisor) {
  if (divisor <= 0)
    return std::nullopt;
  // a = divisor * quotient + rest, the coefficients of `rest` in [0, divisor).
  std::vector<Term> quotient, rest;
  int64_t common = divisor;
  for (const Term &term : a.terms()) {
    int64_t whole = floorOf(term.coefficient, divisor);
    int64_t left = term.coefficient % divisor;
    if (left < 0)
      left += divisor;
    if (whole != 0)
      quotient.push_back({term.factors, whole});
    if (left != 0)
      rest.push_back({term.factors, left});
    if (!term.factors.empty())
      common = std::gcd(common, left);
  }
  for (Term &term : rest)
    term.coefficient /= common;
  divisor /= common;
  MaybeFormula whole = Formula::fromTerms(std::move(quotient));
  MaybeFormula left = Formula::fromTerms(std::move(rest));
  if (!whole || !left)
    return std::nullopt;
  if (divisor == 1)
    return add(whole, left);
  if (left->getConstant())
    return whole;
  if (MaybeFormula inside = pushInside(*left, divisor))
    return add(whole, inside);
  return add(whole, fromFunction(Kind::FloorDiv, {*left, Formula(divisor)}));
}

/// The factors of `product` without those of `part`, if it has them all.
static std::optional<std::vector<Factor>>
divideProduct(const std::vector<Factor> &product,
              const std::vector<Factor> &part) {
  std::vector<Factor> left;
  size_t next = 0;
  for (const Factor &factor : product)
    if (next < part.size() && compareFactors(factor, part[next]) == 0)
      ++next;
    else
      left.push_back(factor);
  return next == part.size() ? std::optional(std::move(left)) : std::nullopt;
}

MaybeFormula memplan::floorDiv(const MaybeFormula &a, const MaybeFormula &b) {
  if (!a || !b)
    return std::nullopt;
  if (std::optional<int64_t> constant = b->getConstant())
    return divideByConstant(*a, *constant);
  // A product that every term has cancels: it is positive.
  if (b->terms().size() == 1) {
    const Term &divisor = b->terms().front();
    std::vector<Term> terms;
    for (const Term &term : a->terms())
      if (auto left = divideProduct(term.factors, divisor.factors))
        terms.push_back({std::move(*left), term.coefficient});
    if (terms.size() == a->terms().size() && divisor.coefficient > 0)
      return floorDiv(Formula::fromTerms(std::move(terms)),
                      Formula(divisor.coefficient));
  }
  if (*a == *b)
    return Formula(1);
  return fromFunction(Kind::FloorDiv, {*a, *b});
}

MaybeFormula memplan::ceilDiv(const MaybeFormula &a, const MaybeFormula &b) {
  return floorDiv(add(a, subtract(b, Formula(1))), b);
}

MaybeFormula memplan::mod(const MaybeFormula &a, const MaybeFormula &b) {
  return subtract(a, multiply(b, floorDiv(a, b)));
}

//===----------------------------------------------------------------------===//
// Greatest and least
//===----------------------------------------------------------------------===//

/// The part that all alternatives have in common: for each product the least
/// coefficient.
static Formula getCommonPart(const std::vector<Formula> &alternatives) {
  std::vector<Term> common;
  for (size_t i = 0; i < alternatives.size(); ++i)
    for (const Term &term : alternatives[i].terms()) {
      int64_t least = term.coefficient;
      bool isFirst = true;
      for (size_t j = 0; j < alternatives.size(); ++j) {
        const std::vector<Term> &terms = alternatives[j].terms();
        auto it = std::find_if(terms.begin(), terms.end(), [&](const Term &t) {
          return compareProducts(t.factors, term.factors) == 0;
        });
        isFirst &= j >= i || it == terms.end();
        least = std::min(least, it == terms.end() ? 0 : it->coefficient);
      }
      if (isFirst && least != 0)
        common.push_back({term.factors, least});
    }
  return Formula::fromTerms(std::move(common)).value_or(Formula());
}

static void addAlternatives(const Formula &formula, Kind kind,
                            std::vector<MaybeFormula> &out) {
  std::optional<SplitFunction> split = splitFunction(formula, kind);
  if (!split) {
    out.push_back(formula);
    return;
  }
  for (const Formula &operand : split->function->operands)
    out.push_back(add(multiply(operand, Formula(split->times)), split->rest));
}

/// What the text of the result is read as again is the result.
static MaybeFormula combine(const std::vector<Formula> &formulas, Kind kind) {
  std::vector<MaybeFormula> flat;
  for (const Formula &formula : formulas)
    addAlternatives(formula, kind, flat);
  // Where two differ by a constant, one of them is enough.
  std::vector<Formula> kept;
  for (const MaybeFormula &alternative : flat) {
    if (!alternative)
      return std::nullopt;
    bool isNeeded = true;
    for (Formula &other : kept) {
      MaybeFormula difference = subtract(alternative, other);
      std::optional<int64_t> constant =
          difference ? difference->getConstant() : std::nullopt;
      if (!constant)
        continue;
      if ((kind == Kind::Max) == (*constant > 0))
        other = *alternative;
      isNeeded = false;
      break;
    }
    if (isNeeded)
      kept.push_back(*alternative);
  }
  if (kept.size() == 1)
    return kept.front();
  constexpr size_t kMostAlternatives = 24;
  if (kept.size() > kMostAlternatives)
    return std::nullopt;
  Formula common = getCommonPart(kept);
  int64_t divisor = 0;
  for (Formula &alternative : kept) {
    MaybeFormula rest = subtract(alternative, common);
    if (!rest)
      return std::nullopt;
    alternative = *rest;
    for (const Term &term : rest->terms())
      divisor = std::gcd(divisor, term.coefficient);
  }
  if (divisor > 1)
    for (Formula &alternative : kept)
      alternative = *floorDiv(alternative, Formula(divisor));
  // Without the common part, an alternative may be a function of the kind.
  bool isFlat =
      std::none_of(kept.begin(), kept.end(), [&](const Formula &alternative) {
        return splitFunction(alternative, kind);
      });
  std::sort(kept.begin(), kept.end());
  return add(common,
             multiply(isFlat ? fromFunction(kind, kept) : combine(kept, kind),
                      Formula(std::max<int64_t>(divisor, 1))));
}

MaybeFormula memplan::max(const std::vector<Formula> &alternatives) {
  return combine(alternatives, Kind::Max);
}

MaybeFormula memplan::min(const std::vector<Formula> &alternatives) {
  return combine(alternatives, Kind::Min);
}

MaybeFormula memplan::max(const MaybeFormula &a, const MaybeFormula &b) {
  return a && b ? combine({*a, *b}, Kind::Max) : std::nullopt;
}

MaybeFormula memplan::min(const MaybeFormula &a, const MaybeFormula &b) {
  return a && b ? combine({*a, *b}, Kind::Min) : std::nullopt;
}
