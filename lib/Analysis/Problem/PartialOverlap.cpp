//===- PartialOverlap.cpp - Loops that write behind what they read --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/PartialOverlap.h"

#include "Problem/InPlace.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// The displacement
//===----------------------------------------------------------------------===//

/// The greatest value of `stride` * t over the loop.
static int64_t greatest(int64_t stride, int64_t trips) {
  return std::max<int64_t>(0, stride * (trips - 1));
}

/// The greatest value of `store` * s - `load` * t over iterations s < t of the
/// loop, of which there are at least two; with `isParallel` over s != t.
static int64_t greatestApart(int64_t store, int64_t load, NestLoop loop) {
  int64_t last = loop.trips - 1;
  int64_t best =
      std::max({-load, -load * last, store * (last - 1) - load * last});
  if (loop.isParallel)
    best =
        std::max({best, store, store * last, store * last - load * (last - 1)});
  return best;
}

std::optional<Displacement> memplan::findDisplacement(const NestAccess &store,
                                                      const NestAccess &load,
                                                      unsigned common,
                                                      bool isStoreFirst) {
  // Of the loops from `first` on, at any iteration each.
  auto greatestInside = [&](unsigned first) {
    int64_t sum = 0;
    for (size_t l = first; l < store.loops.size(); ++l)
      sum += greatest(store.strides[l], store.loops[l].trips);
    for (size_t l = first; l < load.loops.size(); ++l)
      sum += greatest(-load.strides[l], load.loops[l].trips);
    return sum;
  };
  std::optional<Displacement> result;
  auto take = [&](int64_t bytes, unsigned loop) {
    if (!result || result->bytes < bytes)
      result = {bytes, loop};
  };
  // The loops outside of the one where the iterations differ are at the same.
  int64_t outside = store.begin + store.bytes - load.begin;
  for (unsigned l = 0; l < common; ++l) {
    if (store.loops[l].trips > 1)
      take(
          outside +
              greatestApart(store.strides[l], load.strides[l], store.loops[l]) +
              greatestInside(l + 1),
          l + 1);
    outside +=
        greatest(store.strides[l] - load.strides[l], store.loops[l].trips);
  }
  if (isStoreFirst)
    take(outside + greatestInside(common), 0);
  return result;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// An induction variable, which is `begin` and then `step` more each time.
struct Variable {
  Value value;
  int64_t begin;
  int64_t step;
  NestLoop loop;
};

/// A load or store of elements of one allocation.
struct PlacedAccess {
  Operation *op = nullptr;
  Operation *allocation = nullptr;
  NestAccess bytes;
};

/// The bytes of an access in terms of the variables around it.
class AccessBuilder {
public:
  explicit AccessBuilder(ArrayRef<Variable> variables) : variables(variables) {
    for (const Variable &variable : variables)
      access.loops.push_back(variable.loop);
    access.strides.resize(variables.size());
  }

  /// Adds `factor` times the value; false if that is not affine in the
  /// variables.
  bool add(OpFoldResult value, int64_t factor);
  bool add(AffineExpr expr, unsigned numDims, ValueRange operands,
           int64_t factor);
  /// Adds the first byte of the memref in its allocation, which it returns;
  /// null if that is not known.
  Operation *addBase(Value memref, int64_t elementBytes);

  /// Nothing where sums might overflow, here or in an index of so many bits.
  std::optional<NestAccess> finish(int64_t bytes, int64_t indexBits) {
    const int64_t kMost = int64_t(1) << std::min<int64_t>(52, indexBits - 1);
    access.bytes = bytes;
    if (access.begin < -kMost || access.begin > kMost || bytes > kMost ||
        access.loops.size() > 64)
      return std::nullopt;
    int64_t all = std::abs(access.begin) + bytes;
    for (auto [stride, loop] : llvm::zip_equal(access.strides, access.loops)) {
      int64_t extent;
      if (llvm::MulOverflow(stride, loop.trips, extent) || extent < -kMost ||
          extent > kMost)
        return std::nullopt;
      all += std::abs(extent);
    }
    return all <= kMost ? std::optional(std::move(access)) : std::nullopt;
  }

private:
  static bool addTo(int64_t &sum, int64_t factor, int64_t value) {
    int64_t product;
    return !llvm::MulOverflow(factor, value, product) &&
           !llvm::AddOverflow(sum, product, sum);
  }

  ArrayRef<Variable> variables;
  NestAccess access;
  /// How much of a computation is looked into.
  int steps = 256;
};
} // namespace

bool AccessBuilder::add(OpFoldResult value, int64_t factor) {
  if (--steps <= 0)
    return false;
  if (std::optional<int64_t> constant = getConstantNumber(value))
    return addTo(access.begin, factor, *constant);
  auto computed = cast<Value>(value);
  for (auto [l, variable] : llvm::enumerate(variables))
    if (variable.value == computed)
      return addTo(access.begin, factor, variable.begin) &&
             addTo(access.strides[l], factor, variable.step);
  Operation *op = computed.getDefiningOp();
  // Narrower integers may wrap around.
  if (!op || !computed.getType().isIndex())
    return false;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return add(map.getResult(0), map.getNumDims(), apply.getMapOperands(),
               factor);
  }
  if (isa<arith::AddIOp>(op))
    return add(op->getOperand(0), factor) && add(op->getOperand(1), factor);
  int64_t scaled;
  if (isa<arith::SubIOp>(op))
    return !llvm::MulOverflow<int64_t>(factor, -1, scaled) &&
           add(op->getOperand(0), factor) && add(op->getOperand(1), scaled);
  if (isa<arith::MulIOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> by = getConstantNumber(op->getOperand(i)))
        return !llvm::MulOverflow(factor, *by, scaled) &&
               add(op->getOperand(1 - i), scaled);
  return false;
}

bool AccessBuilder::add(AffineExpr expr, unsigned numDims, ValueRange operands,
                        int64_t factor) {
  if (--steps <= 0)
    return false;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return addTo(access.begin, factor, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(operands[dim.getPosition()], factor);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return add(operands[numDims + symbol.getPosition()], factor);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return add(binary.getLHS(), numDims, operands, factor) &&
           add(binary.getRHS(), numDims, operands, factor);
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t scaled;
  return expr.getKind() == AffineExprKind::Mul && by &&
         !llvm::MulOverflow(factor, by.getValue(), scaled) &&
         add(binary.getLHS(), numDims, operands, scaled);
}

static bool getStaticStrides(Value memref, SmallVectorImpl<int64_t> &strides) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  int64_t offset;
  return type && succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

Operation *AccessBuilder::addBase(Value memref, int64_t elementBytes) {
  for (;;) {
    Operation *op = memref.getDefiningOp();
    if (!op)
      return nullptr;
    if (asBufferAllocation(op))
      return cast<MemRefType>(memref.getType()).getLayout().isIdentity()
                 ? op
                 : nullptr;
    if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      SmallVector<int64_t> strides;
      if (!getStaticStrides(view.getSource(), strides))
        return nullptr;
      for (auto [offset, stride] :
           llvm::zip_equal(view.getMixedOffsets(), strides)) {
        int64_t factor;
        if (llvm::MulOverflow(stride, elementBytes, factor) ||
            !add(offset, factor))
          return nullptr;
      }
    } else if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp,
                    memref::CastOp>(op)) {
      return nullptr;
    }
    memref = op->getOperand(0);
  }
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

namespace {
/// Of an allocation that is outside of the nest.
struct NestUses {
  SmallVector<const PlacedAccess *, 2> loads, stores;
  /// It is used otherwise, or where is not known.
  bool isOther = false;
};

class NestReader {
public:
  NestReader(Operation *nest, const AliasGraph &graph)
      : nest(nest), graph(graph) {}

  /// Collects what the nest does with memory.
  void run() {
    nest->walk([&](Operation *op) { visit(op); });
    for (const PlacedAccess &access : accesses) {
      NestUses &use = uses[access.allocation];
      bool isStore = isa<memref::StoreOp, affine::AffineStoreOp>(access.op);
      (isStore ? use.stores : use.loads).push_back(&access);
    }
  }

  llvm::MapVector<Operation *, NestUses> uses;

private:
  void visit(Operation *op);
  /// Nothing if there is an op around it of which it is not known how often it
  /// runs the access.
  std::optional<SmallVector<Variable>> getVariables(Operation *op);
  std::optional<PlacedAccess> match(Operation *op, Value &memref);

  Operation *nest;
  const AliasGraph &graph;
  std::vector<PlacedAccess> accesses;
  llvm::SmallDenseSet<Value> others;
  llvm::DenseMap<Operation *, std::optional<SmallVector<Variable, 1>>> loops;
};
} // namespace

/// The variables of a loop with constant bounds and at least one iteration.
static std::optional<SmallVector<Variable, 1>> readLoop(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  std::optional<SmallVector<Value>> values = loop.getLoopInductionVars();
  if (!values)
    return std::nullopt;
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  SmallVector<Variable, 1> variables;
  for (auto [value, from, to, by] :
       llvm::zip_equal(*values, *lower, *upper, *steps)) {
    std::optional<int64_t> begin = getConstantNumber(from);
    std::optional<int64_t> end = getConstantNumber(to);
    std::optional<int64_t> step = getConstantNumber(by);
    int64_t extent;
    if (!begin || !end || !step || *step <= 0 || *begin >= *end ||
        llvm::SubOverflow(*end, *begin, extent))
      return std::nullopt;
    // An unsigned comparison orders negative bounds the other way.
    if (auto forOp = dyn_cast<scf::ForOp>(op);
        forOp && forOp.getUnsignedCmp() && *begin < 0)
      return std::nullopt;
    NestLoop range{(extent - 1) / *step + 1,
                   !isa<scf::ForOp, affine::AffineForOp>(op)};
    variables.push_back({value, *begin, *step, range});
  }
  return variables;
}

std::optional<SmallVector<Variable>> NestReader::getVariables(Operation *op) {
  SmallVector<Operation *> around;
  while (op != nest) {
    op = op->getParentOp();
    if (isNestLoop(op))
      around.push_back(op);
    else if (!isNestCondition(op))
      return std::nullopt;
  }
  SmallVector<Variable> variables;
  for (Operation *loop : llvm::reverse(around)) {
    auto [it, isNew] = loops.try_emplace(loop);
    if (isNew)
      it->second = readLoop(loop);
    if (!it->second)
      return std::nullopt;
    llvm::append_range(variables, *it->second);
  }
  return variables;
}

std::optional<PlacedAccess> NestReader::match(Operation *op, Value &memref) {
  std::optional<IndexedAccess> indexed = getIndexedAccess(op);
  if (!indexed)
    return std::nullopt;
  memref = indexed->memref;
  std::optional<SmallVector<Variable>> variables = getVariables(op);
  SmallVector<int64_t> strides;
  DataLayout layout = DataLayout::closest(op);
  std::optional<ElementLayout> element = getElementLayout(
      cast<MemRefType>(memref.getType()).getElementType(), layout);
  if (!variables || !element || !getStaticStrides(memref, strides))
    return std::nullopt;
  AccessBuilder builder(*variables);
  for (auto [i, stride] : llvm::enumerate(strides)) {
    int64_t factor;
    if (llvm::MulOverflow(stride, element->stride, factor))
      return std::nullopt;
    AffineMap map = indexed->map;
    if (map ? !builder.add(map.getResult(i), map.getNumDims(),
                           indexed->operands, factor)
            : !builder.add(indexed->operands[i], factor))
      return std::nullopt;
  }
  Operation *allocation = builder.addBase(memref, element->stride);
  std::optional<NestAccess> bytes = builder.finish(
      element->stride,
      static_cast<int64_t>(
          layout.getTypeSizeInBits(IndexType::get(op->getContext()))
              .getFixedValue()));
  if (!allocation || !bytes)
    return std::nullopt;
  return PlacedAccess{op, allocation, std::move(*bytes)};
}

void NestReader::visit(Operation *op) {
  if (isa<memref::DimOp>(op))
    return;
  // What is done with a view is seen where that is used.
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  Value memref = view ? view.getViewSource() : nullptr;
  std::optional<PlacedAccess> access;
  if (!view)
    access = match(op, memref);
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()) ||
        ((access || view) && operand == memref) ||
        !others.insert(operand).second)
      continue;
    for (AliasGraph::Id source : graph.getPossibleMemory(graph.getId(operand)))
      if (Operation *definition = graph.getValue(source).getDefiningOp())
        uses[definition].isOther = true;
  }
  if (access)
    accesses.push_back(std::move(*access));
}

/// The variables of the loops around both.
static unsigned countCommon(const PlacedAccess &store, const PlacedAccess &load,
                            Operation *nest) {
  unsigned common = 0;
  for (Operation *op = store.op; op != nest;) {
    op = op->getParentOp();
    if (isNestLoop(op) && op->isAncestor(load.op))
      common += cast<LoopLikeOpInterface>(op).getLoopInductionVars()->size();
  }
  return common;
}

/// True if, in one iteration of the loops around both, a load may come after a
/// store. Of two branches of a condition at most one is taken, which does not
/// matter.
static bool isStoreFirst(const PlacedAccess &store, const PlacedAccess &load) {
  Operation *first = store.op;
  while (!first->getParentOp()->isAncestor(load.op))
    first = first->getParentOp();
  Operation *second = first->getBlock()->findAncestorOpInBlock(*load.op);
  return !second || first->isBeforeInBlock(second);
}

/// True if in one iteration of the loops around both they are at the same
/// bytes.
static bool areSame(const NestAccess &store, const NestAccess &load,
                    unsigned common) {
  auto isZero = [](int64_t stride) { return stride == 0; };
  ArrayRef<int64_t> a = store.strides, b = load.strides;
  return store.begin == load.begin && store.bytes == load.bytes &&
         a.take_front(common) == b.take_front(common) &&
         llvm::all_of(a.drop_front(common), isZero) &&
         llvm::all_of(b.drop_front(common), isZero);
}

/// The displacement of the accesses that ask for most.
static PartialOverlap compare(Operation *read, const NestUses &loaded,
                              Operation *written, const NestUses &stored,
                              Operation *nest) {
  PartialOverlap overlap{read, written, std::nullopt, true};
  for (const PlacedAccess *store : stored.stores)
    for (const PlacedAccess *load : loaded.loads) {
      unsigned common = countCommon(*store, *load, nest);
      std::optional<Displacement> own = findDisplacement(
          store->bytes, load->bytes, common, isStoreFirst(*store, *load));
      if (own &&
          (!overlap.displacement || overlap.displacement->bytes < own->bytes))
        overlap.displacement = own;
      overlap.isElementwise &= areSame(store->bytes, load->bytes, common);
    }
  return overlap;
}

static int64_t getBytes(Operation *allocation) {
  return getSizeInBytes(cast<MemRefType>(allocation->getResult(0).getType()),
                        DataLayout::closest(allocation))
      .value_or(0);
}

SmallVector<PartialOverlap, 2>
memplan::findPartialOverlaps(Operation *nest, const AliasGraph &graph,
                             llvm::function_ref<bool(Operation *)> mayEnd,
                             llvm::function_ref<bool(Operation *)> mayBegin) {
  /// Of one nest, and pairs of two allocations: what is unrolled so far has no
  /// loops to speak of.
  constexpr size_t kMaxAccesses = 64, kMaxPairs = 256;
  NestReader reader(nest, graph);
  reader.run();
  using Use = std::pair<Operation *, const NestUses *>;
  SmallVector<Use> read, written;
  size_t loads = 0, stores = 0;
  for (auto &[allocation, use] : reader.uses) {
    if (use.isOther || nest->isAncestor(allocation))
      continue;
    if (use.stores.empty() && mayEnd(allocation)) {
      read.push_back({allocation, &use});
      loads += use.loads.size();
    } else if (!use.stores.empty() && mayBegin(allocation)) {
      written.push_back({allocation, &use});
      stores += use.stores.size();
    }
  }
  SmallVector<PartialOverlap, 2> overlaps;
  if (loads > kMaxAccesses || stores > kMaxAccesses)
    return overlaps;
  for (auto [target, stored] : written)
    for (auto [source, loaded] : read) {
      if (stored->stores.size() * loaded->loads.size() > kMaxPairs)
        continue;
      PartialOverlap overlap = compare(source, *loaded, target, *stored, nest);
      if (!overlap.displacement ||
          overlap.displacement->bytes < getBytes(target))
        overlaps.push_back(overlap);
    }
  return overlaps;
}
