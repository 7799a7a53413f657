//===- DoubleBuffer.cpp - Tiles that are copied in ahead ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/DoubleBuffer.h"

#include "Prepare/Accesses.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace memplan;

/// The memref that the value is a view of.
static Value findRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = getViewSource(op);
    if (!source)
      break;
    value = source;
  }
  return value;
}

static bool isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
         argument.getOwner()->isEntryBlock();
}

static bool hasNoAlias(Value value) {
  auto argument = cast<BlockArgument>(value);
  return cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
             .getArgAttr(argument.getArgNumber(),
                         LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
}

/// True if the root of the source is never the same memory as the other memref.
static bool areApart(Value source, Value written,
                     llvm::SmallPtrSetImpl<Value> &visited) {
  written = findRoot(written);
  if (source == written)
    return false;
  if (!visited.insert(written).second)
    return true;
  // What a loop carries.
  auto argument = dyn_cast<BlockArgument>(written);
  auto carrying = argument
                      ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                      : written.getDefiningOp<scf::ForOp>();
  if (carrying) {
    unsigned number =
        argument ? argument.getArgNumber() - carrying.getNumInductionVars()
                 : cast<OpResult>(written).getResultNumber();
    return areApart(source, carrying.getInitArgs()[number], visited) &&
           areApart(source, carrying.getYieldedValues()[number], visited);
  }
  bool isFresh = isa_and_present<memref::AllocOp, memref::AllocaOp>(
      written.getDefiningOp());
  bool isSourceFresh = isa_and_present<memref::AllocOp, memref::AllocaOp>(
      source.getDefiningOp());
  if (isSourceFresh)
    return isFresh || isArgument(written);
  // Another source, such as the result of a branch, may be the allocation.
  if (isFresh)
    return isArgument(source) ||
           isa_and_present<memref::GetGlobalOp>(source.getDefiningOp());
  return isArgument(source) && isArgument(written) &&
         (hasNoAlias(source) || hasNoAlias(written));
}

/// An op of the loop that may write, or free, memory of the source; null if
/// there is none.
static Operation *findWriter(scf::ForOp loop, Value source) {
  Operation *writer = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // The walk visits the ops of its regions.
    bool isKnown = interface || isMemoryEffectFree(op) ||
                   op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    if (!isKnown || mayGoOn(op)) {
      writer = op;
      return WalkResult::interrupt();
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
        continue;
      Value memory = effect.getValue();
      llvm::SmallPtrSet<Value, 8> visited;
      if (!memory || !isa<BaseMemRefType>(memory.getType()) ||
          !areApart(source, memory, visited)) {
        writer = op;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return writer;
}

/// The ops of the body that make the value, in order; false if they are not
/// pure, or depend on more than the counter of the loop.
static bool collectSlice(scf::ForOp loop, Value value,
                         SmallVectorImpl<Operation *> &slice) {
  Block *body = loop.getBody();
  llvm::SmallSetVector<Operation *, 8> found;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (next == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getBlock() != body || op->getNumRegions() != 0 ||
        !isPure(op))
      return false;
    if (found.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
  llvm::append_range(slice, found);
  llvm::sort(slice,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return true;
}

/// True if the bounds are constants, there are two iterations or more, and the
/// counter behind the last one does not overflow.
static bool hasKnownBounds(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  auto first = getConstantIntValue(loop.getLowerBound());
  auto step = getConstantIntValue(loop.getStep());
  constexpr int64_t limit = int64_t(1) << 31;
  return loop.getInductionVar().getType().isIndex() && !loop.getUnsignedCmp() &&
         trips && first && step && *first >= 0 && *first < limit && *step > 0 &&
         *step < limit && trips->ugt(1) && trips->ult(limit) &&
         getConstantIntValue(loop.getUpperBound()).value_or(limit) < limit;
}

/// The loop with its tile, if all conditions hold but that on writes.
static std::optional<TiledLoop> matchTile(scf::ForOp loop, memref::AllocOp tile,
                                          const SpacePair &spaces) {
  MemRefType type = tile.getType();
  if (type.getMemorySpace() != spaces.fast || !type.hasStaticShape() ||
      !isAllocation(tile))
    return std::nullopt;
  TiledLoop tiled{loop, tile, nullptr, {}, nullptr};
  for (const Access &access : collectAccesses(tile)) {
    Operation *op = access.use->getOwner();
    if (isa<memref::DeallocOp>(op)) {
      if (tiled.deallocation || access.place != op ||
          access.use->get() != tile.getResult())
        return std::nullopt;
      tiled.deallocation = op;
      continue;
    }
    if (!access.place || !keepsNoName(*access.use) ||
        !cast<MemRefType>(access.use->get().getType()).hasStaticShape())
      return std::nullopt;
    if (tiled.copy)
      continue;
    tiled.copy = dyn_cast<memref::CopyOp>(op);
    if (!tiled.copy || access.place != op ||
        tiled.copy.getTarget() != tile.getResult())
      return std::nullopt;
  }
  if (!tiled.copy)
    return std::nullopt;
  auto source = dyn_cast<MemRefType>(tiled.copy.getSource().getType());
  Value root = findRoot(tiled.copy.getSource());
  if (!source || source.getMemorySpace() != spaces.slow ||
      !loop.isDefinedOutsideOfLoop(root) ||
      !collectSlice(loop, tiled.copy.getSource(), tiled.slice))
    return std::nullopt;
  return tiled;
}

std::vector<TiledLoop> memplan::findTiledLoops(FunctionOpInterface function,
                                               const SpacePair &spaces,
                                               bool explains) {
  std::vector<TiledLoop> found;
  function->walk([&](scf::ForOp loop) {
    if (!hasKnownBounds(loop) || mayGoOn(loop))
      return;
    for (auto tile : loop.getBody()->getOps<memref::AllocOp>()) {
      std::optional<TiledLoop> tiled = matchTile(loop, tile, spaces);
      if (!tiled)
        continue;
      Value root = findRoot(tiled->copy.getSource());
      auto get = root.getDefiningOp<memref::GetGlobalOp>();
      auto global =
          get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                    get, get.getNameAttr())
              : memref::GlobalOp();
      bool isConstant = global && global.getConstant();
      if (Operation *writer = isConstant ? nullptr : findWriter(loop, root)) {
        if (!explains)
          continue;
        InFlightDiagnostic remark =
            emitRemark(tile.getLoc())
            << "the tile is not copied in ahead: its source may be written in "
               "the loop";
        remark.attachNote(writer->getLoc()) << "by this op";
        continue;
      }
      found.push_back(std::move(*tiled));
    }
  });
  return found;
}

void memplan::doubleBuffer(TiledLoop &tiled) {
  scf::ForOp loop = tiled.loop;
  IRRewriter rewriter(loop.getContext());
  auto copyTo = [&](Value target, Value counter) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), counter);
    for (Operation *op : tiled.slice)
      rewriter.clone(*op, mapping);
    memref::CopyOp::create(rewriter, tiled.copy.getLoc(),
                           mapping.lookupOrDefault(tiled.copy.getSource()),
                           target);
  };
  rewriter.setInsertionPoint(loop);
  Value first = rewriter.clone(*tiled.tile)->getResult(0);
  copyTo(first, loop.getLowerBound());

  Location loc = tiled.copy.getLoc();
  rewriter.setInsertionPointToStart(loop.getBody());
  Value next = rewriter.clone(*tiled.tile)->getResult(0);
  Value counter = arith::AddIOp::create(rewriter, loc, loop.getInductionVar(),
                                        loop.getStep());
  Value isInside = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, counter, loop.getUpperBound());
  auto branch =
      scf::IfOp::create(rewriter, loc, isInside, /*withElseRegion=*/false);
  rewriter.setInsertionPointToStart(&branch.getThenRegion().front());
  copyTo(next, counter);

  rewriter.setInsertionPoint(loop);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{next};
      });
  // Loops of scf can always yield more.
  if (failed(replaced))
    return;
  auto carrying = cast<scf::ForOp>(replaced->getOperation());
  rewriter.eraseOp(tiled.copy);
  rewriter.replaceOp(tiled.tile, carrying.getRegionIterArgs().back());
  for (Operation *op : llvm::reverse(tiled.slice))
    if (op->use_empty())
      rewriter.eraseOp(op);
  if (!tiled.deallocation)
    return;
  rewriter.setInsertionPointAfter(carrying);
  memref::DeallocOp::create(rewriter, tiled.deallocation->getLoc(),
                            carrying.getResults().back());
}
