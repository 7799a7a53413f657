//===- Sizes.cpp - What the proofs know of sizes --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Verifier/Sizes.h"

#include "memplan/IR/AffineExprs.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>
#include <set>

using namespace mlir;

namespace memplan::verifier {

/// A term has at most so many factors, and a sum so many terms, so that each
/// step takes a bounded time.
constexpr size_t kMostOperands = 32;
/// The stack holds so many values that depend on each other. Of those behind
/// nothing is known.
constexpr unsigned kMostDepth = 1000;

bool Sizes::Atom::operator<(const Atom &other) const {
  auto key = [](const Atom &atom) {
    return std::make_tuple(atom.kind, atom.number, atom.name,
                           atom.value.getAsOpaquePointer());
  };
  auto own = key(*this), others = key(other);
  return own != others          ? own < others
         : types != other.types ? types < other.types
                                : operands < other.operands;
}

Sizes::Sizes(FunctionOpInterface function, const FlowGraph &graph)
    : function(function),
      indexBits(DataLayout::closest(function).getTypeSizeInBits(
          IndexType::get(function.getContext()))) {
  findPhis(graph);
}

/// True for types of which the values are integers modulo the size of an index.
bool Sizes::isWide(Type type) const {
  return type.isIndex() || (type.isInteger(64) && indexBits == 64);
}

bool Sizes::isSmall(Type type) {
  return type.isIndex() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() <= 64);
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Term Sizes::intern(Atom atom) {
  auto [it, isNew] = numbers.try_emplace(std::move(atom), numbers.size());
  if (isNew)
    atoms.push_back(&it->first);
  return Term{1, {it->second}};
}

/// The atom that the term is; null if it is none.
const Sizes::Atom *Sizes::asAtom(const Term &term) const {
  return term.factor == 1 && term.atoms.size() == 1 ? atoms[term.atoms.front()]
                                                    : nullptr;
}

Term Sizes::multiply(const Term &a, const Term &b) {
  if (a.atoms.size() + b.atoms.size() > kMostOperands)
    return intern({Kind::Product, {std::min(a, b), std::max(a, b)}});
  Term product{a.factor * b.factor};
  if (product.factor == 0)
    return product;
  std::merge(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
             std::back_inserter(product.atoms));
  return product;
}

/// The sum as a multiple of terms without a common divisor, of which the first
/// has a positive factor:  4n + 4 = 4 (n + 1).
Term Sizes::add(const Term &a, const Term &b) {
  std::map<SmallVector<unsigned, 2>, uint64_t> factors;
  auto addTerm = [&](const Term &term, uint64_t times) {
    factors[term.atoms] += term.factor * times;
  };
  for (const Term &term : {a, b}) {
    const Atom *sum = asAtom({1, term.atoms});
    if (!sum || sum->kind != Kind::Sum)
      addTerm(term, 1);
    else
      for (const Term &part : sum->operands)
        addTerm(part, term.factor);
  }
  Atom sum{Kind::Sum};
  uint64_t divisor = 0;
  bool isNegative = false;
  for (const auto &[product, factor] : factors) {
    if (factor == 0)
      continue;
    bool isBelow = static_cast<int64_t>(factor) < 0;
    if (sum.operands.empty())
      isNegative = isBelow;
    divisor = std::gcd(divisor, isBelow ? -factor : factor);
    sum.operands.push_back({factor, product});
  }
  if (sum.operands.empty())
    return Term::constant(0);
  if (sum.operands.size() == 1)
    return sum.operands.front();
  if (sum.operands.size() > kMostOperands) {
    sum.operands = {std::min(a, b), std::max(a, b)};
    return intern(std::move(sum));
  }
  for (Term &term : sum.operands) {
    bool isBelow = static_cast<int64_t>(term.factor) < 0;
    uint64_t part = (isBelow ? -term.factor : term.factor) / divisor;
    term.factor = isBelow != isNegative ? -part : part;
  }
  return multiply(Term{isNegative ? -divisor : divisor},
                  intern(std::move(sum)));
}

/// `a` divided by `b`, or the remainder.
Term Sizes::divide(Kind kind, const Term &a, const Term &b) {
  if (b == Term() && kind != Kind::RemU && kind != Kind::RemS &&
      kind != Kind::Mod)
    return a;
  return intern({kind, {a, b}});
}

/// The least or the greatest one.
Term Sizes::choose(Kind kind, ArrayRef<Term> operands) {
  auto isLess = [&](int64_t a, int64_t b) {
    bool isSigned = kind == Kind::MinS || kind == Kind::MaxS;
    return isSigned ? a < b
                    : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  };
  bool isMin = kind == Kind::MinS || kind == Kind::MinU;
  std::set<Term> all;
  std::optional<int64_t> constant;
  auto addOperand = [&](const Term &term) {
    std::optional<int64_t> own = term.getConstant();
    if (!own)
      all.insert(term);
    else if (!constant ||
             (isMin ? isLess(*own, *constant) : isLess(*constant, *own)))
      constant = own;
  };
  for (const Term &term : operands)
    if (const Atom *atom = asAtom(term); atom && atom->kind == kind)
      llvm::for_each(atom->operands, addOperand);
    else
      addOperand(term);
  if (constant)
    all.insert(Term::constant(*constant));
  if (all.size() == 1)
    return *all.begin();
  if (all.size() > kMostOperands)
    all = std::set<Term>(operands.begin(), operands.end());
  return intern({kind, SmallVector<Term, 2>(all.begin(), all.end())});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Term Sizes::get(OpFoldResult value) {
  auto dynamic = dyn_cast<Value>(value);
  if (dynamic && !isSmall(dynamic.getType()))
    return intern({Kind::Value, {}, dynamic});
  if (std::optional<int64_t> constant = getConstantNumber(value))
    return Term::constant(*constant);
  if (!areSettled)
    settlePhis();
  if (auto it = known.find(dynamic); it != known.end())
    return it->second;
  if (openValues.contains(dynamic)) {
    isOpen = true;
    return Term();
  }
  if (depth == kMostDepth)
    return known[dynamic] = intern({Kind::Value, {}, dynamic});
  bool wasOpen = isOpen;
  isOpen = false;
  ++depth;
  Term term = compute(dynamic);
  --depth;
  if (isOpen)
    openValues.insert(dynamic);
  else
    known[dynamic] = term;
  isOpen |= wasOpen;
  return term;
}

Term Sizes::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return makeVariable(argument);
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = getConstantNumber(dim.getIndex());
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (index && type && 0 <= *index && *index < type.getRank())
      return getExtent(dim.getSource(), *index);
  } else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    auto sizes = llvm::enumerate(metadata.getSizes());
    for (auto [i, size] : sizes)
      if (size == value)
        return getExtent(metadata.getSource(), static_cast<int64_t>(i));
  } else if (op->getNumResults() == 1 &&
             llvm::all_of(op->getOperandTypes(), isSmall)) {
    return isWide(value.getType()) ? computeWide(op) : computeOp(op);
  }
  return intern({Kind::Value, {}, value});
}

/// The operand of an op. An unsigned division by max(d, 1) is one by d.
static Value getOperand(Operation *op, unsigned number) {
  Value operand = op->getOperand(number);
  if (number == 1 &&
      isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op))
    while (auto max = operand.getDefiningOp<arith::MaxUIOp>()) {
      if (getConstantNumber(max.getRhs()) != 1)
        break;
      operand = max.getLhs();
    }
  return operand;
}

/// An op that computes an index.
Term Sizes::computeWide(Operation *op) {
  auto of = [&](unsigned i) { return get(getOperand(op, i)); };
  auto minus = [&](const Term &term) {
    return multiply(Term::constant(-1), term);
  };
  auto divided = [&](Kind kind) { return divide(kind, of(0), of(1)); };
  auto chosen = [&](Kind kind) { return choose(kind, {of(0), of(1)}); };
  auto ofMap = [&](AffineMap map, Kind kind) {
    SmallVector<Term, 2> all;
    for (AffineExpr expr : map.getResults())
      all.push_back(compute(expr, map.getNumDims(), op->getOperands()));
    return all.size() == 1 ? all.front() : choose(kind, all);
  };
  using namespace arith;
  return llvm::TypeSwitch<Operation *, Term>(op)
      .Case<AddIOp>([&](auto) { return add(of(0), of(1)); })
      .Case<SubIOp>([&](auto) { return add(of(0), minus(of(1))); })
      .Case<MulIOp>([&](auto) { return multiply(of(0), of(1)); })
      .Case<DivUIOp>([&](auto) { return divided(Kind::DivU); })
      .Case<DivSIOp>([&](auto) { return divided(Kind::DivS); })
      .Case<CeilDivUIOp>([&](auto) { return divided(Kind::CeilDivU); })
      .Case<CeilDivSIOp>([&](auto) { return divided(Kind::CeilDivS); })
      .Case<FloorDivSIOp>([&](auto) { return divided(Kind::FloorDivS); })
      .Case<RemUIOp>([&](auto) { return divided(Kind::RemU); })
      .Case<RemSIOp>([&](auto) { return divided(Kind::RemS); })
      .Case<MinSIOp>([&](auto) { return chosen(Kind::MinS); })
      .Case<MaxSIOp>([&](auto) { return chosen(Kind::MaxS); })
      .Case<MinUIOp>([&](auto) { return chosen(Kind::MinU); })
      .Case<MaxUIOp>([&](auto) { return chosen(Kind::MaxU); })
      .Case([&](SelectOp) {
        return of(1) == of(2) ? of(1)
                              : intern({Kind::Select, {of(0), of(1), of(2)}});
      })
      .Case<IndexCastOp, IndexCastUIOp>([&](auto) {
        return isWide(op->getOperand(0).getType()) ? of(0) : computeOp(op);
      })
      .Case([&](affine::AffineApplyOp apply) {
        return ofMap(apply.getAffineMap(), Kind::MinS);
      })
      .Case([&](affine::AffineMinOp min) {
        return ofMap(min.getMap(), Kind::MinS);
      })
      .Case([&](affine::AffineMaxOp max) {
        return ofMap(max.getMap(), Kind::MaxS);
      })
      .Default([&](Operation *) { return computeOp(op); });
}

/// An op that is the same as another with the same operands. Flags that only
/// say when the result is poison do not matter.
Term Sizes::computeOp(Operation *op) {
  using namespace arith;
  Atom atom{Kind::Op};
  if (auto comparison = dyn_cast<CmpIOp>(op))
    atom.number = static_cast<int64_t>(comparison.getPredicate());
  else if (!isa<AddIOp, SubIOp, MulIOp, DivUIOp, DivSIOp, CeilDivUIOp,
                CeilDivSIOp, FloorDivSIOp, RemUIOp, RemSIOp, MinSIOp, MaxSIOp,
                MinUIOp, MaxUIOp, AndIOp, OrIOp, XOrIOp, ShLIOp, ShRUIOp,
                ShRSIOp, SelectOp, IndexCastOp, IndexCastUIOp, ExtSIOp, ExtUIOp,
                TruncIOp, index::AddOp, index::SubOp, index::MulOp,
                index::AndOp, index::OrOp, index::XOrOp, index::MinSOp,
                index::MinUOp, index::MaxSOp, index::MaxUOp, index::CastSOp,
                index::CastUOp>(op))
    return intern({Kind::Value, {}, op->getResult(0)});
  atom.name = op->getName().getAsOpaquePointer();
  atom.types.push_back(op->getResult(0).getType().getAsOpaquePointer());
  for (unsigned i = 0; i != op->getNumOperands(); ++i) {
    atom.operands.push_back(get(getOperand(op, i)));
    atom.types.push_back(op->getOperand(i).getType().getAsOpaquePointer());
  }
  return intern(std::move(atom));
}

Term Sizes::compute(AffineExpr expr, unsigned numDims, ValueRange operands) {
  auto combine = [&](AffineExprKind kind, const Term &a, const Term &b) {
    switch (kind) {
    case AffineExprKind::Add:
      return add(a, b);
    case AffineExprKind::Mul:
      return multiply(a, b);
    case AffineExprKind::FloorDiv:
      return divide(Kind::FloorDivS, a, b);
    case AffineExprKind::CeilDiv:
      return divide(Kind::CeilDivS, a, b);
    default:
      return divide(Kind::Mod, a, b);
    }
  };
  return computeAffine(
      expr, numDims, operands, [&](OpFoldResult value) { return get(value); },
      combine);
}

/// The variable of a loop, or another block argument.
Term Sizes::makeVariable(BlockArgument argument) {
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  auto counted = dyn_cast_or_null<scf::ForOp>(loop.getOperation());
  if (loop && isWide(argument.getType()) && isCountedLoop(loop) &&
      !(counted && counted.getUnsignedCmp())) {
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
    if (variables && lower && upper)
      for (auto [own, begin, end] : llvm::zip(*variables, *lower, *upper))
        if (own == argument)
          return intern({Kind::Variable, {get(begin), get(end)}, argument});
  }
  return intern({Kind::Value, {}, argument});
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Term Sizes::getExtent(Value memref, int64_t dimension) {
  auto number = static_cast<unsigned>(dimension);
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(number))
    return Term::constant(type.getDimSize(number));
  if (!areSettled)
    settlePhis();
  std::pair<Value, unsigned> key{memref, number};
  if (auto it = extents.find(key); it != extents.end())
    return it->second;
  if (auto it = phiOf.find(key); it != phiOf.end() && !phis[it->second].isOwn) {
    if (auto known = assumed.find(key); known != assumed.end())
      return known->second;
    isOpen = true;
    return Term();
  }
  bool wasOpen = isOpen;
  isOpen = false;
  ++depth;
  Term term = depth > kMostDepth ? intern({Kind::Extent, {}, memref, dimension})
                                 : computeExtent(memref, number);
  --depth;
  if (!isOpen)
    extents[key] = term;
  isOpen |= wasOpen;
  return term;
}

Term Sizes::computeExtent(Value memref, unsigned dimension) {
  auto type = cast<MemRefType>(memref.getType());
  auto ofSizes = [&](ValueRange sizes) {
    return get(sizes[type.getDynamicDimIndex(dimension)]);
  };
  auto ofItself = [&] { return intern({Kind::Extent, {}, memref, dimension}); };
  Operation *op = memref.getDefiningOp();
  if (!op)
    return ofItself();
  return llvm::TypeSwitch<Operation *, Term>(op)
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](auto alloc) { return ofSizes(alloc.getDynamicSizes()); })
      .Case<memref::ViewOp, ViewOp>(
          [&](auto view) { return ofSizes(view.getSizes()); })
      .Case<memref::CastOp, memref::MemorySpaceCastOp, RenewOp,
            memref::AssumeAlignmentOp>([&](auto) {
        Value source = op->getOperand(0);
        return isa<MemRefType>(source.getType()) ? getExtent(source, dimension)
                                                 : ofItself();
      })
      .Case([&](memref::ExpandShapeOp expand) {
        return get(expand.getMixedOutputShape()[dimension]);
      })
      .Case([&](memref::CollapseShapeOp collapse) {
        Term product;
        ReassociationIndices group =
            collapse.getReassociationIndices()[dimension];
        for (int64_t inner : group)
          product = multiply(product, getExtent(collapse.getSrc(), inner));
        return product;
      })
      .Case([&](memref::TransposeOp transpose) {
        return getExtent(transpose.getIn(),
                         transpose.getPermutation().getDimPosition(dimension));
      })
      .Case([&](memref::SubViewOp part) {
        // getDroppedDims compares strides, which steps change.
        auto dropped =
            computeRankReductionMask(part.getStaticSizes(), type.getShape());
        SmallVector<OpFoldResult> sizes = part.getMixedSizes();
        unsigned own = 0;
        for (auto [i, size] : llvm::enumerate(sizes))
          if (dropped && !dropped->contains(i) && own++ == dimension)
            return get(size);
        return ofItself();
      })
      .Case([&](memref::ReinterpretCastOp other) {
        return get(other.getMixedSizes()[dimension]);
      })
      .Default([&](Operation *) { return ofItself(); });
}

Term Sizes::countBytes(Value memref, int64_t elementBytes) {
  Term product = Term::constant(elementBytes);
  for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank(); i != e;
       ++i)
    product = multiply(product, getExtent(memref, i));
  return product;
}

bool Sizes::haveSameExtents(Value a, Value b) {
  auto describe = [&](Value memref) {
    SmallVector<Term, 4> shape;
    for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank();
         i != e; ++i)
      if (Term extent = getExtent(memref, i); extent != Term())
        shape.push_back(std::move(extent));
    return shape;
  };
  return describe(a) == describe(b);
}

bool Sizes::fits(const Term &bytes, const Term &size) const {
  // Offsets that wrap are not in order.
  if (indexBits < 64)
    return false;
  std::optional<int64_t> taken = bytes.getConstant(), held = size.getConstant();
  // Control does not reach a buffer of negative bytes.
  if (taken && *taken <= 0)
    return true;
  if (taken && held)
    return *taken <= *held && *taken <= SlotOp::kMostBytes;
  if (bytes == size)
    return true;
  const Atom *max = asAtom(size);
  return max && max->kind == Kind::MaxS &&
         llvm::any_of(max->operands,
                      [&](const Term &term) { return fits(bytes, term); });
}

//===----------------------------------------------------------------------===//
// Memrefs that control flow forwards
//===----------------------------------------------------------------------===//

/// Finds the memrefs of dynamic shape of which all sources are known.
void Sizes::findPhis(const FlowGraph &graph) {
  std::vector<unsigned> entering(graph.nodes.size(), 0);
  std::vector<unsigned> targets;
  for (unsigned node : graph.order)
    for (const Edge &edge : graph.nodes[node].edges) {
      ++entering[edge.target];
      for (auto [target, source] : edge.forwarded) {
        auto type = dyn_cast<MemRefType>(target.getType());
        for (unsigned i = 0, e = type ? type.getRank() : 0; i != e; ++i) {
          if (!type.isDynamicDim(i))
            continue;
          auto [it, isNew] = phiOf.try_emplace({target, i}, phis.size());
          if (isNew) {
            phis.push_back({target, i});
            targets.push_back(edge.target);
          }
          Phi &phi = phis[it->second];
          phi.sources.push_back(source);
          phi.isOwn |= source.getType() != type;
        }
      }
    }
  for (auto [phi, node] : llvm::zip_equal(phis, targets))
    phi.isOwn |= phi.sources.size() != entering[node];
}

/// Finds the extents of phis: assumes that they are those of one source, and
/// drops what another source contradicts. What is left over is right in the
/// first iteration of each loop, and then in each further one.
void Sizes::settlePhis() {
  areSettled = true;
  // A pass for each depth of loops; without end, each phi is its own.
  constexpr unsigned kMostPasses = 64;
  for (unsigned pass = 0;; ++pass) {
    openValues.clear();
    bool changes = false, isWrong = false;
    for (Phi &phi : phis)
      if (!phi.isOwn && (pass == kMostPasses || !agrees(phi, changes)))
        phi.isOwn = isWrong = true;
    if (isWrong) {
      assumed.clear();
      known.clear();
      extents.clear();
    } else if (!changes) {
      break;
    }
  }
  openValues.clear();
  isOpen = false;
  // Control never reaches the others.
  for (Phi &phi : phis)
    phi.isOwn |= !assumed.contains({phi.value, phi.dimension});
}

/// False if sources have other extents than what is assumed or another source
/// has. Assumes the extent of a source.
bool Sizes::agrees(const Phi &phi, bool &changes) {
  std::pair<Value, unsigned> key{phi.value, phi.dimension};
  auto it = assumed.find(key);
  std::optional<Term> extent;
  if (it != assumed.end())
    extent = it->second;
  for (Value source : phi.sources) {
    isOpen = false;
    Term other = getExtent(source, phi.dimension);
    if (isOpen)
      continue;
    if (extent && *extent != other)
      return false;
    extent = std::move(other);
  }
  if (extent && it == assumed.end()) {
    assumed[key] = *extent;
    changes = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Two functions
//===----------------------------------------------------------------------===//

/// The term of an op whose operands may not be in their normal form.
Term Sizes::rebuild(Atom atom) {
  switch (atom.kind) {
  case Kind::Sum:
    return std::accumulate(
        atom.operands.begin(), atom.operands.end(), Term::constant(0),
        [&](const Term &sum, const Term &term) { return add(sum, term); });
  case Kind::Product:
    return multiply(atom.operands[0], atom.operands[1]);
  case Kind::MinS:
  case Kind::MaxS:
  case Kind::MinU:
  case Kind::MaxU:
    return choose(atom.kind, atom.operands);
  case Kind::Select:
  case Kind::Op:
    return intern(std::move(atom));
  default:
    return divide(atom.kind, atom.operands[0], atom.operands[1]);
  }
}

std::optional<Term> Sizes::import(const Sizes &other, const Term &term,
                                  llvm::function_ref<Value(Value)> find) {
  // The atoms that the term needs, the operands of each before it.
  std::set<unsigned> needed;
  SmallVector<unsigned> pending(term.atoms.begin(), term.atoms.end());
  auto isValue = [](Kind kind) {
    return kind == Kind::Value || kind == Kind::Variable ||
           kind == Kind::Extent;
  };
  while (!pending.empty()) {
    unsigned next = pending.pop_back_val();
    if (imported.contains(next) || !needed.insert(next).second ||
        isValue(other.atoms[next]->kind))
      continue;
    for (const Term &operand : other.atoms[next]->operands)
      pending.append(operand.atoms.begin(), operand.atoms.end());
  }
  auto translate = [&](const Term &from) {
    Term to{from.factor};
    for (unsigned atom : from.atoms)
      to = multiply(to, imported.lookup(atom));
    return to;
  };
  for (unsigned number : needed) {
    const Atom &atom = *other.atoms[number];
    if (isValue(atom.kind)) {
      Value value = find(atom.value);
      if (!value || value.getType() != atom.value.getType())
        return std::nullopt;
      imported[number] = atom.kind == Kind::Extent
                             ? getExtent(value, atom.number)
                             : get(value);
      continue;
    }
    Atom own = atom;
    for (Term &operand : own.operands)
      operand = translate(operand);
    imported[number] = rebuild(std::move(own));
  }
  return translate(term);
}

} // namespace memplan::verifier
