//===- Lowering.cpp - The lowered program is the planned one --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops with effects, ops with regions and terminators are matched one by one, in
// order; an op of memplan with what it stands for. A pure op and a placement
// are matched when one of their results is used: where they stand does not
// matter for the bytes that the lowered program uses.
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"

#include "SameAttributes.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Strides.h"
#include "memplan/Verifier/Flow.h"
#include "memplan/Verifier/NestAccess.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;
using namespace memplan::verifier;

namespace {

bool isPureComputation(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         isMemoryEffectFree(op);
}

/// Attributes that lowering keeps.
DictionaryAttr getKeptAttrs(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  for (StringRef name :
       {MemplanDialect::kObserveAttr, MemplanDialect::kPointAttr,
        MemplanDialect::kObservedAttr})
    attributes.erase(name);
  return attributes.getDictionary(op->getContext());
}

bool isSameOp(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getNumOperands() == b->getNumOperands() &&
         a->getNumRegions() == b->getNumRegions() &&
         a->getResultTypes() == b->getResultTypes() &&
         (haveSameAttributes(a, b) || getKeptAttrs(a) == getKeptAttrs(b));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A memref as the bytes of its elements from the begin of another one that it
/// is a part of.
struct Part {
  Value whole;
  int64_t begin;
  /// Without extents of 1.
  SmallVector<std::pair<int64_t, int64_t>> sizesAndStrides;
};

std::optional<Part> findPart(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  std::optional<int64_t> element = getElementBytes(
      type.getElementType(),
      DataLayout::closest(memref.getParentRegion()->getParentOp()));
  if (!element || !type.hasStaticShape() ||
      failed(getStridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return std::nullopt;
  Part part{memref, offset * *element, {}};
  // The layout of such a view counts from the begin of what it is a view of;
  // that of a memref.view, for one, does not tell where it begins.
  while (isRelativeView(part.whole.getDefiningOp()) ||
         part.whole.getDefiningOp<memref::ReinterpretCastOp>()) {
    Value source = getViewed(part.whole);
    if (!source)
      break;
    if (!isa<MemRefType>(source.getType()))
      return std::nullopt;
    part.whole = source;
  }
  if (part.whole != memref &&
      !cast<MemRefType>(part.whole.getType()).getLayout().isIdentity())
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    if (size != 1)
      part.sizesAndStrides.push_back({size, stride * *element});
  return part;
}

/// The source and the target of an op that only copies.
std::optional<std::pair<Value, Value>> matchPlainCopy(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!isa<memref::CopyOp>(op) &&
      !(isa<linalg::CopyOp, linalg::GenericOp>(op) &&
        structured.hasPureBufferSemantics() &&
        structured.getNumDpsInputs() == 1 && structured.getNumDpsInits() == 1))
    return std::nullopt;
  Value source = op->getOperand(0), target = op->getOperand(1);
  if (!isa<MemRefType>(source.getType()) || !isa<MemRefType>(target.getType()))
    return std::nullopt;
  if (structured) {
    Operation &first = structured.getBlock()->front();
    if (&first != structured.getBlock()->getTerminator() ||
        first.getNumOperands() != 1 ||
        first.getOperand(0) != structured.getBlock()->getArgument(0))
      return std::nullopt;
    SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
    if (maps[0] != maps[1] || !maps[0].isPermutation() ||
        getElementTypeOrSelf(source) != getElementTypeOrSelf(target))
      return std::nullopt;
  }
  return std::make_pair(source, target);
}

/// True for a copy of a part of a buffer to itself, and of nothing.
bool isCopyToItself(Operation *op) {
  auto copy = matchPlainCopy(op);
  if (!copy)
    return false;
  auto [source, target] = *copy;
  if (source == target ||
      llvm::is_contained(cast<MemRefType>(source.getType()).getShape(), 0))
    return true;
  std::optional<Part> from = findPart(source), to = findPart(target);
  return from && to && from->whole == to->whole && from->begin == to->begin &&
         from->sizesAndStrides == to->sizesAndStrides;
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

class Lowering {
public:
  Lowering(FunctionOpInterface planned, FunctionOpInterface lowered)
      : planned(planned), lowered(lowered) {}

  LogicalResult run() {
    if (planned.isExternal() || lowered.isExternal())
      return success(planned.isExternal() == lowered.isExternal());
    if (planned.getFunctionType() != lowered.getFunctionType())
      return mismatch(lowered, planned, "has another type");
    for (unsigned i = 0; i != planned.getNumArguments(); ++i)
      if (planned.getArgAttr(i, MemplanDialect::kArenaAttr) !=
          lowered.getArgAttr(i, MemplanDialect::kArenaAttr))
        return mismatch(lowered, planned, "has another argument as its arena");
    if (failed(compare(planned.getFunctionBody(), lowered.getFunctionBody())))
      return failure();
    for (auto [op, counterpart] : pairs)
      if (failed(compareOperands(op, counterpart)))
        return failure();
    return success(succeeded(checkFrees()) && succeeded(checkOrder()) &&
                   succeeded(verifyOffsets(lowered, [&](Operation *view) {
                     return std::max<int64_t>(1, alignmentOf.lookup(view));
                   })));
  }

private:
  LogicalResult mismatch(Operation *op, Operation *counterpart,
                         const Twine &what) {
    InFlightDiagnostic diag = op->emitError()
                              << what << " than before memplan-lower";
    diag.attachNote(counterpart->getLoc()) << "in the planned program";
    return diag;
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  using Pairs = SmallVector<std::pair<Value, Value>>;

  LogicalResult compareOperands(Operation *op, Operation *counterpart) {
    for (auto [i, before, after] :
         llvm::enumerate(op->getOperands(), counterpart->getOperands())) {
      // A size function returns the offset of what is above all slots. That it
      // is enough is proven of the function of the arena.
      if (before.getDefiningOp<SlotOp>() && isa<func::ReturnOp>(op))
        continue;
      Pairs open{{before, after}};
      while (!open.empty()) {
        auto [own, other] = open.pop_back_val();
        if (failed(match(own, other, open)))
          return failure();
        if (!isMatched)
          return mismatch(counterpart, op,
                          "has another operand number " + Twine(i));
      }
    }
    return success();
  }

  /// Compares two values, but not the operands of their ops, which it adds to
  /// `open`. Sets `isMatched`; fails after an error.
  LogicalResult match(Value before, Value after, Pairs &open) {
    isMatched = before.getType() == after.getType();
    auto [it, isNew] = mapped.try_emplace(before, after);
    if (!isMatched || !isNew) {
      isMatched &= isSamePure(it->second, after);
      return success();
    }
    Operation *from = before.getDefiningOp(), *to = after.getDefiningOp();
    isMatched = from && to;
    if (!isMatched)
      return success();
    if (auto view = dyn_cast<ViewOp>(from))
      return matchView(view, to, open);
    if (auto arena = dyn_cast<ArenaOp>(from))
      return matchGlobal(arena, to);
    if (auto renew = dyn_cast<RenewOp>(from)) {
      isMatched =
          isa<memref::CastOp>(to) && to->hasAttr(MemplanDialect::kRenewAttr);
      if (isMatched)
        open.push_back({renew.getSlot(), to->getOperand(0)});
      return success();
    }
    isMatched = isPureComputation(from) && isSameOp(from, to) &&
                cast<OpResult>(before).getResultNumber() ==
                    cast<OpResult>(after).getResultNumber();
    if (isMatched)
      for (auto [own, other] :
           llvm::zip(from->getOperands(), to->getOperands()))
        open.push_back({own, other});
    return success();
  }

  /// True if two values of the lowered program are computed in the same way
  /// from the same values.
  static bool isSamePure(Value a, Value b) {
    DenseSet<std::pair<Value, Value>> seen;
    Pairs open{{a, b}};
    while (!open.empty()) {
      auto pair = open.pop_back_val();
      auto [one, other] = pair;
      if (one == other || !seen.insert(pair).second)
        continue;
      Operation *from = one.getDefiningOp(), *to = other.getDefiningOp();
      if (!from || !to || !isPureComputation(from) || !isSameOp(from, to) ||
          cast<OpResult>(one).getResultNumber() !=
              cast<OpResult>(other).getResultNumber())
        return false;
      for (auto [x, y] : llvm::zip(from->getOperands(), to->getOperands()))
        open.push_back({x, y});
    }
    return true;
  }

  /// Compares a placement, but for the offset of its slot.
  LogicalResult matchView(ViewOp from, Operation *op, Pairs &open) {
    auto to = dyn_cast<memref::ViewOp>(op);
    isMatched = to && from.getSizes().size() == to.getSizes().size();
    if (!isMatched)
      return success();
    open.push_back({from.getArena(), to.getSource()});
    for (auto [own, other] : llvm::zip(from.getSizes(), to.getSizes()))
      open.push_back({own, other});
    Value shift = to.getByteShift();
    for (auto [worker, stride] :
         llvm::reverse(llvm::zip(from.getWorkers(), from.getStrides()))) {
      auto sum = shift.getDefiningOp<arith::AddIOp>();
      auto frame =
          sum ? sum.getRhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
      if (!frame || getConstantNumber(frame.getRhs()) != stride) {
        InFlightDiagnostic diag = to.emitError()
                                  << "has no frames of " << stride
                                  << " bytes for its workers";
        diag.attachNote(from.getLoc()) << "in the planned program";
        return diag;
      }
      open.push_back({worker, frame.getLhs()});
      shift = sum.getLhs();
    }
    auto offset = static_cast<int64_t>(from.getOffset());
    if (!from.getSlot()) {
      std::optional<int64_t> own = getConstantNumber(shift);
      if (own == offset && !to->hasAttr(MemplanDialect::kSlotAttr))
        return success();
      InFlightDiagnostic diag = to.emitError();
      if (own)
        diag << "is at byte " << *own << " of the arena instead of " << offset;
      else
        diag << "is not at byte " << offset << " of the arena";
      diag.attachNote(from.getLoc()) << "in the planned program";
      return diag;
    }
    alignmentOf[to] = static_cast<int64_t>(from.getAlign());
    auto place =
        to->getAttrOfType<DenseI64ArrayAttr>(MemplanDialect::kSlotAttr);
    if (!place || place[1] != offset)
      return mismatch(to, from, "states another place in a slot");
    auto slot = from.getSlot().getDefiningOp<SlotOp>();
    auto [it, isNew] = stated.insert({slot, {to.getSource(), place[0], to}});
    if (it->second.arena != to.getSource() || it->second.number != place[0])
      return mismatch(to, from, "states another slot");
    return success();
  }

  LogicalResult matchGlobal(ArenaOp from, Operation *to) {
    isMatched = false;
    auto get = dyn_cast<memref::GetGlobalOp>(to);
    if (from.getMemory() != ArenaMemory::Global || !get ||
        !get->hasAttr(MemplanDialect::kArenaAttr))
      return success();
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    isMatched = global && global.getType() == from.getType() &&
                global.isUninitialized() && !global.getConstant() &&
                global.getAlignment() == from.getAlign();
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  LogicalResult compare(Region &from, Region &to) {
    if (from.getBlocks().size() != to.getBlocks().size())
      return mismatch(to.getParentOp(), from.getParentOp(), "has other blocks");
    for (auto [before, after] : llvm::zip(from, to)) {
      blocks[&before] = &after;
      if (before.getArgumentTypes() != after.getArgumentTypes())
        return mismatch(to.getParentOp(), from.getParentOp(),
                        "has other arguments");
      for (auto [own, other] :
           llvm::zip(before.getArguments(), after.getArguments()))
        mapped[own] = other;
    }
    for (auto [before, after] : llvm::zip(from, to))
      if (failed(compare(before, after)))
        return failure();
    return success();
  }

  LogicalResult compare(Block &from, Block &to) {
    auto other = to.begin();
    for (Operation &op : from) {
      if (isa<SlotOp, ViewOp, RenewOp>(op) || isPureComputation(&op))
        continue;
      while (other != to.end() && isPureComputation(&*other))
        ++other;
      Operation *counterpart = other == to.end() ? nullptr : &*other;
      // Lowering may also keep a copy of a buffer to itself.
      if (lacksCounterpart(&op) &&
          !(isCopyToItself(&op) && counterpart && isCopyToItself(counterpart) &&
            isSameOp(&op, counterpart)))
        continue;
      // What is scratch until the end of its block is freed there.
      if (counterpart && op.hasTrait<OpTrait::IsTerminator>())
        while (isFreeOfScratch(counterpart)) {
          freed.push_back(cast<memref::DeallocOp>(counterpart));
          counterpart = &*++other;
        }
      if (!counterpart)
        return to.getParentOp()->emitError()
               << "lacks what memplan-lower makes of '" << op.getName() << "'";
      if (failed(compareOps(&op, counterpart)))
        return failure();
      ++other;
    }
    for (; other != to.end(); ++other)
      if (!isPureComputation(&*other))
        return other->emitError() << "is not in the planned program";
    return success();
  }

  /// True if lowering may leave nothing of the op.
  static bool lacksCounterpart(Operation *op) {
    if (auto arena = dyn_cast<ArenaOp>(op))
      return arena.getMemory() == ArenaMemory::Global;
    if (auto output = dyn_cast<OutputOp>(op))
      return cast<MemRefType>(output.getBuffer().getType()).getNumElements() ==
             0;
    return isCopyToItself(op);
  }

  bool isFreeOfScratch(Operation *op) {
    auto dealloc = dyn_cast<memref::DeallocOp>(op);
    return dealloc && scratch.contains(dealloc.getMemref());
  }

  /// Compares two ops, but not their operands.
  LogicalResult compareOps(Operation *op, Operation *counterpart) {
    if (auto arena = dyn_cast<ArenaOp>(op))
      return compareArenas(arena, counterpart);
    if (auto scratchOp = dyn_cast<WorkspaceOp>(op))
      return compareScratch(scratchOp, counterpart);
    if (isa<ReleaseOp>(op) && isa<memref::DeallocOp>(counterpart)) {
      pairs.push_back({op, counterpart});
      return success();
    }
    if (auto output = dyn_cast<OutputOp>(op)) {
      auto load = dyn_cast<memref::LoadOp>(counterpart);
      if (!load ||
          load->getAttr(MemplanDialect::kOutputAttr) != output.getNumberAttr())
        return mismatch(counterpart, op, "is another op");
      loads.push_back({output.getBuffer(), load});
      return success();
    }
    if (!isSameOp(op, counterpart))
      return mismatch(counterpart, op, "is another op");
    for (auto [own, other] :
         llvm::zip(op->getSuccessors(), counterpart->getSuccessors()))
      if (blocks.lookup(own) != other)
        return mismatch(counterpart, op, "has other successors");
    for (auto [own, other] :
         llvm::zip(op->getResults(), counterpart->getResults()))
      mapped[own] = other;
    pairs.push_back({op, counterpart});
    for (auto [own, other] :
         llvm::zip(op->getRegions(), counterpart->getRegions()))
      if (failed(compare(own, other)))
        return failure();
    return success();
  }

  LogicalResult compareArenas(ArenaOp from, Operation *to) {
    bool isStack = from.getMemory() == ArenaMemory::Stack;
    bool isReturned = from.getMemory() == ArenaMemory::Returned;
    if (!(isStack ? isa<memref::AllocaOp>(to) : isa<memref::AllocOp>(to)) ||
        to->getResult(0).getType() != from.getType() ||
        isReturnedArena(to) != isReturned)
      return mismatch(to, from, "is another arena");
    std::optional<int64_t> alignment = getArenaAlignment(to);
    if (alignment != static_cast<int64_t>(from.getAlign()))
      return to->emitError()
             << "is an arena that is aligned to " << alignment.value_or(1)
             << " bytes instead of " << static_cast<int64_t>(from.getAlign());
    mapped[from.getArena()] = to->getResult(0);
    return success();
  }

  LogicalResult compareScratch(WorkspaceOp from, Operation *to) {
    std::optional<uint64_t> alignment;
    if (auto alloc = dyn_cast<memref::AllocOp>(to))
      alignment = alloc.getAlignment();
    else if (auto alloca = dyn_cast<memref::AllocaOp>(to))
      alignment = alloca.getAlignment();
    if (alignment != from.getAlign() ||
        to->getResult(0).getType() != from.getResult().getType())
      return mismatch(to, from, "is other scratch");
    mapped[from.getResult()] = to->getResult(0);
    if (isa<memref::AllocOp>(to))
      scratch.insert(to->getResult(0));
    return success();
  }

  /// Checks that scratch is freed behind its uses, which are all in its block,
  /// and that outputs name the same buffers.
  LogicalResult checkFrees() {
    for (memref::DeallocOp dealloc : freed)
      for (Operation *user : dealloc.getMemref().getUsers())
        if (user != dealloc &&
            (user->getBlock() != dealloc->getBlock() ||
             !user->isBeforeInBlock(dealloc) || user->getNumResults() != 0))
          return dealloc.emitError("may free scratch that is used on");
    for (auto [buffer, load] : loads) {
      Pairs open{{buffer, load.getMemRef()}};
      while (!open.empty()) {
        auto [own, other] = open.pop_back_val();
        if (failed(match(own, other, open)))
          return failure();
        if (!isMatched)
          return load.emitError("names another buffer as a result than before "
                                "memplan-lower");
      }
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // The order of slots
  //===--------------------------------------------------------------------===//

  /// What a slot is above.
  struct Below {
    /// Bytes: at or behind this offset.
    int64_t least;
    /// The slots with views that it is above, directly or through slots
    /// without views.
    SmallVector<SlotOp> slots;
  };

  const Below &findBelow(SlotOp slot) {
    SmallVector<SlotOp> pending{slot};
    while (!pending.empty()) {
      SlotOp next = pending.back();
      size_t size = pending.size();
      if (!below.contains(next))
        for (Value other : next.getAbove())
          if (!below.contains(other.getDefiningOp<SlotOp>()))
            pending.push_back(other.getDefiningOp<SlotOp>());
      if (pending.size() != size)
        continue;
      pending.pop_back();
      if (below.contains(next))
        continue;
      Below own{static_cast<int64_t>(next.getLeast()), {}};
      for (Value value : next.getAbove()) {
        auto other = value.getDefiningOp<SlotOp>();
        const Below &through = below.find(other)->second;
        own.least = std::max(own.least, through.least);
        if (stated.contains(other))
          own.slots.push_back(other);
        else
          llvm::append_range(own.slots, through.slots);
      }
      below.try_emplace(next, std::move(own));
    }
    return below.find(slot)->second;
  }

  /// By number of a slot, what the lowered arena states about it.
  struct Stated {
    int64_t least;
    llvm::BitVector below;
  };

  static std::vector<Stated> readOrder(Value arena) {
    ArrayAttr attribute;
    auto argument = dyn_cast<BlockArgument>(arena);
    if (argument)
      attribute =
          getArgumentAttr<ArrayAttr>(argument, MemplanDialect::kSlotsAttr);
    else
      attribute = arena.getDefiningOp()->getAttrOfType<ArrayAttr>(
          MemplanDialect::kSlotsAttr);
    std::vector<Stated> order;
    if (!attribute)
      return order;
    for (auto entry : attribute.getAsRange<DenseI64ArrayAttr>()) {
      Stated own{entry[0], llvm::BitVector(attribute.size())};
      for (int64_t other : entry.asArrayRef().drop_front()) {
        own.least = std::max(own.least, order[other].least);
        own.below |= order[other].below;
        own.below.set(other);
      }
      order.push_back(std::move(own));
    }
    return order;
  }

  /// Checks that the lowered arenas state the order of the slots that has been
  /// proven to keep all buffers apart.
  LogicalResult checkOrder() {
    DenseMap<Value, std::vector<Stated>> orders;
    for (auto &[slot, place] : stated) {
      auto [it, isNew] = orders.try_emplace(place.arena);
      if (isNew)
        it->second = readOrder(place.arena);
      const std::vector<Stated> &order = it->second;
      if (place.number >= static_cast<int64_t>(order.size()))
        return place.view->emitError()
               << "is in slot " << place.number << " of an arena of "
               << order.size() << " slots";
      const Below &own = findBelow(slot);
      if (order[place.number].least < own.least)
        return mismatch(place.view, slot,
                        "is in slot " + Twine(place.number) +
                            ", which is at or behind byte " +
                            Twine(order[place.number].least) + " instead of " +
                            Twine(own.least) + ", other");
      for (SlotOp other : own.slots) {
        const StatedView &lower = stated.find(other)->second;
        if (lower.arena == place.arena &&
            order[place.number].below.test(lower.number))
          continue;
        InFlightDiagnostic diag = place.view->emitError();
        diag << "is in slot " << place.number
             << ", which the arena does not state to be above slot "
             << lower.number;
        diag.attachNote(slot.getLoc()) << "in the planned program";
        return diag;
      }
    }
    return success();
  }

  struct StatedView {
    Value arena;
    int64_t number;
    Operation *view;
  };

  FunctionOpInterface planned, lowered;
  DenseMap<Value, Value> mapped;
  DenseMap<Block *, Block *> blocks;
  /// Ops whose operands are to be compared.
  std::vector<std::pair<Operation *, Operation *>> pairs;
  std::vector<std::pair<Value, memref::LoadOp>> loads;
  DenseSet<Value> scratch;
  std::vector<memref::DeallocOp> freed;
  /// By slot with views, what one of them states after lowering.
  llvm::MapVector<SlotOp, StatedView> stated;
  DenseMap<SlotOp, Below> below;
  /// By lowered view in a slot, the bytes to which it is aligned.
  DenseMap<Operation *, int64_t> alignmentOf;
  bool isMatched = false;
};

} // namespace

LogicalResult memplan::checkLowering(FunctionOpInterface planned,
                                     FunctionOpInterface lowered) {
  return Lowering(planned, lowered).run();
}
