//===- FuzzFormula.cpp - Formulas of sizes
//----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Formulas as text, and their arithmetic: whatever the canonical form makes of
// an operation, its value is that of the operation, also after simplify() with
// what is known of the symbols.

#include "Problems.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::fuzz;

static void readText(std::string_view text) {
  std::string error;
  std::optional<Formula> formula = parseFormula(text, error);
  if (!formula)
    return require(!error.empty(), "a text is rejected without a reason");
  std::optional<Formula> again = parseFormula(formula->print(), error);
  require(again && *again == *formula, "a printed formula is read as another");
}

/// The value of the operation on two values; absent if it has none in int64.
static std::optional<int64_t> apply(size_t kind, int64_t a, int64_t b) {
  switch (kind) {
  case 0:
    return checkedAdd(a, b);
  case 1:
    return b == INT64_MIN ? std::nullopt : checkedAdd(a, -b);
  case 2:
    return checkedMul(a, b);
  case 3:
    return std::max(a, b);
  case 4:
    return std::min(a, b);
  default:
    break;
  }
  if (b <= 0)
    return std::nullopt;
  int64_t rest = a % b < 0 ? a % b + b : a % b;
  if (kind == 5)
    return a / b - (a % b < 0);
  return kind == 6 ? a / b + (a % b > 0) : rest;
}

static MaybeFormula combine(size_t kind, const MaybeFormula &a,
                            const MaybeFormula &b) {
  switch (kind) {
  case 0:
    return add(a, b);
  case 1:
    return subtract(a, b);
  case 2:
    return multiply(a, b);
  case 3:
    return max(a, b);
  case 4:
    return min(a, b);
  case 5:
    return floorDiv(a, b);
  case 6:
    return ceilDiv(a, b);
  default:
    return mod(a, b);
  }
}

/// Values must agree where both are known: intermediate values of one form may
/// not fit into int64 where those of the other do.
static void requireEqual(const std::optional<int64_t> &a,
                         const std::optional<int64_t> &b, const char *what) {
  if (a && b && *a != *b)
    fail(std::string(what) + ": " + std::to_string(*a) + " and " +
         std::to_string(*b));
}

static void checkFacts(const Formula &a, const Formula &b,
                       const SizeSymbols &symbols, const SymbolValues &values) {
  std::optional<int64_t> x = a.evaluate(values), y = b.evaluate(values);
  if (!x)
    return;
  if (MaybeFormula simple = simplify(a, symbols))
    requireEqual(simple->evaluate(values), x, "simplify() changes a value");
  if (isNeverNegative(a, symbols))
    require(*x >= 0, "isNeverNegative() is wrong");
  if (y && isNeverGreater(a, b, symbols))
    require(*x <= *y, "isNeverGreater() is wrong");
  int64_t divisor = getKnownDivisor(a, symbols);
  require(divisor >= 1 && *x % divisor == 0, "getKnownDivisor() is wrong");
  if (MaybeFormula up = alignUp(a, 64, symbols))
    if (std::optional<int64_t> z = up->evaluate(values))
      require(*z % 64 == 0 && *z >= *x && *z - *x < 64, "alignUp() is wrong");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  readText(text);
  Bytes bytes(data, size);
  SizeSymbols symbols;
  SymbolValues values;
  for (const char *name : {"a", "b", "c"}) {
    SizeSymbol symbol;
    symbol.name = name;
    int64_t multiple = 1 + int64_t(bytes.below(12));
    symbol.multipleOf = bytes.flag() ? multiple : 1;
    std::optional<int64_t> value = checkedMul(bytes.number(), multiple);
    if (!value)
      return 0;
    values[name] = *value;
    symbol.least = bytes.flag() ? INT64_MIN : *value - (*value > 0);
    if (bytes.flag())
      symbol.greatest = *value;
    symbols.push_back(symbol);
  }
  size_t kind = bytes.below(8);
  MaybeFormula a = makeFormula(bytes, symbols, 3);
  MaybeFormula b = makeFormula(bytes, symbols, 3);
  if (!a || !b)
    return 0;
  readText(a->print());
  checkFacts(*a, *b, symbols, values);
  if (MaybeFormula both = combine(kind, a, b)) {
    std::optional<int64_t> x = a->evaluate(values), y = b->evaluate(values);
    if (x && y)
      requireEqual(both->evaluate(values), apply(kind, *x, *y),
                   "an operation changes the value");
    checkFacts(*both, *a, symbols, values);
  }
  if (MaybeFormula replaced = a->substitute({{"a", *b}})) {
    SymbolValues with = values;
    if (std::optional<int64_t> y = b->evaluate(values)) {
      with["a"] = *y;
      requireEqual(replaced->evaluate(values), a->evaluate(with),
                   "substitute() changes the value");
    }
  }
  return 0;
}
