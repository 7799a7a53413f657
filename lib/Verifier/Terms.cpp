//===- Terms.cpp - The arithmetic of offsets ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace memplan::verifier {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::optional<Sum> add(const Sum &a, const Sum &b, int64_t times) {
  std::optional<int64_t> constant =
      llvm::checkedMulAdd(b.constant, times, a.constant);
  if (!constant)
    return std::nullopt;
  Sum sum{*constant};
  const auto *left = a.parts.begin(), *right = b.parts.begin();
  while (left != a.parts.end() || right != b.parts.end()) {
    if (right == b.parts.end() ||
        (left != a.parts.end() && left->first < right->first)) {
      sum.parts.push_back(*left++);
      continue;
    }
    bool isBoth = left != a.parts.end() && left->first == right->first;
    std::optional<int64_t> factor = llvm::checkedMulAdd(
        right->second, times, isBoth ? left->second : int64_t(0));
    if (!factor)
      return std::nullopt;
    if (*factor != 0)
      sum.parts.push_back({right->first, *factor});
    left += isBoth ? 1 : 0;
    ++right;
  }
  return sum;
}

static void append(std::vector<uint64_t> &key, const Sum &sum) {
  key.push_back(static_cast<uint64_t>(sum.constant));
  key.push_back(sum.parts.size());
  for (auto [atom, factor] : sum.parts)
    llvm::append_values(key, uint64_t(atom), static_cast<uint64_t>(factor));
}

unsigned Terms::makeAtom(Kind kind, Key key, Atom atom) {
  key.push_back(static_cast<uint64_t>(kind));
  auto [it, isNew] = numbers.try_emplace(std::move(key), atoms.size());
  if (isNew) {
    atom.isSplit = kind == Kind::Max ||
                   (kind == Kind::Floor && findSplit(atom.operands.front()));
    atoms.push_back(std::move(atom));
  }
  return it->second;
}

/// `value` has the product as a factor.
Sum Terms::makeProduct(const Product &product, Value value) {
  bool isLarge = product.factor > uint64_t(SlotOp::kMostBytes);
  if (product.values.empty())
    return Sum{isLarge ? 0 : static_cast<int64_t>(product.factor)};
  Key key{isLarge ? product.factor : 1};
  key.insert(key.end(), product.values.begin(), product.values.end());
  unsigned atom = makeAtom(Kind::Product, std::move(key),
                           {Kind::Product, {}, /*multiple=*/1, value});
  // Messages name numbers rather than memrefs.
  if (value.getType().isIndex() && !atoms[atom].value.getType().isIndex())
    atoms[atom].value = value;
  return Sum{0, {{atom, isLarge ? 1 : static_cast<int64_t>(product.factor)}}};
}

Sum Terms::makeMax(Sum a, Sum b) {
  if (a.parts.empty() && b.parts.empty())
    return Sum{std::max(a.constant, b.constant)};
  if (a == b || b == Sum())
    return a;
  if (a == Sum())
    return b;
  Key first, second;
  append(first, a);
  append(second, b);
  if (second < first) {
    std::swap(first, second);
    std::swap(a, b);
  }
  first.insert(first.end(), second.begin(), second.end());
  int64_t multiple = std::gcd(getMultiple(a), getMultiple(b));
  return Sum{0,
             {{makeAtom(Kind::Max, std::move(first),
                        {Kind::Max, {std::move(a), std::move(b)}, multiple}),
               1}}};
}

/// Any power of two divides 0; no program needs more of them.
constexpr int64_t kMostMultiple = int64_t(1) << 40;

static int64_t getMultipleOfPart(int64_t factor, int64_t multiple) {
  return llvm::checkedMul(factor, multiple).value_or(factor);
}

int64_t Terms::getMultiple(const Sum &sum) const {
  int64_t divisor = sum.constant;
  for (auto [atom, factor] : sum.parts)
    divisor =
        std::gcd(divisor, getMultipleOfPart(factor, atoms[atom].multiple));
  return divisor == 0 ? kMostMultiple : divisor;
}

/// What is a multiple already is left out of the rounding.
std::optional<Sum> Terms::roundDown(const Sum &sum, int64_t alignment) {
  Sum rest{sum.constant & (alignment - 1)};
  int64_t common = alignment;
  for (auto [atom, factor] : sum.parts) {
    int64_t left = factor % alignment;
    int64_t multiple = getMultipleOfPart(left, atoms[atom].multiple);
    if (multiple % alignment == 0)
      continue;
    rest.parts.push_back({atom, left});
    common = std::gcd(common, multiple);
  }
  // floor64(32*v + 63) is floor64(32*v + 32).
  int64_t lost = rest.constant % common;
  std::optional<Sum> whole = add(sum, rest, -1);
  if (!whole || rest.parts.empty())
    return whole;
  rest.constant -= lost;
  Key key{static_cast<uint64_t>(alignment)};
  append(key, rest);
  unsigned atom = makeAtom(Kind::Floor, std::move(key),
                           {Kind::Floor, {std::move(rest)}, 1, {}, alignment});
  return add(*whole, Sum{0, {{atom, alignment}}});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True if the value is known not to be negative, unless a product wraps.
static bool isNotNegative(Value value, unsigned depth = 0) {
  constexpr unsigned kMostDepth = 8;
  if (std::optional<int64_t> constant = getConstantNumber(value))
    return *constant >= 0;
  auto mul = value.getDefiningOp<arith::MulIOp>();
  return value.getDefiningOp<memref::DimOp>() ||
         (mul && depth != kMostDepth &&
          isNotNegative(mul.getLhs(), depth + 1) &&
          isNotNegative(mul.getRhs(), depth + 1));
}

/// A value that is not taken apart.
Term Terms::computeLeaf(Value value, std::optional<int64_t> most) {
  return {makeProduct(extents.get(value), value), most,
          !most && !isNotNegative(value)};
}

/// The constant that a value is limited to, or rounded down by, and the value.
static std::optional<std::pair<Value, int64_t>> matchConstant(Operation *op) {
  for (unsigned i : {1, 0})
    if (std::optional<int64_t> constant = getConstantNumber(op->getOperand(i)))
      return std::make_pair(op->getOperand(1 - i), *constant);
  return std::nullopt;
}

/// The power of two that an `arith.andi` rounds down to.
static std::optional<std::pair<Value, int64_t>> matchRounding(Operation *op) {
  auto match = isa<arith::AndIOp>(op) ? matchConstant(op) : std::nullopt;
  if (!match || match->second >= 0 || match->second < -kMostMultiple ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(-match->second)))
    return std::nullopt;
  return std::make_pair(match->first, -match->second);
}

/// The values from which the arithmetic of an offset computes the value.
static SmallVector<Value, 2> getOperands(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isIndex() || getConstantNumber(value))
    return {};
  if (isa<arith::AddIOp, arith::MaxUIOp, arith::MaxSIOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  auto match = isa<arith::MinUIOp>(op) ? matchConstant(op) : matchRounding(op);
  return match ? SmallVector<Value, 2>{match->first} : SmallVector<Value, 2>();
}

/// std::nullopt if the result is a leaf of which nothing is known.
std::optional<Term> Terms::computeArith(Operation *op) {
  const Term &a = known.find(op->getOperand(0))->second;
  const Term &b = known.find(op->getOperand(1))->second;
  // The signed maximum of sizes is limited later on.
  if (isa<arith::MaxSIOp>(op))
    return Term{makeMax(a.sum, b.sum),
                a.most && b.most ? std::optional(std::max(*a.most, *b.most))
                                 : std::nullopt,
                a.mayBeNegative && b.mayBeNegative};
  if (!a.most || !b.most)
    return std::nullopt;
  if (isa<arith::MaxUIOp>(op))
    return Term{makeMax(a.sum, b.sum), std::max(*a.most, *b.most)};
  std::optional<int64_t> most = llvm::checkedAdd(*a.most, *b.most);
  std::optional<Sum> sum = add(a.sum, b.sum);
  if (!most || !sum)
    return std::nullopt;
  // A long sum becomes one atom, so that no chain of them takes a quadratic
  // time.
  constexpr size_t kMostParts = 16;
  if (sum->parts.size() > kMostParts) {
    Key key;
    append(key, *sum);
    int64_t multiple = getMultiple(*sum);
    *sum = Sum{0,
               {{makeAtom(Kind::Max, std::move(key),
                          {Kind::Max, {std::move(*sum)}, multiple}),
                 1}}};
  }
  return Term{std::move(*sum), most};
}

Term Terms::compute(Value value) {
  if (std::optional<int64_t> constant = getConstantNumber(value))
    return *constant < 0 ? Term{Sum(), std::nullopt, true}
                         : Term{Sum{*constant}, *constant};
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isIndex())
    return computeLeaf(value);
  if (isa<arith::AddIOp, arith::MaxUIOp, arith::MaxSIOp>(op)) {
    std::optional<Term> term = computeArith(op);
    return term ? *term : computeLeaf(value);
  }
  if (auto rounding = matchRounding(op)) {
    const Term &of = known.find(rounding->first)->second;
    std::optional<Sum> sum =
        of.most ? roundDown(of.sum, rounding->second) : std::nullopt;
    return sum ? Term{*sum, of.most} : computeLeaf(value);
  }
  auto limit = isa<arith::MinUIOp>(op) ? matchConstant(op) : std::nullopt;
  if (!limit || limit->second < 0)
    return computeLeaf(value);
  const Term &of = known.find(limit->first)->second;
  if (of.most && *of.most <= limit->second)
    return of;
  // No arena has so many bytes.
  if (limit->second == SlotOp::kMostBytes && !of.mayBeNegative)
    return Term{of.sum, limit->second};
  return computeLeaf(value, limit->second);
}

const Term &Terms::get(Value value) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.back();
    size_t size = pending.size();
    if (!known.contains(next))
      for (Value operand : getOperands(next))
        if (!known.contains(operand))
          pending.push_back(operand);
    if (pending.size() != size)
      continue;
    pending.pop_back();
    if (!known.contains(next)) {
      Term term = compute(next);
      known.try_emplace(next, std::move(term));
    }
  }
  return known.find(value)->second;
}

std::optional<Sum> Terms::countBytes(Value memref, int64_t elementBytes) {
  Product product = extents.countElements(memref);
  // A factor that is negative as a signed number does not become a size.
  Sum count = makeProduct(product, memref);
  return add(Sum(), count, elementBytes);
}

Operation *Terms::findWrap(Value value) {
  while (true) {
    if (get(value).most)
      return nullptr;
    Value cause;
    for (Value operand : getOperands(value))
      if (!get(operand).most) {
        cause = operand;
        break;
      }
    if (!cause)
      return value.getDefiningOp();
    value = cause;
  }
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The sum, times a positive number, with `bound` / `divisor` in place of the
/// atom.
static std::optional<Sum> replace(const Sum &sum,
                                  std::pair<unsigned, int64_t> part,
                                  const Sum &bound, int64_t divisor) {
  int64_t scale = divisor / std::gcd(part.second, divisor);
  std::optional<Sum> rest = add(sum, Sum{0, {part}}, -1);
  std::optional<Sum> scaled = rest ? add(Sum(), *rest, scale) : std::nullopt;
  std::optional<int64_t> times = llvm::checkedMul(part.second, scale);
  return scaled && times ? add(*scaled, bound, *times / divisor) : std::nullopt;
}

/// The last part of the sum that is one of several alternatives.
std::optional<std::pair<unsigned, int64_t>>
Terms::findSplit(const Sum &sum) const {
  for (const auto &part : llvm::reverse(sum.parts))
    if (atoms[part.first].isSplit)
      return part;
  return std::nullopt;
}

/// The values of which the atom, times its divisor, is the greatest; empty on
/// overflow.
const std::vector<Sum> &Terms::getAlternatives(unsigned number) {
  auto it = alternatives.find(number);
  if (it != alternatives.end())
    return it->second;
  const Atom &atom = atoms[number];
  std::vector<Sum> flat;
  if (atom.kind == Kind::Floor) {
    // What is rounded is the greatest of what the alternatives are rounded to.
    const Sum &whole = atom.operands.front();
    std::pair<unsigned, int64_t> part = *findSplit(whole);
    int64_t divisor = atoms[part.first].divisor;
    for (const Sum &operand : getAlternatives(part.first)) {
      std::optional<Sum> sum =
          replace(whole, {part.first, part.second}, operand, divisor);
      bool isExact = part.second % divisor == 0;
      sum = sum && isExact ? roundDown(*sum, atom.divisor) : std::nullopt;
      if (!sum) {
        flat.clear();
        break;
      }
      flat.push_back(std::move(*sum));
    }
    return alternatives.try_emplace(number, std::move(flat)).first->second;
  }
  SmallVector<Sum> pending(atom.operands.rbegin(), atom.operands.rend());
  while (!pending.empty()) {
    Sum next = pending.pop_back_val();
    bool isMax = next.constant == 0 && next.parts.size() == 1 &&
                 next.parts.front().second == 1 &&
                 atoms[next.parts.front().first].kind == Kind::Max;
    if (!isMax)
      flat.push_back(std::move(next));
    else
      llvm::append_range(
          pending, llvm::reverse(atoms[next.parts.front().first].operands));
  }
  return alternatives.try_emplace(number, std::move(flat)).first->second;
}

bool Terms::isNeverLess(const Sum &a, const Sum &b) {
  std::optional<Sum> difference = add(a, b, -1);
  if (!difference)
    return false;
  // Most maxima have the other sum as an alternative: the last ones are taken
  // apart first. The second way begins with maxima that are subtracted, and
  // finds more.
  for (bool negativeFirst : {false, true}) {
    budget = negativeFirst ? 100000 : 400;
    if (isNeverNegative(*difference, negativeFirst))
      return true;
  }
  return false;
}

/// True if no part is negative.
static bool isPlainlyNotNegative(const Sum &sum) {
  return sum.constant >= 0 && llvm::all_of(sum.parts, [](const auto &part) {
           return part.second > 0;
         });
}

/// Replaces one atom after the other by sums between which it lies. Atoms are
/// not negative.
bool Terms::isNeverNegative(const Sum &sum, bool negativeFirst) {
  if (isPlainlyNotNegative(sum))
    return true;
  if (budget == 0)
    return false;
  --budget;
  std::optional<std::pair<unsigned, int64_t>> chosen;
  auto getRank = [&](std::pair<unsigned, int64_t> part) {
    return !negativeFirst || !atoms[part.first].isSplit ? 0
           : part.second < 0                            ? 2
                                                        : 1;
  };
  for (const auto &part : llvm::reverse(sum.parts))
    if (atoms[part.first].kind != Kind::Product &&
        (!chosen || getRank(part) > getRank(*chosen)))
      chosen = part;
  if (!chosen)
    return false;
  return atoms[chosen->first].isSplit
             ? expandSplit(sum, *chosen, negativeFirst)
             : expandFloor(sum, *chosen, negativeFirst);
}

/// A maximum is at least each of its alternatives, and it is one of them.
bool Terms::expandSplit(const Sum &sum, std::pair<unsigned, int64_t> part,
                        bool negativeFirst) {
  SmallVector<Sum> options;
  const std::vector<Sum> &operands = getAlternatives(part.first);
  if (operands.empty())
    return false;
  for (const Sum &operand : operands) {
    std::optional<Sum> option =
        replace(sum, part, operand, atoms[part.first].divisor);
    if (!option && part.second < 0)
      return false;
    if (option && part.second > 0 && isPlainlyNotNegative(*option))
      return true;
    if (option)
      options.push_back(std::move(*option));
  }
  auto check = [&](const Sum &option) {
    return isNeverNegative(option, negativeFirst);
  };
  return part.second > 0 ? llvm::any_of(options, check)
                         : llvm::all_of(options, check);
}

/// What rounding takes away at most: c - g if g divides x and c. So floor(x /
/// c) is also the quotient of x - loss, rounded up.
int64_t Terms::getLoss(const Atom &atom) const {
  return atom.divisor -
         std::gcd(atom.divisor, getMultiple(atom.operands.front()));
}

/// True if a / c >= b / d, for what is rounded down or for what is rounded up.
bool Terms::isQuotientNotLess(const Atom &upper, const Atom &lower) {
  auto compare = [&](int64_t lossOfUpper, int64_t lossOfLower) {
    std::optional<Sum> a = add(upper.operands[0], Sum{-lossOfUpper});
    std::optional<Sum> b = add(lower.operands[0], Sum{-lossOfLower});
    std::optional<Sum> scaled =
        a ? add(Sum(), *a, lower.divisor) : std::nullopt;
    std::optional<Sum> difference =
        scaled && b ? add(*scaled, *b, -upper.divisor) : std::nullopt;
    return difference && isNeverNegative(*difference, /*negativeFirst=*/true);
  };
  return compare(0, 0) || compare(getLoss(upper), getLoss(lower));
}

/// True if c * floor(a / c) >= d * floor(b / d). A multiple of a greater power
/// of two is one of a lesser, too.
bool Terms::isRoundedNotLess(const Atom &upper, const Atom &lower) {
  int64_t loss =
      upper.divisor > lower.divisor ? getLoss(upper) - getLoss(lower) : 0;
  std::optional<Sum> difference = add(upper.operands[0], lower.operands[0], -1);
  if (difference)
    difference = add(*difference, Sum{-loss});
  return difference && isNeverNegative(*difference, /*negativeFirst=*/true);
}

/// (x - loss) / c <= floor(x / c) <= x / c. Two quotients of which one is at
/// least the other cancel.
bool Terms::expandFloor(const Sum &sum, std::pair<unsigned, int64_t> part,
                        bool negativeFirst) {
  const Atom &atom = atoms[part.first];
  for (const auto &other : sum.parts) {
    const Atom &with = atoms[other.first];
    if (with.kind != Kind::Floor || (other.second > 0) == (part.second > 0))
      continue;
    bool isUpper = part.second > 0;
    const auto &above = isUpper ? part : other, &below = isUpper ? other : part;
    const Atom &upper = isUpper ? atom : with, &lower = isUpper ? with : atom;
    auto checkWithout = [&](int64_t timesAbove, int64_t timesBelow) {
      std::optional<Sum> left =
          add(sum, Sum{0, {{above.first, 1}}}, -timesAbove);
      if (left)
        left = add(*left, Sum{0, {{below.first, 1}}}, timesBelow);
      return left && isNeverNegative(*left, negativeFirst);
    };
    int64_t both = std::min(above.second, -below.second);
    int64_t rounded =
        std::min(above.second / upper.divisor, -below.second / lower.divisor);
    if (isQuotientNotLess(upper, lower) && checkWithout(both, both))
      return true;
    if (rounded != 0 && upper.divisor != lower.divisor &&
        isRoundedNotLess(upper, lower) &&
        checkWithout(rounded * upper.divisor, rounded * lower.divisor))
      return true;
  }
  auto checkWith = [&](const std::optional<Sum> &bound, int64_t divisor) {
    std::optional<Sum> changed =
        bound ? replace(sum, part, *bound, divisor) : std::nullopt;
    return changed && isNeverNegative(*changed, negativeFirst);
  };
  const Sum &whole = atom.operands[0];
  std::optional<Sum> least = add(whole, Sum{-getLoss(atom)});
  if (part.second > 0)
    return checkWith(least, atom.divisor) || checkWith(Sum(), 1);
  if (checkWith(whole, atom.divisor))
    return true;
  // With x - loss = g * y it is ceil(g * y / c), which is at most y if y is not
  // negative.
  return least && isNeverNegative(*least, negativeFirst) &&
         checkWith(least, atom.divisor - getLoss(atom));
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Terms::str(const Sum &sum, SmallVectorImpl<unsigned> &named) const {
  return str(sum, named, /*depth=*/0);
}

std::string Terms::str(const Sum &sum, SmallVectorImpl<unsigned> &named,
                       unsigned depth) const {
  constexpr unsigned kMostDepth = 3;
  constexpr size_t kMostOperands = 4;
  std::string text;
  auto addPart = [&](const std::string &part) {
    text += (text.empty() ? "" : " + ") + part;
  };
  for (auto [number, factor] : sum.parts) {
    const Atom &atom = atoms[number];
    // A quotient is a factor of a multiple of its divisor.
    int64_t count = factor / atom.divisor;
    std::string times = count == 1 ? "" : std::to_string(count) + "*";
    if (atom.kind == Kind::Product) {
      if (!llvm::is_contained(named, number))
        named.push_back(number);
      addPart(times + getName(number));
      continue;
    }
    std::string inner;
    for (const Sum &operand : ArrayRef(atom.operands).take_front(kMostOperands))
      inner += (inner.empty() ? "" : ", ") +
               (depth == kMostDepth ? "..." : str(operand, named, depth + 1));
    if (atom.operands.size() == 1 && atom.kind == Kind::Max)
      addPart(times + "(" + inner + ")");
    else if (atom.kind == Kind::Max)
      addPart(times + "max(" + inner + ")");
    else
      addPart(times + "floor" + std::to_string(atom.divisor) + "(" + inner +
              ")");
  }
  if (sum.constant != 0 || text.empty())
    addPart(std::to_string(sum.constant));
  return text;
}

} // namespace memplan::verifier
