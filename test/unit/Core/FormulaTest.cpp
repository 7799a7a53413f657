//===- FormulaTest.cpp - Exact integer formulas of sizes ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Formula.h"

#include "gtest/gtest.h"

#include <random>

using namespace memplan;

namespace {

Formula parsed(std::string_view text) {
  std::string error;
  std::optional<Formula> formula = parseFormula(text, error);
  EXPECT_TRUE(formula) << text << ": " << error;
  return formula.value_or(Formula());
}

/// The canonical text.
std::string canonical(std::string_view text) { return parsed(text).print(); }

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_FALSE(parseFormula(text, error)) << text;
  return error;
}

bool isLess(std::string_view a, std::string_view b,
            const SizeSymbols &symbols = {}) {
  return isNeverGreater(parsed(a), parsed(b), symbols);
}

std::string simplified(std::string_view text, const SizeSymbols &symbols = {}) {
  MaybeFormula result = simplify(parsed(text), symbols);
  return result ? result->print() : "absent";
}

//===----------------------------------------------------------------------===//
// Canonical form and text
//===----------------------------------------------------------------------===//

TEST(FormulaText, PrintsWhatTheIssuesWrite) {
  EXPECT_EQ(canonical("64 * ceildiv(4 * B * S, 64)"),
            "64 * ceildiv(B * S, 16)");
  EXPECT_EQ(canonical("max(32768*d0,16384*d1)"), "max(32768 * d0, 16384 * d1)");
  EXPECT_EQ(canonical("max(40000, 4*n)"), "max(4 * n, 40000)");
  EXPECT_EQ(canonical("S*64*B + 3"), "64 * B * S + 3");
  EXPECT_EQ(canonical("3 - n"), "3 - n");
  EXPECT_EQ(canonical("b - a"), "b - a");
  EXPECT_EQ(canonical("0 * n"), "0");
}

TEST(FormulaText, RejectsWhatIsNone) {
  EXPECT_EQ(errorOf(""), "expected a number, a name or a function at "
                         "position 1");
  EXPECT_EQ(errorOf("4 * "), "expected a number, a name or a function at "
                             "position 5");
  EXPECT_EQ(errorOf("4 n"), "expected the end of the formula at position 3");
  EXPECT_EQ(errorOf("foo(n)"), "unknown function 'foo' at position 1");
  EXPECT_EQ(errorOf("ceildiv(n)"), "'ceildiv' has two operands at position "
                                   "10");
  EXPECT_EQ(errorOf("mod(n, 0)"), "the divisor is not positive at position 9");
  EXPECT_EQ(errorOf("max(n, 2"), "expected ')' at position 9");
  EXPECT_EQ(errorOf("9223372036854775808"),
            "the number does not fit into 64 bits at position 19");
  EXPECT_EQ(errorOf("9223372036854775807 * 2"),
            "the formula is too large at position 24");
  EXPECT_EQ(errorOf(std::string(200, '(')),
            "the formula is nested too deeply at position 102");
}

TEST(FormulaForm, EqualFormulasAreEqual) {
  EXPECT_EQ(parsed("(a + b) * c"), parsed("c * b + a * c"));
  EXPECT_EQ(parsed("ceildiv(n, 64)"), parsed("floordiv(n + 63, 64)"));
  EXPECT_EQ(parsed("1 + floordiv(h - 1, 2)"), parsed("ceildiv(h, 2)"));
  EXPECT_EQ(parsed("floordiv(floordiv(n, 4), 3)"), parsed("floordiv(n, 12)"));
  EXPECT_EQ(parsed("ceildiv(ceildiv(n, 2), 2)"), parsed("ceildiv(n, 4)"));
  EXPECT_EQ(parsed("floordiv(6 * n + 3, 4)"), parsed("n + floordiv(2 * n + 3, "
                                                     "4)"));
  EXPECT_EQ(parsed("floordiv(2 * n + 3, 4)"), parsed("floordiv(n + 1, 2)"));
  EXPECT_EQ(parsed("mod(4 * n, 4)"), parsed("0"));
  EXPECT_EQ(parsed("floordiv(a * b * 8, 4 * b)"), parsed("2 * a"));
  EXPECT_EQ(parsed("max(a, max(b, c))"), parsed("max(max(c, a), b)"));
  EXPECT_EQ(parsed("max(a, b) + c"), parsed("max(b + c, c + a)"));
  EXPECT_EQ(parsed("max(n + 3, n, n - 4)"), parsed("n + 3"));
  EXPECT_EQ(parsed("min(n + 3, n)"), parsed("n"));
  EXPECT_EQ(parsed("4 * max(a, b)"), parsed("max(4 * a, 4 * b)"));
}

TEST(FormulaForm, ReadsAsWhatWasPrinted) {
  // Two alternatives have a part in common in which there is a function of the
  // kind; without it, one of them is such a function.
  for (const char *text :
       {"min(f * min(b, 9) + b, f * min(b, 9) + a, b + c + 9)",
        "min(f * min(b, 9) + min(a, b), f * min(b, 9) + c)",
        "max(2 * max(a, b) + g, 3 * g, max(a, b) * g)"}) {
    Formula formula = parsed(text);
    EXPECT_EQ(parsed(formula.print()), formula) << text;
  }
  EXPECT_EQ(parsed("min(f * min(b, 9) + min(a, b), f * min(b, 9) + c)"),
            parsed("f * min(b, 9) + min(a, b, c)"));
}

TEST(FormulaForm, TooLargeIsAbsent) {
  MaybeFormula sum = Formula();
  for (int i = 0; i < 10; ++i)
    sum = add(sum, Formula::symbol("n" + std::to_string(i)));
  EXPECT_TRUE(sum);
  MaybeFormula product = multiply(multiply(sum, sum), sum);
  EXPECT_FALSE(product);
  EXPECT_FALSE(add(product, Formula(1)));
  EXPECT_FALSE(floorDiv(Formula::symbol("n"), Formula(0)));
  // The multiple of the divisor below the coefficient does not exist.
  MaybeFormula most = multiply(Formula::symbol("n"), Formula(-INT64_MAX));
  MaybeFormula third = floorDiv(most, Formula(3));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->evaluate({{"n", 1}}), -INT64_MAX / 3 - 1);
}

TEST(FormulaForm, SubstitutesTheCallersSizes) {
  MaybeFormula result =
      parsed("4 * n * ceildiv(m, 2) + max(n, m)")
          .substitute({{"n", parsed("2 * k")}, {"m", parsed("4 * k")}});
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, parsed("16 * k * k + max(2 * k, 4 * k)"));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(FormulaValue, IsAbsentWhereItIsNotKnown) {
  EXPECT_EQ(parsed("n * n").evaluate({{"n", int64_t(1) << 31}}), int64_t(1)
                                                                     << 62);
  EXPECT_EQ(parsed("n * n").evaluate({{"n", int64_t(1) << 32}}), std::nullopt);
  // Both terms are too large for 64 bits, but not their difference.
  EXPECT_EQ(parsed("a * a - b * b")
                .evaluate({{"a", int64_t(1) << 32}, {"b", int64_t(1) << 32}}),
            0);
  EXPECT_EQ(parsed("n + m").evaluate({{"n", 1}}), std::nullopt);
  EXPECT_EQ(parsed("floordiv(n, m)").evaluate({{"n", 1}, {"m", 0}}),
            std::nullopt);
  EXPECT_EQ(parsed("floordiv(n, 4)").evaluate({{"n", -1}}), -1);
  EXPECT_EQ(parsed("ceildiv(n, 4)").evaluate({{"n", -1}}), 0);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST(FormulaFacts, ComparesTermByTerm) {
  EXPECT_TRUE(isLess("16384 * d", "32768 * d"));
  EXPECT_FALSE(isLess("32768 * d", "16384 * d"));
  EXPECT_FALSE(isLess("a", "b"));
  EXPECT_TRUE(isLess("a", "a + b"));
  EXPECT_TRUE(isLess("a", "max(a, b)"));
  EXPECT_TRUE(isLess("min(a, b)", "b"));
  EXPECT_TRUE(isLess("max(a, b)", "a + b"));
  EXPECT_FALSE(isLess("a * b", "a"));
  EXPECT_TRUE(isLess("4 * n", "64 * ceildiv(4 * n, 64)"));
  EXPECT_TRUE(isLess("64 * floordiv(n, 64)", "n"));
  EXPECT_TRUE(isLess("64 * ceildiv(4 * n, 64)", "64 * ceildiv(8 * n, 64)"));
  EXPECT_TRUE(isLess("64 * ceildiv(n, 64)", "n + 63"));
  EXPECT_FALSE(isLess("64 * ceildiv(n, 64)", "n + 62"));
  EXPECT_TRUE(isLess("ceildiv(h, 2)", "h"));
}

TEST(FormulaFacts, UsesWhatIsKnownOfSymbols) {
  SizeSymbols symbols = {{"b", 1, std::nullopt, 1},
                         {"s", 0, 1024, 1},
                         {"m", 0, std::nullopt, 16},
                         {"i", INT64_MIN, std::nullopt, 1}};
  EXPECT_TRUE(isLess("n", "b * n", symbols));
  EXPECT_TRUE(isLess("s * n", "1024 * n", symbols));
  EXPECT_FALSE(isLess("s * n", "1023 * n", symbols));
  EXPECT_TRUE(isLess("s", "1024", symbols));
  EXPECT_FALSE(isLess("0", "i", symbols));
  EXPECT_FALSE(isLess("n", "n + i", symbols));
  EXPECT_TRUE(isLess("64 * ceildiv(4 * m, 64)", "4 * m", symbols));
  EXPECT_EQ(simplified("max(n * s, n)", symbols), "max(n * s, n)");
  EXPECT_EQ(simplified("max(n * b, n)", symbols), "b * n");
  EXPECT_EQ(simplified("max(i, 0)", symbols), "max(0, i)");
  EXPECT_EQ(simplified("max(n, 0)", symbols), "n");
  EXPECT_EQ(simplified("64 * ceildiv(4 * m + 4 * n, 64)", symbols),
            "4 * m + 64 * ceildiv(n, 16)");
}

TEST(FormulaFacts, AlignsWhatIsNoMultiple) {
  SizeSymbols symbols = {{"m", 0, std::nullopt, 16}};
  EXPECT_EQ(alignUp(parsed("256 * n"), 64)->print(), "256 * n");
  EXPECT_EQ(alignUp(parsed("256 * n + 4"), 64)->print(), "256 * n + 64");
  EXPECT_EQ(alignUp(parsed("4 * m"), 64, symbols)->print(), "4 * m");
  EXPECT_EQ(alignUp(parsed("4 * n"), 64)->print(), "64 * ceildiv(n, 16)");
  EXPECT_EQ(alignUp(parsed("max(128 * a, 64 * b)"), 64)->print(),
            "max(128 * a, 64 * b)");
  EXPECT_EQ(getKnownDivisor(parsed("48 * m + 64"), symbols), 64);
}

//===----------------------------------------------------------------------===//
// Random formulas
//===----------------------------------------------------------------------===//

class RandomFormulas {
public:
  explicit RandomFormulas(unsigned seed) : random(seed) {}

  int64_t pick(int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  }

  /// For each of the values of symbols, the value of one and the same formula.
  std::pair<MaybeFormula, std::vector<std::optional<int64_t>>>
  make(const std::vector<SymbolValues> &values, int depth) {
    std::vector<std::optional<int64_t>> results;
    if (depth == 0 || pick(0, 9) < 2) {
      if (pick(0, 2) == 0) {
        int64_t constant = pick(-20, 100);
        results.assign(values.size(), constant);
        return {Formula(constant), results};
      }
      std::string name(1, char('a' + pick(0, 2)));
      for (const SymbolValues &each : values)
        results.push_back(each.at(name));
      return {Formula::symbol(name), results};
    }
    auto [a, x] = make(values, depth - 1);
    int64_t kind = pick(0, 7);
    if (kind >= 3 && kind <= 5) {
      // A positive divisor.
      int64_t divisor = pick(1, 12);
      for (auto value : x)
        results.push_back(value ? std::optional(apply(kind, *value, divisor))
                                : std::nullopt);
      return {kind == 3   ? floorDiv(a, Formula(divisor))
              : kind == 4 ? ceilDiv(a, Formula(divisor))
                          : mod(a, Formula(divisor)),
              results};
    }
    auto [b, y] = make(values, depth - 1);
    for (size_t i = 0; i < x.size(); ++i)
      results.push_back(x[i] && y[i] ? std::optional(apply(kind, *x[i], *y[i]))
                                     : std::nullopt);
    return {kind == 0   ? add(a, b)
            : kind == 1 ? subtract(a, b)
            : kind == 2 ? multiply(a, b)
            : kind == 6 ? max(a, b)
                        : min(a, b),
            results};
  }

private:
  static int64_t apply(int64_t kind, int64_t a, int64_t b) {
    int64_t rest = b > 0 ? ((a % b) + b) % b : 0;
    switch (kind) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return (a - rest) / b;
    case 4:
      return (a - rest) / b + (rest != 0);
    case 5:
      return rest;
    case 6:
      return std::max(a, b);
    default:
      return std::min(a, b);
    }
  }

  std::mt19937_64 random;
};

TEST(RandomFormulas, KeepTheirValues) {
  SizeSymbols symbols = {{"a", 1, 40, 4}, {"b", 0, std::nullopt, 1}};
  std::vector<SymbolValues> values;
  for (int64_t a : {4, 8, 12, 40})
    for (int64_t b : {0, 1, 7, 30})
      for (int64_t c : {0, 1, 9, 25})
        values.push_back({{"a", a}, {"b", b}, {"c", c}});
  unsigned present = 0, compared = 0, same = 0;
  MaybeFormula previous;
  std::vector<std::optional<int64_t>> previousValues;
  for (unsigned seed = 0; seed < 600; ++seed) {
    RandomFormulas random(seed);
    auto [formula, expected] = random.make(values, 4);
    if (!formula)
      continue;
    ++present;
    std::string text = formula->print();
    Formula again = parsed(text);
    same += again == *formula;
    MaybeFormula simple = simplify(*formula, symbols);
    MaybeFormula aligned = alignUp(*formula, 8, symbols);
    int64_t divisor = getKnownDivisor(*formula, symbols);
    bool isSmaller = previous && isNeverGreater(*previous, *formula, symbols);
    compared += isSmaller;
    for (size_t i = 0; i < values.size(); ++i) {
      std::optional<int64_t> value = formula->evaluate(values[i]);
      ASSERT_TRUE(value);
      ASSERT_EQ(value, expected[i]) << seed << ": " << text;
      ASSERT_EQ(again.evaluate(values[i]), value) << seed << ": " << text;
      if (simple) {
        ASSERT_EQ(simple->evaluate(values[i]), value)
            << seed << ": " << text << " became " << simple->print();
      }
      if (aligned) {
        int64_t up = aligned->evaluate(values[i]).value_or(-1);
        ASSERT_TRUE(up >= *value && up < *value + 8 && up % 8 == 0)
            << seed << ": " << text << " became " << aligned->print();
      }
      ASSERT_EQ(*value % divisor, 0) << seed << ": " << text;
      if (isSmaller) {
        ASSERT_LE(*previousValues[i], *value)
            << seed << ": " << previous->print() << " and " << text;
      }
    }
    previous = formula;
    previousValues = expected;
  }
  // Nested maxima may have other canonical forms when they are read again.
  EXPECT_GT(present, 550U);
  EXPECT_GT(same * 100, present * 95);
  EXPECT_GT(compared, 60U);
}

} // namespace
