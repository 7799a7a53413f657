//===- InPlace.cpp - Ops that may overwrite an operand --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/InPlace.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/Nests.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/InPlace.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

/// The allocation that the value is, with all elements in the same order; null
/// if it is not known to be one.
static Operation *findWhole(Value value) {
  for (;;) {
    auto type = dyn_cast<MemRefType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!op || !type || !type.getLayout().isIdentity())
      return nullptr;
    if (asBufferAllocation(op))
      return op;
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
             memref::MemorySpaceCastOp>(op))
      return nullptr;
    value = op->getOperand(0);
  }
}

/// True if both allocations have the same number of elements of the same size,
/// so that element n is at the same bytes if both begin at one byte. Where the
/// number is not known, they must have the same extents.
static bool haveSameElements(Operation *a, Operation *b,
                             llvm::function_ref<bool()> haveSameExtents) {
  auto x = cast<MemRefType>(a->getResult(0).getType());
  auto y = cast<MemRefType>(b->getResult(0).getType());
  DataLayout layout = DataLayout::closest(a);
  auto size = getElementLayout(x.getElementType(), layout);
  auto other = getElementLayout(y.getElementType(), layout);
  return size && other && size->stride == other->stride &&
         x.hasStaticShape() == y.hasStaticShape() &&
         (x.hasStaticShape() ? x.getNumElements() == y.getNumElements()
                             : haveSameExtents());
}

//===----------------------------------------------------------------------===//
// Copies and linalg ops
//===----------------------------------------------------------------------===//

/// True if an op of the body uses a memref, and so may read any element.
static bool touchesMemory(Block *body) {
  return llvm::any_of(*body, [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// The loops that index the dimensions with more than one element, outermost
/// first; std::nullopt if an index is not one loop, or if a loop with several
/// iterations indexes none.
static std::optional<SmallVector<unsigned>>
getLoopsOf(OpOperand &operand, linalg::LinalgOp op,
           ArrayRef<int64_t> iterations) {
  SmallVector<unsigned> loops;
  ArrayRef<int64_t> shape =
      cast<ShapedType>(operand.get().getType()).getShape();
  for (auto [expr, size] : llvm::zip_equal(
           op.getMatchingIndexingMap(&operand).getResults(), shape)) {
    if (size == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || llvm::is_contained(loops, loop.getPosition()))
      return std::nullopt;
    loops.push_back(loop.getPosition());
  }
  for (auto [loop, count] : llvm::enumerate(iterations))
    if (count != 1 && !llvm::is_contained(loops, loop))
      return std::nullopt;
  return loops;
}

/// True if each iteration of the op reads only the element of `read` that it
/// writes of `written`, and the iterations may run in any order.
static bool readsWhatItWrites(linalg::LinalgOp op, Value read, Value written) {
  if (op.getNumLoops() != op.getNumParallelLoops() ||
      touchesMemory(op.getBlock()))
    return false;
  SmallVector<int64_t> iterations = op.getStaticLoopRanges();
  std::optional<SmallVector<unsigned>> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != read && operand.get() != written)
      continue;
    auto own = getLoopsOf(operand, op, iterations);
    if (!own || (loops && *loops != *own))
      return false;
    loops = std::move(own);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Nests of loops
//===----------------------------------------------------------------------===//

namespace {
/// A load or store of one element of a whole allocation.
struct ElementAccess {
  Operation *op;
  /// All indices, and those of dimensions with more than one element.
  SmallVector<OpFoldResult, 4> indices, key;
  /// The sizes of these dimensions.
  SmallVector<int64_t, 4> shape;
};

/// The uses in a nest of an allocation outside of it.
struct NestUse {
  SmallVector<ElementAccess, 1> loads, stores;
  /// It is also used by other ops, or through other values.
  bool isOther = false;
};
} // namespace

/// Sets the memref that the op loads from or stores to, and the indices. False
/// for other ops, and if an index is neither a value nor a constant.
static bool matchElement(Operation *op, Value &memref,
                         SmallVectorImpl<OpFoldResult> &indices) {
  std::optional<IndexedAccess> access = getIndexedAccess(op);
  if (!access)
    return false;
  memref = access->memref;
  if (!access->map) {
    llvm::append_range(indices, access->operands);
  } else {
    for (AffineExpr expr : access->map.getResults()) {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        indices.push_back(
            Builder(op->getContext()).getIndexAttr(constant.getValue()));
      else if (auto dim = dyn_cast<AffineDimExpr>(expr))
        indices.push_back(access->operands[dim.getPosition()]);
      else
        return false;
    }
  }
  for (OpFoldResult &index : indices)
    if (std::optional<int64_t> constant = getConstantNumber(index))
      index = Builder(op->getContext()).getIndexAttr(*constant);
  return true;
}

static llvm::MapVector<Operation *, NestUse>
collectUses(Operation *nest, const AliasGraph &graph) {
  llvm::MapVector<Operation *, NestUse> uses;
  llvm::SmallDenseSet<Value> others;
  auto addOther = [&](Value value) {
    if (!others.insert(value).second)
      return;
    for (AliasGraph::Id source : graph.getPossibleMemory(graph.getId(value)))
      if (Operation *op = graph.getValue(source).getDefiningOp())
        uses[op].isOther = true;
  };
  nest->walk([&](Operation *op) {
    if (isa<memref::DimOp>(op))
      return;
    // A view does not access memory; the uses of its result are visited.
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    Value memref = view ? view.getViewSource() : nullptr;
    ElementAccess access{op, {}, {}, {}};
    // With dynamic extents, equal indices need not be the same element.
    Operation *whole =
        !view && matchElement(op, memref, access.indices) &&
                cast<MemRefType>(memref.getType()).hasStaticShape()
            ? findWhole(memref)
            : nullptr;
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          ((!whole && !view) || operand != memref))
        addOther(operand);
    if (!whole)
      return;
    for (auto [index, size] : llvm::zip_equal(
             access.indices, cast<MemRefType>(memref.getType()).getShape()))
      if (size != 1) {
        access.key.push_back(index);
        access.shape.push_back(size);
      }
    NestUse &use = uses[whole];
    bool isStore = isa<memref::StoreOp, affine::AffineStoreOp>(op);
    (isStore ? use.stores : use.loads).push_back(std::move(access));
  });
  return uses;
}

/// True if no execution of the load in the nest comes after an execution of the
/// store to the same element.
static bool isReadFirst(const ElementAccess &load, const ElementAccess &store,
                        Operation *nest) {
  if (load.key != store.key || load.shape != store.shape)
    return false;
  Operation *first = nullptr, *second = nullptr;
  Block *block = load.op->getBlock();
  for (; !second; block = first->getParentOp()->getBlock()) {
    first = block->findAncestorOpInBlock(*load.op);
    second = block->findAncestorOpInBlock(*store.op);
    if (second)
      break;
  }
  if (first == second || !first->isBeforeInBlock(second))
    return false;
  for (auto [access, last] :
       {std::make_pair(load.op, first), std::make_pair(store.op, second)})
    for (Operation *op = access; op != last;) {
      op = op->getParentOp();
      if (!isNestLoop(op) && !isNestCondition(op))
        return false;
    }
  // The loops and conditions around both.
  for (Operation *op = block->getParentOp();; op = op->getParentOp()) {
    if (!isNestCondition(op)) {
      if (!isNestLoop(op))
        return false;
      auto variables = cast<LoopLikeOpInterface>(op).getLoopInductionVars();
      if (!variables)
        return false;
      auto bounds = readNestLoop(op);
      for (auto [i, variable] : llvm::enumerate(*variables))
        if (!(bounds && (*bounds)[i].loop.trips == 1) &&
            (!llvm::is_contained(load.indices, OpFoldResult(variable)) ||
             !llvm::is_contained(store.indices, OpFoldResult(variable))))
          return false;
    }
    if (op == nest)
      return true;
  }
}

bool memplan::isNest(Operation *op) {
  return isNestLoop(op) &&
         !(isNestLoop(op->getParentOp()) &&
           llvm::none_of(*op->getBlock(), [](Operation &sibling) {
             return asBufferAllocation(&sibling);
           }));
}

static void findInNest(Operation *nest, const AliasGraph &graph,
                       llvm::function_ref<bool(Operation *)> mayEnd,
                       llvm::function_ref<bool(Operation *)> mayBegin,
                       SmallVectorImpl<InPlaceOp> &pairs) {
  /// Limit for one nest: code that is unrolled beyond it has hardly any loops.
  constexpr size_t kMaxAccesses = 64;
  SmallVector<std::pair<Operation *, NestUse *>> read, written;
  auto uses = collectUses(nest, graph);
  for (auto &[allocation, use] : uses) {
    if (use.isOther || nest->isAncestor(allocation) ||
        use.loads.size() + use.stores.size() > kMaxAccesses)
      continue;
    if (use.stores.empty() && mayEnd(allocation))
      read.push_back({allocation, &use});
    else if (!use.stores.empty() && mayBegin(allocation))
      written.push_back({allocation, &use});
  }
  for (const auto &entry : written)
    for (const auto &[source, loaded] : read) {
      const NestUse *stored = entry.second;
      auto isFirst = [&, uses = loaded](const ElementAccess &store) {
        return llvm::all_of(uses->loads, [&](const ElementAccess &load) {
          return isReadFirst(load, store, nest);
        });
      };
      if (haveSameElements(source, entry.first, [] { return false; }) &&
          llvm::all_of(stored->stores, isFirst))
        pairs.push_back({nest, source, entry.first, InPlaceReason::LoopNest});
    }
}

/// True if the op declares it for all operands that are the two values.
static bool isDeclared(Operation *op, FunctionOpInterface callee, Value read,
                       Value written) {
  for (OpOperand &from : op->getOpOperands())
    for (OpOperand &to : op->getOpOperands())
      if (from.get() == read && to.get() == written &&
          !declaresInPlace(op, callee, from, to))
        return false;
  return true;
}

SmallVector<InPlaceOp, 2>
memplan::findInPlace(Operation *op, FunctionOpInterface callee,
                     const AliasGraph &graph, CongruentSizes &sizes,
                     llvm::function_ref<bool(Operation *)> mayEnd,
                     llvm::function_ref<bool(Operation *)> mayBegin) {
  SmallVector<InPlaceOp, 2> pairs;
  SmallVector<Value, 4> read;
  SmallVector<Value, 1> written;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    read.push_back(copy.getSource());
    written.push_back(copy.getTarget());
  } else if (structured && structured.hasPureBufferSemantics()) {
    read = structured.getDpsInputs();
    llvm::append_range(written, structured.getDpsInits());
  } else if (mayDeclareInPlace(op)) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        read.push_back(operand);
    llvm::append_range(written, read);
  } else if (isNest(op)) {
    findInNest(op, graph, mayEnd, mayBegin, pairs);
  }
  bool declares = mayDeclareInPlace(op);
  InPlaceReason reason = declares     ? InPlaceReason::Declared
                         : structured ? InPlaceReason::Elementwise
                                      : InPlaceReason::Copy;
  for (Value to : written) {
    Operation *target = findWhole(to);
    if (!target || !mayBegin(target))
      continue;
    for (Value from :
         llvm::SmallSetVector<Value, 4>(read.begin(), read.end())) {
      Operation *source = findWhole(from);
      auto haveSameExtents = [&] {
        return !declares && sizes.haveSameExtents(from, to);
      };
      if (!source || source == target || !mayEnd(source) ||
          !haveSameElements(source, target, haveSameExtents) ||
          (declares
               ? !isDeclared(op, callee, from, to)
               : llvm::is_contained(written, from) ||
                     (structured && !readsWhatItWrites(structured, from, to))))
        continue;
      AliasGraph::Id a = graph.getId(source->getResult(0));
      AliasGraph::Id b = graph.getId(target->getResult(0));
      // Through another operand the op might read other elements of them.
      bool isElsewhere = llvm::any_of(op->getOperands(), [&](Value other) {
        if (other == from || other == to ||
            !isa<BaseMemRefType>(other.getType()))
          return false;
        SmallVector<AliasGraph::Id> sources =
            graph.getPossibleMemory(graph.getId(other));
        return llvm::is_contained(sources, a) || llvm::is_contained(sources, b);
      });
      if (!isElsewhere)
        pairs.push_back({op, source, target, reason});
    }
  }
  return pairs;
}
