//===- PartialOverlap.cpp - Loops that overwrite parts of inputs ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem/PartialOverlap.h"

#include "Problem/InPlace.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// The greatest value of `store` * s - `load` * t over iterations s < t of a
/// loop with at least two; with `isParallel` over s != t.
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
  // The contribution of the loops from `first` on, each at any iteration.
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
  // The contribution of the loops outside of loop l, at equal iterations.
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
// Nests
//===----------------------------------------------------------------------===//

namespace {
/// The uses in the nest of an allocation outside of it.
struct NestUses {
  SmallVector<const PlacedAccess *, 2> loads, stores;
  /// It is also used by other ops, or at unknown bytes.
  bool isOther = false;
};

class NestReader {
public:
  NestReader(Operation *nest, const AliasGraph &graph)
      : nest(nest), graph(graph) {}

  /// Collects the uses of memory in the nest.
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
  /// The variables of the loops around the op; std::nullopt if it is unknown
  /// how often an op around it executes it.
  std::optional<SmallVector<NestVariable>> getVariables(Operation *op);
  std::optional<PlacedAccess> match(Operation *op, Value &memref);

  Operation *nest;
  const AliasGraph &graph;
  std::vector<PlacedAccess> accesses;
  llvm::SmallDenseSet<Value> others;
  llvm::DenseMap<Operation *, std::optional<SmallVector<NestVariable, 1>>>
      loops;
};
} // namespace

std::optional<SmallVector<NestVariable>>
NestReader::getVariables(Operation *op) {
  SmallVector<Operation *> around;
  while (op != nest) {
    op = op->getParentOp();
    if (isNestLoop(op))
      around.push_back(op);
    else if (!isNestCondition(op))
      return std::nullopt;
  }
  SmallVector<NestVariable> variables;
  for (Operation *loop : llvm::reverse(around)) {
    auto [it, isNew] = loops.try_emplace(loop);
    if (isNew)
      it->second = readNestLoop(loop);
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
  std::optional<SmallVector<NestVariable>> variables = getVariables(op);
  return variables ? placeAccess(op, *variables) : std::nullopt;
}

void NestReader::visit(Operation *op) {
  if (isa<memref::DimOp>(op))
    return;
  // A view does not access memory; the uses of its result are visited.
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

/// The number of induction variables of the loops around both.
static unsigned countCommon(const PlacedAccess &store, const PlacedAccess &load,
                            Operation *nest) {
  unsigned common = 0;
  for (Operation *op = store.op; op != nest;) {
    op = op->getParentOp();
    if (isNestLoop(op) && op->isAncestor(load.op))
      common += readNestLoop(op)->size();
  }
  return common;
}

/// True if a load may come after a store in one iteration of the loops around
/// both. Two branches of a condition exclude each other, but this is not used.
static bool isStoreFirst(const PlacedAccess &store, const PlacedAccess &load) {
  Operation *first = store.op;
  while (!first->getParentOp()->isAncestor(load.op))
    first = first->getParentOp();
  Operation *second = first->getBlock()->findAncestorOpInBlock(*load.op);
  return !second || first->isBeforeInBlock(second);
}

/// True if both access the same bytes in one iteration of the loops around
/// both.
static bool areSame(const NestAccess &store, const NestAccess &load,
                    unsigned common) {
  auto isZero = [](int64_t stride) { return stride == 0; };
  ArrayRef<int64_t> a = store.strides, b = load.strides;
  return store.begin == load.begin && store.bytes == load.bytes &&
         a.take_front(common) == b.take_front(common) &&
         llvm::all_of(a.drop_front(common), isZero) &&
         llvm::all_of(b.drop_front(common), isZero);
}

/// The greatest displacement that a pair of accesses requires.
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
  /// Limits for one nest, and for two allocations: code that is unrolled beyond
  /// them has hardly any loops.
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
