//===- Names.cpp - Values that may be in an arena -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "memplan/Verifier/NestAccess.h"

#include "memplan/IR/InPlace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Strides.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::verifier {

/// True for an op with regions that counts as one op with all that is inside:
/// its control flow is not known, or it is in a step.
bool NameModel::isOpaque(Operation *op) const {
  return op->getNumRegions() != 0 &&
         !op->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
         (!hasKnownControlFlow(op) || graph->stepOf.contains(op));
}

static void collectMemRefs(ValueRange values, SmallVectorImpl<Value> &list) {
  llvm::copy_if(values, std::back_inserter(list), isMemRef);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The memref that the value is a view of, through any number of views. `known`
/// has the results so far, because chains of views may be long.
static Value findRoot(Value value, llvm::DenseMap<Value, Value> &known) {
  SmallVector<Value> chain;
  while (true) {
    if (auto it = known.find(value); it != known.end()) {
      value = it->second;
      break;
    }
    Value source = getViewed(value);
    if (!source)
      break;
    chain.push_back(value);
    value = source;
  }
  for (Value view : chain)
    known[view] = value;
  return value;
}

int NameModel::getName(Value value) const {
  auto it = nameOf.find(findRoot(value, viewed));
  return it == nameOf.end() ? -1 : static_cast<int>(it->second);
}

bool NameModel::declaresInPlace(Operation *op, OpOperand &read,
                                OpOperand &written) const {
  return memplan::declaresInPlace(op, contracts->getCallee(op), read, written);
}

void NameModel::addLink(Value source, Value target) {
  source = findRoot(source, viewed);
  SmallVector<Value, 2> &known = sources[target];
  // Only a short list is searched; a long one may hold a source twice.
  if (known.size() < 8 && llvm::is_contained(known, source))
    return;
  known.push_back(source);
  targets[source].push_back(target);
}

void NameModel::linkResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (!isMemRef(result))
      continue;
    bool isOther;
    for (Value source : contracts->getSources(result, isOther))
      addLink(source, result);
    if (isOther)
      mayBeOther.insert(result);
  }
}

/// Links the values inside of an opaque op. Of each op with regions in it,
/// every operand and every operand of a terminator in its regions may become
/// every block argument and every result.
void NameModel::linkOpaque(Operation *around) {
  walkOwn(around, [&](Operation *op) {
    if (op != around)
      for (Value result : op->getResults())
        insideOf[result] = around;
    if (op->getNumRegions() == 0) {
      linkResults(op);
      return;
    }
    SmallVector<Value> into, out;
    collectMemRefs(op->getOperands(), into);
    collectMemRefs(op->getResults(), out);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (Value argument : block.getArguments())
          insideOf[argument] = around;
        collectMemRefs(block.getArguments(), out);
        if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
          collectMemRefs(block.back().getOperands(), into);
      }
    for (Value target : out) {
      mayBeOther.insert(target);
      for (Value source : into)
        addLink(source, target);
    }
  });
}

void NameModel::link() {
  for (const Node &node : graph->nodes) {
    for (Operation *op : node.ops)
      if (isOpaque(op))
        linkOpaque(op);
      else
        linkResults(op);
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        if (isMemRef(target))
          addLink(source, target);
  }
}

/// Names the placements and all values that these may become.
void NameModel::nameValues() {
  auto add = [&](Value value) {
    if (!nameOf.try_emplace(value, names.size()).second)
      return;
    names.emplace_back();
    names.back().value = value;
    names.back().inside = insideOf.lookup(value);
  };
  for (const Node &node : graph->nodes)
    for (Operation *op : node.ops) {
      if (op->getNumResults() == 1 && slots.slotOf.contains(op->getResult(0)))
        add(op->getResult(0));
      else if (isRenewal(op))
        renewals.push_back(op), add(op->getResult(0));
    }
  for (unsigned i = 0; i != names.size(); ++i)
    for (Value target : targets.lookup(names[i].value))
      add(target);
  for (auto [number, node] : llvm::enumerate(graph->nodes)) {
    for (Operation *op : node.ops)
      for (Value result : op->getResults())
        if (auto it = nameOf.find(result);
            it != nameOf.end() && !names[it->second].entersNode)
          names[it->second].node = number;
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        if (auto it = nameOf.find(target); it != nameOf.end()) {
          names[it->second].node = edge.target;
          names[it->second].entersNode = true;
        }
  }
}

void NameModel::findSlots() {
  llvm::SetVector<unsigned> pending;
  auto merge = [&](unsigned name, ArrayRef<int> more) {
    SmallVector<int, 1> merged;
    std::set_union(names[name].slots.begin(), names[name].slots.end(),
                   more.begin(), more.end(), std::back_inserter(merged));
    if (merged.size() == names[name].slots.size())
      return;
    names[name].slots = std::move(merged);
    pending.insert(name);
  };
  llvm::DenseMap<unsigned, SmallVector<unsigned, 1>> renewed;
  for (Operation *op : renewals)
    if (int from = getName(op->getOperand(0)); from >= 0)
      renewed[from].push_back(nameOf.lookup(op->getResult(0)));
  for (unsigned i = 0; i != names.size(); ++i) {
    Value value = names[i].value;
    Operation *definition = value.getDefiningOp();
    if (auto it = slots.slotOf.find(value); it != slots.slotOf.end()) {
      merge(i, static_cast<int>(it->second));
      continue;
    }
    if (definition && isRenewal(definition))
      continue;
    bool isForeign = mayBeOther.contains(value) ||
                     llvm::any_of(sources.lookup(value), [&](Value source) {
                       return !nameOf.contains(source);
                     });
    if (isForeign)
      merge(i, kForeign);
  }
  while (!pending.empty()) {
    unsigned name = pending.pop_back_val();
    SmallVector<int, 1> own = names[name].slots;
    for (Value target : targets.lookup(names[name].value))
      merge(nameOf.lookup(target), own);
    if (auto it = renewed.find(name); it != renewed.end())
      for (unsigned target : it->second)
        merge(target, own);
  }
  for (Operation *op : renewals) {
    int from = getName(op->getOperand(0));
    if (from < 0 || llvm::is_contained(names[from].slots, kForeign)) {
      error(op) << "begins a buffer in memory that may be in no arena";
      continue;
    }
    SmallVector<Operation *, 1> loops = getParallelLoops(op);
    for (int slot : names[from].slots)
      if (!slots.isOfIteration(slot, loops)) {
        InFlightDiagnostic diag = error(op);
        diag << "iterations that may run at once share the buffer at bytes "
             << slots.str(slot)
             << " of the arena, which each of them begins anew";
        break;
      }
  }
}

void NameModel::findWebs() {
  llvm::IntEqClasses classes(names.size());
  for (unsigned i = 0; i != names.size(); ++i)
    for (Value target : targets.lookup(names[i].value))
      classes.join(i, nameOf.lookup(target));
  auto inSeveralSlots = [&](int name) {
    return name >= 0 && names[name].slots.size() > 1;
  };
  for (Operation *op : renewals)
    if (int from = getName(op->getOperand(0)); inSeveralSlots(from))
      classes.join(from, nameOf.lookup(op->getResult(0)));
  // An edge, or selects with one condition, may choose the slots of several
  // names together.
  llvm::DenseMap<Value, unsigned> chosen;
  for (const Node &node : graph->nodes) {
    for (const Edge &edge : node.edges) {
      int first = -1;
      for (auto [target, source] : edge.forwarded) {
        auto it = nameOf.find(target);
        if (it == nameOf.end() || !inSeveralSlots(it->second))
          continue;
        if (first >= 0)
          classes.join(first, it->second);
        first = it->second;
      }
    }
    for (Operation *op : node.ops)
      if (auto select = dyn_cast<SelectLikeOpInterface>(op))
        if (int name = getName(op->getResult(0)); inSeveralSlots(name))
          classes.join(
              chosen.try_emplace(select.getCondition(), name).first->second,
              name);
  }
  classes.compress();
  llvm::BitVector several(classes.getNumClasses());
  for (unsigned i = 0; i != names.size(); ++i)
    if (inSeveralSlots(i))
      several.set(classes[i]);
  for (unsigned i = 0; i != names.size(); ++i) {
    names[i].web = classes[i];
    names[i].inSeveralSlots = several.test(classes[i]);
  }
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void NameModel::reportEscape(OpOperand &operand, StringRef problem,
                             unsigned name) {
  InFlightDiagnostic diag = error(operand.getOwner());
  diag << problem
       << (problem == "deallocates"
               ? " a buffer that lies in an arena"
               : " a buffer that lies in an arena; it escapes and cannot be "
                 "verified");
  for (int slot : names[name].slots)
    if (slot != kForeign) {
      diag.attachNote(names[name].value.getLoc())
          << "the buffer at bytes " << slots.str(slot) << " of the arena";
      break;
    }
}

/// The name or, if it is defined inside of the opaque op `around`, the outer
/// names that it may be.
SmallVector<unsigned> NameModel::findOuter(unsigned name,
                                           Operation *around) const {
  llvm::SetVector<unsigned> pending;
  pending.insert(name);
  SmallVector<unsigned> outer;
  for (unsigned i = 0; i != pending.size(); ++i) {
    const Name &info = names[pending[i]];
    if (!info.inside || info.inside != around) {
      outer.push_back(pending[i]);
      continue;
    }
    for (Value source : sources.lookup(info.value))
      if (auto it = nameOf.find(source); it != nameOf.end())
        pending.insert(it->second);
  }
  return outer;
}

/// Adds the access, or extends one to the same name.
static void addAccess(const Access &access, std::vector<Access> &accesses) {
  auto same = llvm::find_if(accesses, [&](const Access &other) {
    return other.name == access.name && other.member == access.member &&
           other.isHanded == access.isHanded;
  });
  if (same == accesses.end()) {
    accesses.push_back(access);
    return;
  }
  same->reads |= access.reads;
  same->writes |= access.writes;
  // Of two different ranges maybe only one is overwritten.
  if (same->bytes == access.bytes)
    same->overwrites |= access.overwrites;
  else
    same->overwrites = same->isDense = false;
  same->bytes = {std::min(same->bytes.begin, access.bytes.begin),
                 std::max(same->bytes.end, access.bytes.end)};
}

/// True if the operand has all bytes of the slot that the name is in, for each
/// slot that it may be in. Each iteration of a parallel loop must have its own
/// slot, and its arena must be defined in the entry block, so that there is one
/// such arena.
bool NameModel::coversSlots(OpOperand &operand, unsigned name) {
  auto root = dyn_cast<MemRefType>(names[name].value.getType());
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  bool isStatic =
      root && type && root.hasStaticShape() && type.hasStaticShape();
  if (!root || !type || !root.getElementType().isIntOrIndexOrFloat() ||
      type.getElementType() != root.getElementType() ||
      (isStatic && type.getNumElements() != root.getNumElements()))
    return false;
  // None of these views has an element twice.
  for (Value value = operand.get(); value != names[name].value;
       value = getViewed(value)) {
    if (!isRelativeView(value.getDefiningOp()) ||
        (!isStatic && isa<memref::SubViewOp>(value.getDefiningOp())))
      return false;
    if (auto part = value.getDefiningOp<memref::SubViewOp>())
      for (int64_t stride : part.getStaticStrides())
        if (stride == 0 || ShapedType::isDynamic(stride))
          return false;
  }
  int64_t size = 0;
  if (isStatic)
    size = root.getNumElements() *
           getElementBytes(root.getElementType(),
                           slots.getLayout(operand.getOwner()))
               .value_or(0);
  SmallVector<Operation *, 1> loops = getParallelLoops(operand.getOwner());
  return llvm::all_of(names[name].slots, [&](int slot) {
    if (slot == kForeign)
      return true;
    ByteRange bytes = slots.slots[slot].own();
    Value arena = slots.arenas[slots.slots[slot].arena].value;
    // A slot of no constant size is as large as its placements.
    bool isWhole = slots.slots[slot].isWhole;
    return (isStatic ? !isWhole && bytes.size() == size : isWhole) &&
           slots.isOfIteration(slot, loops) &&
           arena.getParentBlock() == &function.getFunctionBody().front();
  });
}

/// Sets the bytes of an access to a placement that is not forwarded, as far as
/// constant strides and offsets, or the loops around the op, tell them.
void NameModel::findBytes(OpOperand &operand, const Use &use, Access &access) {
  Value memref = operand.get();
  auto slot = slots.slotOf.find(names[access.name].value);
  if (slot == slots.slotOf.end())
    return;
  // A cast may say how many bytes a slot of no constant size has: those that
  // the op overwrites are all of them.
  if (access.overwrites && slots.slots[slot->second].isWhole)
    return;
  Operation *op = operand.getOwner();
  ByteRange own = slots.slots[slot->second].own();
  bool isOfIteration = slots.isOfIteration(slot->second, getParallelLoops(op));
  auto type = dyn_cast<MemRefType>(memref.getType());
  std::optional<int64_t> size =
      type ? getElementBytes(type.getElementType(), slots.getLayout(op))
           : std::nullopt;
  if (!size)
    return;
  std::optional<ElementBytes> element =
      findElementBytes(op, slot->first, *size);
  if (element && element->bytes.begin >= 0 &&
      element->bytes.end <= own.size()) {
    access.bytes = element->bytes;
    access.overwrites |= access.writes && element->isOne && isOfIteration;
    return;
  }
  SmallVector<int64_t> strides;
  int64_t begin;
  if (!type.hasStaticShape() || type.getNumElements() == 0 ||
      failed(getStridesAndOffset(type, strides, begin)) ||
      ShapedType::isDynamic(begin) || ShapedType::isDynamicShape(strides))
    return;
  // The layouts of these views count from the start of the buffer.
  for (Value value = memref; value != slot->first;
       value = value.getDefiningOp()->getOperand(0))
    if (Operation *view = value.getDefiningOp();
        !isRelativeView(view) &&
        !isa_and_present<memref::ReinterpretCastOp,
                         memref::ExtractStridedMetadataOp>(view))
      return;
  int64_t end = begin + 1, count = 1;
  bool isDense = true, isKnown = true;
  for (auto [number, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    int64_t extent;
    isDense &= number == 1 || stride == count;
    isKnown &= !llvm::MulOverflow(stride, number - 1, extent) &&
               !llvm::AddOverflow(extent < 0 ? begin : end, extent,
                                  extent < 0 ? begin : end) &&
               !llvm::MulOverflow(count, number, count);
  }
  if (!isKnown || begin < 0 || llvm::MulOverflow(begin, *size, begin) ||
      llvm::MulOverflow(end, *size, end) || end > own.size())
    return;
  access.bytes = {begin, end};
  access.isDense = isDense;
  access.overwrites |= isDense && use.overwrites && !use.reads && isOfIteration;
}

/// The arena of a result that a returned operand lies in; -1 if it is not known
/// to be in one such arena.
int NameModel::findReturned(OpOperand &operand) const {
  int name = isa<func::ReturnOp>(operand.getOwner()) && isMemRef(operand.get())
                 ? getName(operand.get())
                 : -1;
  if (name < 0 || names[name].slots.size() != 1 ||
      names[name].slots.front() == kForeign)
    return -1;
  unsigned arena = slots.slots[names[name].slots.front()].arena;
  return slots.arenas[arena].isReturned ? static_cast<int>(arena) : -1;
}

/// Refuses an exit that does not return the memory of each result once: the
/// caller frees it once for each.
void NameModel::checkReturned(Operation *exit) {
  for (size_t number = 0; number != slots.arenas.size(); ++number) {
    const Arena &arena = slots.arenas[number];
    if (!arena.isReturned)
      continue;
    auto count = llvm::count_if(exit->getOpOperands(), [&](OpOperand &operand) {
      return findReturned(operand) == static_cast<int>(number);
    });
    if (count == 1)
      continue;
    InFlightDiagnostic diag = error(exit);
    diag << "returns " << count
         << " buffers in the memory of a result, which the caller frees once "
            "for each";
    diag.attachNote(arena.value.getLoc()) << "the memory";
  }
}

void NameModel::addAccesses(Operation *op, Operation *around,
                            std::vector<Access> &accesses) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isMemRef(operand.get()))
      continue;
    int name = getName(operand.get());
    int64_t alignment = contracts->getArenaAlignment(operand);
    if (alignment != 0)
      checkHanded(operand, alignment);
    if (name < 0)
      continue;
    Use use = contracts->classify(operand);
    if (findReturned(operand) >= 0)
      use = {/*reads=*/true};
    // A clone that is freed is a copy.
    if (use.problem == "deallocates" &&
        names[name].value.getDefiningOp<bufferization::CloneOp>())
      continue;
    if (!use.problem.empty())
      reportEscape(operand, use.problem, name);
    else if (use.reads || use.writes) {
      Access access{static_cast<unsigned>(name),
                    use.reads,
                    use.writes || alignment != 0,
                    use.overwrites && op == around &&
                        coversSlots(operand, name),
                    alignment != 0,
                    around};
      if (alignment == 0 && op == around)
        findBytes(operand, use, access);
      for (unsigned outer : findOuter(name, around)) {
        if (outer != access.name)
          access.bytes = kAllBytes, access.isDense = false;
        access.name = outer;
        addAccess(access, accesses);
      }
    }
  }
}

/// Adds all accesses inside of an opaque op, whose regions may run any number
/// of times and in any order, as accesses of the op itself.
void NameModel::addNested(Operation *around, std::vector<Access> &accesses) {
  walkOwn(around, [&](Operation *op) {
    addAccesses(op, around, accesses);
    bool hands = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return contracts->getArenaAlignment(operand) != 0;
    });
    if (hands || findPlaceEvent(op)) {
      InFlightDiagnostic diag = error(op);
      diag << "is inside an op whose flow of control is not known, cannot be "
              "verified";
      diag.attachNote(around->getLoc()) << "inside this op";
    }
  });
}

/// True if the memory, which is in no arena, is an allocation that is only used
/// as the arena of callees. The calls run one after another, because they must
/// be in the region of the allocation.
bool NameModel::isScratch(Value memory) {
  if (!memory.getDefiningOp<memref::AllocOp>() &&
      !memory.getDefiningOp<memref::AllocaOp>())
    return false;
  SmallVector<Value> names = {memory};
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      bool isHanded = contracts->getArenaAlignment(use) != 0 &&
                      contracts->classify(use).problem.empty();
      if (op->getParentRegion() != memory.getParentRegion() ||
          !(isHanded || isa<memref::CastOp, memref::DeallocOp>(op)))
        return false;
      if (isa<memref::CastOp>(op))
        names.push_back(op->getResult(0));
    }
  return true;
}

/// Checks the memory that a callee is given for its arena: its alignment, its
/// size, and that no other argument, other iteration or other op uses it.
void NameModel::checkHanded(OpOperand &operand, int64_t alignment) {
  Operation *op = operand.getOwner();
  Value handed = operand.get();
  while (auto cast = handed.getDefiningOp<memref::CastOp>()) {
    if (isRenewal(cast))
      break;
    handed = cast.getSource();
  }
  auto expected = dyn_cast<MemRefType>(operand.get().getType());
  // The verification of the callee refuses other types.
  int64_t size =
      expected && expected.hasStaticShape() ? expected.getNumElements() : 0;
  int name = getName(handed);
  bool isAligned = false;
  bool hasSize = false;
  bool isOwn = true; // of the iteration
  SmallVector<Operation *, 1> loops = getParallelLoops(op);
  if (getViewed(handed)) {
    // It is a part of a buffer, whose alignment is not known.
  } else if (name >= 0) {
    ArrayRef<int> all = names[name].slots;
    isAligned = llvm::all_of(all, [&](int slot) {
      return slot != kForeign && slots.slots[slot].alignment % alignment == 0;
    });
    hasSize = llvm::all_of(all, [&](int slot) {
      return slot != kForeign && slots.slots[slot].own().size() == size;
    });
    isOwn = llvm::all_of(all, [&](int slot) {
      return slot == kForeign || slots.isOfIteration(slot, loops);
    });
  } else {
    auto alloc = handed.getDefiningOp<memref::AllocOp>();
    auto alloca = handed.getDefiningOp<memref::AllocaOp>();
    std::optional<uint64_t> known = alloc    ? alloc.getAlignment()
                                    : alloca ? alloca.getAlignment()
                                             : std::nullopt;
    isAligned = static_cast<int64_t>(known.value_or(1)) % alignment == 0;
    auto type = dyn_cast<MemRefType>(handed.getType());
    hasSize = type && type.hasStaticShape() && type.getNumElements() == size;
  }
  if (!isAligned || !hasSize) {
    error(op) << "hands the callee memory for its arena, which is not known to "
              << (isAligned ? "have as many bytes as it expects"
                            : "be aligned as it expects");
    return;
  }
  if (!isOwn) {
    InFlightDiagnostic diag = error(op);
    diag << "hands the callee the same memory for its arena in iterations that "
            "may run at once";
    diag.attachNote(handed.getLoc()) << "the memory";
    return;
  }
  for (OpOperand &other : op->getOpOperands())
    // The state check compares names with names. A memref outside of the arenas
    // is compared as a value.
    if (&other != &operand && isMemRef(other.get()) &&
        findRoot(other.get(), viewed) == handed) {
      error(op) << "hands the callee memory for its arena, and also as another "
                   "argument";
      return;
    }
  if (name < 0 && !isScratch(handed)) {
    InFlightDiagnostic diag = error(op);
    diag << "hands the callee memory for its arena, which is not known to be "
            "used by nothing else";
    diag.attachNote(handed.getLoc()) << "the memory";
  }
}

/// The event of a placement, or of an op that allocates or releases an arena;
/// std::nullopt for other ops.
std::optional<Event> NameModel::findPlaceEvent(Operation *op) const {
  auto make = [&](Event::Kind kind, unsigned index) {
    return Event{kind, op, index, {}, {}, {}};
  };
  if (isRenewal(op)) {
    Event event = make(Event::Kind::Renew, nameOf.lookup(op->getResult(0)));
    event.sources = {getName(op->getOperand(0))};
    return event;
  }
  if (op->getNumResults() == 1) {
    Value result = op->getResult(0);
    if (auto it = slots.arenaOf.find(result); it != slots.arenaOf.end())
      return make(Event::Kind::Allocate, it->second);
    if (slots.slotOf.contains(result))
      return make(Event::Kind::Place, nameOf.lookup(result));
  }
  if (isa<ReleaseOp, memref::DeallocOp>(op))
    if (auto it = slots.arenaOf.find(op->getOperand(0));
        it != slots.arenaOf.end())
      return make(Event::Kind::Release, it->second);
  return std::nullopt;
}

/// Adds an event for each result of the op that is one of several names.
void NameModel::addDerived(unsigned node, Operation *op) {
  for (Value result : op->getResults()) {
    auto it = nameOf.find(result);
    if (it == nameOf.end() || names[it->second].entersNode)
      continue;
    Event event{Event::Kind::Derive, op, it->second, {}, {}, {}};
    if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
      event.condition = select.getCondition();
      event.sources = {getName(select.getTrueValue()),
                       getName(select.getFalseValue())};
    } else {
      // A source inside of the op stands for the outer names that it may be.
      llvm::SetVector<unsigned> outer;
      for (Value source : sources.lookup(result))
        if (int name = getName(source); name >= 0)
          outer.insert_range(findOuter(name, op));
      event.sources.append(outer.begin(), outer.end());
      if (names[it->second].slots.front() == kForeign)
        event.sources.push_back(-1);
    }
    events[node].push_back(std::move(event));
  }
}

void NameModel::addEffects(unsigned node, Operation *op) {
  if (std::optional<Event> event = findPlaceEvent(op)) {
    events[node].push_back(std::move(*event));
    return;
  }
  Event access{Event::Kind::Access, op, 0, {}, {}, {}};
  if (isOpaque(op))
    addNested(op, access.accesses);
  else
    addAccesses(op, op, access.accesses);
  if (!access.accesses.empty())
    events[node].push_back(std::move(access));
  addDerived(node, op);
  if (isExit(op)) {
    checkReturned(op);
    events[node].push_back({Event::Kind::Exit, op, 0, {}, {}, {}});
  }
}

static std::string describe(const OpsAtOnce &step) {
  return step.number ? "step " + std::to_string(step.number.getInt())
                     : "a step of streams";
}

/// Adds the events of a step. Its members make one access event; placements
/// between them come before it.
void NameModel::buildStep(unsigned node, const OpsAtOnce &step) {
  auto report = [&](Operation *op, StringRef what) {
    InFlightDiagnostic diag = error(op);
    diag << what;
    diag.attachNote(step.members.front()->getLoc()) << "the step begins here";
  };
  Event access{Event::Kind::Access, step.members.front(), 0, {}, {}, {}};
  auto member = step.members.begin();
  SmallVector<Operation *> derived;
  for (Operation *op = step.members.front();; op = op->getNextNode()) {
    bool isMember = op == *member;
    if (isMember)
      ++member;
    auto event = isMember ? std::nullopt : findPlaceEvent(op);
    if (event) {
      if (event->kind == Event::Kind::Release)
        report(op, "releases the arena inside " + describe(step) +
                       ", whose ops run at once");
      events[node].push_back(std::move(*event));
      continue;
    }
    size_t before = access.accesses.size();
    if (isOpaque(op))
      addNested(op, access.accesses);
    else
      addAccesses(op, op, access.accesses);
    if (!isMember && access.accesses.size() != before) {
      report(op, "uses a buffer that lies in an arena amid " + describe(step) +
                     " and is not part of it");
      access.accesses.resize(before);
    }
    derived.push_back(op);
    if (op == step.members.back())
      break;
  }
  if (!access.accesses.empty())
    events[node].push_back(std::move(access));
  for (Operation *op : derived)
    addDerived(node, op);
}

void NameModel::buildEvents(unsigned node) {
  std::optional<unsigned> open;
  for (Operation *op : graph->nodes[node].ops) {
    auto step = graph->stepOf.find(op);
    if (step == graph->stepOf.end()) {
      addEffects(node, op);
      continue;
    }
    if (open != step->second)
      buildStep(node, graph->steps[step->second]);
    open = step->second;
  }
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

/// Finds the names that are accessed or may become such a name. Removes the
/// events that derive other names, because it does not matter which buffers
/// these are.
void NameModel::findUsed() {
  std::vector<SmallVector<unsigned, 1>> from(names.size());
  SmallVector<unsigned> pending;
  for (auto [number, node] : llvm::enumerate(graph->nodes)) {
    for (const Event &event : events[number]) {
      for (const Access &access : event.accesses)
        pending.push_back(access.name);
      for (int source : event.sources)
        if (source >= 0)
          from[event.index].push_back(source);
    }
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        if (int name = getName(source); name >= 0)
          from[nameOf.lookup(target)].push_back(name);
  }
  isUsed.resize(names.size());
  while (!pending.empty()) {
    unsigned name = pending.pop_back_val();
    if (isUsed.test(name))
      continue;
    isUsed.set(name);
    pending.append(from[name]);
  }
  for (std::vector<Event> &list : events)
    llvm::erase_if(list, [&](const Event &event) {
      return event.kind == Event::Kind::Derive && !isUsed.test(event.index);
    });
}

/// Computes `first` and `last` of the names that are not `inSeveralSlots`. The
/// range begins at the definition and ends at the last use, by rank. If an edge
/// leads back into the range from a node behind it, the range is extended to
/// that node.
void NameModel::findLast(ArrayRef<std::vector<unsigned>> users) {
  // The edges that lead back, as the ranks of their target and source, ordered
  // by target.
  std::vector<std::pair<unsigned, unsigned>> back;
  for (auto [number, node] : llvm::enumerate(graph->nodes))
    for (const Edge &edge : node.edges)
      if (graph->rank[edge.target] <= graph->rank[number])
        back.push_back({graph->rank[edge.target], graph->rank[number]});
  llvm::sort(back);
  for (auto [name, list] : llvm::zip_equal(names, users)) {
    if (name.inSeveralSlots || list.empty())
      continue;
    if (name.inTask) {
      name.first = 0;
      name.last = graph->order.size();
      continue;
    }
    unsigned defined = graph->rank[name.node];
    name.first = name.entersNode ? defined : defined + 1;
    name.last = defined;
    for (unsigned node : list)
      name.last = std::max(name.last, graph->rank[node]);
    for (auto it = llvm::lower_bound(back, std::make_pair(defined + 1, 0u));
         it != back.end() && it->first <= name.last; ++it)
      name.last = std::max(name.last, it->second);
  }
}

void NameModel::findLiveness() {
  size_t count = graph->nodes.size();
  std::vector<SmallVector<unsigned, 2>> predecessors(count);
  std::vector<std::vector<unsigned>> users(names.size());
  auto use = [&](int name, unsigned node) {
    if (name >= 0 && (users[name].empty() || users[name].back() != node))
      users[name].push_back(node);
  };
  for (auto [number, node] : llvm::enumerate(graph->nodes)) {
    for (const Event &event : events[number]) {
      for (const Access &access : event.accesses) {
        use(static_cast<int>(access.name), number);
        // A task may use the name at any node, so the name is live at all of
        // them.
        if (startsTask(event.op)) {
          names[access.name].inTask = true;
          for (unsigned other = 0;
               names[access.name].inSeveralSlots && other != count; ++other)
            use(static_cast<int>(access.name), other);
        }
      }
      for (int source : event.sources)
        use(source, number);
      if (event.kind == Event::Kind::Replace)
        use(static_cast<int>(event.index), number);
    }
    for (const Edge &edge : node.edges) {
      predecessors[edge.target].push_back(number);
      for (auto [target, source] : edge.forwarded)
        if (auto it = nameOf.find(target);
            it != nameOf.end() && isUsed.test(it->second))
          use(getName(source), number);
    }
  }
  findLast(users);
  entering.resize(count);
  for (auto [i, name] : llvm::enumerate(names))
    if (name.entersNode && !name.inSeveralSlots)
      entering[name.node].push_back(i);
  liveIn.resize(count);
  std::vector<unsigned> stamp(count, 0);
  SmallVector<unsigned> pending;
  for (unsigned name = 0; name != names.size(); ++name) {
    if (!names[name].inSeveralSlots)
      continue;
    auto visit = [&](unsigned node) {
      // The definition in this node comes before the uses in it.
      if (stamp[node] == name + 1 ||
          (node == names[name].node && !names[name].entersNode))
        return;
      stamp[node] = name + 1;
      liveIn[node].push_back(name);
      if (node != names[name].node)
        pending.push_back(node);
    };
    llvm::for_each(users[name], visit);
    while (!pending.empty())
      llvm::for_each(predecessors[pending.pop_back_val()], visit);
  }
  for (auto [node, live] : llvm::enumerate(liveIn))
    std::stable_partition(
        live.begin(), live.end(),
        [&, node = node](unsigned name) { return names[name].node != node; });
}

LogicalResult NameModel::build(FunctionOpInterface theFunction,
                               Contracts &theContracts) {
  function = theFunction;
  contracts = &theContracts;
  graph.emplace(function.getFunctionBody());
  if (failed(slots.collect(function, *graph)))
    return failure();
  if (!slots.arenas.empty())
    for (Operation *op : graph->strayMembers)
      error(op)
          << "ops of step "
          << op->getAttrOfType<IntegerAttr>(MemplanDialect::kStepAttr).getInt()
          << " are not together, cannot be verified";
  walkOwn(function, [&](Operation *op) {
    if (contracts->addressesArenaUser(op))
      error(op) << "takes the address of a function that gets its arena from "
                   "its callers, which cannot be verified then";
  });
  link();
  nameValues();
  findSlots();
  if (!isSound)
    return failure();
  findWebs();
  events.resize(graph->nodes.size());
  for (unsigned node = 0; node != graph->nodes.size(); ++node)
    buildEvents(node);
  if (!isSound)
    return failure();
  findUsed();
  findOverwrites();
  findLiveness();
  return success();
}

} // namespace memplan::verifier
