//===- SinkFills.cpp - Fills where they are needed ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization makes one buffer of a tensor of zeros that many ops begin with,
// and a copy of it for each but the last: the zeros are live all the time.
//
//===----------------------------------------------------------------------===//

#include "Prepare/SinkFills.h"

#include "memplan/Analysis/Copies.h"
#include "memplan/Analysis/Nests.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Analysis/ProgramOrder.h"
#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <deque>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANSINKFILLS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
/// A use of the buffer, or of a view of it, by something else than a view.
struct Access {
  /// The op of the allocation's block that it is in; null behind the block.
  Operation *place;
  OpOperand *use;
};

/// An op that writes one value to all elements of a memref, and does nothing
/// else: linalg.fill, or a nest of loops.
struct Fill {
  Operation *op;
  Value target;
  /// That the target is all of.
  Operation *allocation;
};

/// A fill, and what becomes of it.
struct Sinking {
  Fill fill;
  /// Copies that become fills.
  SmallVector<Operation *, 2> copies = {};
  /// The first op that accesses the buffer otherwise; null if none does.
  Operation *needed = nullptr;
};
} // namespace

static bool isAllocation(Operation *op) {
  return isa_and_present<memref::AllocOp, memref::AllocaOp>(op);
}

/// The allocation that the memref is all of; null if that is not known.
static Operation *findWhole(Value memref) {
  if (isAllocation(memref.getDefiningOp()))
    return memref.getDefiningOp();
  Value root = findWholeRoot(memref);
  Operation *allocation = root ? root.getDefiningOp() : nullptr;
  return isAllocation(allocation) ? allocation : nullptr;
}

/// The nest that fills an allocation and does nothing else but what the store
/// in it does; nothing if there is none.
static std::optional<Fill> matchFillingNest(Operation *store) {
  std::optional<OverwritingNest> written = findOverwritingNest(store);
  if (!written || written->nest == store || !isAllocation(written->allocation))
    return std::nullopt;
  Operation *nest = written->nest;
  auto isOutside = [&](Value value) {
    return !nest->isAncestor(value.getParentBlock()->getParentOp());
  };
  Value target = getIndexedAccess(store)->memref;
  // One value: what is computed for each element may cost more than a copy.
  if (!isOutside(target) || !isOutside(store->getOperand(0)) ||
      nest->getNumResults() > 0)
    return std::nullopt;
  WalkResult walk = nest->walk([&](Operation *op) {
    // What is mapped to threads is done at its place.
    bool isPart = op == store || isMemoryEffectFree(op) ||
                  isa<scf::ForOp, affine::AffineForOp>(op) ||
                  isParallelLoop(op);
    return isPart ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return Fill{nest, target, written->allocation};
}

/// The fill that the op writes to an allocation, or is the store of.
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

/// True for an op that is nothing but a fill.
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

/// A view that neither reads nor writes, of memory in one space.
static bool isPlainView(OpOperand &use) {
  Operation *op = use.getOwner();
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  if (!view || view.getViewSource() != use.get() || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return false;
  auto from = dyn_cast<MemRefType>(use.get().getType());
  auto to = dyn_cast<MemRefType>(op->getResult(0).getType());
  return from && to && from.getMemorySpace() == to.getMemorySpace();
}

static bool isShapeQuery(Operation *op) {
  return isa<memref::DimOp, memref::RankOp>(op);
}

/// True if the op, or one around it, may go on when control is behind it, or is
/// run by many threads.
static bool mayGoOn(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isOfDevice(op) || startsAsyncWork(op))
      return true;
  return false;
}

/// True if the order of the ops that access the allocation is that of the
/// program. Bufferization may move what is done with it together with tensors,
/// and threads that have it in common wait for each other.
static bool isInOrder(Operation *allocation, ArrayRef<Access> accesses) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  return !isWorkgroupSpace(type.getMemorySpace()) && !mayGoOn(allocation) &&
         llvm::none_of(accesses, [&](const Access &access) {
           Operation *op = access.use->getOwner();
           return llvm::any_of(op->getOperandTypes(), isTensor) ||
                  llvm::any_of(op->getResultTypes(), isTensor);
         });
}

/// What the op does with the operand; nothing if that is not known, or may go
/// on behind the op, or gives the operand another name.
static SmallVector<MemoryEffects::EffectInstance> getEffects(OpOperand &use) {
  Operation *op = use.getOwner();
  SmallVector<MemoryEffects::EffectInstance> effects;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (interface && !isa<CallOpInterface>(op) && !mayGoOn(op) &&
      !op->hasTrait<OpTrait::IsTerminator>() &&
      llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    interface.getEffectsOnValue(use.get(), effects);
  return effects;
}

/// True for an op that reads through the operand, or only looks at its shape.
static bool onlyReads(OpOperand &use) {
  SmallVector<MemoryEffects::EffectInstance> effects = getEffects(use);
  return isShapeQuery(use.getOwner()) ||
         (!effects.empty() &&
          llvm::all_of(effects,
                       [](const MemoryEffects::EffectInstance &effect) {
                         return isa<MemoryEffects::Read>(effect.getEffect());
                       }));
}

/// True for an op that gives the operand no further name.
static bool keepsNoName(OpOperand &use) {
  return isShapeQuery(use.getOwner()) || !getEffects(use).empty();
}

/// All uses of the allocation, in the order of its block.
static SmallVector<Access> collectAccesses(Operation *allocation) {
  SmallVector<Access> accesses;
  SmallVector<Value> names = {allocation->getResult(0)};
  Block *block = allocation->getBlock();
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      if (isPlainView(use))
        names.push_back(use.getOwner()->getResult(0));
      else
        accesses.push_back(
            {block->findAncestorOpInBlock(*use.getOwner()), &use});
    }
  llvm::stable_sort(accesses, [](const Access &a, const Access &b) {
    if (!a.place || !b.place || a.place == b.place)
      return a.place && !b.place;
    return a.place->isBeforeInBlock(b.place);
  });
  return accesses;
}

/// The target of a copy of what the operand is, if the fill may be there
/// instead.
static Value findFillable(OpOperand &use, const Fill &fill) {
  std::optional<PlainCopy> copy = matchPlainCopy(use.getOwner());
  if (!copy || mayGoOn(use.getOwner()) || copy->source != use.get() ||
      copy->target == use.get())
    return Value();
  auto from = dyn_cast<MemRefType>(copy->source.getType());
  auto to = dyn_cast<MemRefType>(copy->target.getType());
  // A view may take the bytes for elements of another type.
  auto filled = cast<MemRefType>(fill.target.getType());
  if (!from || !to || from.getMemorySpace() != to.getMemorySpace() ||
      filled.getElementType() != to.getElementType())
    return Value();
  // The indices of a nest are those of one shape.
  return isa<linalg::FillOp>(fill.op) || filled.getShape() == to.getShape()
             ? copy->target
             : Value();
}

/// The fills of the allocation of which something can be made.
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
    Operation *place = rest.front().place;
    ArrayRef<Access> here = rest.take_while(
        [&](const Access &access) { return access.place == place; });
    rest = rest.drop_front(here.size());
    std::optional<Fill> fill = here.size() == 1
                                   ? matchFill(here.front().use->getOwner())
                                   : std::nullopt;
    if (fill && fill->op == place && fill->allocation == allocation) {
      // Nobody reads what was filled in before, if nobody has read it yet.
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
    bool onlyFrees = llvm::all_of(here, [](const Access &access) {
      return isa<memref::DeallocOp>(access.use->getOwner());
    });
    finish(place ? (onlyFrees ? nullptr : place)
                 : allocation->getBlock()->getTerminator());
    // By another name it may be written where this does not show.
    if (!place || !llvm::all_of(here, [](const Access &access) {
          return keepsNoName(*access.use);
        }))
      break;
  }
  finish(nullptr);
  return found;
}

/// True if between the two something may happen that takes memory.
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

/// Calls `visit` with the allocations that are filled, of functions that are
/// not planned and in which the order of the ops is all there is to say of when
/// they run, until it returns false.
static void walkFilled(ModuleOp module,
                       llvm::function_ref<bool(Operation *)> visit) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (function && hasArena(function))
      return WalkResult::skip();
    if (function &&
        op->walk([](Operation *inner) {
            return inner->hasAttr(MemplanDialect::kStepAttr) ||
                           inner->hasAttr(MemplanDialect::kStreamAttr)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          }).wasInterrupted())
      return WalkResult::skip();
    std::optional<Fill> fill = matchFill(op);
    if (fill && fill->allocation->getBlock() == fill->op->getBlock() &&
        !visit(fill->allocation))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
}

bool memplan::hasFillsToSink(ModuleOp module) {
  bool found = false;
  llvm::DenseSet<Operation *> seen;
  walkFilled(module, [&](Operation *allocation) {
    found = seen.insert(allocation).second &&
            llvm::any_of(findSinkings(allocation), changesAnything);
    return !found;
  });
  return found;
}

/// Makes what was found of the fill; calls `filled` with the targets of copies.
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

/// Erases the allocation if all that becomes of it is that it is freed.
static void eraseUnused(Operation *allocation) {
  if (!llvm::all_of(allocation->getUsers(), llvm::IsaPred<memref::DeallocOp>))
    return;
  for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
    user->erase();
  allocation->erase();
}

/// What the verifier says against the function, and where; nothing if it proves
/// that it does what the original did.
static std::optional<std::pair<Location, std::string>>
findComplaint(FunctionOpInterface original, FunctionOpInterface function) {
  std::optional<std::pair<Location, std::string>> complaint;
  ScopedDiagnosticHandler capture(
      function->getContext(), [&](Diagnostic &diagnostic) {
        if (!complaint)
          complaint.emplace(diagnostic.getLocation(), diagnostic.str());
        return success();
      });
  if (succeeded(checkFills(original, function)))
    return std::nullopt;
  return complaint;
}

LogicalResult memplan::sinkFills(ModuleOp module, bool refusalIsError) {
  if (!hasFillsToSink(module))
    return success();
  IRMapping copies;
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(module->clone(copies));
  // In the order of the program, as what is copied becomes filled.
  std::deque<Operation *> pending;
  llvm::DenseSet<Operation *> isPending;
  llvm::MapVector<Operation *, llvm::SetVector<Operation *>> changed;
  auto add = [&](Operation *allocation) {
    if (isPending.insert(allocation).second)
      pending.push_back(allocation);
    return true;
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
  for (auto &[op, allocations] : changed) {
    auto function = cast<FunctionOpInterface>(op);
    auto original = cast<FunctionOpInterface>(copies.lookup(op));
    auto complaint = findComplaint(original, function);
    if (!complaint) {
      llvm::for_each(allocations, eraseUnused);
      continue;
    }
    InFlightDiagnostic diagnostic = refusalIsError
                                        ? emitError(function.getLoc())
                                        : emitWarning(function.getLoc());
    diagnostic << "the fills of @" << function.getName()
               << " stay where they are: that they may move failed "
                  "verification: "
               << complaint->second;
    diagnostic.attachNote(complaint->first) << complaint->second;
    if (refusalIsError)
      return failure();
    function.getFunctionBody().takeBody(original.getFunctionBody());
  }
  return success();
}

namespace {
struct SinkFillsPass : memplan::impl::MemplanSinkFillsBase<SinkFillsPass> {
  using MemplanSinkFillsBase::MemplanSinkFillsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanSinkFillsBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    if (failed(sinkFills(getOperation(), /*refusalIsError=*/false)))
      signalPassFailure();
  }
};
} // namespace
