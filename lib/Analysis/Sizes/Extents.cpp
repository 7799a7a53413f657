//===- Extents.cpp - Extents as products of values ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Extents.h"

#include "memplan/Analysis/IndexBounds.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

/// The extent, unless control flow carries the memref.
static Extent findOwnExtent(Value memref, int64_t dimension) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || dimension < 0 || dimension >= type.getRank())
    return {};
  auto number = static_cast<unsigned>(dimension);
  if (!type.isDynamicDim(number)) {
    Extent constant;
    constant.values.push_back(
        Builder(memref.getContext()).getIndexAttr(type.getDimSize(number)));
    return constant;
  }
  Operation *op = memref.getDefiningOp();
  auto ofSizes = [&](ValueRange sizes) -> Extent {
    return {{sizes[type.getDynamicDimIndex(number)]}, {}};
  };
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    return ofSizes(alloc.getDynamicSizes());
  if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op))
    return ofSizes(alloca.getDynamicSizes());
  if (auto view = dyn_cast_or_null<memref::ViewOp>(op))
    return ofSizes(view.getSizes());
  if (auto view = dyn_cast_or_null<ViewOp>(op))
    return ofSizes(view.getSizes());
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op);
      cast && isa<MemRefType>(cast.getSource().getType()))
    return {{}, {{cast.getSource(), dimension}}};
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op))
    return {{expand.getMixedOutputShape()[number]}, {}};
  if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op)) {
    Extent extent;
    ReassociationIndices group = collapse.getReassociationIndices()[number];
    for (int64_t inner : group)
      extent.extents.push_back({collapse.getSrc(), inner});
    return extent;
  }
  if (auto transposed = dyn_cast_or_null<memref::TransposeOp>(op))
    return {{},
            {{transposed.getIn(),
              transposed.getPermutation().getDimPosition(number)}}};
  if (auto part = dyn_cast_or_null<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = part.getDroppedDims();
    unsigned own = 0;
    for (unsigned i = 0; i != dropped.size(); ++i)
      if (!dropped.test(i) && own++ == number)
        return {{part.getMixedSizes()[i]}, {}};
  }
  if (auto other = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return {{other.getMixedSizes()[number]}, {}};
  if (auto renew = dyn_cast_or_null<RenewOp>(op))
    return {{}, {{renew.getSlot(), dimension}}};
  return {};
}

/// The memrefs of which the argument of a loop, or the result of a loop or a
/// conditional, is one; empty for other memrefs.
static SmallVector<Value, 2> findSources(Value memref) {
  if (auto branch = memref.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(memref).getResultNumber();
    return {branch.thenYield().getOperand(number),
            branch.elseYield().getOperand(number)};
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : memref.getDefiningOp();
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op);
  if (!loop || loop->getNumRegions() != 1)
    return {};
  auto results = loop.getLoopResults();
  ValueRange carried = argument  ? ValueRange(loop.getRegionIterArgs())
                       : results ? ValueRange(*results)
                                 : ValueRange();
  ValueRange yielded = loop.getYieldedValues();
  OperandRange inits = loop.getInits();
  auto it = llvm::find(carried, memref);
  size_t number = it - carried.begin();
  if (it == carried.end() || number >= yielded.size() || number >= inits.size())
    return {};
  return {inits[number], yielded[number]};
}

/// The extent of a memref that control flow carries, if it is the same value in
/// all memrefs that it may be. Each of these is one that is not carried or,
/// earlier, another carried one.
static Extent findCarriedExtent(Value memref, int64_t dimension) {
  constexpr size_t kMost = 64;
  llvm::SmallSetVector<std::pair<Value, int64_t>, 8> reached;
  reached.insert({memref, dimension});
  std::optional<Extent> found;
  for (size_t i = 0; i != reached.size(); ++i) {
    auto [next, inner] = reached[i];
    if (reached.size() > kMost)
      return {};
    Extent extent = findOwnExtent(next, inner);
    if (!extent.isKnown()) {
      SmallVector<Value, 2> sources = findSources(next);
      for (Value source : sources)
        reached.insert({source, inner});
      if (!sources.empty())
        continue;
      extent.extents.push_back({next, inner});
    } else {
      // Collapsed dimensions are mostly of one element, but for one.
      llvm::erase_if(extent.values, [](OpFoldResult value) {
        return getConstantNumber(value) == 1;
      });
      llvm::erase_if(extent.extents, [](std::pair<Value, int64_t> of) {
        return cast<MemRefType>(of.first.getType()).getDimSize(of.second) == 1;
      });
      if (extent.values.size() + extent.extents.size() != 1)
        return {};
      if (!extent.extents.empty()) {
        reached.insert(extent.extents.front());
        continue;
      }
      auto dim = dyn_cast_or_null<memref::DimOp>(
          dyn_cast<Value>(extent.values.front())
              ? cast<Value>(extent.values.front()).getDefiningOp()
              : nullptr);
      std::optional<int64_t> index =
          dim ? getConstantNumber(dim.getIndex()) : std::nullopt;
      if (index && isa<MemRefType>(dim.getSource().getType())) {
        reached.insert({dim.getSource(), *index});
        continue;
      }
      // One number may be several values.
      if (auto number = getConstantNumber(extent.values.front()))
        extent.values.front() =
            Builder(memref.getContext()).getIndexAttr(*number);
    }
    if (found &&
        (found->values != extent.values || found->extents != extent.extents))
      return {};
    found = std::move(extent);
  }
  return found.value_or(Extent());
}

Extent memplan::findExtent(Value memref, int64_t dimension) {
  Extent extent = findOwnExtent(memref, dimension);
  if (!extent.isKnown() && isa<MemRefType>(memref.getType()) &&
      !findSources(memref).empty())
    return findCarriedExtent(memref, dimension);
  return extent;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Product multiplyProducts(Product a, const Product &b) {
  a.factor *= b.factor;
  a.values.append(b.values);
  llvm::sort(a.values);
  if (a.factor == 0)
    a.values.clear();
  return a;
}

DictionaryAttr memplan::getAttrsWithoutPoison(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    attributes.set(flags.getIntegerOverflowAttrName(),
                   arith::IntegerOverflowFlagsAttr::get(
                       op->getContext(), arith::IntegerOverflowFlags::none));
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    attributes.erase("isExact");
  // Such as memplan.step.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    attributes.erase(attribute.getName());
  return attributes.getDictionary(op->getContext());
}

/// What a key is about, so that keys of different kinds differ.
constexpr uint64_t kOpaque = 0;
constexpr uint64_t kExtent = 1;
constexpr uint64_t kOp = 2;
constexpr uint64_t kOperation = 3;
constexpr uint64_t kShape = 4;

static void append(std::vector<uint64_t> &key, const Product &product) {
  key.push_back(product.factor);
  key.push_back(product.values.size());
  key.insert(key.end(), product.values.begin(), product.values.end());
}

static void append(std::vector<uint64_t> &key, const void *pointer) {
  key.push_back(reinterpret_cast<uintptr_t>(pointer));
}

Product Extents::number(Key key) {
  auto it = numbers.try_emplace(std::move(key), numbers.size()).first;
  return Product{1, {it->second}};
}

Extents::Extents(FunctionOpInterface function)
    : isIndexNarrow(getGreatestIndex(function) != INT64_MAX) {}

/// Arithmetic of 64 bits is that of an index only if an index has as many.
Product Extents::get(OpFoldResult value) {
  auto dynamic = dyn_cast<Value>(value);
  if (isIndexNarrow && dynamic && !dynamic.getType().isIndex())
    return ofOther(dynamic, INT64_MIN);
  return SizeInterpreter::get(value);
}

Product Extents::ofConstant(int64_t number) const {
  return Product{static_cast<uint64_t>(number), {}};
}

Product Extents::combine(SizeOp op, const Product &a, const Product &b) {
  // Squares of squares would have as many factors as 2^n.
  constexpr size_t kMostFactors = 32;
  if (op == SizeOp::Mul && a.values.size() + b.values.size() <= kMostFactors)
    return multiplyProducts(a, b);
  Key first, second, key{kOperation, static_cast<uint64_t>(op)};
  append(first, a);
  append(second, b);
  // A sum is the same in both orders.
  if (op == SizeOp::Add && second < first)
    std::swap(first, second);
  llvm::append_range(key, first);
  llvm::append_range(key, second);
  return number(std::move(key));
}

/// Of other ops, too, the result is the same if all operands are.
Product Extents::ofOther(Value value, int64_t /*least*/) {
  Operation *op = value.getDefiningOp();
  Key key{kOpaque};
  if (isTooDeep() || !op || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op) || isa<BaseMemRefType>(value.getType())) {
    append(key, value.getAsOpaquePointer());
    return number(std::move(key));
  }
  key = {kOp, cast<OpResult>(value).getResultNumber()};
  append(key, op->getName().getAsOpaquePointer());
  append(key, getAttrsWithoutPoison(op).getAsOpaquePointer());
  append(key, value.getType().getAsOpaquePointer());
  for (Value operand : op->getOperands())
    append(key, get(operand));
  return number(std::move(key));
}

Product Extents::getExtent(Value memref, int64_t dimension) {
  if (auto it = extents.find({memref, dimension}); it != extents.end())
    return it->second;
  Product product;
  Extent extent = findExtent(memref, dimension);
  for (OpFoldResult value : extent.values)
    product = multiplyProducts(std::move(product), get(value));
  for (auto [source, inner] : extent.extents)
    product = multiplyProducts(std::move(product), getExtent(source, inner));
  if (!extent.isKnown()) {
    Key key{kExtent, static_cast<uint64_t>(dimension)};
    append(key, memref.getAsOpaquePointer());
    product = number(std::move(key));
  }
  return extents[{memref, dimension}] = std::move(product);
}

bool Extents::haveSameExtents(Value a, Value b) {
  auto describe = [&](Value memref) {
    SmallVector<Product> shape;
    for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank();
         i != e; ++i)
      if (Product extent = getExtent(memref, i); extent != Product())
        shape.push_back(std::move(extent));
    return shape;
  };
  return describe(a) == describe(b);
}

unsigned Extents::getShape(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Key key{kShape};
  append(key, type.getAsOpaquePointer());
  for (int64_t i = 0; i != type.getRank(); ++i)
    append(key, getExtent(memref, i));
  return number(std::move(key)).values.front();
}
