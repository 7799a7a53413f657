//===- SinkFills.cpp - Move fills to the first use ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If many ops start from one tensor of zeros, bufferization fills one buffer
// and copies it for each op but the last. The zeros are live until then.
//
//===----------------------------------------------------------------------===//

#include "Prepare/SinkFills.h"

#include "Prepare/Accesses.h"
#include "memplan/Analysis/Copies.h"
#include "memplan/Analysis/Nests.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <deque>

using namespace mlir;
using namespace memplan;

namespace {
/// An op that writes one value to all elements of a memref, and does nothing
/// else: linalg.fill, or a nest of loops.
struct Fill {
  Operation *op;
  Value target;
  /// The allocation; `target` is all of it.
  Operation *allocation;
};

/// A fill, and the changes to make.
struct Sinking {
  Fill fill;
  /// Copies that become fills.
  SmallVector<Operation *, 2> copies = {};
  /// The first op that accesses the buffer otherwise; null if none does.
  Operation *needed = nullptr;
};
} // namespace

/// The allocation of which the memref is known to be all; otherwise null.
static Operation *findWhole(Value memref) {
  if (isAllocation(memref.getDefiningOp()))
    return memref.getDefiningOp();
  // The check of contents follows views of constant extents only.
  Value root = findWholeRoot(memref);
  bool isStatic = root && cast<MemRefType>(root.getType()).hasStaticShape();
  Operation *allocation = isStatic ? root.getDefiningOp() : nullptr;
  return isAllocation(allocation) ? allocation : nullptr;
}

/// The nest around `store` if it fills an allocation with one value and has no
/// other effect.
static std::optional<Fill> matchFillingNest(Operation *store) {
  std::optional<OverwritingNest> written = findOverwritingNest(store);
  if (!written || written->nest == store || !isAllocation(written->allocation))
    return std::nullopt;
  Operation *nest = written->nest;
  auto isOutside = [&](Value value) {
    return !nest->isAncestor(value.getParentBlock()->getParentOp());
  };
  Value target = getIndexedAccess(store)->memref;
  // The value comes from outside the nest: computing it for each element may
  // cost more than a copy.
  if (!isOutside(target) || !isOutside(store->getOperand(0)) ||
      nest->getNumResults() > 0)
    return std::nullopt;
  WalkResult walk = nest->walk([&](Operation *op) {
    // Loops that are mapped to threads do not move.
    bool isPart = op == store || isMemoryEffectFree(op) ||
                  isa<scf::ForOp, affine::AffineForOp>(op) ||
                  isParallelLoop(op);
    return isPart ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return Fill{nest, target, written->allocation};
}

/// The fill that the op is, or whose store the op is.
static std::optional<Fill> matchFill(Operation *op) {
  auto fill = dyn_cast<linalg::FillOp>(op);
  if (!fill)
    return matchFillingNest(op);
  if (!fill.hasPureBufferSemantics())
    return std::nullopt;
  Value target = fill.getOutputs()[0];
  Operation *allocation = findWhole(target);
  return allocation ? std::optional(Fill{fill, target, allocation})
                    : std::nullopt;
}

/// True for a linalg.fill, and for a nest of loops that is a fill.
static bool isFill(Operation *op) {
  if (isa<linalg::FillOp>(op))
    return true;
  if (!isNestLoop(op))
    return false;
  std::optional<Fill> fill;
  op->walk([&](Operation *inner) {
    std::optional<IndexedAccess> access = getIndexedAccess(inner);
    if (access)
      fill = matchFillingNest(inner);
    return access ? WalkResult::interrupt() : WalkResult::advance();
  });
  return fill && fill->op == op;
}

/// True if each index of the store in the nest is a different loop variable
/// that covers its dimension. The nest then fills any memref of this shape.
static bool storesAtVariables(Operation *nest) {
  std::optional<IndexedAccess> access;
  nest->walk([&](Operation *op) {
    if (std::optional<IndexedAccess> found = getIndexedAccess(op))
      access = found;
  });
  if (access->map &&
      (!access->map.isIdentity() || access->map.getNumSymbols() > 0))
    return false;
  llvm::DenseMap<Value, int64_t> trips;
  nest->walk([&](Operation *op) {
    if (auto variables = isNestLoop(op) ? readNestLoop(op) : std::nullopt)
      for (const NestVariable &variable : *variables)
        if (variable.begin == 0 && variable.step == 1)
          trips[variable.value] = variable.loop.trips;
  });
  ArrayRef<int64_t> shape =
      cast<MemRefType>(access->memref.getType()).getShape();
  for (auto [index, size] : llvm::zip_equal(access->operands, shape)) {
    if (size == 1)
      continue;
    auto it = trips.find(index);
    if (it == trips.end() || it->second != size)
      return false;
    trips.erase(it);
  }
  return true;
}

/// If `use` is the source of a copy that a fill of the copy's target can
/// replace, the target; otherwise null.
static Value findFillable(OpOperand &use, const Fill &fill) {
  std::optional<PlainCopy> copy = matchPlainCopy(use.getOwner());
  if (!copy || mayGoOn(use.getOwner()) || copy->source != use.get() ||
      copy->target == use.get())
    return Value();
  auto from = dyn_cast<MemRefType>(copy->source.getType());
  auto to = dyn_cast<MemRefType>(copy->target.getType());
  // A view may reinterpret the bytes as elements of another type.
  auto filled = cast<MemRefType>(fill.target.getType());
  if (!from || !to || from.getMemorySpace() != to.getMemorySpace() ||
      filled.getElementType() != to.getElementType())
    return Value();
  // The indices of a nest fit one shape. If they are not plain variables, they
  // also fit only a whole allocation.
  bool isFillable = isa<linalg::FillOp>(fill.op) ||
                    (filled.getShape() == to.getShape() &&
                     (findWhole(copy->target) || storesAtVariables(fill.op)));
  return isFillable ? copy->target : Value();
}

/// The fills of the allocation, each with the changes that are possible.
static SmallVector<Sinking> findSinkings(Operation *allocation) {
  SmallVector<Sinking> found;
  SmallVector<Access> accesses = collectAccesses(allocation);
  if (!isInOrder(allocation, accesses))
    return found;
  std::optional<Sinking> current;
  auto finish = [&](Operation *needed) {
    if (!current)
      return;
    if (!current->needed)
      current->needed = needed;
    found.push_back(*std::exchange(current, std::nullopt));
  };
  ArrayRef<Access> rest = accesses;
  while (!rest.empty()) {
    ArrayRef<Access> here = takePlace(rest);
    Operation *place = here.front().place;
    std::optional<Fill> fill = here.size() == 1
                                   ? matchFill(here.front().use->getOwner())
                                   : std::nullopt;
    if (fill && fill->op == place && fill->allocation == allocation) {
      // No op reads the previous fill after this one.
      finish(nullptr);
      current = Sinking{*fill};
      continue;
    }
    auto isFillable = [&](const Access &access) {
      return current && findFillable(*access.use, current->fill);
    };
    bool changes = !place || llvm::any_of(here, [&](const Access &access) {
      return !onlyReads(*access.use) && !isFillable(access);
    });
    if (!changes && current)
      for (const Access &access : here) {
        if (isFillable(access))
          current->copies.push_back(access.use->getOwner());
        else if (!current->needed && !isShapeQuery(access.use->getOwner()))
          current->needed = place;
      }
    if (!changes)
      continue;
    // A buffer that is freed conditionally may still be read on the other path.
    bool onlyFrees = llvm::all_of(here, [&](const Access &access) {
      return isa<memref::DeallocOp>(access.use->getOwner()) &&
             access.use->getOwner() == place;
    });
    finish(place ? (onlyFrees ? nullptr : place)
                 : allocation->getBlock()->getTerminator());
    // Through a name that cannot be followed, any later op may write it.
    if (!place || !llvm::all_of(here, [](const Access &access) {
          return keepsNoName(*access.use);
        }))
      break;
  }
  finish(nullptr);
  return found;
}

/// True if some op between the two may need memory; also if there are more than
/// 64 ops.
static bool isWorthMoving(Operation *from, Operation *to) {
  constexpr int kMostOps = 64;
  int count = 0;
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (++count > kMostOps ||
        (!isAllocation(op) && !isMemoryEffectFree(op) && !isFill(op)))
      return true;
  return false;
}

static bool changesAnything(const Sinking &sinking) {
  return !sinking.copies.empty() || !sinking.needed ||
         isWorthMoving(sinking.fill.op, sinking.needed);
}

/// Calls `visit` with the allocations that are filled.
static void walkFilled(ModuleOp module,
                       llvm::function_ref<void(Operation *)> visit) {
  walkOrderedFunctions(module, [&](FunctionOpInterface function) {
    function.walk([&](Operation *op) {
      std::optional<Fill> fill = matchFill(op);
      if (fill && fill->allocation->getBlock() == fill->op->getBlock())
        visit(fill->allocation);
    });
  });
}

bool memplan::hasFillsToSink(ModuleOp module) {
  bool found = false;
  llvm::DenseSet<Operation *> seen;
  walkFilled(module, [&](Operation *allocation) {
    if (!found && seen.insert(allocation).second)
      found = llvm::any_of(findSinkings(allocation), changesAnything);
  });
  return found;
}

/// Makes the changes; calls `filled` with the target of each copy that became a
/// fill.
static void apply(const Sinking &sinking,
                  llvm::function_ref<void(Value)> filled) {
  const Fill &fill = sinking.fill;
  auto linalgFill = dyn_cast<linalg::FillOp>(fill.op);
  for (Operation *copy : sinking.copies) {
    Value target = matchPlainCopy(copy)->target;
    OpBuilder builder(copy);
    if (linalgFill) {
      linalg::FillOp::create(builder, copy->getLoc(), linalgFill.getInputs(),
                             ValueRange(target));
    } else {
      IRMapping mapping;
      mapping.map(fill.target, target);
      // The target may be less aligned.
      builder.clone(*fill.op, mapping)->walk([](memref::StoreOp store) {
        store.removeAlignmentAttr();
      });
    }
    copy->erase();
    filled(target);
  }
  if (sinking.needed)
    OpBuilder(sinking.needed).clone(*fill.op);
  fill.op->erase();
}

void memplan::sinkFills(ModuleOp module, ChangedAllocations &changed) {
  // A target of a copy becomes filled in turn, so this goes in program order.
  std::deque<Operation *> pending;
  llvm::DenseSet<Operation *> isPending;
  auto add = [&](Operation *allocation) {
    if (isPending.insert(allocation).second)
      pending.push_back(allocation);
  };
  walkFilled(module, add);
  while (!pending.empty()) {
    Operation *allocation = pending.front();
    pending.pop_front();
    isPending.erase(allocation);
    for (const Sinking &sinking : findSinkings(allocation)) {
      if (!changesAnything(sinking))
        continue;
      changed[allocation->getParentOfType<FunctionOpInterface>()].insert(
          allocation);
      apply(sinking, [&](Value target) {
        if (Operation *filled = findWhole(target))
          add(filled);
      });
    }
  }
}
