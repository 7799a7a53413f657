//===- Slots.cpp - Arenas, and the bytes that placements take -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"

#include "memplan/IR/AffineExprs.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace memplan::verifier {

std::string str(ByteRange bytes) {
  return ("[" + Twine(bytes.begin) + ", " + Twine(bytes.end) + ")").str();
}

void addBytes(ByteRanges &ranges, ByteRange bytes) {
  if (bytes.begin >= bytes.end)
    return;
  llvm::erase_if(ranges, [&](ByteRange range) {
    if (range.end < bytes.begin || bytes.end < range.begin)
      return false;
    bytes = {std::min(range.begin, bytes.begin),
             std::max(range.end, bytes.end)};
    return true;
  });
  ranges.insert(
      llvm::find_if(ranges,
                    [&](ByteRange range) { return bytes.end < range.begin; }),
      bytes);
}

void removeBytes(ByteRanges &ranges, ByteRange bytes) {
  ByteRanges left;
  for (ByteRange range : ranges) {
    if (!range.overlaps(bytes)) {
      left.push_back(range);
      continue;
    }
    if (range.begin < bytes.begin)
      left.push_back({range.begin, bytes.begin});
    if (bytes.end < range.end)
      left.push_back({bytes.end, range.end});
  }
  ranges = std::move(left);
}

bool overlaps(const ByteRanges &ranges, ByteRange bytes) {
  return llvm::any_of(ranges,
                      [&](ByteRange range) { return range.overlaps(bytes); });
}

SmallVector<Operation *, 1> getParallelLoops(Operation *op) {
  SmallVector<Operation *, 1> loops;
  for (op = op->getParentOp(); op && !isa<FunctionOpInterface>(op);
       op = op->getParentOp())
    if (isParallelLoop(op))
      loops.push_back(op);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

bool isRenewal(Operation *op) {
  return isa<RenewOp>(op) ||
         (isa<memref::CastOp>(op) && op->hasAttr(MemplanDialect::kRenewAttr));
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

using Form = std::optional<Offset>;

Form scale(Form form, int64_t factor) {
  if (!form || llvm::MulOverflow(form->constant, factor, form->constant))
    return std::nullopt;
  for (LoopTerm &term : form->terms)
    if (llvm::MulOverflow(term.stride, factor, term.stride))
      return std::nullopt;
  if (factor == 0)
    form->terms.clear();
  return form;
}

Form add(Form a, const Form &b) {
  if (!a || !b || llvm::AddOverflow(a->constant, b->constant, a->constant))
    return std::nullopt;
  for (const LoopTerm &term : b->terms) {
    auto same = llvm::find_if(a->terms, [&](const LoopTerm &other) {
      return other.variable == term.variable;
    });
    if (same == a->terms.end())
      a->terms.push_back(term);
    else if (llvm::AddOverflow(same->stride, term.stride, same->stride))
      return std::nullopt;
  }
  return a;
}

std::optional<std::pair<int64_t, int64_t>> getBounds(const Offset &offset) {
  int64_t least = offset.constant, most = offset.constant;
  for (const LoopTerm &term : offset.terms) {
    int64_t extent;
    int64_t &end = term.stride < 0 ? least : most;
    if (llvm::MulOverflow(term.stride, term.count - 1, extent) ||
        llvm::AddOverflow(end, extent, end))
      return std::nullopt;
  }
  return std::make_pair(least, most);
}

namespace {

/// The quotient; std::nullopt if the division may leave a remainder, if the
/// form may be negative, or if the divisor is not a positive constant.
Form divide(Form form, const Form &by) {
  if (!form || !by || !by->terms.empty() || by->constant < 1 ||
      form->constant < 0 || form->constant % by->constant != 0)
    return std::nullopt;
  form->constant /= by->constant;
  for (LoopTerm &term : form->terms) {
    if (term.stride < 0 || term.stride % by->constant != 0)
      return std::nullopt;
    term.stride /= by->constant;
  }
  return form;
}

Form multiply(const Form &a, const Form &b) {
  if (!a || !b || (!a->terms.empty() && !b->terms.empty()))
    return std::nullopt;
  return a->terms.empty() ? scale(b, a->constant) : scale(a, b->constant);
}

class Evaluator {
public:
  /// Values become functions of the variables of all loops or, without
  /// `allLoops`, of parallel loops only.
  Evaluator(bool allLoops, Operation *scope)
      : allLoops(allLoops), scope(scope) {}

  /// The form; std::nullopt if it may have values that an index cannot have, so
  /// that it wraps. Intermediate sums and products may wrap, because they are
  /// right modulo the size of the index type.
  Form withoutWrap(Form form) {
    // The greatest value that every index type can have.
    constexpr int64_t kSmall = INT16_MAX;
    auto bounds = form ? getBounds(*form) : std::nullopt;
    if (!bounds)
      return std::nullopt;
    auto [least, most] = *bounds;
    if (-kSmall <= least && most <= kSmall)
      return form;
    if (!limit) {
      DataLayout layout = DataLayout::closest(scope);
      auto bits = static_cast<int64_t>(
          layout.getTypeSizeInBits(IndexType::get(scope->getContext()))
              .getFixedValue());
      limit = bits >= 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1;
    }
    return -*limit <= least && most <= *limit ? form : std::nullopt;
  }

  Form evaluate(OpFoldResult value) {
    if (--steps <= 0)
      return std::nullopt;
    if (std::optional<int64_t> constant = getConstantNumber(value))
      return Offset{*constant, {}};
    auto dynamic = cast<Value>(value);
    if (auto variable = dyn_cast<BlockArgument>(dynamic))
      return evaluateVariable(variable);
    Operation *op = dynamic.getDefiningOp();
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return evaluate(apply.getAffineMap().getResult(0),
                      apply.getAffineMap().getNumDims(),
                      apply.getMapOperands());
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::DivSIOp, arith::FloorDivSIOp>(op))
      return std::nullopt;
    Form a = evaluate(op->getOperand(0)), b = evaluate(op->getOperand(1));
    if (isa<arith::AddIOp>(op))
      return add(a, b);
    if (isa<arith::SubIOp>(op))
      return add(a, scale(b, -1));
    return isa<arith::MulIOp>(op) ? multiply(a, b) : divide(withoutWrap(a), b);
  }

  Form evaluate(AffineExpr expr, unsigned numDims, ValueRange operands) {
    auto combine = [&](AffineExprKind kind, const Form &a, const Form &b) {
      if (kind == AffineExprKind::Add)
        return add(a, b);
      if (kind == AffineExprKind::Mul)
        return multiply(a, b);
      return kind == AffineExprKind::FloorDiv ? divide(withoutWrap(a), b)
                                              : std::nullopt;
    };
    return computeAffine(
        expr, numDims, operands,
        [&](OpFoldResult value) { return evaluate(value); }, combine);
  }

private:
  Form evaluateVariable(BlockArgument variable) const {
    Operation *loop = variable.getOwner()->getParentOp();
    if (!loop || !(allLoops || isParallelLoop(loop)))
      return std::nullopt;
    if (auto ranges = getLoopRanges(loop))
      for (const LoopRange &range : *ranges)
        if (range.variable == variable)
          return Offset{range.begin, {{variable, range.count, range.step}}};
    return std::nullopt;
  }

  bool allLoops;
  /// The data layout at this op gives the width of an index.
  Operation *scope;
  /// The greatest index; std::nullopt until it is needed.
  std::optional<int64_t> limit;
  /// The number of values and expressions that may still be evaluated.
  int steps = 256;
};

} // namespace

static Form evaluateAll(Value value, bool allLoops) {
  Evaluator evaluator(allLoops, value.getParentBlock()->getParentOp());
  return evaluator.withoutWrap(evaluator.evaluate(value));
}
Form evaluate(Value value) { return evaluateAll(value, /*allLoops=*/false); }
Form evaluateInLoops(Value value) {
  return evaluateAll(value, /*allLoops=*/true);
}
Form evaluateInLoops(AffineExpr expr, unsigned numDims, ValueRange operands,
                     Operation *scope) {
  Evaluator evaluator(/*allLoops=*/true, scope);
  return evaluator.withoutWrap(evaluator.evaluate(expr, numDims, operands));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {

struct ElementLayout {
  int64_t size;
  int64_t alignment;
};

} // namespace

/// Large enough for every real element, small enough that no sum overflows.
constexpr int64_t kMaxElementBytes = int64_t(1) << 40;

static std::optional<ElementLayout> getScalarLayout(Type type,
                                                    const DataLayout &layout) {
  auto align = static_cast<int64_t>(layout.getTypeABIAlignment(type));
  auto size = static_cast<int64_t>(layout.getTypeSize(type).getFixedValue());
  if (align < 1)
    return std::nullopt;
  // LLVM aligns integers wider than 64 bits to 16 bytes, which the data layout
  // of the IR does not say.
  int64_t unit =
      type.isInteger() && size > 8 ? std::max<int64_t>(align, 16) : align;
  return ElementLayout{static_cast<int64_t>(llvm::alignTo(size, unit)), align};
}

/// The bytes from one element to the next, and their alignment; std::nullopt if
/// the data layout does not give the size of the type.
static std::optional<ElementLayout> getElementLayout(Type type,
                                                     const DataLayout &layout) {
  auto complex = dyn_cast<ComplexType>(type);
  if (isa<IntegerType, FloatType, IndexType>(complex ? complex.getElementType()
                                                     : type))
    return getScalarLayout(type, layout);
  if (auto vector = dyn_cast<VectorType>(type)) {
    // A vector is an array of rows. The elements of a row are packed bit by
    // bit, and the row is padded to a power of two bytes. A vector of rank 0 is
    // laid out as a row of one element.
    std::optional<ElementLayout> element =
        getElementLayout(vector.getElementType(), layout);
    if (!element || vector.isScalable())
      return std::nullopt;
    int64_t bytes = element->size;
    for (int64_t dim : vector.getShape())
      if (llvm::MulOverflow(bytes, dim, bytes) || bytes > kMaxElementBytes)
        return std::nullopt;
    int64_t width = vector.getRank() == 0 ? 1 : vector.getShape().back();
    Type scalar = vector.getElementType();
    int64_t bits = isa<IntegerType, FloatType>(scalar)
                       ? scalar.getIntOrFloatBitWidth()
                       : 8 * element->size;
    int64_t row = 1;
    while (8 * row < bits * width)
      row *= 2;
    return ElementLayout{row * (vector.getNumElements() / width), row};
  }
  if (isa<DataLayoutTypeInterface>(type) && !isa<BaseMemRefType>(type))
    return getScalarLayout(type, layout);
  return std::nullopt;
}

std::optional<int64_t> getElementBytes(Type type, const DataLayout &layout) {
  std::optional<ElementLayout> element = getElementLayout(type, layout);
  return element ? std::optional<int64_t>(element->size) : std::nullopt;
}

const DataLayout &Slots::getLayout(Operation *op) {
  // Most ops have the same data layout.
  Operation *scope = op->getParentOp();
  while (scope && !isa<ModuleOp, DataLayoutOpInterface>(scope))
    scope = scope->getParentOp();
  if (!layout || scope != layoutScope) {
    layoutScope = scope;
    layout.emplace(scope ? DataLayout::closest(scope) : DataLayout());
  }
  return *layout;
}

/// The bytes that the placement takes; std::nullopt after an error. Raises
/// `alignment` to the one that the elements of the placement need.
std::optional<ByteRange> Slots::measure(Operation *op, int64_t begin,
                                        int64_t &alignment) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  auto element = getElementLayout(type.getElementType(), getLayout(op));
  auto view = dyn_cast<ViewOp>(op);
  bool isAnySize =
      !type.hasStaticShape() &&
      ((view && view.getSlot()) || op->hasAttr(MemplanDialect::kSlotAttr));
  // One dimension of extent 0 makes the buffer empty, whatever the others are.
  bool isEmpty = llvm::is_contained(type.getShape(), 0);
  // In a slot of a constant size, as the frames of workers are, or at a
  // constant place, a size that is not constant needs a bound.
  bool isConstant =
      isAnySize &&
      (view
           ? getConstantNumber(view.getSlot().getDefiningOp<SlotOp>().getSize())
                 .has_value()
           : !getParallelLoops(op).empty());
  if (isConstant && sizes->getMostElements(op->getResult(0)))
    isAnySize = false;
  std::optional<int64_t> count;
  if (element && type.getLayout().isIdentity() && !isAnySize)
    count = type.hasStaticShape() || isEmpty
                ? 1
                : sizes->getMostElements(op->getResult(0));
  if (!count && !(element && isAnySize && type.getLayout().isIdentity())) {
    error(op) << "views the arena as " << type
              << ", whose size in bytes is not known, cannot be verified";
    return std::nullopt;
  }
  alignment = std::max(alignment, element->alignment);
  if (isAnySize && !isEmpty)
    return ByteRange{begin, kAnySize};
  ByteRange bytes{begin, isEmpty ? 0 : element->size};
  SmallVector<int64_t> shape(type.getShape());
  if (!type.hasStaticShape() && !isEmpty)
    shape = {*count};
  for (int64_t dim : shape)
    if (!isEmpty && llvm::MulOverflow(bytes.end, dim, bytes.end)) {
      error(op) << "views the arena as " << type
                << ", whose size in bytes overflows";
      return std::nullopt;
    }
  int64_t size = bytes.end;
  if (llvm::AddOverflow(size, begin, bytes.end)) {
    error(op) << "takes bytes of the arena whose number overflows";
    return std::nullopt;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

void Slots::noteArena(InFlightDiagnostic &&diag, unsigned arena) {
  diag.attachNote(arenas[arena].value.getLoc()) << "the arena";
}

/// True if two slots of one arena share no byte, where they have these bytes.
bool Slots::areApart(const Slot &a, ByteRange ofA, const Slot &b,
                     ByteRange ofB) const {
  if (a.root == b.root)
    return !ofA.overlaps(ofB);
  if (a.root == kBase)
    return ofA.end <= roots[b.root].least;
  if (b.root == kBase)
    return ofB.end <= roots[a.root].least;
  return roots[a.root].below.test(b.root) || roots[b.root].below.test(a.root);
}

bool Slots::overlap(unsigned a, unsigned b) const {
  const Slot &x = slots[a], &y = slots[b];
  if (a == b || x.arena != y.arena)
    return a == b && x.own().size() != 0;
  size_t depth = 0;
  while (depth != x.loops.size() && depth != y.loops.size() &&
         x.loops[depth] == y.loops[depth])
    ++depth;
  return !areApart(x, x.bytes[depth], y, y.bytes[depth]);
}

ByteRange Slots::findCommon(unsigned a, ByteRange ofA, unsigned b) const {
  const Slot &x = slots[a], &y = slots[b];
  if (!overlap(a, b))
    return {0, 0};
  if (x.loops != y.loops || x.root != y.root)
    return {0, y.own().size()};
  // `ofA` may end behind the slot (kAllBytes).
  int64_t end = x.own().begin + std::min(ofA.end, x.own().size());
  int64_t begin = std::max(x.own().begin + ofA.begin, y.own().begin);
  return {begin - y.own().begin,
          std::max(begin, std::min(end, y.own().end)) - y.own().begin};
}

std::optional<int64_t> Slots::getDistance(unsigned a, unsigned b) const {
  const Slot &x = slots[a], &y = slots[b];
  if (x.arena != y.arena || x.root != y.root || x.loops != y.loops)
    return std::nullopt;
  return x.own().begin - y.own().begin;
}

std::string Slots::str(unsigned index) const {
  const Slot &slot = slots[index];
  if (slot.root == kBase)
    return verifier::str(slot.own());
  std::string of = " of slot " + std::to_string(slot.root);
  return slot.own().end == kAnySize
             ? "[" + std::to_string(slot.own().begin) + ", ...)" + of
             : verifier::str(slot.own()) + of;
}

static std::optional<int64_t> getElementBytes(Value memref) {
  return getElementBytes(
      cast<MemRefType>(memref.getType()).getElementType(),
      DataLayout::closest(memref.getParentRegion()->getParentOp()));
}

bool Slots::haveSameShape(Value a, Value b) const {
  std::optional<int64_t> bytes = getElementBytes(a);
  return bytes && bytes == getElementBytes(b) && sizes->haveSameExtents(a, b);
}

std::optional<int64_t> Slots::countBytes(Value memref) const {
  std::optional<int64_t> bytes = getElementBytes(memref);
  for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank();
       bytes && i != e; ++i) {
    std::optional<int64_t> extent = sizes->getExtent(memref, i).getConstant();
    if (!extent || *extent < 0 || llvm::MulOverflow(*bytes, *extent, *bytes))
      return std::nullopt;
  }
  return bytes;
}

bool Slots::isOfIteration(unsigned slot, ArrayRef<Operation *> loops) const {
  return loops.drop_front(arenas[slots[slot].arena].depth) ==
         ArrayRef(slots[slot].loops);
}

static ArrayAttr findStatedRoots(Value arena) {
  StringRef name = MemplanDialect::kSlotsAttr;
  if (Operation *op = arena.getDefiningOp())
    return op->getAttrOfType<ArrayAttr>(name);
  return getArgumentAttr<ArrayAttr>(cast<BlockArgument>(arena), name);
}

ArrayAttr Slots::getStatedRoots(unsigned arena) const {
  return findStatedRoots(arenas[arena].value);
}

Sum Slots::getLoweredStart(Operation *view) {
  auto [shift, offset] = shiftOf.lookup(view);
  // A sum that overflows has no multiple and is not compared.
  return add(terms->get(shift).sum, Sum{offset}, -1).value_or(Sum{1});
}

std::optional<Sum> Slots::countBytes(memref::ViewOp view) {
  std::optional<int64_t> element =
      getElementBytes(view.getType().getElementType(), getLayout(view));
  return element ? std::optional(terms->countBytes(view.getResult(), *element))
                 : std::nullopt;
}

std::optional<int64_t> Slots::getMostBytes(memref::ViewOp view) {
  std::optional<int64_t> element =
      getElementBytes(view.getType().getElementType(), getLayout(view));
  std::optional<int64_t> count = sizes->getMostElements(view.getResult());
  int64_t bytes;
  if (!element || !count || llvm::MulOverflow(*element, *count, bytes))
    return std::nullopt;
  return bytes;
}

void Slots::addArena(Operation *op, Value value, int64_t alignment) {
  auto type = dyn_cast<MemRefType>(value.getType());
  auto holder = dyn_cast<ArenaOp>(op);
  auto argument = dyn_cast<BlockArgument>(value);
  ArrayAttr lowered = findStatedRoots(value);
  SmallVector<Value> held;
  if (holder)
    held = holder.getSlots();
  // That callers hand in enough memory for all slots is not proven.
  else if (argument && !lowered)
    held = findUsedSlots(argument);
  bool hasSlots = !held.empty() || lowered;
  if (!type || type.getRank() != 1 || !(hasSlots || type.hasStaticShape()) ||
      !type.getElementType().isInteger(8) || !type.getLayout().isIdentity()) {
    error(op) << "has an arena of type " << value.getType()
              << " but an arena is a static one-dimensional memref of i8";
    return;
  }
  int64_t size = type.getDimSize(0);
  if (hasSlots)
    size = holder ? static_cast<int64_t>(holder.getLeast()) : kAnySize;
  arenaOf[value] = arenas.size();
  arenas.push_back(
      {value, size, alignment, isa<BlockArgument>(value),
       !isa<BlockArgument>(value) && isHeapArena(op),
       isa<BlockArgument>(value) ? 0 : getParallelLoops(op).size()});
  if (!argument && isReturnedArena(op)) {
    arenas.back().isReturned = true;
    if (!isa<FunctionOpInterface>(op->getParentOp()) ||
        !op->getBlock()->isEntryBlock())
      error(op) << "is the memory of a result but may not be allocated once";
  }
  if (lowered)
    addLoweredRoots(arenas.back(), lowered);
  else if (hasSlots)
    arenas.back().roots = findBelow(held);
}

/// The slots of the views of an arena that is an argument. They must be
/// computed once, at the entry.
SmallVector<Value> Slots::findUsedSlots(BlockArgument arena) {
  SmallVector<Value> used;
  for (Operation *user : arena.getUsers())
    if (auto view = dyn_cast<ViewOp>(user); view && view.getSlot()) {
      used.push_back(view.getSlot());
      if (used.back().getParentBlock() != arena.getOwner())
        error(user) << "is in a slot that is not computed at the entry";
    }
  return used;
}

void Slots::addRoot(Operation *slot, int64_t least, ArrayRef<unsigned> above) {
  Root root{slot, least, llvm::BitVector(roots.size() + 1)};
  for (unsigned below : above) {
    root.least = std::max(root.least, roots[below].least);
    root.below |= roots[below].below;
    root.below.set(below);
  }
  roots.push_back(std::move(root));
}

/// Adds the roots that a lowered arena states. Offsets.h proves that the
/// offsets of its views are in this order.
void Slots::addLoweredRoots(Arena &arena, ArrayAttr stated) {
  arena.firstRoot = static_cast<int>(roots.size());
  for (auto entry : stated.getAsRange<DenseI64ArrayAttr>()) {
    SmallVector<unsigned> above;
    for (int64_t below : entry.asArrayRef().drop_front())
      above.push_back(arena.firstRoot + below);
    addRoot(nullptr, entry[0], above);
  }
  arena.roots.resize(roots.size());
  arena.roots.set(arena.firstRoot, roots.size());
}

/// The roots of the slots, and those that they are above.
llvm::BitVector Slots::findBelow(ValueRange slots) {
  llvm::BitVector below;
  for (Value slot : slots) {
    int root = getRoot(slot);
    below.resize(std::max<size_t>(below.size(), root + 1));
    below |= roots[root].below;
    below.set(root);
  }
  return below;
}

/// The root that the slot is, which is added with all below it if it is new.
int Slots::getRoot(Value slot) {
  SmallVector<Value> pending{slot};
  while (!pending.empty()) {
    Value next = pending.back();
    auto op = next.getDefiningOp<SlotOp>();
    bool isReady = true;
    for (Value below : op.getAbove())
      if (!rootOf.contains(below))
        pending.push_back(below), isReady = false;
    if (!isReady)
      continue;
    pending.pop_back();
    if (!rootOf.try_emplace(next, roots.size()).second)
      continue;
    SmallVector<unsigned> above;
    for (Value below : op.getAbove())
      above.push_back(rootOf.lookup(below));
    addRoot(op, static_cast<int64_t>(op.getLeast()), above);
  }
  return static_cast<int>(rootOf.lookup(slot));
}

LogicalResult Slots::collect(FunctionOpInterface function,
                             const FlowGraph &graph) {
  sizes.emplace(function, graph);
  terms.emplace(*sizes);
  for (BlockArgument argument : function.getArguments())
    if (auto alignment =
            getArgumentAttr<IntegerAttr>(argument, MemplanDialect::kArenaAttr))
      addArena(function, argument, alignment.getInt());
  // The arenas come first: in a graph of blocks a use may come before its
  // definition in the text.
  walkOwn(function, [&](Operation *op) {
    if (std::optional<int64_t> alignment = getArenaAlignment(op))
      addArena(op, op->getResult(0), *alignment);
  });
  walkOwn(function, [&](Operation *op) {
    if (auto view = dyn_cast<ViewOp>(op)) {
      Form offset = Offset{static_cast<int64_t>(view.getOffset()), {}};
      for (auto [worker, stride] :
           llvm::zip(view.getWorkers(), view.getStrides()))
        offset = add(offset, scale(evaluate(worker), stride));
      place(op, view.getArena(),
            view.getSlot() ? getRoot(view.getSlot()) : kBase, offset,
            static_cast<int64_t>(view.getAlign()));
      return;
    }
    for (Value operand : op->getOperands()) {
      auto arena = arenaOf.find(operand);
      if (arena == arenaOf.end())
        continue;
      if (isa<ReleaseOp, memref::DeallocOp>(op)) {
        if (arenas[arena->second].isArgument)
          noteArena(error(op) << "releases the arena that callers hand in",
                    arena->second);
        else if (!arenas[arena->second].isOnHeap)
          noteArena(error(op) << "releases an arena that is not on the heap",
                    arena->second);
      } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
        placeLowered(view, arena->second);
      } else {
        noteArena(error(op) << "uses the arena other than by a view or a "
                               "release, cannot be verified",
                  arena->second);
      }
      return;
    }
  });
  for (Root &root : roots)
    root.below.resize(roots.size());
  expand();
  return success(isSound);
}

/// Places what memplan-lower writes for a view.
void Slots::placeLowered(memref::ViewOp view, unsigned arena) {
  auto place =
      view->getAttrOfType<DenseI64ArrayAttr>(MemplanDialect::kSlotAttr);
  if (!place)
    return this->place(view, arenas[arena].value, kBase,
                       evaluate(view.getByteShift()), 1);
  int64_t root = arenas[arena].firstRoot + place[0];
  if (arenas[arena].firstRoot == kBase ||
      root >= static_cast<int64_t>(arenas[arena].roots.size())) {
    noteArena(error(view) << "is in a slot that the arena does not hold",
              arena);
    return;
  }
  // What depends on the worker is added last.
  Form offset = Offset{place[1], {}};
  Value shift = view.getByteShift();
  while (auto sum = shift.getDefiningOp<arith::AddIOp>()) {
    Form frame = evaluate(sum.getRhs());
    if (!frame || frame->terms.empty())
      break;
    offset = add(offset, frame);
    shift = sum.getLhs();
  }
  shiftOf[view] = {shift, place[1]};
  this->place(view, arenas[arena].value, static_cast<int>(root), offset, 1);
}

/// True if the placement, which takes these bytes of its slot, is not larger
/// than the slot; otherwise emits an error.
bool Slots::fitsInRoot(Operation *op, ByteRange bytes) {
  auto view = cast<ViewOp>(op);
  auto slot = view.getSlot().getDefiningOp<SlotOp>();
  // `measure` knows the size of an element.
  Term taken =
      bytes.end == kAnySize
          ? sizes->countBytes(view.getResult(),
                              *getElementBytes(view.getType().getElementType(),
                                               getLayout(op)))
          : Term::constant(bytes.end);
  if ((bytes.end != kAnySize || bytes.begin == 0) &&
      sizes->fits(taken, sizes->get(slot.getSize())))
    return true;
  InFlightDiagnostic diag = error(op);
  diag << "is not known to be at most as large as its slot";
  diag.attachNote(slot.getLoc()) << "the slot";
  return false;
}

void Slots::place(Operation *op, Value memory, int root, const Form &offset,
                  int64_t alignment) {
  auto it = arenaOf.find(memory);
  if (it == arenaOf.end()) {
    error(op) << "is not a view of an arena, cannot be verified";
    return;
  }
  unsigned arena = it->second;
  if (arenas[arena].firstRoot != kBase && !isa<memref::ViewOp>(op)) {
    noteArena(
        error(op) << "is in an arena that states slots, which has lowered "
                     "placements alone, cannot be verified",
        arena);
    return;
  }
  if (!offset) {
    noteArena(error(op) << "views the arena at an offset that is neither a "
                           "constant nor linear in the variables of parallel "
                           "loops with constant bounds, cannot be verified",
              arena);
    return;
  }
  std::optional<ByteRange> bytes = measure(op, offset->constant, alignment);
  if (!bytes)
    return;
  int64_t baseAlignment = arenas[arena].alignment;
  if (root != kBase) {
    if (root >= static_cast<int>(arenas[arena].roots.size()) ||
        !arenas[arena].roots.test(root)) {
      noteArena(error(op) << "is in a slot that the arena does not hold",
                arena);
      return;
    }
    if (bytes->begin < 0) {
      error(op) << "begins at byte " << bytes->begin << " of its slot";
      return;
    }
    if (auto slot = cast_if_present<SlotOp>(roots[root].slot)) {
      if (!fitsInRoot(op, *bytes))
        return;
      if (slot.getAlign() % alignment != 0) {
        error(op) << "needs an alignment of " << alignment
                  << " bytes but its slot is aligned to " << slot.getAlign();
        return;
      }
      baseAlignment = std::gcd(baseAlignment, int64_t(slot.getAlign()));
    } else {
      baseAlignment =
          std::gcd(baseAlignment, terms->getMultiple(getLoweredStart(op)));
    }
  } else if (bytes->begin < 0 || bytes->end > arenas[arena].size) {
    noteArena(error(op) << "takes " << bytes->size() << " bytes at offset "
                        << bytes->begin << " but the arena has "
                        << arenas[arena].size,
              arena);
    return;
  }
  if (bytes->begin % alignment != 0) {
    error(op) << "offset " << bytes->begin << " is not a multiple of "
              << alignment << ", the alignment of the buffer";
    return;
  }
  if (arenas[arena].alignment % alignment != 0) {
    noteArena(error(op) << "needs an alignment of " << alignment
                        << " bytes but the arena is aligned to "
                        << arenas[arena].alignment,
              arena);
    return;
  }
  int64_t divisor = std::gcd(bytes->begin, baseAlignment);
  for (const LoopTerm &term : offset->terms) {
    if (term.stride % alignment != 0) {
      error(op) << "stride " << term.stride << " is not a multiple of "
                << alignment << ", the alignment of the buffer";
      return;
    }
    if (term.stride < 0) {
      error(op) << "is at an offset that falls with the worker, cannot be "
                   "verified";
      return;
    }
    divisor = std::gcd(divisor, term.stride);
  }
  Slot slot{arena, root, getParallelLoops(op), {}, divisor, op};
  slot.loops.erase(slot.loops.begin(),
                   slot.loops.begin() + arenas[arena].depth);
  slot.bytes.assign(slot.loops.size() + 1, *bytes);
  auto type = cast<MemRefType>(op->getResult(0).getType());
  slot.isWhole = !type.hasStaticShape() && bytes->size() != 0;
  auto [same, isNew] = slotAt.try_emplace(
      {arena, root, bytes->begin, bytes->end,
       slot.loops.empty() ? nullptr : slot.loops.back(), slot.isWhole},
      slots.size());
  if (isNew)
    slots.push_back(std::move(slot));
  slotOf[op->getResult(0)] = same->second;
  placements.push_back({op, same->second, offset->terms});
  if (arenas[arena].firstRoot != kBase)
    loweredViews.push_back({cast<memref::ViewOp>(op), same->second,
                            shiftOf.lookup(op).first, alignment});
}

/// Computes the bytes of slots in parallel loops as seen from outside of the
/// loops, inner loops first.
void Slots::expand() {
  using Place = std::pair<unsigned, int>;
  llvm::MapVector<std::pair<Place, Operation *>, SmallVector<Placement *>>
      groups;
  SmallVector<std::tuple<unsigned, Place, Operation *>> order;
  for (Placement &placement : placements) {
    const Slot &slot = slots[placement.slot];
    Place place{slot.arena, slot.root};
    for (auto [depth, loop] : llvm::enumerate(slot.loops)) {
      auto &group = groups[{place, loop}];
      if (group.empty())
        order.push_back({static_cast<unsigned>(depth), place, loop});
      group.push_back(&placement);
    }
  }
  llvm::stable_sort(order, [](const auto &a, const auto &b) {
    return std::get<0>(a) > std::get<0>(b);
  });
  for (auto [depth, place, loop] : order)
    if (isSound)
      expand(place.first, loop, depth, groups[{place, loop}]);
}

/// Checks that the iterations of `loop` have disjoint frames, and widens the
/// slots inside to all iterations. The strides are like those of digits in a
/// number: all iterations of one dimension must fit in the stride of the next
/// one.
void Slots::expand(unsigned arena, Operation *loop, unsigned depth,
                   ArrayRef<Placement *> inside) {
  auto getTerms = [&](const Placement &placement) {
    SmallVector<LoopTerm> terms;
    for (const LoopTerm &term : placement.terms)
      if (term.variable.getOwner()->getParentOp() == loop && term.stride != 0)
        terms.push_back(term);
    llvm::sort(terms, [](const LoopTerm &a, const LoopTerm &b) {
      return std::make_pair(a.stride, a.variable.getArgNumber()) <
             std::make_pair(b.stride, b.variable.getArgNumber());
    });
    return terms;
  };
  Operation *first = inside.front()->op;
  SmallVector<LoopTerm> terms = getTerms(*inside.front());
  ByteRange frame = slots[inside.front()->slot].bytes[depth + 1];
  for (const Placement *placement : inside) {
    if (!llvm::equal(terms, getTerms(*placement),
                     [](const LoopTerm &a, const LoopTerm &b) {
                       return a.variable == b.variable && a.stride == b.stride;
                     })) {
      InFlightDiagnostic diag = error(placement->op);
      diag << "is elsewhere for each iteration than another buffer of the same "
              "loop, cannot be verified";
      diag.attachNote(first->getLoc()) << "the other buffer";
      return;
    }
    ByteRange bytes = slots[placement->slot].bytes[depth + 1];
    frame.begin = std::min(frame.begin, bytes.begin);
    frame.end = std::max(frame.end, bytes.end);
  }
  auto ranges = getLoopRanges(loop);
  bool varies = ranges && llvm::all_of(*ranges, [&](const LoopRange &range) {
                  return range.count == 1 ||
                         llvm::any_of(terms, [&](const LoopTerm &term) {
                           return term.variable == range.variable;
                         });
                });
  if (!varies) {
    if (terms.empty()) {
      ByteRange bytes = slots[inside.front()->slot].own();
      InFlightDiagnostic diag = error(loop);
      diag << "iterations that may run at once share the buffer at bytes "
           << verifier::str(bytes)
           << " of the arena, which each of them begins anew";
      diag.attachNote(first->getLoc())
          << "the buffer at " << verifier::str(bytes) << " is placed here";
      return;
    }
    InFlightDiagnostic diag = error(first);
    diag << "is at the same place in iterations that may run at once: it does "
            "not depend on each induction variable";
    diag.attachNote(loop->getLoc()) << "of this op";
    return;
  }
  int64_t span = frame.size(), all = 0;
  for (const LoopTerm &term : terms) {
    if (term.count > 1 && term.stride < span) {
      InFlightDiagnostic diag = error(first);
      diag << "is in the frame of an iteration, which takes " << span
           << " bytes, but that of the next begins after " << term.stride;
      diag.attachNote(loop->getLoc())
          << "iterations of this op may run at once";
      return;
    }
    int64_t reach;
    if (llvm::MulOverflow(term.stride, term.count - 1, reach) ||
        llvm::AddOverflow(span, reach, span)) {
      error(first) << "takes bytes of the arena whose number overflows";
      return;
    }
    all += reach;
  }
  int root = slots[inside.front()->slot].root;
  int64_t size = arenas[arena].size;
  if (root != kBase)
    size = roots[root].slot
               ? getConstantNumber(cast<SlotOp>(roots[root].slot).getSize())
                     .value_or(0)
               : kAnySize;
  if (span > size - frame.begin) {
    error(first) << "takes " << span << " bytes at offset " << frame.begin
                 << " for all iterations but the "
                 << (root == kBase ? "arena has " : "slot has ") << size;
    return;
  }
  llvm::DenseSet<unsigned> seen;
  for (const Placement *placement : inside)
    if (seen.insert(placement->slot).second)
      for (unsigned i = 0; i <= depth; ++i)
        slots[placement->slot].bytes[i].end += all;
}

} // namespace memplan::verifier

FailureOr<Operation *>
memplan::findSharedPlacement(FunctionOpInterface function,
                             ArrayRef<Operation *> placements) {
  verifier::Slots slots;
  verifier::FlowGraph graph(function.getFunctionBody());
  if (failed(slots.collect(function, graph)))
    return failure();
  for (Operation *op : placements) {
    auto own = slots.slotOf.find(op->getResult(0));
    if (own == slots.slotOf.end())
      return op;
    for (auto [value, slot] : slots.slotOf)
      if (value != own->first && slots.overlap(own->second, slot))
        return op;
  }
  return nullptr;
}
