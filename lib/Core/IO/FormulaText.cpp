//===- FormulaText.cpp - Formulas as text ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Formula.h"

#include "memplan/Core/CheckedMath.h"

using namespace memplan;

using Kind = Formula::Function::Kind;
using Term = Formula::Term;
using Factor = Formula::Factor;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string printFactor(const Factor &factor) {
  if (!factor.function)
    return factor.symbol;
  const Formula::Function &function = *factor.function;
  if (function.kind == Kind::FloorDiv) {
    const Formula &dividend = function.operands[0];
    std::optional<int64_t> divisor = function.operands[1].getConstant();
    // A quotient that is rounded up is written so.
    if (divisor && !dividend.terms().empty() &&
        dividend.terms().back().factors.empty() &&
        dividend.terms().back().coefficient == *divisor - 1)
      return "ceildiv(" + subtract(dividend, Formula(*divisor - 1))->print() +
             ", " + std::to_string(*divisor) + ")";
    return "floordiv(" + dividend.print() + ", " +
           function.operands[1].print() + ")";
  }
  std::string text = function.kind == Kind::Max ? "max(" : "min(";
  for (size_t i = 0; i < function.operands.size(); ++i)
    text += (i == 0 ? "" : ", ") + function.operands[i].print();
  return text + ")";
}

/// A term with its sign; 16 * max(2 * n, m) is max(32 * n, 16 * m).
static std::string printTerm(const Term &term) {
  if (term.factors.empty())
    return std::to_string(term.coefficient);
  if (term.factors.size() == 1 && term.coefficient > 1 &&
      term.factors.front().function &&
      term.factors.front().function->kind != Kind::FloorDiv) {
    const Formula::Function &function = *term.factors.front().function;
    std::string text = function.kind == Kind::Max ? "max(" : "min(";
    bool isFirst = true, isKnown = true;
    for (const Formula &operand : function.operands) {
      MaybeFormula scaled = multiply(operand, Formula(term.coefficient));
      isKnown = isKnown && scaled;
      if (isKnown)
        text += (isFirst ? "" : ", ") + scaled->print();
      isFirst = false;
    }
    if (isKnown)
      return text + ")";
  }
  std::string text;
  if (term.coefficient == -1)
    text = "-";
  else if (term.coefficient != 1)
    text = std::to_string(term.coefficient) + " * ";
  bool isFirst = true;
  for (const Factor &factor : term.factors) {
    text += (isFirst ? "" : " * ") + printFactor(factor);
    isFirst = false;
  }
  return text;
}

std::string Formula::print() const {
  if (terms().empty())
    return "0";
  std::string text;
  // A term that is added comes first.
  size_t first = 0;
  while (first + 1 < terms().size() && terms()[first].coefficient < 0)
    ++first;
  if (terms()[first].coefficient < 0)
    first = 0;
  text = printTerm(terms()[first]);
  for (size_t i = 0; i < terms().size(); ++i) {
    if (i == first)
      continue;
    std::string next = printTerm(terms()[i]);
    text += next.front() == '-' ? " - " + next.substr(1) : " + " + next;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

namespace {

/// Reads a formula by recursive descent. After an error every read fails.
class FormulaParser {
public:
  FormulaParser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  MaybeFormula parse() {
    MaybeFormula result = parseSum(0);
    if (result && !atEnd())
      return fail("expected the end of the formula");
    return result;
  }

private:
  MaybeFormula fail(const std::string &message) {
    if (error.empty())
      error = message + " at position " + std::to_string(position + 1);
    return std::nullopt;
  }

  bool atEnd() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\n' ||
            text[position] == '\t'))
      ++position;
    return position == text.size();
  }

  bool consume(char c) {
    if (atEnd() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  MaybeFormula checked(const MaybeFormula &formula) {
    return formula ? formula : fail("the formula is too large");
  }

  MaybeFormula parseSum(unsigned depth) {
    if (depth > 100)
      return fail("the formula is nested too deeply");
    MaybeFormula sum = parseProduct(depth);
    while (sum) {
      bool isAdded = consume('+');
      if (!isAdded && !consume('-'))
        return sum;
      MaybeFormula next = parseProduct(depth);
      if (!next)
        return std::nullopt;
      sum = checked(isAdded ? add(sum, next) : subtract(sum, next));
    }
    return sum;
  }

  MaybeFormula parseProduct(unsigned depth) {
    bool isNegative = consume('-');
    MaybeFormula product = parseFactor(depth);
    while (product && consume('*')) {
      MaybeFormula next = parseFactor(depth);
      if (!next)
        return std::nullopt;
      product = checked(multiply(product, next));
    }
    return product && isNegative ? checked(multiply(product, Formula(-1)))
                                 : product;
  }

  MaybeFormula parseFactor(unsigned depth) {
    if (atEnd())
      return fail("expected a number, a name or a function");
    if (isDigit(text[position]))
      return parseNumber();
    if (consume('(')) {
      MaybeFormula inner = parseSum(depth + 1);
      if (inner && !consume(')'))
        return fail("expected ')'");
      return inner;
    }
    if (!isNameStart(text[position]))
      return fail("expected a number, a name or a function");
    size_t start = position;
    while (position < text.size() &&
           (isNameStart(text[position]) || isDigit(text[position]) ||
            text[position] == '.' || text[position] == '$'))
      ++position;
    std::string_view name = text.substr(start, position - start);
    if (!consume('('))
      return Formula::symbol(std::string(name));
    return parseFunction(name, start, depth);
  }

  MaybeFormula parseNumber() {
    std::optional<int64_t> value = 0;
    for (; position < text.size() && isDigit(text[position]); ++position) {
      value = checkedMul(*value, 10);
      if (value)
        value = checkedAdd(*value, text[position] - '0');
      if (!value)
        return fail("the number does not fit into 64 bits");
    }
    return Formula(*value);
  }

  MaybeFormula parseFunction(std::string_view name, size_t start,
                             unsigned depth) {
    bool isNested = name == "max" || name == "min";
    if (!isNested && name != "floordiv" && name != "ceildiv" && name != "mod") {
      position = start;
      return fail("unknown function '" + std::string(name) + "'");
    }
    std::vector<Formula> operands;
    do {
      MaybeFormula next = parseSum(depth + 1);
      if (!next)
        return std::nullopt;
      if (!isNested && operands.size() == 1 &&
          next->getConstant().value_or(1) <= 0)
        return fail("the divisor is not positive");
      operands.push_back(*next);
    } while (consume(','));
    if (!isNested && operands.size() != 2)
      return fail("'" + std::string(name) + "' has two operands");
    MaybeFormula result =
        checked(name == "max"        ? max(operands)
                : name == "min"      ? min(operands)
                : name == "floordiv" ? floorDiv(operands[0], operands[1])
                : name == "ceildiv"  ? ceilDiv(operands[0], operands[1])
                                     : mod(operands[0], operands[1]));
    if (result && !consume(')'))
      return fail("expected ')'");
    return result;
  }

  std::string_view text;
  std::string &error;
  size_t position = 0;
};

} // namespace

std::optional<Formula> memplan::parseFormula(std::string_view text,
                                             std::string &error) {
  error.clear();
  return FormulaParser(text, error).parse();
}
