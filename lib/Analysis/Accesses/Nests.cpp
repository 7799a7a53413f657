//===- Nests.cpp - Nests of loops that overwrite buffers ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Nests.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/Strides.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool memplan::isNestLoop(Operation *op) {
  return isa<scf::ForOp, scf::ParallelOp, scf::ForallOp, affine::AffineForOp,
             affine::AffineParallelOp>(op);
}
bool memplan::isNestCondition(Operation *op) {
  return isa<scf::IfOp, affine::AffineIfOp>(op);
}

/// The bound as an attribute; null if it is not one constant.
static OpFoldResult getConstantBound(AffineMap bounds) {
  if (!bounds.isSingleConstant())
    return OpFoldResult();
  return Builder(bounds.getContext())
      .getIndexAttr(bounds.getSingleConstantResult());
}

/// True if an index of the op, which may be narrower than 64 bits, can hold all
/// of the values.
static bool fitIndex(ArrayRef<int64_t> values, Operation *op) {
  if (llvm::all_of(values, llvm::isInt<8>))
    return true;
  unsigned bits = DataLayout::closest(op).getTypeSizeInBits(
      IndexType::get(op->getContext()));
  return llvm::all_of(values,
                      [&](int64_t value) { return llvm::isIntN(bits, value); });
}

std::optional<SmallVector<NestVariable, 1>>
memplan::readNestLoop(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  std::optional<SmallVector<Value>> values = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  // LoopLikeOpInterface does not give the bounds of affine.parallel.
  if (auto affineLoop = dyn_cast<affine::AffineParallelOp>(op)) {
    values.emplace(llvm::to_vector_of<Value>(affineLoop.getIVs()));
    lower.emplace();
    upper.emplace();
    steps = getAsIndexOpFoldResult(op->getContext(), affineLoop.getSteps());
    for (unsigned i = 0; i < values->size(); ++i) {
      lower->push_back(getConstantBound(affineLoop.getLowerBoundMap(i)));
      upper->push_back(getConstantBound(affineLoop.getUpperBoundMap(i)));
    }
  }
  if (!values || !lower || !upper || !steps)
    return std::nullopt;
  SmallVector<NestVariable, 1> variables;
  for (auto [value, from, to, by] :
       llvm::zip_equal(*values, *lower, *upper, *steps)) {
    if (!from || !to)
      return std::nullopt;
    std::optional<int64_t> begin = getConstantNumber(from);
    std::optional<int64_t> end = getConstantNumber(to);
    std::optional<int64_t> step = getConstantNumber(by);
    int64_t extent;
    if (!begin || !end || !step || *step <= 0 || *begin >= *end ||
        llvm::SubOverflow(*end, *begin, extent) ||
        (value.getType().isIndex() && !fitIndex({*begin, *end, *step}, op)))
      return std::nullopt;
    // With an unsigned comparison a negative bound is a large one.
    if (auto forOp = dyn_cast<scf::ForOp>(op);
        forOp && forOp.getUnsignedCmp() && *begin < 0)
      return std::nullopt;
    NestLoop range{(extent - 1) / *step + 1,
                   !isa<scf::ForOp, affine::AffineForOp>(op)};
    variables.push_back({value, *begin, *step, range});
  }
  return variables;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// The bytes that a load or a store in a nest accesses: in each iteration
/// `bytes` bytes of its buffer, from byte
///   begin + sum over the loops around it of strides[l] * t[l]
/// on, where t[l] counts the iterations of loop l from 0 to trips - 1. No term
/// exceeds 2^52, and there are at most 64 loops, so sums do not overflow.
struct NestAccess {
  SmallVector<NestLoop, 6> loops;
  SmallVector<int64_t, 6> strides;
  int64_t begin = 0;
  int64_t bytes = 0;
};

/// A store of elements of one allocation.
struct PlacedStore {
  Operation *allocation = nullptr;
  NestAccess bytes;
};

/// Expresses the bytes of an access in the variables around it.
class AccessBuilder {
public:
  explicit AccessBuilder(ArrayRef<NestVariable> variables)
      : variables(variables) {
    for (const NestVariable &variable : variables)
      access.loops.push_back(variable.loop);
    access.strides.resize(variables.size());
  }

  /// Adds `factor` bytes times the value to the begin; false if the value is
  /// not affine in the variables.
  bool add(OpFoldResult value, int64_t factor);
  bool add(AffineExpr expr, unsigned numDims, ValueRange operands,
           int64_t factor);
  /// Adds the offset of the memref in its allocation, and returns the
  /// allocation; null if it is not known.
  Operation *addBase(Value memref, int64_t elementBytes);

  /// The access; std::nullopt if a sum may overflow 2^52 bytes or an index of
  /// `indexBits` bits.
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

  ArrayRef<NestVariable> variables;
  NestAccess access;
  /// The number of values and expressions that may still be visited.
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
  // Arithmetic on narrower integers may wrap around.
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
  return type && succeeded(getStridesAndOffset(type, strides, offset)) &&
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

/// The bytes that the op stores, possibly through views, as a function of the
/// variables around it, the outermost first; std::nullopt if the indices are
/// not affine in the variables, or if the memory is not an allocation with the
/// identity layout.
static std::optional<PlacedStore> placeStore(Operation *op,
                                             ArrayRef<NestVariable> variables) {
  std::optional<IndexedAccess> indexed = getIndexedAccess(op);
  if (!indexed)
    return std::nullopt;
  SmallVector<int64_t> strides;
  DataLayout layout = DataLayout::closest(op);
  std::optional<ElementLayout> element = getElementLayout(
      cast<MemRefType>(indexed->memref.getType()).getElementType(), layout);
  if (!element || !getStaticStrides(indexed->memref, strides))
    return std::nullopt;
  AccessBuilder builder(variables);
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
  Operation *allocation = builder.addBase(indexed->memref, element->stride);
  std::optional<NestAccess> bytes = builder.finish(
      element->stride,
      static_cast<int64_t>(
          layout.getTypeSizeInBits(IndexType::get(op->getContext()))
              .getFixedValue()));
  if (!allocation || !bytes)
    return std::nullopt;
  return PlacedStore{allocation, std::move(*bytes)};
}

/// True if no other op of the block has memory effects; false for blocks of
/// more than 64 other ops.
static bool isOnlyOpWithEffects(Operation *op, Block *block) {
  constexpr int kMostOps = 64;
  int count = 0;
  return llvm::all_of(*block, [&](Operation &other) {
    return &other == op || (++count <= kMostOps && isMemoryEffectFree(&other));
  });
}

std::optional<OverwritingNest> memplan::findOverwritingNest(Operation *store) {
  if (!isa<memref::StoreOp, affine::AffineStoreOp>(store))
    return std::nullopt;
  SmallVector<Operation *> loops;
  SmallVector<SmallVector<NestVariable, 1>> variablesOf;
  for (Operation *loop = store->getParentOp(); isNestLoop(loop);
       loop = loop->getParentOp()) {
    auto variables = readNestLoop(loop);
    if (!variables)
      break;
    loops.push_back(loop);
    variablesOf.push_back(std::move(*variables));
  }
  SmallVector<NestVariable> variables;
  SmallVector<Operation *> loopOf;
  for (auto [loop, its] : llvm::reverse(llvm::zip_equal(loops, variablesOf))) {
    llvm::append_range(variables, its);
    loopOf.append(its.size(), loop);
  }
  std::optional<PlacedStore> access = placeStore(store, variables);
  if (!access)
    return std::nullopt;
  auto type = cast<MemRefType>(access->allocation->getResult(0).getType());
  std::optional<int64_t> size =
      getSizeInBytes(type, DataLayout::closest(store));
  if (!size)
    return std::nullopt;

  // Byte stride and trip count of each loop, by ascending stride.
  SmallVector<std::pair<int64_t, int64_t>> terms;
  Operation *nest = store;
  for (auto [stride, loop, op] : llvm::reverse(
           llvm::zip_equal(access->bytes.strides, access->bytes.loops, loopOf)))
    if (stride != 0 && loop.trips != 1) {
      terms.push_back({stride, loop.trips});
      nest = op;
    }
  llvm::sort(terms);
  int64_t written = access->bytes.bytes;
  for (auto [stride, trips] : terms)
    if (stride != written || llvm::MulOverflow(written, trips, written))
      return std::nullopt;
  if (access->bytes.begin != 0 || written != *size)
    return std::nullopt;
  // An allocation in the nest is another buffer in each iteration.
  if (nest->isAncestor(access->allocation))
    return std::nullopt;
  // The nest may also have loops of one iteration, as dimensions of one element
  // have.
  auto isOnce = [](const NestVariable &variable) {
    return variable.loop.trips == 1;
  };
  for (auto [loop, its] : llvm::zip_equal(loops, variablesOf)) {
    if (!loop->isProperAncestor(nest))
      continue;
    // The verifier sees the overwrite in a single store, not in a parallel loop
    // around it.
    bool isOneAtOnce = nest == store && its.front().loop.isParallel;
    if (!llvm::all_of(its, isOnce) || isOneAtOnce ||
        !isOnlyOpWithEffects(nest, nest->getBlock()))
      break;
    nest = loop;
  }
  return OverwritingNest{nest, access->allocation};
}
