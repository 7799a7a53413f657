//===- PartialOverlap.cpp - Loops that write behind what they read --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartialOverlap.h"

#include "memplan/IR/Constants.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Analysis/Presburger/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::presburger;

namespace memplan::verifier {
namespace {

/// A load or a store in a nest.
struct NestAccess {
  /// Bytes from the begin of the buffer.
  Offset begin;
  int64_t size;
  /// Those around it, the outermost first.
  SmallVector<LoopRange> loops;
};

} // namespace

/// Adds what so many steps along each dimension are, in bytes.
template <typename GetFn>
static std::optional<Offset> addSteps(std::optional<Offset> begin, Value memref,
                                      int64_t size, GetFn get) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    int64_t bytes;
    if (ShapedType::isDynamic(stride) || llvm::MulOverflow(stride, size, bytes))
      return std::nullopt;
    begin = add(begin, scale(get(i), bytes));
  }
  return begin;
}

/// Where a view begins in the buffer.
static std::optional<Offset> findBegin(Value view, Value buffer, int64_t size) {
  std::optional<Offset> begin = Offset();
  // A cast that says where it begins counts from the beginning of the buffer.
  bool isAbsolute = false;
  for (; view != buffer; view = view.getDefiningOp()->getOperand(0)) {
    Operation *op = view.getDefiningOp();
    if (!isa_and_nonnull<memref::SubViewOp, memref::ReinterpretCastOp,
                         memref::ExpandShapeOp, memref::CollapseShapeOp,
                         memref::CastOp, memref::TransposeOp>(op) &&
        !(isAbsolute && isa_and_nonnull<memref::ExtractStridedMetadataOp>(op)))
      return std::nullopt;
    if (isAbsolute)
      continue;
    auto evaluateAll = [](OpFoldResult offset) -> std::optional<Offset> {
      if (auto value = dyn_cast<Value>(offset))
        return evaluateInLoops(value);
      return Offset{*getConstantNumber(offset), {}};
    };
    if (auto part = dyn_cast<memref::SubViewOp>(op)) {
      SmallVector<OpFoldResult> offsets = part.getMixedOffsets();
      begin = addSteps(begin, part.getSource(), size,
                       [&](unsigned i) { return evaluateAll(offsets[i]); });
    } else if (auto other = dyn_cast<memref::ReinterpretCastOp>(op)) {
      begin =
          add(begin, scale(evaluateAll(other.getMixedOffsets().front()), size));
      isAbsolute = true;
    }
  }
  return begin;
}

/// Where the element that the op loads or stores begins in the buffer.
static std::optional<Offset> findElement(Operation *op, Value buffer,
                                         int64_t size) {
  std::optional<IndexedAccess> indexed = getIndexedAccess(op);
  auto whole = dyn_cast<MemRefType>(buffer.getType());
  if (!indexed || !whole || !whole.getLayout().isIdentity())
    return std::nullopt;
  auto getIndex = [&](unsigned i) {
    AffineMap map = indexed->map;
    return map ? evaluateInLoops(map.getResult(i), map.getNumDims(),
                                 indexed->operands)
               : evaluateInLoops(indexed->operands[i]);
  };
  return addSteps(findBegin(indexed->memref, buffer, size), indexed->memref,
                  size, getIndex);
}

std::optional<ElementBytes> findElementBytes(Operation *op, Value buffer,
                                             int64_t size) {
  std::optional<Offset> begin = findElement(op, buffer, size);
  if (!begin)
    return std::nullopt;
  ByteRange bytes = {begin->constant, begin->constant};
  for (const WorkerTerm &term : begin->terms) {
    int64_t extent;
    int64_t &end = term.stride < 0 ? bytes.begin : bytes.end;
    if (llvm::MulOverflow(term.stride, term.count - 1, extent) ||
        llvm::AddOverflow(end, extent, end))
      return std::nullopt;
  }
  bool isOne = bytes.begin == bytes.end;
  if (llvm::AddOverflow(bytes.end, size, bytes.end))
    return std::nullopt;
  return ElementBytes{bytes, isOne};
}

static std::optional<NestAccess> findAccess(Operation *op, Value buffer,
                                            int64_t size, Operation *nest) {
  std::optional<Offset> begin = findElement(op, buffer, size);
  if (!begin)
    return std::nullopt;
  NestAccess access{*begin, size, {}};
  SmallVector<Operation *> around;
  for (Operation *inner = op; inner != nest;) {
    inner = inner->getParentOp();
    around.push_back(inner);
  }
  for (Operation *parent : llvm::reverse(around)) {
    if (isa<scf::IfOp, affine::AffineIfOp>(parent))
      continue;
    std::optional<SmallVector<LoopRange>> ranges;
    if (isa<scf::ForOp, affine::AffineForOp>(parent) || isParallelLoop(parent))
      ranges = getLoopRanges(parent);
    if (!ranges)
      return std::nullopt;
    llvm::append_range(access.loops, *ranges);
  }
  return access;
}

namespace {

/// That the store and a load that comes after it touch common bytes.
class Collision {
public:
  Collision(const NestAccess &store, const NestAccess &load, int64_t distance)
      : store(store), load(load), distance(distance) {}

  /// Whether it may be, the iterations of the outer `same` loops being the
  /// same. The next one is a later one for the load if `step` is 1, an earlier
  /// one if it is -1, and any if it is 0.
  bool isPossible(unsigned same, int64_t step) const {
    // The variables: those of the store, and then those of the load alone.
    DenseMap<Value, unsigned> columns[2];
    SmallVector<int64_t> counts;
    auto addVariable = [&](unsigned side, Value variable, int64_t count) {
      if (columns[side].try_emplace(variable, counts.size()).second)
        counts.push_back(count);
    };
    for (const LoopRange &loop : store.loops)
      addVariable(0, loop.variable, loop.count);
    for (auto [i, loop] : llvm::enumerate(load.loops)) {
      if (i < same)
        columns[1][loop.variable] = columns[0].lookup(loop.variable);
      else
        addVariable(1, loop.variable, loop.count);
    }
    // A loop around the nest is at one iteration.
    for (const WorkerTerm &term :
         llvm::concat<const WorkerTerm>(store.begin.terms, load.begin.terms)) {
      bool isAround =
          !llvm::any_of(llvm::concat<const LoopRange>(store.loops, load.loops),
                        [&](const LoopRange &loop) {
                          return loop.variable == term.variable;
                        });
      if (!isAround)
        continue;
      addVariable(0, term.variable, term.count);
      columns[1][term.variable] = columns[0].lookup(term.variable);
    }
    Simplex simplex(counts.size());
    SmallVector<DynamicAPInt> row(counts.size() + 1);
    auto addRow = [&] {
      simplex.addInequality(row);
      llvm::fill(row, DynamicAPInt(0));
    };
    llvm::fill(row, DynamicAPInt(0));
    for (auto [column, count] : llvm::enumerate(counts)) {
      row[column] = 1;
      addRow();
      row[column] = -1;
      row.back() = count - 1;
      addRow();
    }
    if (step != 0) {
      row[columns[1].lookup(load.loops[same].variable)] += step;
      row[columns[0].lookup(store.loops[same].variable)] -= step;
      row.back() = -1;
      addRow();
    }
    auto addBytes = [&](unsigned side, const Offset &begin, int64_t sign) {
      row.back() += DynamicAPInt(begin.constant) * sign;
      for (const WorkerTerm &term : begin.terms)
        row[columns[side].lookup(term.variable)] +=
            DynamicAPInt(term.stride) * sign;
    };
    for (int64_t sign : {1, -1}) {
      addBytes(0, store.begin, -sign);
      addBytes(1, load.begin, sign);
      row.back() += DynamicAPInt(distance) * sign;
      // Less than: bytes are whole.
      row.back() += (sign == 1 ? load.size : store.size) - 1;
      addRow();
    }
    return !simplex.isEmpty();
  }

private:
  const NestAccess &store;
  const NestAccess &load;
  int64_t distance;
};

} // namespace

std::optional<StoredBytes> findStoredBytes(Operation *store, Value stored,
                                           int64_t size, Operation *widest) {
  std::optional<NestAccess> access = findAccess(store, stored, size, widest);
  if (!access)
    return std::nullopt;
  auto &terms = access->begin.terms;
  llvm::sort(terms, [](const WorkerTerm &a, const WorkerTerm &b) {
    return a.stride < b.stride;
  });
  int64_t begin = access->begin.constant;
  Operation *nest = store;
  for (const WorkerTerm &term : terms) {
    if (term.count == 1)
      continue;
    if (term.stride != size || llvm::MulOverflow(size, term.count, size))
      return std::nullopt;
    Operation *loop = term.variable.getOwner()->getParentOp();
    if (!widest->isAncestor(loop))
      return std::nullopt;
    if (loop->isAncestor(nest))
      nest = loop;
  }
  // One that is not repeated writes what it accesses.
  if (nest == store)
    return std::nullopt;
  for (Operation *inner = store->getParentOp(); inner != nest;
       inner = inner->getParentOp())
    if (isa<scf::IfOp, affine::AffineIfOp>(inner))
      return std::nullopt;
  int64_t end;
  if (begin < 0 || llvm::AddOverflow(begin, size, end))
    return std::nullopt;
  return StoredBytes{nest, {begin, end}};
}

bool isStoredBehind(Operation *store, Value stored, Operation *load,
                    Value loaded, Operation *nest, int64_t distance) {
  auto find = [&](Operation *op, Value buffer) -> std::optional<NestAccess> {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    std::optional<int64_t> size =
        type ? getElementBytes(type.getElementType(), DataLayout::closest(op))
             : std::nullopt;
    return size ? findAccess(op, buffer, *size, nest) : std::nullopt;
  };
  std::optional<NestAccess> to = find(store, stored);
  std::optional<NestAccess> from = find(load, loaded);
  if (!to || !from)
    return false;
  Collision collision(*to, *from, distance);
  unsigned loop = 0;
  for (; loop < std::min(to->loops.size(), from->loops.size()) &&
         to->loops[loop].variable == from->loops[loop].variable;
       ++loop) {
    bool isAnyOrder =
        isParallelLoop(to->loops[loop].variable.getOwner()->getParentOp());
    if (collision.isPossible(loop, 1) ||
        (isAnyOrder && collision.isPossible(loop, -1)))
      return false;
  }
  // In one iteration of all loops around both, by the order of the text: of
  // branches of one condition as if both were taken.
  Operation *first = store;
  while (!first->getParentOp()->isAncestor(load))
    first = first->getParentOp();
  Operation *second = first->getBlock()->findAncestorOpInBlock(*load);
  return (second && second->isBeforeInBlock(first)) ||
         !collision.isPossible(loop, 0);
}

} // namespace memplan::verifier
