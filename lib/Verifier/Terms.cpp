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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
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

/// True if no part is negative.
static bool isPlainlyNotNegative(const Sum &sum) {
  return sum.constant >= 0 && llvm::all_of(sum.parts, [](const auto &part) {
           return part.second > 0;
         });
}

unsigned Terms::makeAtom(Key key, Atom atom) {
  key.push_back(static_cast<uint64_t>(atom.kind));
  auto [it, isNew] = numbers.try_emplace(std::move(key), atoms.size());
  if (isNew) {
    updateLeast(atom);
    atoms.push_back(std::move(atom));
  }
  return it->second;
}

/// What the sum is at least, because each atom is; std::nullopt if a part is
/// negative.
std::optional<int64_t> Terms::getLeast(const Sum &sum) const {
  int64_t least = sum.constant;
  for (auto [atom, factor] : sum.parts) {
    if (factor < 0)
      return std::nullopt;
    // On overflow the part counts as 0.
    least =
        llvm::checkedMulAdd(factor, atoms[atom].least, least).value_or(least);
  }
  return least;
}

void Terms::updateLeast(Atom &atom) const {
  for (const Sum &operand : atom.operands)
    if (std::optional<int64_t> least = getLeast(operand))
      atom.least = std::max(atom.least, *least / atom.divisor);
}

/// The product, or 0 if it is negative; without one, `value` is an atom of its
/// own. `value` has the product as a factor.
Sum Terms::makeProduct(const std::optional<Term> &product, Value value) {
  if (product && product->atoms.empty())
    return Sum{std::max<int64_t>(0, static_cast<int64_t>(product->factor))};
  // A difference may have a negative factor: the one of x - 3 is -1, that of
  // 3 - x.
  bool isNegative = product && static_cast<int64_t>(product->factor) < 0;
  uint64_t factor = !product     ? 1
                    : isNegative ? -product->factor
                                 : product->factor;
  bool isLarge = factor > uint64_t(SlotOp::kMostBytes);
  Key key;
  if (product) {
    key.push_back(isLarge ? product->factor : isNegative ? -uint64_t(1) : 1);
    key.insert(key.end(), product->atoms.begin(), product->atoms.end());
  } else {
    llvm::append_values(key, uint64_t(0),
                        reinterpret_cast<uint64_t>(value.getAsOpaquePointer()));
  }
  unsigned atom =
      makeAtom(std::move(key), {Kind::Product, {}, /*multiple=*/1, value});
  // Messages name numbers rather than memrefs.
  if (value.getType().isIndex() && !atoms[atom].value.getType().isIndex())
    atoms[atom].value = value;
  return Sum{0, {{atom, isLarge ? 1 : static_cast<int64_t>(factor)}}};
}

/// Without operands that are never greater than another one, which may or may
/// not be there: lowering leaves some out.
Sum Terms::makeMax(std::vector<Sum> operands) {
  // Of more, none is left out, so that the time is bounded.
  constexpr size_t kMostCompared = 64;
  std::vector<std::pair<Key, Sum>> greatest;
  while (!operands.empty()) {
    Sum next = std::move(operands.back());
    operands.pop_back();
    bool isAtom = next.constant == 0 && next.parts.size() == 1 &&
                  next.parts.front().second == 1;
    const Atom *inner = isAtom ? &atoms[next.parts.front().first] : nullptr;
    if (inner && inner->kind == Kind::Max && inner->operands.size() > 1 &&
        inner->operands.size() <= kMostCompared) {
      llvm::append_range(operands, inner->operands);
      continue;
    }
    auto isNotLess = [](const Sum &a, const Sum &b) {
      std::optional<Sum> difference = add(a, b, -1);
      return difference && isPlainlyNotNegative(*difference);
    };
    if (greatest.size() < kMostCompared) {
      if (llvm::any_of(greatest, [&](const auto &other) {
            return isNotLess(other.second, next);
          }))
        continue;
      llvm::erase_if(greatest, [&](const auto &other) {
        return isNotLess(next, other.second);
      });
    }
    Key key;
    append(key, next);
    greatest.emplace_back(std::move(key), std::move(next));
  }
  llvm::sort(greatest, llvm::less_first());
  greatest.erase(
      llvm::unique(greatest, [](const auto &a,
                                const auto &b) { return a.first == b.first; }),
      greatest.end());
  if (greatest.size() == 1)
    return std::move(greatest.front().second);
  Key key;
  Atom max{Kind::Max, {}, /*multiple=*/0};
  for (auto &[part, operand] : greatest) {
    llvm::append_range(key, part);
    max.multiple = std::gcd(max.multiple, getMultiple(operand));
    max.operands.push_back(std::move(operand));
  }
  return Sum{0, {{makeAtom(std::move(key), std::move(max)), 1}}};
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
  unsigned atom = makeAtom(std::move(key),
                           {Kind::Floor, {std::move(rest)}, 1, {}, alignment});
  return add(*whole, Sum{0, {{atom, alignment}}});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Terms::addFunction(FunctionOpInterface function,
                        llvm::DenseMap<Value, Value> same) {
  otherBody = &function.getFunctionBody();
  otherSizes.emplace(function, FlowGraph(*otherBody));
  sameAs = std::move(same);
  sizes.forgetImported();
}

/// The term of a value that is not taken apart; std::nullopt if it is of the
/// other function, and depends on what is not known here.
std::optional<Term> Terms::getProduct(Value value) {
  if (value.getParentRegion() != otherBody)
    return sizes.get(value);
  return sizes.import(*otherSizes, otherSizes->get(value),
                      [&](Value argument) { return sameAs.lookup(argument); });
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

/// The operands of the maxima of this kind that the value is made of.
template <typename MaxOp>
static SmallVector<Value> getMaxOperands(Value value) {
  llvm::SmallSetVector<Value, 4> operands;
  DenseSet<Value> seen;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    auto max = next.getDefiningOp<MaxOp>();
    if (!max)
      operands.insert(next);
    else if (seen.insert(next).second)
      llvm::append_values(pending, max.getRhs(), max.getLhs());
  }
  return operands.takeVector();
}

/// The value that the op limits to what an arena may have, if it counts as 0
/// where it is negative: a signed maximum has an operand that is not negative.
Value Terms::matchClamp(Operation *op) {
  auto limit = isa<arith::MinUIOp>(op) ? matchConstant(op) : std::nullopt;
  if (!limit || limit->second != SlotOp::kMostBytes)
    return Value();
  bool isSize = llvm::any_of(
      getMaxOperands<arith::MaxSIOp>(limit->first), [&](Value operand) {
        std::optional<Term> product = getProduct(operand);
        return product && sizes.isProductOfSizes(*product);
      });
  return isSize ? limit->first : Value();
}

/// The values from which the arithmetic of an offset computes the value.
static SmallVector<Value> getOperands(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isIndex() || getConstantNumber(value))
    return {};
  if (isa<arith::MaxUIOp>(op))
    return getMaxOperands<arith::MaxUIOp>(value);
  if (isa<arith::AddIOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  auto match = matchRounding(op);
  return match ? SmallVector<Value>{match->first} : SmallVector<Value>();
}

/// The value, or 0 if it is negative. Of sizes, a signed maximum is taken
/// apart, too.
Sum Terms::getSize(Value value) {
  std::vector<Sum> operands;
  for (Value operand : getMaxOperands<arith::MaxSIOp>(value)) {
    Sum sum = makeProduct(getProduct(operand), operand);
    if (sum != Sum() && !llvm::is_contained(operands, sum))
      operands.push_back(std::move(sum));
  }
  if (operands.size() < 2)
    return operands.empty() ? Sum() : operands.front();
  Sum whole = makeProduct(getProduct(value), value);
  // A product with a factor is not the maximum itself.
  if (whole.parts.size() == 1 && whole.parts.front().second == 1) {
    Atom &atom = atoms[whole.parts.front().first];
    atom.operands = std::move(operands);
    updateLeast(atom);
  }
  return whole;
}

/// std::nullopt if nothing is known of the result.
std::optional<IndexTerm> Terms::computeArith(Operation *op) {
  int64_t most = 0;
  std::vector<Sum> sums;
  for (Value operand : getOperands(op->getResult(0))) {
    const IndexTerm &term = known.find(operand)->second;
    if (!term.most)
      return std::nullopt;
    sums.push_back(term.sum);
    if (isa<arith::MaxUIOp>(op))
      most = std::max(most, *term.most);
    else if (llvm::AddOverflow(most, *term.most, most))
      return std::nullopt;
  }
  if (sums.empty())
    return std::nullopt;
  if (isa<arith::MaxUIOp>(op))
    return IndexTerm{makeMax(std::move(sums)), most};
  std::optional<Sum> sum = isa<arith::AddIOp>(op)
                               ? add(sums[0], sums[1])
                               : roundDown(sums[0], matchRounding(op)->second);
  if (!sum)
    return std::nullopt;
  // A long sum becomes one atom, so that no chain of them takes a quadratic
  // time.
  constexpr size_t kMostParts = 16;
  if (sum->parts.size() > kMostParts) {
    Key key;
    append(key, *sum);
    int64_t multiple = getMultiple(*sum);
    *sum = Sum{
        0,
        {{makeAtom(std::move(key), {Kind::Max, {std::move(*sum)}, multiple}),
          1}}};
  }
  return IndexTerm{std::move(*sum), most};
}

IndexTerm Terms::compute(Value value) {
  if (std::optional<int64_t> constant = getConstantNumber(value))
    return *constant < 0 ? IndexTerm{} : IndexTerm{Sum{*constant}, *constant};
  Operation *op = value.getDefiningOp();
  std::optional<IndexTerm> term;
  if (op && value.getType().isIndex()) {
    if (Value size = matchClamp(op))
      term = {getSize(size), SlotOp::kMostBytes};
    else
      term = computeArith(op);
  }
  if (term)
    return *term;
  auto limit =
      isa_and_present<arith::MinUIOp>(op) ? matchConstant(op) : std::nullopt;
  bool isBounded = limit && limit->second >= 0;
  return {makeProduct(getProduct(value), value),
          isBounded ? std::optional(limit->second) : std::nullopt};
}

const IndexTerm &Terms::get(Value value) {
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
      IndexTerm term = compute(next);
      known.try_emplace(next, std::move(term));
    }
  }
  return known.find(value)->second;
}

Sum Terms::countBytes(Value memref, int64_t elementBytes) {
  return makeProduct(sizes.countBytes(memref, elementBytes), memref);
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

/// What rounding takes away at most: c - g if g divides x and c.
int64_t Terms::getLoss(const Atom &atom) const {
  return atom.divisor -
         std::gcd(atom.divisor, getMultiple(atom.operands.front()));
}

bool Terms::isNeverLess(const Sum &a, const Sum &b) {
  auto isBehind = [&](const Sum &end) {
    budget = 1000;
    std::optional<Sum> difference = add(a, end, -1);
    return difference && isNeverNegative(*difference);
  };
  if (isBehind(b))
    return true;
  // A maximum is one of its operands, so a is compared with each of them. Of
  // more operands, none is, so that the time is bounded.
  constexpr size_t kMostOperands = 64;
  for (const auto &part : b.parts) {
    const Atom &atom = atoms[part.first];
    if (atom.kind == Kind::Max && atom.operands.size() <= kMostOperands)
      return llvm::all_of(atom.operands, [&](const Sum &operand) {
        std::optional<Sum> end = replace(b, part, operand, /*divisor=*/1);
        return end && isBehind(*end);
      });
  }
  return false;
}

/// Replaces atoms that are added by sums that they are not less than, until no
/// part is negative.
bool Terms::isNeverNegative(const Sum &sum) {
  if (std::optional<int64_t> least = getLeast(sum))
    return *least >= 0;
  if (budget == 0)
    return false;
  --budget;
  // With the number of parts that are negative: the best come first.
  std::vector<std::pair<size_t, Sum>> options;
  for (const auto &part : llvm::reverse(sum.parts)) {
    const Atom &atom = atoms[part.first];
    if (part.second < 0)
      continue;
    for (const Sum &operand : atom.operands) {
      std::optional<Sum> least = operand;
      if (atom.kind == Kind::Floor)
        least = add(operand, Sum{-getLoss(atom)});
      std::optional<Sum> option =
          least ? replace(sum, part, *least, atom.divisor) : std::nullopt;
      if (!option)
        continue;
      if (getLeast(*option).value_or(-1) >= 0)
        return true;
      size_t negative = llvm::count_if(
          option->parts, [](const auto &part) { return part.second < 0; });
      options.emplace_back(negative, std::move(*option));
    }
  }
  llvm::stable_sort(options, llvm::less_first());
  return llvm::any_of(options, [&](const auto &option) {
    return isNeverNegative(option.second);
  });
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
    if (atom.kind == Kind::Floor)
      times += "floor" + std::to_string(atom.divisor);
    else if (atom.operands.size() > 1)
      times += "max";
    times += "(";
    for (auto [i, operand] :
         llvm::enumerate(ArrayRef(atom.operands).take_front(kMostOperands))) {
      times += i == 0 ? "" : ", ";
      times += depth == kMostDepth ? "..." : str(operand, named, depth + 1);
    }
    times += ")";
    addPart(times);
  }
  if (sum.constant != 0 || text.empty())
    addPart(std::to_string(sum.constant));
  return text;
}

} // namespace memplan::verifier
