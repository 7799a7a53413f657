//===- InPlace.cpp - Ops that write over their input ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "memplan/Verifier/NestAccess.h"

#include "memplan/IR/InPlace.h"
#include "memplan/IR/IndexedAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::verifier {

/// True if the memref, which is the name or a view of it, covers all of the
/// slot, element after element. A slot of no constant size is as large as its
/// placements.
static bool isWhole(const NameModel &model, Value memref, unsigned name,
                    unsigned slot) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.getLayout().isIdentity())
    return false;
  if (model.slots.slots[slot].isWhole) {
    for (Value whole = model.names[name].value; memref != whole;
         memref = getViewed(memref))
      if (!isRelativeView(memref.getDefiningOp()) ||
          isa<memref::SubViewOp, memref::TransposeOp>(memref.getDefiningOp()))
        return false;
    return model.isPlacement(model.names[name]);
  }
  return model.slots.countBytes(memref) == model.slots.slots[slot].own().size();
}

/// True if the names, which are both whole slots, have the same number of
/// elements and, where a shape is dynamic, the same extents.
static bool haveSameCount(const NameModel &model, Value one, Value other) {
  auto type = cast<MemRefType>(one.getType());
  auto otherType = cast<MemRefType>(other.getType());
  if (!type.hasStaticShape() || !otherType.hasStaticShape())
    return model.slots.haveSameShape(one, other);
  return type.getNumElements() == otherType.getNumElements();
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// True if an op of the block has a memref operand or a region.
static bool touchesMemory(Block *block) {
  return llvm::any_of(*block, [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// Appends the position of the loop that indexes each dimension of more than
/// one element. Fails if an index is not the variable of one loop.
static LogicalResult findLoops(linalg::LinalgOp op, OpOperand &operand,
                               SmallVectorImpl<unsigned> &loops) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = cast<MemRefType>(operand.get().getType());
  for (unsigned i = 0; i != map.getNumResults(); ++i) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(i));
    if (type.getDimSize(i) == 1)
      continue;
    if (!loop)
      return failure();
    loops.push_back(loop.getPosition());
  }
  return success();
}

bool isCopy(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return isa<memref::CopyOp>(op);
  if (structured.getNumDpsInputs() != 1 ||
      getElementTypeOrSelf(op->getOperand(0)) !=
          getElementTypeOrSelf(op->getOperand(1)) ||
      structured.getNumLoops() != structured.getNumParallelLoops())
    return false;
  Block *body = structured.getBlock();
  Operation *yield = body->getTerminator();
  auto maps = structured.getIndexingMapsArray();
  return &body->front() == yield && yield->getNumOperands() == 1 &&
         yield->getOperand(0) == body->getArgument(0) && maps[0] == maps[1] &&
         maps[0].isPermutation();
}

bool overwritesWhatItRead(const NameModel &model, Operation *op, unsigned read,
                          unsigned written, unsigned slot) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (mayDeclareInPlace(op)) {
    structured = nullptr;
    for (OpOperand &from : op->getOpOperands())
      for (OpOperand &to : op->getOpOperands())
        if (isMemRef(from.get()) && isMemRef(to.get()) &&
            model.getName(from.get()) == int(read) &&
            model.getName(to.get()) == int(written) &&
            !model.declaresInPlace(op, from, to))
          return false;
  } else if (!isa<memref::CopyOp>(op) &&
             (!structured ||
              structured.getNumLoops() != structured.getNumParallelLoops() ||
              touchesMemory(structured.getBlock())))
    return false;
  Value first;
  std::optional<SmallVector<unsigned>> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isMemRef(operand.get()))
      continue;
    int name = model.getName(operand.get());
    if (name != int(read) && name != int(written))
      continue;
    if (!isWhole(model, operand.get(), name, slot))
      return false;
    if (!first)
      first = operand.get();
    if (!haveSameCount(model, first, operand.get()))
      return false;
    if (!structured)
      continue;
    SmallVector<unsigned> ownLoops;
    if (failed(findLoops(structured, operand, ownLoops)) ||
        (loops && *loops != ownLoops))
      return false;
    loops = std::move(ownLoops);
  }
  if (!structured || !first)
    return first != nullptr;
  // A loop that indexes no dimension would access each element several times. A
  // loop that indexes two dimensions would skip elements.
  llvm::SmallDenseSet<unsigned> different(loops->begin(), loops->end());
  if (different.size() != loops->size())
    return false;
  SmallVector<int64_t> trips = structured.getStaticLoopRanges();
  for (unsigned loop = 0; loop != trips.size(); ++loop)
    if (trips[loop] != 1 && !different.contains(loop))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Nests of loops
//===----------------------------------------------------------------------===//

static bool isPlainBranch(Operation *op) {
  return isa<scf::IfOp, affine::AffineIfOp>(op);
}
static bool isElementStore(Operation *op) {
  return isa<memref::StoreOp, affine::AffineStoreOp>(op);
}

namespace {
/// One element of a memref.
struct Element {
  Value memref;
  SmallVector<OpFoldResult, 4> indices;

  /// The indices of the dimensions with more than one element, each with the
  /// extent of its dimension.
  SmallVector<std::pair<OpFoldResult, int64_t>, 4> getNeeded() const {
    SmallVector<std::pair<OpFoldResult, int64_t>, 4> needed;
    auto type = cast<MemRefType>(memref.getType());
    for (auto [index, size] : llvm::zip_equal(indices, type.getShape()))
      if (size != 1)
        needed.push_back({index, size});
    return needed;
  }
};
} // namespace

/// The element that a load or a store accesses. An index is a value, a
/// constant, or null if it is any other expression.
static std::optional<Element> matchElement(Operation *op) {
  std::optional<IndexedAccess> access = getIndexedAccess(op);
  if (!access)
    return std::nullopt;
  if (!access->map)
    return Element{access->memref, getAsOpFoldResult(access->operands)};
  Element element{access->memref, {}};
  Builder builder(op->getContext());
  for (AffineExpr expr : access->map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    auto dim = dyn_cast<AffineDimExpr>(expr);
    element.indices.push_back(
        constant ? OpFoldResult(builder.getIndexAttr(constant.getValue()))
        : dim    ? getAsOpFoldResult(access->operands[dim.getPosition()])
                 : OpFoldResult());
  }
  return element;
}

/// True if in the nest every load of an element comes before every store to the
/// same element.
static bool precedes(Operation *load, Operation *store, Operation *nest) {
  std::optional<Element> from = matchElement(load), to = matchElement(store);
  auto needed = from->getNeeded();
  if (needed != to->getNeeded() ||
      llvm::is_contained(llvm::make_first_range(needed), OpFoldResult()))
    return false;
  // The ops from the nest to `op`.
  auto getPath = [&](Operation *op) {
    SmallVector<Operation *> path;
    for (; op != nest; op = op->getParentOp())
      path.push_back(op);
    path.push_back(nest);
    std::reverse(path.begin(), path.end());
    return path;
  };
  SmallVector<Operation *> first = getPath(load), second = getPath(store);
  for (Operation *op :
       llvm::concat<Operation *>(MutableArrayRef(first).drop_back(),
                                 MutableArrayRef(second).drop_back()))
    if (!isCountedLoop(op) && !isPlainBranch(op))
      return false;
  size_t depth = 0;
  for (; first[depth] == second[depth]; ++depth) {
    auto loop = dyn_cast<LoopLikeOpInterface>(first[depth]);
    if (!loop || isPlainBranch(loop))
      continue;
    auto variables = loop.getLoopInductionVars();
    if (!variables)
      return false;
    // Both must access an element in the same iteration of this loop. This
    // holds if the variable is an index of both; an index of a dimension of one
    // element has one value. It also holds if the loop has one iteration.
    auto ranges = getLoopRanges(loop);
    for (auto [i, variable] : llvm::enumerate(*variables))
      if (!(ranges && (*ranges)[i].count == 1) &&
          (!llvm::is_contained(from->indices, OpFoldResult(variable)) ||
           !llvm::is_contained(to->indices, OpFoldResult(variable))))
        return false;
  }
  return first[depth]->getBlock() == second[depth]->getBlock() &&
         first[depth]->isBeforeInBlock(second[depth]);
}

namespace {
/// A nest that loads from one buffer and stores to another at the same bytes.
struct Nest {
  Operation *op;
  unsigned read, written;
};
using AccessMap = DenseMap<Operation *, SmallVector<const Access *, 2>>;
} // namespace

/// True if no load in the nest comes after a store to the same bytes. Appends
/// the stores of the nest.
static bool isProven(const NameModel &model, const AccessMap &accesses,
                     Nest nest, SmallVectorImpl<Operation *> &stores) {
  const Name &read = model.names[nest.read],
             &written = model.names[nest.written];
  int from = read.slots.front(), to = written.slots.front();
  std::optional<int64_t> distance = model.slots.getDistance(from, to);
  SmallVector<Operation *> loads;
  WalkResult walk = nest.op->walk([&](Operation *op) {
    auto it = accesses.find(op);
    if (it == accesses.end())
      return WalkResult::advance();
    for (const Access *access : it->second) {
      bool isRead = access->name == nest.read;
      bool isWritten = access->name == nest.written;
      // The state check follows accesses to other slots as usual.
      bool mayBeSame =
          isRead || isWritten ||
          llvm::any_of(model.names[access->name].slots,
                       [&](int slot) { return slot == from || slot == to; });
      if (!mayBeSame)
        continue;
      if (access->isHanded || access->member != op || !(isRead || isWritten) ||
          (isRead && access->writes))
        return WalkResult::interrupt();
      // The nest may read the buffer that it writes.
      if (isWritten && !access->writes)
        continue;
      if (!matchElement(op))
        return WalkResult::interrupt();
      (isRead ? loads : stores).push_back(op);
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted() || loads.empty())
    return false;
  // True if both memrefs are all of the slot, element after element.
  auto isSame = [&](Operation *load, Operation *store) {
    Value one = matchElement(load)->memref, other = matchElement(store)->memref;
    return from == to && isWhole(model, one, nest.read, from) &&
           isWhole(model, other, nest.written, to) &&
           haveSameCount(model, one, other);
  };
  // The nest may also copy a slice to itself.
  bool haveDistance =
      model.isPlacement(read) && model.isPlacement(written) && distance;
  auto isSameSlice = [&](Operation *load, Operation *store) {
    Type type = cast<MemRefType>(written.value.getType()).getElementType();
    std::optional<int64_t> size =
        haveDistance && load->getBlock() == store->getBlock() &&
                load->isBeforeInBlock(store) &&
                cast<MemRefType>(read.value.getType()).getElementType() == type
            ? getElementBytes(type, DataLayout::closest(store))
            : std::nullopt;
    return size && areSameElement(load, read.value, store, written.value, *size,
                                  *distance, nest.op);
  };
  return llvm::all_of(loads, [&](Operation *load) {
    return llvm::all_of(stores, [&](Operation *store) {
      return (isSame(load, store) && precedes(load, store, nest.op)) ||
             isSameSlice(load, store);
    });
  });
}

/// The loops around the op in which none of the values is defined, the
/// outermost one first.
static SmallVector<Operation *, 4> findNests(Operation *op,
                                             ArrayRef<Value> values) {
  auto isInside = [](Operation *parent) {
    return [=](Value value) {
      return parent->isAncestor(value.getParentBlock()->getParentOp());
    };
  };
  SmallVector<Operation *, 4> nests;
  for (Operation *parent = op->getParentOp();
       isCountedLoop(parent) || isPlainBranch(parent);
       parent = parent->getParentOp()) {
    if (llvm::any_of(values, isInside(parent)))
      break;
    if (isCountedLoop(parent))
      nests.push_back(parent);
  }
  // Iterations of a parallel loop around the nest would access the same
  // elements at the same time.
  llvm::erase_if(nests, [&](Operation *nest) {
    return llvm::any_of(getParallelLoops(nest), [&](Operation *loop) {
      return !llvm::all_of(values, isInside(loop));
    });
  });
  std::reverse(nests.begin(), nests.end());
  return nests;
}

/// Finds the proven nests, and the nests that overwrite a part of a buffer.
/// Cost: for each store the buffers that the loops around it load from, and the
/// ops of the nest for each of these that shares bytes.
void NameModel::findOverwrites() {
  AccessMap accesses;
  /// By loop, the names from which it loads elements, and those to which it
  /// stores elements.
  DenseMap<Operation *, llvm::SmallSetVector<unsigned, 2>> loadedIn, storedIn;
  SmallVector<std::pair<Operation *, unsigned>> stores;
  for (const std::vector<Event> &list : events)
    for (const Event &event : list)
      for (const Access &access : event.accesses) {
        accesses[event.op].push_back(&access);
        const Name &name = names[access.name];
        if (!name.hasOneSlot() || access.isHanded || access.member != event.op)
          continue;
        bool isLoad = isa<memref::LoadOp, affine::AffineLoadOp>(event.op);
        if (!isLoad && !isElementStore(event.op))
          continue;
        for (Operation *loop = event.op->getParentOp();
             isCountedLoop(loop) || isPlainBranch(loop);
             loop = loop->getParentOp())
          (isLoad ? loadedIn : storedIn)[loop].insert(access.name);
        if (!isLoad)
          stores.push_back({event.op, access.name});
      }
  /// By nest, the webs that it uses other than to store elements.
  DenseMap<Operation *, DenseSet<unsigned>> usedIn;
  auto isOnlyStored = [&](unsigned name, Operation *nest) {
    auto [it, isNew] = usedIn.try_emplace(nest);
    if (isNew)
      nest->walk([&, &webs = it->second](Operation *op) {
        auto found = accesses.find(op);
        if (found == accesses.end())
          return;
        for (const Access *access : found->second)
          if (access->member != op || !isElementStore(op))
            webs.insert(names[access->name].web);
      });
    return !it->second.contains(names[name].web);
  };
  SmallVector<std::pair<unsigned, StoredBytes>> overwritten;
  SmallVector<Nest> proven;
  DenseMap<std::tuple<unsigned, unsigned, Operation *>, bool> known;
  for (auto [store, written] : stores) {
    Value buffer = names[written].value;
    SmallVector<Operation *, 4> around = findNests(store, buffer);
    if (around.empty())
      continue;
    Operation *widest = around.front();
    std::optional<StoredBytes> stored;
    std::optional<ByteRange> bytes;
    if (std::optional<int64_t> size = getElementBytes(
            cast<BaseMemRefType>(buffer.getType()).getElementType(),
            slots.getLayout(store));
        size && isPlacement(names[written])) {
      stored = findStoredBytes(store, buffer, *size, widest);
      if (auto elements = findElementBytes(store, buffer, *size))
        bytes = elements->bytes;
    }
    if (stored && graph->sidesOf.contains(stored->nest) &&
        isOnlyStored(written, stored->nest))
      overwritten.push_back({written, *stored});
    auto it = loadedIn.find(widest);
    if (it == loadedIn.end())
      continue;
    for (unsigned read : it->second) {
      if (read == written || !slots.overlap(names[read].slots.front(),
                                            names[written].slots.front()))
        continue;
      // The store accesses none of the bytes that the other buffer has.
      if (bytes && isPlacement(names[read])) {
        unsigned from = names[read].slots.front();
        unsigned to = names[written].slots.front();
        if (slots.getDistance(from, to) &&
            !slots.findCommon(to, *bytes, from).size())
          continue;
      }
      // A loop that executes a proven nest several times need not be a proven
      // nest, so inner loops are tried, too.
      for (Operation *op : findNests(store, {names[read].value, buffer})) {
        auto [it, isNew] = known.try_emplace({read, written, op}, false);
        SmallVector<Operation *> inside;
        Nest nest{op, read, written};
        if (isNew && graph->sidesOf.contains(op) &&
            !storedIn[op].contains(read) &&
            isProven(*this, accesses, nest, inside)) {
          it->second = true;
          for (Operation *inner : inside)
            overwrittenBy[inner].push_back(read);
          proven.push_back(nest);
        }
        if (it->second)
          break;
      }
    }
  }
  // Adding events moves the accesses that `accesses` points to, so it comes
  // last.
  for (const auto &[name, stored] : overwritten) {
    Event event{Event::Kind::Restore, stored.nest, name, {}, {}, {}};
    event.bytes = stored.bytes;
    events[graph->sidesOf.lookup(stored.nest).before].push_back(
        std::move(event));
  }
  for (Nest nest : proven) {
    std::vector<Event> &behind = events[graph->sidesOf.lookup(nest.op).behind];
    Event event{Event::Kind::Replace, nest.op, nest.written, {}, {}, {}};
    event.sources = {static_cast<int>(nest.read)};
    behind.insert(behind.begin(), std::move(event));
  }
}

} // namespace memplan::verifier
