//===- AliasScopes.cpp - Tell LLVM which slots share no byte --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a planned program all buffers are views of one allocation, so LLVM must
// assume that a store to one changes the others. This pass attaches alias
// scopes to each access, which state the bytes that it may touch. The ends of
// the slots cut an arena into segments, and each segment has a scope. An access
// is in the scopes of the segments that its slot covers, and does not alias the
// other scopes:
//
//   segments      0         1         2
//            |---------|---------|---------|
//   slot a   [-------------------)             scopes {0, 1}, noalias {2}
//   slot b                       [---------)   scopes {2},    noalias {0, 1}
//   slot c   [---------)                       scopes {0},    noalias {1, 2}
//
// Slots that share a byte share a segment. A slot at a place that is not
// constant (memplan.slots) has a scope of its own and does not alias those that
// are above or below it. The scopes state facts about addresses, which hold
// whenever the function runs, not about lifetimes. Fewer cuts are always sound.
//
// Each outermost loop has a domain of its own. Optimizations compare the
// accesses of one loop, and one loop uses few slots.
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/IndexBounds.h"
#include "memplan/IR/ArgumentAttributes.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <set>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANALIASSCOPES
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
/// The most cuts of an arena in a domain: it bounds the scopes of each access.
constexpr size_t kMostCuts = 64;

/// A slot at a place that is not constant.
struct OrderedSlot {
  /// Bytes: its offset is at least this much.
  int64_t least;
  /// The slots that it is above, directly or through others.
  llvm::SmallBitVector below;
};

/// An i8 memref whose views are slots: an arena, or an argument of static size.
struct Base {
  Value memory;
  /// In bytes; INT64_MAX if it is not constant.
  int64_t size = 0;
  /// An arena of the function, which no other memory overlaps.
  bool isOwn = false;
  /// Some use other than memref.view, a deallocation or a call may access any
  /// of its bytes.
  bool isTakenWhole = false;
  std::vector<OrderedSlot> slots = {};
};

/// Bytes [begin, end) of a base, or a slot at a place that is not constant, or
/// memory outside of all bases.
struct MemoryPart {
  static constexpr unsigned kOutside = ~0u;
  unsigned base = kOutside;
  int64_t begin = 0;
  int64_t end = 0;
  /// The number of the slot; -1 for bytes.
  int64_t slot = -1;

  auto asTuple() const { return std::tie(base, begin, end, slot); }
  bool operator==(const MemoryPart &other) const {
    return asTuple() == other.asTuple();
  }
};

using MemoryParts = SmallVector<MemoryPart, 2>;

/// Finds the memory that a value may be.
class PlaceFinder {
public:
  explicit PlaceFinder(FunctionOpInterface function)
      : function(function), flow(function), bounds(function) {
    Block &entry = function.getFunctionBody().front();
    for (BlockArgument argument : entry.getArguments()) {
      // An arena argument does not overlap other arguments (arena=argument).
      bool isArena =
          getArgumentAttr(argument, MemplanDialect::kArenaAttr) != nullptr;
      addBase(argument, /*isOwn=*/isArena);
    }
    for (Operation &op : entry)
      if (getArenaAlignment(&op) && !isa<memref::GetGlobalOp>(op))
        addBase(op.getResult(0), /*isOwn=*/true);
    addGlobalArenas();
  }

  ArrayRef<Base> getBases() const { return bases; }

  /// All memory that the value may be; empty if that is not known.
  const MemoryParts &find(Value value) {
    auto [it, isNew] = found.try_emplace(value);
    if (!isNew)
      return it->second;
    MemoryParts places;
    for (Value origin : flow.resolveReverse(value))
      if (!addOrigin(origin, places)) {
        places.clear();
        break;
      }
    llvm::sort(places, [](const MemoryPart &a, const MemoryPart &b) {
      return a.asTuple() < b.asTuple();
    });
    places.erase(llvm::unique(places), places.end());
    return found[value] = std::move(places);
  }

private:
  /// Adds the memory as a base; false if its type is not i8 of static size with
  /// the identity layout.
  bool addBase(Value memory, bool isOwn) {
    auto type = dyn_cast<MemRefType>(memory.getType());
    ArrayAttr slots;
    if (Operation *arena = memory.getDefiningOp())
      slots = arena->getAttrOfType<ArrayAttr>(MemplanDialect::kSlotsAttr);
    else
      slots = getArgumentAttr<ArrayAttr>(cast<BlockArgument>(memory),
                                         MemplanDialect::kSlotsAttr);
    if (!type || type.getRank() != 1 || !(slots || type.hasStaticShape()) ||
        !type.getElementType().isInteger(8) || !type.getLayout().isIdentity())
      return false;
    bases.push_back({memory, slots ? INT64_MAX : type.getDimSize(0), isOwn});
    if (slots)
      addOrder(slots, bases.back().slots);
    addName(memory, bases.size() - 1);
    return true;
  }

  /// Adds the slots that a lowered arena states.
  static void addOrder(ArrayAttr stated, std::vector<OrderedSlot> &slots) {
    for (auto entry : stated.getAsRange<DenseI64ArrayAttr>()) {
      OrderedSlot slot{entry[0], llvm::SmallBitVector(stated.size())};
      for (int64_t below : entry.asArrayRef().drop_front()) {
        slot.least = std::max(slot.least, slots[below].least);
        slot.below |= slots[below].below;
        slot.below.set(below);
      }
      slots.push_back(std::move(slot));
    }
  }

  /// Makes the value another name of a base.
  void addName(Value memory, unsigned number) {
    baseNumbers[memory] = number;
    for (Operation *user : memory.getUsers())
      bases[number].isTakenWhole |=
          !isa<memref::ViewOp, memref::DeallocOp, CallOpInterface>(user);
  }

  /// A global arena is one base, even if several ops name it: each inlined copy
  /// of its function does.
  void addGlobalArenas() {
    SmallVector<memref::GetGlobalOp> names;
    llvm::StringMap<std::optional<unsigned>> arenas;
    function.getFunctionBody().walk([&](memref::GetGlobalOp name) {
      names.push_back(name);
      if (getArenaAlignment(name))
        arenas.try_emplace(name.getName());
    });
    for (memref::GetGlobalOp name : names) {
      auto arena = arenas.find(name.getName());
      if (arena == arenas.end())
        continue;
      if (arena->second)
        addName(name, *arena->second);
      else if (addBase(name, /*isOwn=*/true))
        arena->second = bases.size() - 1;
    }
  }

  /// If the value begins a chain of aliases, adds the memory that it is; false
  /// if that is not known.
  bool addOrigin(Value origin, MemoryParts &places) {
    if (auto it = baseNumbers.find(origin); it != baseNumbers.end()) {
      const Base &base = bases[it->second];
      if (base.isTakenWhole)
        places.push_back({it->second, 0, base.size});
      return true;
    }
    if (auto view = origin.getDefiningOp<memref::ViewOp>())
      if (auto it = baseNumbers.find(view.getSource());
          it != baseNumbers.end()) {
        places.push_back(getSlot(view, it->second));
        return true;
      }
    if (auto argument = dyn_cast<BlockArgument>(origin);
        argument &&
        argument.getOwner() == &function.getFunctionBody().front()) {
      places.push_back(MemoryPart());
      return true;
    }
    if (origin.getDefiningOp<memref::AllocOp>() ||
        origin.getDefiningOp<memref::AllocaOp>() ||
        origin.getDefiningOp<memref::GetGlobalOp>()) {
      places.push_back(MemoryPart());
      return true;
    }
    // A link within the chain has predecessors; other values are unknown.
    return !flow.mayBeTerminalBuffer(origin) &&
           flow.resolveReverse(origin).size() > 1;
  }

  /// The bytes that the view may have at most; all bytes of the base if its
  /// size is not bounded, or if its offset depends on a worker.
  MemoryPart getSlot(memref::ViewOp view, unsigned base) {
    MemoryPart all{base, 0, bases[base].size};
    if (auto place =
            view->getAttrOfType<DenseI64ArrayAttr>(MemplanDialect::kSlotAttr);
        place && place[0] < static_cast<int64_t>(bases[base].slots.size()))
      return MemoryPart{base, 0, 0, place[0]};
    std::optional<int64_t> offset = getConstantNumber(view.getByteShift());
    std::optional<int64_t> elements = bounds.getMostElements(view);
    std::optional<ElementLayout> element = getElementLayout(
        view.getType().getElementType(), DataLayout::closest(view));
    int64_t bytes, end;
    if (!offset || *offset < 0 || !elements || !element ||
        llvm::MulOverflow(*elements, element->stride, bytes) ||
        llvm::AddOverflow(*offset, bytes, end) || end > all.end)
      return all;
    return MemoryPart{base, *offset, end};
  }

  FunctionOpInterface function;
  BufferViewFlowAnalysis flow;
  IndexBounds bounds;
  SmallVector<Base> bases;
  llvm::DenseMap<Value, unsigned> baseNumbers;
  llvm::DenseMap<Value, MemoryParts> found;
};

/// An op that reads or writes elements of one memref.
struct Access {
  Operation *op;
  MemoryParts places;
};

/// The scopes of one outermost loop.
class ScopeDomain {
public:
  ScopeDomain(MLIRContext *context, ArrayRef<Base> bases,
              ArrayRef<Access> accesses)
      : bases(bases), cuts(bases.size()), firstScope(bases.size()) {
    std::set<std::pair<unsigned, int64_t>> ordered;
    for (const Access &access : accesses)
      for (const MemoryPart &place : access.places)
        if (place.slot >= 0) {
          ordered.insert({place.base, place.slot});
        } else if (place.base != MemoryPart::kOutside) {
          cuts[place.base].push_back(place.begin);
          cuts[place.base].push_back(place.end);
        }
    auto domain = LLVM::AliasScopeDomainAttr::get(
        context, StringAttr::get(context, "memplan"));
    auto addScope = [&](StringRef name) {
      scopes.push_back(
          LLVM::AliasScopeAttr::get(domain, StringAttr::get(context, name)));
    };
    addScope("outside");
    for (auto [number, points] : llvm::enumerate(cuts)) {
      thinOut(points);
      firstScope[number] = scopes.size();
      for (size_t i = 1; i < points.size(); ++i)
        addScope(("bytes " + Twine(points[i - 1]) + " to " + Twine(points[i]))
                     .str());
    }
    for (std::pair<unsigned, int64_t> slot : ordered) {
      if (scopeOf.size() == kMostCuts)
        break;
      scopeOf[slot] = scopes.size();
      addScope(("slot " + Twine(slot.second)).str());
    }
  }

  /// The scopes of the access, and those that it does not alias.
  std::pair<ArrayAttr, ArrayAttr> getScopes(const Access &access) {
    llvm::SmallBitVector in(scopes.size());
    llvm::SmallBitVector apart(scopes.size(), true);
    bool hasScopes = true;
    for (const MemoryPart &place : access.places) {
      llvm::SmallBitVector touched = getTouched(place);
      hasScopes &= touched.any();
      in |= touched;
      apart &= getApart(place);
    }
    // To LLVM, an access is in no memory but that of its scopes.
    if (!hasScopes)
      in.reset();
    return {getArray(in), getArray(apart)};
  }

private:
  /// Sorts the cuts and keeps at most kMostCuts, with the first and the last.
  static void thinOut(SmallVectorImpl<int64_t> &points) {
    llvm::sort(points);
    points.erase(llvm::unique(points), points.end());
    if (points.size() <= kMostCuts)
      return;
    SmallVector<int64_t> kept;
    for (size_t i = 0; i < kMostCuts; ++i)
      kept.push_back(points[i * (points.size() - 1) / (kMostCuts - 1)]);
    points.assign(kept.begin(), kept.end());
  }

  /// The scopes of the segments that overlap the place.
  llvm::SmallBitVector getTouched(const MemoryPart &place) const {
    llvm::SmallBitVector touched(scopes.size());
    if (place.base == MemoryPart::kOutside) {
      touched.set(0);
      return touched;
    }
    if (place.slot >= 0) {
      if (auto own = scopeOf.find({place.base, place.slot});
          own != scopeOf.end())
        touched.set(own->second);
      return touched;
    }
    ArrayRef<int64_t> points = cuts[place.base];
    for (size_t i = 1; i < points.size(); ++i)
      if (place.begin < points[i] && points[i - 1] < place.end)
        touched.set(firstScope[place.base] + i - 1);
    return touched;
  }

  /// The scopes that the place does not overlap. Two places outside of the
  /// function's own arenas may overlap, unless they are in one base.
  llvm::SmallBitVector getApart(const MemoryPart &place) const {
    bool isOwn = place.base != MemoryPart::kOutside && bases[place.base].isOwn;
    llvm::SmallBitVector apart(scopes.size());
    if (isOwn)
      apart.set(0);
    for (size_t number = 0; number < bases.size(); ++number)
      if (number != place.base && (isOwn || bases[number].isOwn))
        for (size_t i = 1; i < cuts[number].size(); ++i)
          apart.set(firstScope[number] + i - 1);
    for (auto [slot, scope] : scopeOf)
      if (slot.first != place.base ? isOwn || bases[slot.first].isOwn
                                   : isApart(place, slot.second))
        apart.set(scope);
    if (place.slot >= 0) {
      const OrderedSlot &slot = bases[place.base].slots[place.slot];
      for (auto [i, end] : llvm::enumerate(cuts[place.base]))
        if (i > 0 && end <= slot.least)
          apart.set(firstScope[place.base] + i - 1);
    } else if (place.base != MemoryPart::kOutside) {
      llvm::SmallBitVector touched = getTouched(place);
      for (size_t i = 1; i < cuts[place.base].size(); ++i)
        if (unsigned scope = firstScope[place.base] + i - 1;
            !touched.test(scope))
          apart.set(scope);
    }
    return apart;
  }

  /// True if the place and the slot of its base share no byte.
  bool isApart(const MemoryPart &place, int64_t number) const {
    const std::vector<OrderedSlot> &slots = bases[place.base].slots;
    if (place.slot < 0)
      return place.end <= slots[number].least;
    return slots[number].below.test(place.slot) ||
           slots[place.slot].below.test(number);
  }

  ArrayAttr getArray(const llvm::SmallBitVector &set) const {
    if (set.none())
      return ArrayAttr();
    SmallVector<Attribute> chosen;
    for (unsigned scope : set.set_bits())
      chosen.push_back(scopes[scope]);
    return ArrayAttr::get(chosen.front().getContext(), chosen);
  }

  ArrayRef<Base> bases;
  /// By base, the ends of its segments in bytes; empty if no access is in it.
  SmallVector<SmallVector<int64_t>> cuts;
  /// By base, the number of the scope of its first segment.
  SmallVector<unsigned> firstScope;
  /// By base and number of a slot at a place that is not constant, its scope.
  std::map<std::pair<unsigned, int64_t>, unsigned> scopeOf;
  /// Scope 0 is the memory outside of all bases.
  SmallVector<LLVM::AliasScopeAttr> scopes;
};

/// Lowers accesses to loads and stores of the LLVM dialect, which can carry
/// scopes; otherwise in the same way as finalize-memref-to-llvm.
class AccessLowering {
public:
  AccessLowering(const LLVMTypeConverter &converter) : converter(converter) {}

  void lower(Operation *op, std::pair<ArrayAttr, ArrayAttr> scopes) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      lowerLoad(load, load.getMemRef(), load.getAlignment().value_or(0),
                scopes);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      lowerStore(store, store.getMemRef(), store.getValue(),
                 store.getAlignment().value_or(0), scopes);
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      lowerLoad(load, load.getBase(), getVectorAlignment(load), scopes);
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      lowerStore(store, store.getBase(), store.getValueToStore(),
                 getVectorAlignment(store), scopes);
  }

  /// The memref of an access that can be lowered here, or null.
  Value getMemory(Operation *op) const {
    Value memory;
    Type value;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      memory = load.getMemRef();
      value = load.getType();
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      memory = store.getMemRef();
      value = store.getValue().getType();
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      memory = load.getBase();
      value = load.getVectorType();
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      memory = store.getBase();
      value = store.getVectorType();
    } else {
      return Value();
    }
    // Other passes split vectors of other ranks first.
    auto vector = dyn_cast<VectorType>(value);
    if (isa<vector::LoadOp, vector::StoreOp>(op) && vector.getRank() != 1)
      return Value();
    auto type = cast<MemRefType>(memory.getType());
    return type.isStrided() && converter.convertType(type) &&
                   converter.convertType(value)
               ? memory
               : Value();
  }

private:
  template <typename OpTy> unsigned getVectorAlignment(OpTy op) {
    if (std::optional<uint64_t> alignment = op.getAlignment())
      return *alignment;
    auto type = cast<MemRefType>(op.getBase().getType());
    return DataLayout::closest(op).getTypeABIAlignment(
        converter.convertType(type.getElementType()));
  }

  Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  }

  template <typename OpTy>
  Value getPointer(OpBuilder &builder, OpTy op, Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    Value descriptor =
        castTo(builder, op.getLoc(), converter.convertType(type), memory);
    SmallVector<Value> indices;
    for (Value index : op.getIndices())
      indices.push_back(
          castTo(builder, op.getLoc(), converter.getIndexType(), index));
    bool isElement = isa<memref::LoadOp, memref::StoreOp>(op.getOperation());
    return LLVM::getStridedElementPtr(
        builder, op.getLoc(), converter, type, descriptor, indices,
        isElement ? LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw
                  : LLVM::GEPNoWrapFlags::none);
  }

  template <typename OpTy>
  void lowerLoad(OpTy op, Value memory, unsigned alignment,
                 std::pair<ArrayAttr, ArrayAttr> scopes) {
    OpBuilder builder(op);
    Type type = op->getResult(0).getType();
    auto load =
        LLVM::LoadOp::create(builder, op.getLoc(), converter.convertType(type),
                             getPointer(builder, op, memory), alignment,
                             /*isVolatile=*/false, op.getNontemporal());
    load.setAliasScopes(scopes.first);
    load.setNoAliasScopes(scopes.second);
    op->getResult(0).replaceAllUsesWith(
        castTo(builder, op.getLoc(), type, load));
    op.erase();
  }

  template <typename OpTy>
  void lowerStore(OpTy op, Value memory, Value value, unsigned alignment,
                  std::pair<ArrayAttr, ArrayAttr> scopes) {
    OpBuilder builder(op);
    Value stored = castTo(builder, op.getLoc(),
                          converter.convertType(value.getType()), value);
    auto store = LLVM::StoreOp::create(
        builder, op.getLoc(), stored, getPointer(builder, op, memory),
        alignment, /*isVolatile=*/false, op.getNontemporal());
    store.setAliasScopes(scopes.first);
    store.setNoAliasScopes(scopes.second);
    op.erase();
  }

  const LLVMTypeConverter &converter;
};

struct AliasScopesPass
    : memplan::impl::MemplanAliasScopesBase<AliasScopesPass> {
  using MemplanAliasScopesBase::MemplanAliasScopesBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanAliasScopesBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    PlaceFinder finder(function);
    if (finder.getBases().empty())
      return markAllAnalysesPreserved();

    const auto &layouts = getAnalysis<DataLayoutAnalysis>();
    LowerToLLVMOptions options(&getContext(), layouts.getAtOrAbove(function));
    LLVMTypeConverter converter(&getContext(), options, &layouts);
    AccessLowering lowering(converter);
    // Two inlined copies of the function would have the same scopes, although
    // an argument of one may be in an arena of the other. LLVM's inliner
    // creates new scopes for each copy; that of func.call does not.
    function.setNoInline(true);
    for (auto &[loop, accesses] : findAccesses(function, finder, lowering)) {
      ScopeDomain domain(&getContext(), finder.getBases(), accesses);
      for (const Access &access : accesses)
        lowering.lower(access.op, domain.getScopes(access));
    }
  }

private:
  /// The accesses to known memory, by their outermost loop: its op, or its
  /// header block, or null outside of loops.
  static llvm::MapVector<void *, SmallVector<Access>>
  findAccesses(func::FuncOp function, PlaceFinder &finder,
               const AccessLowering &lowering) {
    llvm::MapVector<void *, SmallVector<Access>> groups;
    DominanceInfo dominance(function);
    std::optional<CFGLoopInfo> loops;
    if (!function.getBody().hasOneBlock())
      loops.emplace(dominance.getDomTree(&function.getBody()));
    function.walk([&](Operation *op) {
      Value memory = lowering.getMemory(op);
      if (!memory)
        return;
      const MemoryParts &places = finder.find(memory);
      if (!places.empty())
        groups[findOutermostLoop(op, function, loops)].push_back({op, places});
    });
    return groups;
  }

  static void *findOutermostLoop(Operation *op, func::FuncOp function,
                                 std::optional<CFGLoopInfo> &loops) {
    void *outermost = nullptr;
    while (op->getParentOp() != function.getOperation()) {
      op = op->getParentOp();
      if (isa<LoopLikeOpInterface>(op))
        outermost = op;
    }
    if (!loops)
      return outermost;
    CFGLoop *loop = loops->getLoopFor(op->getBlock());
    if (!loop)
      return outermost;
    while (CFGLoop *parent = loop->getParentLoop())
      loop = parent;
    return loop->getHeader();
  }
};
} // namespace
