//===- Contents.cpp - Every op reads the same contents as before ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check executes both functions side by side and represents contents of
// memory by numbers. A fill writes the number of its value, and a copy the
// number of its source. Any other op must be in both functions, and writes a
// new number, the same one in both. An op must read the same number in both
// functions, though not from the same memory: it may read an allocation of its
// own in one of them and a slice of a larger allocation in the other. Fills,
// and copies between allocations that are followed, may be in one function
// only.
//
//   before                           after
//   fill a          a: v             fill b          b: v
//   compute c       c: 1             compute b[s]    b: v, [s]: 1
//   fill b          b: v
//   copy c to b[s]  b: v, [s]: 1
//   use b           reads the same in both
//
// Both functions may be in either role: the check also proves a function with
// more copies. Memory spaces do not matter.
//
// An allocation is followed in its own block, and in regions in this block that
// only read it, until an op may give it a name that cannot be followed. At that
// op it must hold the same in both functions, and from there on both must use
// the same names for it.
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"

#include "SameAttributes.h"
#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Strides.h"
#include "memplan/IR/Views.h"
#include "memplan/Verifier/Flow.h"
#include "memplan/Verifier/NestAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace memplan;
using namespace memplan::verifier;

namespace {

/// The effect of an op on a memref, in ascending order of severity.
enum class Use { None, Reads, Writes, Frees, Unknown };

/// An op that writes one value to all elements of a memref.
struct Fill {
  Value target, value;
};

/// A box of elements: the first index and the extent of each dimension.
using Box = SmallVector<int64_t, 8>;

/// The elements of an allocation that a memref has.
struct Elements {
  /// The allocation; null if the memref is not known to be in one.
  Operation *root = nullptr;
  /// The elements of the allocation; std::nullopt for all of them.
  std::optional<Box> box;
  /// The views that, in this order, leave out or permute elements of the box.
  SmallVector<Operation *, 2> views;
};

/// The contents of an allocation: a number for each of some disjoint boxes, and
/// `base` for all other elements.
struct Memory {
  /// Negative if all elements hold one value, 0 if nothing was written yet.
  int64_t base = 0;
  std::map<Box, int64_t> boxes;
};

/// One of the two functions.
enum Side : uint8_t { Before, After };

/// True for a view whose elements depend on the operands of the op only. That
/// of memref.reshape also depends on the memory that holds its shape.
bool isPlainView(Operation *op) {
  return getViewSource(op) && op->getNumResults() == 1 &&
         isa<BaseMemRefType>(op->getResult(0).getType()) &&
         isMemoryEffectFree(op) &&
         llvm::count_if(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) ==
             1;
}

/// True if the ops around `inner` up to `outer` are loops with one iteration
/// each. `outer` may be `inner`.
bool runsOnce(Operation *outer, Operation *inner) {
  for (; inner != outer; inner = inner->getParentOp()) {
    Operation *parent = inner->getParentOp();
    auto ranges = isCountedLoop(parent) ? getLoopRanges(parent) : std::nullopt;
    if (!ranges || !llvm::all_of(*ranges, [](const LoopRange &range) {
          return range.count == 1;
        }))
      return false;
  }
  return true;
}

/// True if the loops from `nest` down to the store write each element of its
/// memref: each dimension of more than one element is indexed by the variable
/// of a loop of its own, which takes all indices in steps of 1.
bool storesEach(Operation *store, Operation *nest) {
  std::optional<IndexedAccess> access = getIndexedAccess(store);
  Value memref = access->memref;
  // The type of what is cast may say more.
  for (auto type = dyn_cast<MemRefType>(memref.getType());
       type && !type.hasStaticShape();
       type = dyn_cast<MemRefType>(memref.getType())) {
    auto cast = memref.getDefiningOp<memref::CastOp>();
    if (!cast)
      return false;
    memref = cast.getSource();
  }
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.hasStaticShape() ||
      (access->map &&
       (!access->map.isIdentity() || access->map.getNumSymbols())))
    return false;
  DenseMap<Value, int64_t> counts;
  for (Operation *op = store; op != nest;) {
    op = op->getParentOp();
    auto ranges = isCountedLoop(op) ? getLoopRanges(op) : std::nullopt;
    if (!ranges)
      return false;
    for (const LoopRange &range : *ranges)
      counts[range.variable] =
          range.begin == 0 && range.step == 1 ? range.count : -1;
  }
  for (auto [index, size] :
       llvm::zip_equal(access->operands, type.getShape())) {
    if (size == 1)
      continue;
    auto it = counts.find(index);
    if (it == counts.end() || it->second != size)
      return false;
    counts.erase(it);
  }
  return true;
}

class ContentsCheck {
public:
  LogicalResult compareRegions(Region &before, Region &after);

private:
  using Uses = llvm::MapVector<Operation *, Use>;

  LogicalResult compareBlocks(Block &before, Block &after);
  bool isFilledCopy(Operation *before, Operation *after);
  LogicalResult compareOps(Operation *before, Operation *after);
  LogicalResult compareAccess(OpOperand &before, OpOperand &after);
  LogicalResult compareAliasing(Operation *before, Operation *after);
  LogicalResult compareNested(Operation *before, Operation *after);
  LogicalResult leaveBlocks(Operation *before, Operation *after);
  LogicalResult mismatch(Operation *before, Operation *after,
                         const Twine &what) {
    InFlightDiagnostic diag = after->emitError() << what;
    diag.attachNote(before->getLoc()) << "in the original program";
    return diag;
  }

  bool corresponds(Value before, Value after);
  bool haveLeftSame(Operation *before, Operation *after);
  bool areOneFloating(Operation *before, Operation *after);
  bool correspond(ValueRange before, ValueRange after) {
    return before.size() == after.size() &&
           llvm::all_of(llvm::zip(before, after), [&](auto pair) {
             return corresponds(std::get<0>(pair), std::get<1>(pair));
           });
  }

  /// The effect of the op on the operand.
  Use classify(OpOperand &operand);
  Operation *findRoot(Value memref);
  Elements findElements(Value memref);
  std::optional<Fill> matchFill(Operation *op);
  bool isUsedBehind(Operation *allocation);

  /// Executes an op that may be in one function only: an allocation, a view of
  /// one, a fill or a copy. Returns false if the op must have a counterpart.
  /// Allocations and views are compared where they are used.
  bool executeFloating(Operation *op, Side side);
  /// By allocation that is followed, the greatest use of it by ops inside of
  /// `op`.
  Uses collectNestedUses(Operation *op, Side side);

  bool isFollowed(const Elements &place, Side side) {
    return place.root && held[side].contains(place.root);
  }
  bool isOwn(const Elements &place, Operation *op, Side side) {
    return isFollowed(place, side) && place.root->getBlock() == op->getBlock();
  }

  /// The number of a value of the original function; negative.
  int64_t numberOf(Value value) {
    return values.try_emplace(value, -1 - int64_t(values.size())).first->second;
  }
  /// The number of the value of the original function that `value` is or
  /// corresponds to; 0 if that is not known.
  int64_t numberOf(Value value, Side side) {
    if (side == After)
      value = toBefore.lookup(value);
    return value ? numberOf(value) : 0;
  }
  /// A new number; positive.
  int64_t makeNumber() { return ++lastNumber; }
  /// The number of the key: the same one each time.
  int64_t numberFor(const std::vector<int64_t> &key) {
    auto [it, isNew] = interned.try_emplace(key, 0);
    if (isNew)
      it->second = makeNumber();
    return it->second;
  }
  int64_t readWhole(Operation *allocation, const Memory &memory);
  int64_t readWhole(Operation *allocation, Side side) {
    return readWhole(allocation, held[side].find(allocation)->second);
  }
  int64_t readPart(const Elements &place, Side side);
  int64_t read(const Elements &place, Side side);
  std::vector<int64_t> describeRoot(Operation *root, Side side);
  std::vector<int64_t> describeView(Operation *view, Side side);
  bool haveSameViews(const Elements &before, const Elements &after);
  void write(const Elements &place, Side side, int64_t number);

  /// The contents of the allocations that are followed.
  DenseMap<Operation *, Memory> held[2];
  /// The number of all that an allocation held when control left its block.
  DenseMap<Operation *, int64_t> left[2];
  DenseMap<Value, Value> toBefore;
  DenseMap<Operation *, Operation *> toAfter;
  DenseMap<Block *, Block *> blockToBefore;
  DenseMap<Value, Operation *> roots;
  DenseMap<OpOperand *, Use> usesKnown;
  DenseMap<Value, int64_t> values;
  std::map<std::vector<int64_t>, int64_t> interned;
  int64_t lastNumber = 0;
};

/// True for an allocation whose elements have distinct bytes, in memory that
/// one thread at a time uses.
bool isPlainAllocation(Operation *op) {
  if (!isa_and_present<memref::AllocOp, memref::AllocaOp>(op))
    return false;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  return type.getLayout().isIdentity() &&
         !isWorkgroupSpace(type.getMemorySpace());
}

Operation *ContentsCheck::findRoot(Value memref) {
  SmallVector<Value, 4> path;
  Operation *root = nullptr;
  while (true) {
    if (auto it = roots.find(memref); it != roots.end()) {
      root = it->second;
      break;
    }
    path.push_back(memref);
    Operation *op = memref.getDefiningOp();
    if (isPlainAllocation(op))
      root = op;
    if (root || !op || !isPlainView(op))
      break;
    memref = getViewSource(op);
  }
  for (Value name : path)
    roots[name] = root;
  return root;
}

/// True for a view of all elements of its source, in the same order.
static bool isReshape(Operation *view) {
  auto from = dyn_cast<MemRefType>(view->getOperand(0).getType());
  auto to = dyn_cast<MemRefType>(view->getResult(0).getType());
  if (!from || !to || from.getElementType() != to.getElementType())
    return false;
  if (isa<memref::CastOp>(view))
    return true;
  return isa<memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::MemorySpaceCastOp>(view) &&
         from.hasStaticShape() && to.hasStaticShape() &&
         from.getNumElements() == to.getNumElements();
}

/// The box of its source that a view has. std::nullopt if the view is no
/// subview with constant offsets, constant sizes and strides of 1, or if it
/// leaves its source.
static std::optional<Box> findBox(Operation *view) {
  auto slice = dyn_cast<memref::SubViewOp>(view);
  if (!slice || !llvm::all_of(slice.getStaticStrides(),
                              [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  Box box;
  for (auto [mixed, size] :
       llvm::zip_equal(slice.getMixedOffsets(), slice.getStaticSizes())) {
    std::optional<int64_t> offset = getConstantIntValue(mixed);
    if (!offset || ShapedType::isDynamic(size))
      return std::nullopt;
    box.append({*offset, size});
  }
  auto source = cast<MemRefType>(slice.getSource().getType());
  for (auto [i, extent] : llvm::enumerate(source.getShape()))
    if (box[2 * i] < 0 || box[2 * i] + box[2 * i + 1] > extent)
      return std::nullopt;
  return box;
}

static bool meet(const Box &a, const Box &b) {
  for (size_t i = 0; i < a.size(); i += 2)
    if (a[i] + a[i + 1] <= b[i] || b[i] + b[i + 1] <= a[i])
      return false;
  return true;
}

/// True if the layout of the view has as many elements as the allocation,
/// starts at the first one and leaves no gap: the view has all elements in
/// their order.
static bool hasAllInOrder(MemRefType view, MemRefType allocated) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!view.hasStaticShape() || !allocated.hasStaticShape() ||
      view.getElementType() != allocated.getElementType() ||
      view.getNumElements() != allocated.getNumElements() ||
      failed(getStridesAndOffset(view, strides, offset)) || offset != 0)
    return false;
  int64_t next = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(view.getShape(), strides))) {
    if (size != 1 && stride != next)
      return false;
    next *= size;
  }
  return true;
}

Elements ContentsCheck::findElements(Value memref) {
  Elements place;
  place.root = findRoot(memref);
  if (!place.root)
    return place;
  if (memref == place.root->getResult(0))
    return place;
  auto viewed = dyn_cast<MemRefType>(memref.getType());
  SmallVector<Operation *, 4> chain;
  for (; memref != place.root->getResult(0);
       memref = chain.back()->getOperand(0))
    chain.push_back(memref.getDefiningOp());
  auto type = cast<MemRefType>(place.root->getResult(0).getType());
  // The layouts of these views count from the start of the allocation.
  if (viewed && hasAllInOrder(viewed, type) &&
      llvm::all_of(chain, [](Operation *view) {
        return isRelativeView(view) || isa<memref::ReinterpretCastOp>(view);
      }))
    return place;
  // The offsets of other views count from the start of the allocation and not
  // from the start of their source.
  bool isRelative = llvm::all_of(chain, [](Operation *view) {
    return isReshape(view) || isa<memref::SubViewOp, memref::TransposeOp>(view);
  });
  for (Operation *view : llvm::reverse(chain)) {
    if (!isRelative) {
      place.views.push_back(view);
      continue;
    }
    if (isReshape(view))
      continue;
    auto from = dyn_cast<MemRefType>(view->getOperand(0).getType());
    std::optional<Box> box;
    if (!place.box && place.views.empty() && from && type.hasStaticShape() &&
        from.getShape() == type.getShape())
      box = findBox(view);
    // A view of all elements needs no box.
    bool isAll =
        box &&
        cast<MemRefType>(view->getResult(0).getType()).getNumElements() ==
            type.getNumElements();
    if (!box)
      place.views.push_back(view);
    else if (!isAll)
      place.box = box;
  }
  return place;
}

/// True if the place is all elements of an allocation, in their order.
static bool isWhole(const Elements &place) {
  return place.root && !place.box && place.views.empty();
}

/// Adds the shape of the allocation, which says how many dimensions a box has.
static void addShape(Operation *allocation, std::vector<int64_t> &key) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  llvm::append_range(key, type.getShape());
}

int64_t ContentsCheck::readWhole(Operation *allocation, const Memory &memory) {
  if (memory.boxes.empty())
    return memory.base;
  std::vector<int64_t> key = {0, memory.base};
  addShape(allocation, key);
  for (const auto &[box, number] : memory.boxes) {
    llvm::append_range(key, box);
    key.push_back(number);
  }
  return numberFor(key);
}

/// The number of the contents of the box, or of the whole allocation if the
/// place has no box.
int64_t ContentsCheck::readPart(const Elements &place, Side side) {
  const Memory &memory = held[side].find(place.root)->second;
  if (!place.box)
    return readWhole(place.root, memory);
  if (auto it = memory.boxes.find(*place.box); it != memory.boxes.end())
    return it->second;
  std::vector<int64_t> key = {1, memory.base};
  addShape(place.root, key);
  bool isOfBase = true;
  for (const auto &[box, number] : memory.boxes) {
    if (!meet(box, *place.box))
      continue;
    isOfBase = false;
    llvm::append_range(key, box);
    key.push_back(number);
  }
  // A part of an allocation that holds one value holds this value.
  if (isOfBase && memory.base <= 0)
    return memory.base;
  llvm::append_range(key, *place.box);
  return numberFor(key);
}

/// A key of all that determines which elements of its source a view has.
std::vector<int64_t> ContentsCheck::describeView(Operation *view, Side side) {
  auto asNumber = [](const void *pointer) {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
  };
  std::vector<int64_t> key = {
      asNumber(view->getName().getAsOpaquePointer()),
      asNumber(view->getAttrDictionary().getAsOpaquePointer())};
  if (auto source = dyn_cast<MemRefType>(view->getOperand(0).getType()))
    llvm::append_range(key, source.getShape());
  if (auto type = dyn_cast<MemRefType>(view->getResult(0).getType())) {
    key.push_back(asNumber(type.getElementType().getAsOpaquePointer()));
    llvm::append_range(key, type.getShape());
    // The layout of a subview follows from that of its source.
    if (!isa<memref::SubViewOp>(view))
      key.push_back(asNumber(type.getLayout().getAsOpaquePointer()));
  }
  for (Value operand : llvm::drop_begin(view->getOperands())) {
    int64_t number = numberOf(operand, side);
    key.push_back(number ? number : makeNumber());
  }
  return key;
}

/// The type in the default memory space: contents do not depend on the space.
static Type withoutSpace(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? MemRefType::get(memref.getShape(), memref.getElementType(),
                                  memref.getLayout())
                : type;
}

/// A key of the type and the dynamic sizes of the allocation, on which the
/// elements of views may depend.
std::vector<int64_t> ContentsCheck::describeRoot(Operation *root, Side side) {
  std::vector<int64_t> key = {static_cast<int64_t>(reinterpret_cast<intptr_t>(
      withoutSpace(root->getResult(0).getType()).getAsOpaquePointer()))};
  for (Value operand : root->getOperands()) {
    int64_t number = numberOf(operand, side);
    key.push_back(number ? number : makeNumber());
  }
  return key;
}

bool ContentsCheck::haveSameViews(const Elements &before,
                                  const Elements &after) {
  if (before.views.empty() && after.views.empty())
    return true;
  return before.views.size() == after.views.size() &&
         describeRoot(before.root, Before) == describeRoot(after.root, After) &&
         llvm::all_of(llvm::zip(before.views, after.views), [&](auto pair) {
           auto [own, other] = pair;
           return describeView(own, Before) == describeView(other, After);
         });
}

int64_t ContentsCheck::read(const Elements &place, Side side) {
  int64_t number = readPart(place, side);
  auto elementOf = [](Value memref) {
    return cast<BaseMemRefType>(memref.getType()).getElementType();
  };
  for (Operation *view : place.views) {
    if (number <= 0 &&
        elementOf(view->getOperand(0)) == elementOf(view->getResult(0)))
      continue;
    std::vector<int64_t> key = {2, number};
    llvm::append_range(key, describeRoot(place.root, side));
    llvm::append_range(key, describeView(view, side));
    number = numberFor(key);
  }
  return number;
}

/// Writes the number to the box, or to all of the allocation.
void ContentsCheck::write(const Elements &place, Side side, int64_t number) {
  Memory &memory = held[side].find(place.root)->second;
  if (!place.box) {
    memory = Memory{number, {}};
    return;
  }
  // Boxes that meet the new one lose elements to it. Their numbers become part
  // of the base.
  Memory others{memory.base, {}};
  for (auto it = memory.boxes.begin(); it != memory.boxes.end();) {
    bool isCut = it->first != *place.box && meet(it->first, *place.box);
    if (isCut)
      others.boxes.insert(*it);
    it = isCut ? memory.boxes.erase(it) : std::next(it);
  }
  memory.base = readWhole(place.root, others);
  memory.boxes[*place.box] = number;
}

/// Matches a structured op that writes one value to all elements of its only
/// memref. The value must come from outside of the op.
static std::optional<Fill> matchStructuredFill(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1)
    return std::nullopt;
  Value target = op.getDpsInits()[0];
  if (auto fill = dyn_cast<linalg::FillOp>(*op))
    return Fill{target, fill.getInputs()[0]};
  Operation &first = op.getBlock()->front();
  auto isShaped = [](Value input) { return isa<ShapedType>(input.getType()); };
  if (llvm::any_of(op.getDpsInputs(), isShaped) ||
      !isa<linalg::YieldOp>(first) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return std::nullopt;
  Value value = first.getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock()) {
    value = op->getOperand(argument.getArgNumber());
    if (value == target)
      return std::nullopt;
  }
  return Fill{target, value};
}

/// True if the value is defined by an op inside of `op`, or in a region of it.
static bool isInside(Value value, Operation *op) {
  return op->isAncestor(value.getParentBlock()->getParentOp());
}

/// The op that `op` executes again and again: `op` itself, or the only op with
/// an effect in a nest of loops, each of at least one iteration.
static Operation *findRepeated(Operation *op) {
  Operation *repeated = op;
  while (isCountedLoop(repeated) && repeated->getNumResults() == 0 &&
         getLoopRanges(repeated)) {
    Operation *only = nullptr;
    for (Operation &inner :
         repeated->getRegion(0).front().without_terminator()) {
      if (isMemoryEffectFree(&inner))
        continue;
      if (only)
        return op;
      only = &inner;
    }
    if (!only)
      return op;
    repeated = only;
  }
  return repeated;
}

std::optional<Fill> ContentsCheck::matchFill(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(findRepeated(op))) {
    std::optional<Fill> fill = matchStructuredFill(structured);
    bool isSame = fill && !(isCountedLoop(op) && (isInside(fill->target, op) ||
                                                  isInside(fill->value, op)));
    return isSame ? fill : std::nullopt;
  }
  if (!isCountedLoop(op) || op->getNumResults() > 0)
    return std::nullopt;
  Operation *store = nullptr;
  WalkResult walk = op->walk([&](Operation *inner) {
    if (isa<memref::StoreOp, affine::AffineStoreOp>(inner) && !store)
      store = inner;
    else if (!isCountedLoop(inner) && !isMemoryEffectFree(inner))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted() || !store)
    return std::nullopt;
  Value target = getIndexedAccess(store)->memref, value = store->getOperand(0);
  if (isInside(target, op) || isInside(value, op))
    return std::nullopt;
  Elements place = findElements(target);
  if (storesEach(store, op))
    return Fill{target, value};
  // Otherwise, as in loops over tiles, the bytes tell that the store writes all
  // of the allocation.
  auto type = place.root
                  ? dyn_cast<MemRefType>(place.root->getResult(0).getType())
                  : MemRefType();
  if (!type || !type.hasStaticShape() || !isWhole(place))
    return std::nullopt;
  std::optional<int64_t> size =
      getElementBytes(type.getElementType(), DataLayout::closest(op));
  std::optional<StoredBytes> stored =
      size ? findStoredBytes(store, place.root->getResult(0), *size, op)
           : std::nullopt;
  int64_t bytes;
  if (!stored || stored->bytes.begin != 0 ||
      llvm::MulOverflow(*size, type.getNumElements(), bytes) ||
      stored->bytes.end != bytes || !runsOnce(op, stored->nest))
    return std::nullopt;
  return Fill{target, value};
}

/// An op that copies each element of one memref to another one.
struct ElementCopy {
  Value source, target;
  /// True if each element keeps its indices.
  bool keepsOrder;
};

static std::optional<ElementCopy> matchCopy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return ElementCopy{copy.getSource(), copy.getTarget(), true};
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isa<linalg::CopyOp, linalg::GenericOp>(op) ||
      !structured.hasPureBufferSemantics() ||
      structured.getNumDpsInputs() != 1 || structured.getNumDpsInits() != 1)
    return std::nullopt;
  OpOperand *input = structured.getDpsInputOperand(0);
  OpOperand *init = structured.getDpsInitOperand(0);
  Operation &first = structured.getBlock()->front();
  AffineMap map = structured.getMatchingIndexingMap(init);
  if (!isMemRef(input->get()) || !isa<linalg::YieldOp>(first) ||
      first.getNumOperands() != 1 ||
      first.getOperand(0) != structured.getBlock()->getArgument(0) ||
      !map.isPermutation())
    return std::nullopt;
  return ElementCopy{input->get(), init->get(),
                     structured.getMatchingIndexingMap(input) == map};
}

static Use findUse(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<memref::DimOp, memref::RankOp>(op) ||
      (isPlainView(op) && getViewSource(op) == operand.get()))
    return Use::None;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  auto isOther = [](Type type) {
    return isa<TensorType>(type) || isToken(type);
  };
  if (!interface || isa<CallOpInterface>(op) ||
      getAsyncWork(op).role == AsyncRole::Starts ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>) ||
      llvm::any_of(op->getOperandTypes(), isOther) ||
      llvm::any_of(op->getResultTypes(), isOther))
    return Use::Unknown;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  // Effects on another operand are not those of this one, even if both are the
  // same memref.
  llvm::erase_if(effects, [&](const MemoryEffects::EffectInstance &effect) {
    auto *own = effect.getEffectValue<OpOperand *>();
    return own ? own != &operand : effect.getValue() != operand.get();
  });
  Use use = effects.empty() ? Use::Unknown : Use::None;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    MemoryEffects::Effect *kind = effect.getEffect();
    use = std::max(use, isa<MemoryEffects::Free>(kind)    ? Use::Frees
                        : isa<MemoryEffects::Read>(kind)  ? Use::Reads
                        : isa<MemoryEffects::Write>(kind) ? Use::Writes
                                                          : Use::Unknown);
  }
  return use;
}

Use ContentsCheck::classify(OpOperand &operand) {
  auto it = usesKnown.find(&operand);
  if (it == usesKnown.end())
    it = usesKnown.try_emplace(&operand, findUse(operand)).first;
  return it->second;
}

/// True if the op writes every element of the operand and reads none of them
/// through it.
static bool overwrites(OpOperand &operand) {
  if (auto copy = dyn_cast<memref::CopyOp>(operand.getOwner()))
    return &operand == &copy.getTargetMutable();
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!op || !op.isDpsInit(&operand) ||
      op.payloadUsesValueFromOperand(&operand))
    return false;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return false;
  // If a reduced dimension has no elements, the op writes nothing.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [dimension, range] : llvm::enumerate(ranges))
    if (!map.isFunctionOfDim(dimension) &&
        (range == 0 || ShapedType::isDynamic(range)))
      return false;
  return true;
}

ContentsCheck::Uses ContentsCheck::collectNestedUses(Operation *op, Side side) {
  Uses uses;
  if (held[side].empty())
    return uses;
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    for (OpOperand &operand : inner->getOpOperands()) {
      if (!isMemRef(operand.get()))
        continue;
      Operation *root = findRoot(operand.get());
      if (!root || !held[side].contains(root))
        continue;
      Use use = classify(operand);
      for (Operation *around = inner; around != op;) {
        around = around->getParentOp();
        if (!hasKnownControlFlow(around) && !isa<linalg::LinalgOp>(around))
          use = Use::Unknown;
      }
      uses[root] = std::max(uses[root], use);
    }
  });
  return uses;
}

/// True if the allocation or a view of it is used in another block.
bool ContentsCheck::isUsedBehind(Operation *allocation) {
  Block *block = allocation->getBlock();
  SmallVector<Value> names = {allocation->getResult(0)};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      // A view that nobody uses needs nothing.
      if (isPlainView(user))
        names.push_back(user->getResult(0));
      else if (!block->findAncestorOpInBlock(*user))
        return true;
    }
  return false;
}

/// True if `op` is the allocation `root` or a view of it.
static bool hasFloatingName(Operation *op, Operation *root) {
  return op && root && (op == root || isPlainView(op));
}

/// True if the two allocations held the same when control left their blocks, or
/// if nothing is noted of either.
bool ContentsCheck::haveLeftSame(Operation *before, Operation *after) {
  auto own = left[Before].find(before), other = left[After].find(after);
  bool hasLeft = own != left[Before].end();
  return hasLeft == (other != left[After].end()) &&
         (!hasLeft || own->second == other->second);
}

/// True if the two are the same op with corresponding operands. Both are
/// allocations or views of them.
bool ContentsCheck::areOneFloating(Operation *before, Operation *after) {
  if (!haveSameAttributes(before, after) ||
      withoutSpace(before->getResult(0).getType()) !=
          withoutSpace(after->getResult(0).getType()) ||
      !correspond(before->getOperands(), after->getOperands()))
    return false;
  if (!isPlainAllocation(before))
    return true;
  // The two must be executed equally often and correspond to no other
  // allocation.
  if (blockToBefore.lookup(after->getBlock()) != before->getBlock() ||
      !haveLeftSame(before, after))
    return false;
  return toAfter.try_emplace(before, after).first->second == after;
}

/// True if the two values correspond. If nothing is known of `after`, the
/// answer is assumed to be true; the comparison of the ops that define the two
/// checks that later.
bool ContentsCheck::corresponds(Value before, Value after) {
  if (auto it = toBefore.find(after); it != toBefore.end())
    return it->second == before;
  Operation *own = before.getDefiningOp(), *other = after.getDefiningOp();
  bool isFloating = hasFloatingName(own, findRoot(before));
  if (isFloating != hasFloatingName(other, findRoot(after)) ||
      (isFloating && !areOneFloating(own, other)))
    return false;
  return toBefore.try_emplace(after, before).first->second == before;
}

bool ContentsCheck::executeFloating(Operation *op, Side side) {
  if (isPlainAllocation(op)) {
    held[side][op] = Memory();
    return true;
  }
  if (isPlainView(op) && findRoot(op->getResult(0)))
    return true;
  if (std::optional<Fill> fill = matchFill(op)) {
    Elements target = findElements(fill->target);
    int64_t number = numberOf(fill->value, side);
    if (!number || !isOwn(target, op, side) || !target.views.empty())
      return false;
    write(target, side, number);
    return true;
  }
  // Copying the same elements again changes nothing.
  std::optional<ElementCopy> copy = matchCopy(findRepeated(op));
  if (!copy || (isCountedLoop(op) &&
                (isInside(copy->source, op) || isInside(copy->target, op))))
    return false;
  Elements source = findElements(copy->source),
           target = findElements(copy->target);
  bool isApart = source.root != target.root ||
                 (source.box && target.box && !meet(*source.box, *target.box));
  if (!isFollowed(source, side) || !isOwn(target, op, side) || !isApart ||
      !target.views.empty())
    return false;
  auto shapeOf = [](Operation *allocation) {
    return cast<MemRefType>(allocation->getResult(0).getType()).getShape();
  };
  // The parts of all that is copied keep their numbers.
  if (isWhole(source) && isWhole(target) && copy->keepsOrder &&
      shapeOf(source.root) == shapeOf(target.root)) {
    held[side][target.root] = Memory(held[side][source.root]);
    return true;
  }
  int64_t number = read(source, side);
  if (number > 0 && !copy->keepsOrder)
    return false;
  write(target, side, number);
  return true;
}

/// Compares the contents that two ops, which are otherwise equal, read through
/// the same operand.
LogicalResult ContentsCheck::compareAccess(OpOperand &before,
                                           OpOperand &after) {
  Operation *own = before.getOwner(), *other = after.getOwner();
  auto differs = [&] {
    return mismatch(own, other, "is not the op of the original program");
  };
  Elements from = findElements(before.get()), to = findElements(after.get());
  bool isTracked = isFollowed(from, Before);
  if (isTracked != isFollowed(to, After))
    return differs();
  if (!isTracked)
    return corresponds(before.get(), after.get()) ? success() : differs();
  auto type = cast<ShapedType>(before.get().getType());
  auto otherType = cast<ShapedType>(after.get().getType());
  Use use = classify(before);
  if (use != classify(after) || type.getShape() != otherType.getShape() ||
      type.getElementType() != otherType.getElementType())
    return differs();
  bool needsName =
      use == Use::Frees || use == Use::Unknown || !type.hasStaticShape();
  if (needsName &&
      (!corresponds(from.root->getResult(0), to.root->getResult(0)) ||
       !corresponds(before.get(), after.get())))
    return differs();
  bool isSame = true;
  if (use == Use::Unknown)
    isSame = readWhole(from.root, Before) == readWhole(to.root, After);
  else if (use == Use::Reads)
    isSame = read(from, Before) == read(to, After);
  else if (use == Use::Writes &&
           !(overwrites(before) && from.views.empty() && to.views.empty()))
    isSame = readPart(from, Before) == readPart(to, After) &&
             haveSameViews(from, to);
  if (!isSame)
    return mismatch(own, other,
                    "uses a buffer that holds something else than in the "
                    "original program");
  return success();
}

/// Compares which operands of the op share elements. In the original program
/// the op may read the elements that it writes, and in the prepared one a copy
/// of them, if each of its iterations reads only the element that it writes.
LogicalResult ContentsCheck::compareAliasing(Operation *before,
                                             Operation *after) {
  struct Operand {
    unsigned number;
    Elements before, after;
  };
  std::vector<Operand> operands;
  for (auto [operand, counterpart] :
       llvm::zip(before->getOpOperands(), after->getOpOperands())) {
    if (!isMemRef(operand.get()))
      continue;
    Elements place = findElements(operand.get());
    if (!isFollowed(place, Before))
      continue;
    operands.push_back(
        {operand.getOperandNumber(), place, findElements(counterpart.get())});
  }
  // How two places are related: no common elements, the same elements in the
  // same order, or maybe some common elements.
  enum class Relation : uint8_t { Apart, Equal, Meet };
  auto relate = [](const Elements &a, const Elements &b) {
    if (a.root != b.root)
      return Relation::Apart;
    if (a.box == b.box && a.views.empty() && b.views.empty())
      return Relation::Equal;
    return a.box && b.box && !meet(*a.box, *b.box) ? Relation::Apart
                                                   : Relation::Meet;
  };
  auto isWritten = [&](const Operand &operand) {
    return classify(before->getOpOperand(operand.number)) > Use::Reads;
  };
  auto isSameInBoth = [&](const Operand &operand) {
    return operand.before.box == operand.after.box &&
           haveSameViews(operand.before, operand.after);
  };
  auto structured = dyn_cast<linalg::LinalgOp>(before);
  auto getMap = [&](const Operand &operand) {
    return structured ? structured.getMatchingIndexingMap(
                            &before->getOpOperand(operand.number))
                      : AffineMap();
  };
  for (auto [i, first] : llvm::enumerate(operands))
    for (const Operand &second : ArrayRef(operands).take_front(i)) {
      if (!isWritten(first) && !isWritten(second))
        continue;
      Relation is = relate(first.before, second.before);
      Relation becomes = relate(first.after, second.after);
      if (is == becomes && (is != Relation::Meet ||
                            (isSameInBoth(first) && isSameInBoth(second))))
        continue;
      AffineMap map = getMap(first);
      if (is != Relation::Equal || !map || !map.isPermutation() ||
          becomes != Relation::Apart ||
          (isWritten(first) && isWritten(second)) || map != getMap(second))
        return mismatch(before, after,
                        "reads and writes elements at once that it does not "
                        "in the original program");
    }
  return success();
}

/// Compares the regions of two ops that are otherwise equal.
LogicalResult ContentsCheck::compareNested(Operation *before,
                                           Operation *after) {
  Uses uses[2] = {collectNestedUses(before, Before),
                  collectNestedUses(after, After)};
  // Inside of the regions an allocation is followed only if it is only read.
  // Others, also those that the op itself writes, must have the same names
  // there, because reads and writes may be in any order.
  for (auto [own, other] :
       llvm::zip(before->getOpOperands(), after->getOpOperands())) {
    if (!isMemRef(own.get()) || classify(own) <= Use::Reads)
      continue;
    Elements from = findElements(own.get()), to = findElements(other.get());
    if (!uses[Before].contains(from.root) && !uses[After].contains(to.root))
      continue;
    if (!uses[Before].contains(from.root) || !uses[After].contains(to.root) ||
        from.box != to.box || !haveSameViews(from, to))
      return mismatch(before, after, "is not the op of the original program");
    for (Use *use : {&uses[Before][from.root], &uses[After][to.root]})
      *use = std::max(*use, Use::Writes);
  }
  llvm::MapVector<Operation *, Memory> byName[2];
  for (Side side : {Before, After}) {
    for (auto [allocation, use] : uses[side])
      if (use > Use::Reads) {
        byName[side][allocation] = held[side][allocation];
        held[side].erase(allocation);
      }
  }
  for (auto [own, other] : llvm::zip(before->getRegions(), after->getRegions()))
    if (failed(compareRegions(own, other)))
      return failure();
  bool isSame = byName[Before].size() == byName[After].size();
  for (auto &[allocation, memory] : byName[Before]) {
    auto it = byName[After].find(toAfter.lookup(allocation));
    isSame &= it != byName[After].end() &&
              readWhole(it->first, it->second) == readWhole(allocation, memory);
  }
  if (!isSame)
    return mismatch(before, after,
                    "uses a buffer that holds something else than in the "
                    "original program");
  for (auto &[allocation, memory] : byName[Before]) {
    Operation *counterpart = toAfter.lookup(allocation);
    if (std::max(uses[Before].lookup(allocation),
                 uses[After].lookup(counterpart)) != Use::Writes)
      continue;
    int64_t number = makeNumber();
    held[Before][allocation] = Memory{number, {}};
    held[After][counterpart] = Memory{number, {}};
  }
  return success();
}

LogicalResult ContentsCheck::compareOps(Operation *before, Operation *after) {
  auto differs = [&] {
    return mismatch(before, after, "is not the op of the original program");
  };
  if (!haveSameAttributes(before, after) ||
      before->getResultTypes() != after->getResultTypes() ||
      before->getNumOperands() != after->getNumOperands() ||
      before->getNumRegions() != after->getNumRegions() ||
      before->getNumSuccessors() != after->getNumSuccessors())
    return differs();
  for (auto [own, other] :
       llvm::zip(before->getSuccessors(), after->getSuccessors()))
    if (blockToBefore.lookup(other) != own)
      return mismatch(before, after, "leads to other blocks");
  for (auto [own, other] :
       llvm::zip(before->getOpOperands(), after->getOpOperands())) {
    if (isMemRef(own.get()) && isMemRef(other.get())) {
      if (failed(compareAccess(own, other)))
        return failure();
    } else if (!corresponds(own.get(), other.get())) {
      return differs();
    }
  }
  if (failed(compareAliasing(before, after)))
    return failure();
  if (!correspond(before->getResults(), after->getResults()))
    return differs();
  struct Changed {
    Elements from, to;
    Use use;
  };
  SmallVector<Changed, 2> changed;
  for (auto [own, other] :
       llvm::zip(before->getOpOperands(), after->getOpOperands()))
    if (Use use = isMemRef(own.get()) ? classify(own) : Use::None;
        use >= Use::Writes)
      changed.push_back(
          {findElements(own.get()), findElements(other.get()), use});
  // The effect of another operand may be that the allocation is no longer
  // followed.
  auto areFollowed = [&](const Changed &places) {
    return isFollowed(places.from, Before) && isFollowed(places.to, After);
  };
  // Allocations that are freed or get unknown names are not followed any more,
  // nor in the regions of the op.
  for (const Changed &places : changed) {
    if (places.use == Use::Writes || !areFollowed(places))
      continue;
    held[Before].erase(places.from.root);
    held[After].erase(places.to.root);
  }
  if (before->getNumRegions() > 0 && failed(compareNested(before, after)))
    return failure();
  for (const Changed &places : changed) {
    if (places.use != Use::Writes || !areFollowed(places))
      continue;
    int64_t number = makeNumber();
    write(places.from, Before, number);
    write(places.to, After, number);
  }
  return success();
}

/// Ends the blocks of the two terminators. If other blocks use an allocation of
/// these blocks, it must hold the same in both functions. None of the
/// allocations is followed any more.
LogicalResult ContentsCheck::leaveBlocks(Operation *before, Operation *after) {
  for (Side side : {Before, After}) {
    Block *block = (side == Before ? before : after)->getBlock();
    for (Operation &op : *block) {
      auto it = held[side].find(&op);
      if (it == held[side].end())
        continue;
      if (isUsedBehind(&op))
        left[side][&op] = readWhole(&op, it->second);
      held[side].erase(it);
    }
  }
  for (Operation &op : *before->getBlock()) {
    Operation *counterpart = toAfter.lookup(&op);
    if (counterpart && !haveLeftSame(&op, counterpart))
      return mismatch(before, after,
                      "leaves a buffer with something else than in the "
                      "original program");
  }
  return success();
}

/// True if `before` copies a memref whose elements all hold one value, and
/// `after` fills the same target with that value. Executes both then. The
/// target is one that executeFloating cannot write: a view, or memory that is
/// not followed in this block.
bool ContentsCheck::isFilledCopy(Operation *before, Operation *after) {
  std::optional<ElementCopy> copy = matchCopy(before);
  std::optional<Fill> fill = matchFill(after);
  if (!copy || !fill)
    return false;
  Elements source = findElements(copy->source);
  if (!isFollowed(source, Before))
    return false;
  int64_t number = read(source, Before);
  Elements from = findElements(copy->target), to = findElements(fill->target);
  bool isTracked = isFollowed(from, Before);
  if (number >= 0 || numberOf(fill->value, After) != number ||
      isTracked != isFollowed(to, After) || source.root == from.root ||
      cast<ShapedType>(copy->target.getType()).getShape() !=
          cast<ShapedType>(fill->target.getType()).getShape())
    return false;
  if (!isTracked)
    return corresponds(copy->target, fill->target);
  if (readPart(from, Before) != readPart(to, After) || !haveSameViews(from, to))
    return false;
  number = makeNumber();
  write(from, Before, number);
  write(to, After, number);
  return true;
}

LogicalResult ContentsCheck::compareBlocks(Block &before, Block &after) {
  auto count = [](Block &block) {
    return llvm::count_if(llvm::make_pointer_range(block), isPlainAllocation);
  };
  if (count(after) > count(before))
    return mismatch(before.getParentOp(), after.getParentOp(),
                    "has more allocations");
  auto i = before.begin(), j = after.begin();
  while (true) {
    while (i != before.end() && executeFloating(&*i, Before))
      ++i;
    while (j != after.end() && executeFloating(&*j, After))
      ++j;
    if (i == before.end() || j == after.end())
      break;
    if (isFilledCopy(&*i, &*j)) {
      ++i, ++j;
      continue;
    }
    if (failed(compareOps(&*i, &*j)) ||
        (i->hasTrait<OpTrait::IsTerminator>() && failed(leaveBlocks(&*i, &*j))))
      return failure();
    ++i, ++j;
  }
  if (i != before.end() || j != after.end())
    return mismatch(i != before.end() ? &*i : before.getParentOp(),
                    j != after.end() ? &*j : after.getParentOp(),
                    "has more ops, or fewer");
  return success();
}

LogicalResult ContentsCheck::compareRegions(Region &before, Region &after) {
  auto sizes = [](Region &region) {
    return std::distance(region.begin(), region.end());
  };
  if (sizes(before) != sizes(after))
    return mismatch(before.getParentOp(), after.getParentOp(),
                    "has more blocks, or fewer");
  for (auto [own, other] : llvm::zip(before, after))
    blockToBefore[&other] = &own;
  for (auto [own, other] : llvm::zip(before, after))
    if (own.getArgumentTypes() != other.getArgumentTypes() ||
        !correspond(own.getArguments(), other.getArguments()))
      return mismatch(before.getParentOp(), after.getParentOp(),
                      "has a block with other arguments");
  for (auto [own, other] : llvm::zip(before, after))
    if (failed(compareBlocks(own, other)))
      return failure();
  return success();
}

} // namespace

LogicalResult memplan::checkContents(FunctionOpInterface original,
                                     FunctionOpInterface prepared) {
  return ContentsCheck().compareRegions(original.getFunctionBody(),
                                        prepared.getFunctionBody());
}
