//===- Offsets.cpp - The check of the offsets of a lowered program --------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Offsets.h"

#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/SizeFunction.h"
#include "memplan/Verifier/Flow.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memplan::verifier {

namespace {

/// Where a buffer in a root ends.
struct End {
  LoweredView *view;
  /// std::nullopt if its size is no product, or overflows.
  std::optional<Sum> at;
  /// The same for the most bytes that it may have.
  std::optional<Sum> atMost;
};

/// A root that an arena states.
struct StatedRoot {
  /// The roots that it is directly above.
  SmallVector<unsigned, 2> above;
  SmallVector<LoweredView *, 2> views;
  Sum start;
  SmallVector<End, 1> ends;
  /// If it has no views: the ends of those that it is above, once known.
  std::optional<SmallVector<const End *>> passedOn;
  /// True if a root with views is above it.
  bool isCovered = false;
};

class ArenaCheck : Reporter {
public:
  ArenaCheck(FunctionOpInterface function, Slots &slots, unsigned arena,
             llvm::function_ref<int64_t(Operation *)> getAlignment,
             DominanceInfo &dominance)
      : function(function), slots(slots), terms(*slots.terms), number(arena),
        arena(slots.arenas[arena]), getAlignment(getAlignment),
        dominance(dominance) {}

  LogicalResult run(ArrayRef<LoweredView *> views) {
    for (auto entry :
         slots.getStatedRoots(number).getAsRange<DenseI64ArrayAttr>()) {
      roots.emplace_back();
      for (int64_t below : entry.asArrayRef().drop_front())
        roots.back().above.push_back(static_cast<unsigned>(below));
    }
    for (LoweredView *view : views)
      if (int root = slots.slots[view->slot].root; root != kBase)
        roots[root - arena.firstRoot].views.push_back(view);
    for (unsigned i = 0; i != roots.size(); ++i)
      for (LoweredView *view : roots[i].views)
        addView(i, view);
    if (!isSound)
      return failure();
    for (unsigned i = 0; i != roots.size(); ++i)
      if (!roots[i].views.empty())
        checkOrder(i);
    checkSize(views);
    return success(isSound);
  }

private:
  //===--------------------------------------------------------------------===//
  // Messages
  //===--------------------------------------------------------------------===//

  std::string str(const Sum &sum) { return terms.str(sum, named); }

  /// Adds notes about the other place and the products that were named.
  void addNotes(InFlightDiagnostic &diag, Location other, StringRef what) {
    diag.attachNote(other) << what;
    constexpr size_t kMost = 6;
    for (unsigned atom : ArrayRef(named).take_front(kMost)) {
      Value value = terms.getValue(atom);
      diag.attachNote(value.getLoc())
          << terms.getName(atom) << " is a factor of "
          << (isMemRef(value) ? "the number of elements here" : "this value");
    }
    named.clear();
  }

  static std::string getRoot(unsigned root) {
    return "slot " + std::to_string(root);
  }

  //===--------------------------------------------------------------------===//
  // Roots
  //===--------------------------------------------------------------------===//

  /// True if the value is the same wherever the arena is used: it is computed
  /// from values that are there where the arena begins.
  bool isKnownAtArena(Value value) {
    SmallVector<Value> pending{value};
    while (!pending.empty()) {
      Value next = pending.pop_back_val();
      Value base = arena.value;
      auto argument = dyn_cast<BlockArgument>(next);
      bool isThere =
          base.getDefiningOp()
              ? dominance.properlyDominates(next, base.getDefiningOp())
              : argument && argument.getOwner() == base.getParentBlock();
      if (isThere || !reached.insert(next).second)
        continue;
      Operation *op = next.getDefiningOp();
      if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
        return false;
      llvm::append_range(pending, op->getOperands());
    }
    return true;
  }

  /// Checks where the root begins by this view, and adds the end of the view.
  void addView(unsigned index, LoweredView *view) {
    StatedRoot &root = roots[index];
    const IndexTerm &shift = terms.get(view->shift);
    if (!shift.most) {
      InFlightDiagnostic diag = error(view->op);
      diag << "is in " << getRoot(index)
           << " of the arena at an offset that may wrap around";
      Operation *wrap = terms.findWrap(view->shift);
      diag.attachNote(wrap ? wrap->getLoc() : view->shift.getLoc())
          << "this value is not known to be less than 2^63";
      return;
    }
    if (!isKnownAtArena(view->shift)) {
      InFlightDiagnostic diag = error(view->op);
      diag << "is in " << getRoot(index)
           << " of the arena at an offset that is not known where the arena "
              "begins, cannot be verified";
      diag.attachNote(arena.value.getLoc()) << "the arena";
      return;
    }
    Sum start = slots.getLoweredStart(view->op);
    if (root.ends.empty()) {
      root.start = start;
    } else if (start != root.start) {
      InFlightDiagnostic diag = error(view->op);
      diag << "is in " << getRoot(index) << " of the arena that begins at "
           << str(start) << ", but for another buffer it begins at "
           << str(root.start);
      addNotes(diag, root.views.front()->op.getLoc(), "the other buffer");
      return;
    }
    int64_t alignment = std::max(view->alignment, getAlignment(view->op));
    if (terms.getMultiple(start) % alignment != 0)
      error(view->op) << "needs an alignment of " << alignment << " bytes but "
                      << getRoot(index) << " of the arena begins at "
                      << str(start);
    root.ends.push_back(findEnd(root, view));
  }

  End findEnd(const StatedRoot &root, LoweredView *view) {
    ByteRange bytes = slots.slots[view->slot].bytes.front();
    End end{view, {}, {}};
    if (bytes.end != kAnySize) {
      end.at = add(root.start, Sum{bytes.end});
      return end;
    }
    std::optional<Sum> begin = add(root.start, Sum{bytes.begin});
    std::optional<Sum> size = slots.countBytes(view->op);
    std::optional<int64_t> most = slots.getMostBytes(view->op);
    if (begin && size)
      end.at = add(*begin, *size);
    if (begin && most)
      end.atMost = add(*begin, Sum{*most});
    return end;
  }

  bool isBehind(const Sum &sum, const End &end) {
    return (end.at && terms.isNeverLess(sum, *end.at)) ||
           (end.atMost && terms.isNeverLess(sum, *end.atMost));
  }

  std::string strEnd(const End &end) {
    return end.at       ? str(*end.at)
           : end.atMost ? str(*end.atMost)
                        : "a place that is not known";
  }

  /// The ends that must be at or before where a root begins that is directly
  /// above this one.
  ArrayRef<const End *> getEnds(unsigned index) {
    SmallVector<unsigned> pending{index};
    while (!pending.empty()) {
      StatedRoot &root = roots[pending.back()];
      bool isReady = root.passedOn.has_value();
      if (!isReady && root.views.empty())
        for (unsigned below : root.above)
          if (!roots[below].passedOn)
            pending.push_back(below);
      if (!isReady && &root != &roots[pending.back()])
        continue;
      pending.pop_back();
      if (isReady)
        continue;
      llvm::SmallSetVector<const End *, 4> ends;
      for (const End &end : root.ends)
        ends.insert(&end);
      if (root.views.empty())
        for (unsigned below : root.above)
          ends.insert_range(*roots[below].passedOn);
      root.passedOn = ends.takeVector();
    }
    return *roots[index].passedOn;
  }

  /// Checks that the root begins where it states.
  void checkOrder(unsigned index) {
    StatedRoot &root = roots[index];
    LoweredView *view = root.views.front();
    int64_t least = slots.roots[arena.firstRoot + index].least;
    if (!terms.isNeverLess(root.start, Sum{least})) {
      InFlightDiagnostic diag = error(view->op);
      diag << "is in " << getRoot(index)
           << " of the arena, which is at or behind byte " << least
           << ", but that begins at " << str(root.start);
      addNotes(diag, arena.value.getLoc(), "the arena states the order");
    }
    for (unsigned below : root.above)
      for (const End *end : getEnds(below)) {
        roots[slots.slots[end->view->slot].root - arena.firstRoot].isCovered =
            true;
        if (isBehind(root.start, *end))
          continue;
        InFlightDiagnostic diag = error(view->op);
        diag << "is in " << getRoot(index) << " of the arena, which is above "
             << getRoot(slots.slots[end->view->slot].root - arena.firstRoot)
             << ", but begins at " << str(root.start)
             << ", and the buffer there ends at " << strEnd(*end);
        addNotes(diag, end->view->op.getLoc(),
                 "the buffer below is placed here");
      }
  }

  //===--------------------------------------------------------------------===//
  // The size of the arena
  //===--------------------------------------------------------------------===//

  /// The bytes of the arena; std::nullopt after an error, or if callers hand it
  /// in and no function says how large it must be.
  std::optional<Sum> findSize() {
    auto type = cast<MemRefType>(arena.value.getType());
    if (type.hasStaticShape())
      return Sum{type.getNumElements()};
    Value size;
    if (Operation *op = arena.value.getDefiningOp()) {
      if (op->getNumOperands() == 1)
        size = op->getOperand(0);
    } else {
      size = findReturnedSize(type.getMemorySpace());
      if (!size)
        return std::nullopt;
    }
    if (size && terms.get(size).most)
      return terms.get(size).sum;
    InFlightDiagnostic diag = emitError(arena.value.getLoc());
    isSound = false;
    diag << "the size of the arena may wrap around";
    if (Operation *wrap = size ? terms.findWrap(size) : nullptr)
      diag.attachNote(wrap->getLoc())
          << "this value is not known to be less than 2^63";
    return std::nullopt;
  }

  /// What the size function returns, with its arguments named as the values of
  /// the function that they stand for; null if there is none.
  Value findReturnedSize(Attribute memorySpace) {
    sizeFunction = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        function, StringAttr::get(function.getContext(),
                                  getSizeFunctionName(function, memorySpace)));
    if (!sizeFunction || sizeFunction.isExternal())
      return Value();
    SmallVector<SizeParameter> parameters = getSizeParameters(function);
    auto end = dyn_cast<func::ReturnOp>(sizeFunction.getBody().back().back());
    if (!sizeFunction.getBody().hasOneBlock() || !end ||
        end.getNumOperands() != 1 ||
        sizeFunction.getNumArguments() != parameters.size()) {
      InFlightDiagnostic diag = error(sizeFunction);
      diag << "does not return the size of an arena of @" << function.getName()
           << " for its arguments, cannot be verified";
      return Value();
    }
    llvm::DenseMap<Value, Value> same;
    for (auto [parameter, argument] :
         llvm::zip(parameters, sizeFunction.getArguments())) {
      Value own = function.getArgument(parameter.argument);
      if (!parameter.dimension) {
        same[argument] = own;
        continue;
      }
      // If the function does not ask for the extent, no offset depends on it.
      for (Operation *user : own.getUsers())
        if (auto dim = dyn_cast<memref::DimOp>(user);
            dim && getConstantNumber(dim.getIndex()) == *parameter.dimension) {
          same[argument] = dim.getResult();
          break;
        }
    }
    terms.addFunction(sizeFunction, std::move(same));
    return end.getOperand(0);
  }

  void checkSize(ArrayRef<LoweredView *> views) {
    std::optional<Sum> size = findSize();
    if (!size)
      return;
    auto check = [&](const End &end) {
      if (isBehind(*size, end))
        return;
      InFlightDiagnostic diag = error(end.view->op);
      diag << "is not known to be inside of the arena: it ends at "
           << strEnd(end) << ", and ";
      if (sizeFunction)
        diag << "@" << sizeFunction.getName() << " returns " << str(*size);
      else
        diag << "the arena has " << str(*size) << " bytes";
      addNotes(diag,
               sizeFunction ? sizeFunction.getLoc() : arena.value.getLoc(),
               sizeFunction ? "the function" : "the arena");
    };
    // A root that is covered ends before the one above it does.
    for (const StatedRoot &root : roots)
      if (!root.isCovered)
        llvm::for_each(root.ends, check);
    for (LoweredView *view : views)
      if (const Slot &slot = slots.slots[view->slot]; slot.root == kBase)
        check(End{view, Sum{slot.bytes.front().end}, {}});
  }

  FunctionOpInterface function;
  Slots &slots;
  Terms &terms;
  unsigned number;
  const Arena &arena;
  llvm::function_ref<int64_t(Operation *)> getAlignment;
  DominanceInfo &dominance;
  std::vector<StatedRoot> roots;
  /// Values that are known at the arena, or will be found not to be.
  DenseSet<Value> reached;
  /// Null if callers do not hand in the arena.
  func::FuncOp sizeFunction;
  /// The products in the message that is being made.
  SmallVector<unsigned> named;
};

} // namespace

LogicalResult
checkOffsets(FunctionOpInterface function, Slots &slots,
             llvm::function_ref<int64_t(Operation *)> getAlignment) {
  std::vector<SmallVector<LoweredView *>> views(slots.arenas.size());
  for (LoweredView &view : slots.loweredViews)
    views[slots.slots[view.slot].arena].push_back(&view);
  DominanceInfo dominance;
  bool isSound = true;
  for (auto [arena, inside] : llvm::enumerate(views))
    if (!inside.empty())
      isSound &=
          succeeded(ArenaCheck(function, slots, static_cast<unsigned>(arena),
                               getAlignment, dominance)
                        .run(inside));
  return success(isSound);
}

} // namespace memplan::verifier

LogicalResult
memplan::verifyOffsets(FunctionOpInterface function,
                       llvm::function_ref<int64_t(Operation *)> getAlignment) {
  if (function.isExternal())
    return success();
  verifier::Slots slots;
  verifier::FlowGraph graph(function.getFunctionBody());
  return success(
      succeeded(slots.collect(function, graph)) &&
      succeeded(verifier::checkOffsets(function, slots, getAlignment)));
}
