//===- RaiseDeallocations.cpp - Raise lowered deallocations ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes the lowered form of a bufferization.dealloc with several memrefs.
// Here are two memrefs, %a and %b, and one retained memref, %r:
//
//   %pointers = alloc 2 x index           store the pointers of %a and %b
//   %owned    = alloc 2 x i1              store the conditions of %a and %b
//   %retained = alloc 1 x index           store the pointer of %r
//   %free     = alloc 2 x i1
//   %keeps    = alloc 1 x i1
//   call @dealloc_helper(%pointers, %retained, %owned, %free, %keeps)
//   if %free[0] { dealloc %a }
//   if %free[1] { dealloc %b }            %keeps[0] is the ownership of %r
//   dealloc the five tables
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

/// Erases the ops that have no uses, and ops that only these used.
static void eraseDead(ArrayRef<Operation *> ops) {
  llvm::SmallSetVector<Operation *, 16> pending;
  for (Operation *op : ops)
    if (op)
      pending.insert(op);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          isa_and_nonnull<arith::AndIOp, arith::CmpIOp,
                          memref::ExtractAlignedPointerAsIndexOp,
                          memref::ExtractStridedMetadataOp>(source))
        pending.insert(source);
    op->erase();
  }
}

/// The memref of which `memref` is the base buffer that
/// memref.extract_strided_metadata returns; `memref` itself if it is not one.
static Value getWhole(Value memref) {
  if (auto base = memref.getDefiningOp<memref::ExtractStridedMetadataOp>())
    return base.getSource();
  return memref;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

namespace {
/// One call of the helper with its tables, stores, loads and guards.
class HelperCall {
public:
  explicit HelperCall(func::CallOp call) : call(call) {}

  /// True if all parts have the expected form. Does not change the IR.
  bool match() {
    return matchInput(0, pointers) && matchInput(1, retained) &&
           matchInput(2, owned) && matchOutput(3) && matchOutput(4) &&
           pointers.size() == owned.size() &&
           collectPointers(pointers, freed) &&
           collectPointers(retained, kept) && matchFrees() &&
           matchOwnership() && isQuietBetween();
  }

  bufferization::DeallocOp rewrite() {
    OpBuilder builder(call);
    auto dealloc = bufferization::DeallocOp::create(builder, call.getLoc(),
                                                    freed, owned, kept);
    for (auto [load, number] : ownership)
      load.getResult().replaceAllUsesWith(dealloc.getResult(number));
    for (scf::IfOp guard : guards)
      guard.erase();
    SmallVector<Operation *> taken;
    for (Value pointer : llvm::concat<Value>(pointers, retained))
      taken.push_back(pointer.getDefiningOp());
    call.erase();
    for (Operation *op : llvm::reverse(parts))
      op->erase();
    for (memref::AllocOp table : tables)
      table.erase();
    eraseDead(taken);
    return dealloc;
  }

private:
  /// The table behind an operand of the call.
  memref::AllocOp findTable(unsigned number) {
    Value operand = call.getOperand(number);
    if (auto cast = operand.getDefiningOp<memref::CastOp>()) {
      if (!cast->hasOneUse())
        return nullptr;
      parts.push_back(cast);
      operand = cast.getSource();
    }
    auto table = operand.getDefiningOp<memref::AllocOp>();
    if (!table || table.getType().getRank() != 1 ||
        !table.getType().hasStaticShape())
      return nullptr;
    tables.push_back(table);
    return table;
  }

  std::optional<size_t> getIndex(ValueRange indices, memref::AllocOp table) {
    IntegerAttr index;
    if (!matchPattern(indices.front(), m_Constant(&index)) ||
        index.getInt() < 0 || index.getInt() >= table.getType().getDimSize(0))
      return std::nullopt;
    return static_cast<size_t>(index.getInt());
  }

  bool isInBlock(Operation *op) const {
    return op->getBlock() == call->getBlock();
  }

  /// Matches a table that is filled before the call; `stored` gets its values.
  bool matchInput(unsigned number, SmallVectorImpl<Value> &stored) {
    memref::AllocOp table = findTable(number);
    if (!table)
      return false;
    stored.resize(static_cast<size_t>(table.getType().getDimSize(0)));
    for (OpOperand &use : table->getUses()) {
      Operation *op = use.getOwner();
      if (isa<memref::CastOp>(op) || op == call)
        continue;
      if (!isInBlock(op))
        return false;
      parts.push_back(op);
      if (isa<memref::DeallocOp>(op) && call->isBeforeInBlock(op))
        continue;
      auto store = dyn_cast<memref::StoreOp>(op);
      if (!store || !op->isBeforeInBlock(call) ||
          store.getMemRef() != table.getResult())
        return false;
      std::optional<size_t> index = getIndex(store.getIndices(), table);
      if (!index || stored[*index])
        return false;
      stored[*index] = store.getValueToStore();
    }
    return llvm::all_of(stored, [](Value value) { return value != nullptr; }) &&
           hasOneCast(table);
  }

  /// Matches a table that the call fills, and collects the loads from it.
  bool matchOutput(unsigned number) {
    memref::AllocOp table = findTable(number);
    if (!table)
      return false;
    for (OpOperand &use : table->getUses()) {
      Operation *op = use.getOwner();
      if (isa<memref::CastOp>(op) || op == call)
        continue;
      if (!isInBlock(op) || !call->isBeforeInBlock(op))
        return false;
      parts.push_back(op);
      if (isa<memref::DeallocOp>(op))
        continue;
      auto load = dyn_cast<memref::LoadOp>(op);
      if (!load)
        return false;
      std::optional<size_t> index = getIndex(load.getIndices(), table);
      if (!index)
        return false;
      (number == 3 ? decisions : ownership)
          .push_back({load, static_cast<unsigned>(*index)});
    }
    return hasOneCast(table);
  }

  /// True if the call gets the table through one operand only.
  bool hasOneCast(memref::AllocOp table) {
    return llvm::count_if(table->getUsers(), [&](Operation *user) {
             return user == call || isa<memref::CastOp>(user);
           }) == 1;
  }

  /// Collects the memrefs whose pointers these are.
  static bool collectPointers(ArrayRef<Value> pointers,
                              SmallVectorImpl<Value> &memrefs) {
    for (Value pointer : pointers) {
      auto taken =
          pointer.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
      if (!taken)
        return false;
      memrefs.push_back(getWhole(taken.getSource()));
    }
    return true;
  }

  /// Matches the deallocations: each loaded decision guards that of its memref.
  bool matchFrees() {
    llvm::SmallDenseSet<unsigned> found;
    for (auto [load, number] : decisions) {
      if (!load->hasOneUse() || !found.insert(number).second)
        return false;
      auto guard = dyn_cast<scf::IfOp>(*load->user_begin());
      if (!guard || !isInBlock(guard) || guard.getNumResults() != 0 ||
          guard.elseBlock() ||
          !llvm::hasSingleElement(guard.thenBlock()->without_terminator()))
        return false;
      auto free = dyn_cast<memref::DeallocOp>(guard.thenBlock()->front());
      auto taken = pointers[number]
                       .getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
      if (!free || (free.getMemref() != taken.getSource() &&
                    free.getMemref() != freed[number]))
        return false;
      guards.push_back(guard);
    }
    return found.size() == freed.size();
  }

  bool matchOwnership() {
    return llvm::all_of(ownership,
                        [&](auto entry) { return entry.second < kept.size(); });
  }

  /// True if the deallocations can move up to the call: the other ops in
  /// between have no memory effects.
  bool isQuietBetween() {
    Operation *last = call;
    for (scf::IfOp guard : guards)
      if (last->isBeforeInBlock(guard))
        last = guard;
    llvm::SmallDenseSet<Operation *> own(parts.begin(), parts.end());
    for (scf::IfOp guard : guards)
      own.insert(guard);
    for (Operation *op = call->getNextNode(); op && op != last->getNextNode();
         op = op->getNextNode())
      if (!own.contains(op) && !isMemoryEffectFree(op))
        return false;
    return true;
  }

  func::CallOp call;
  SmallVector<memref::AllocOp> tables;
  /// The casts of the tables and the ops that use them, except for the call.
  SmallVector<Operation *> parts;
  /// The contents of the first three tables.
  SmallVector<Value> pointers, retained, owned;
  /// The memrefs of `pointers` and of `retained`.
  SmallVector<Value> freed, kept;
  /// The loads from the other two tables, with their indices.
  SmallVector<std::pair<memref::LoadOp, unsigned>> decisions, ownership;
  SmallVector<scf::IfOp> guards;
};
} // namespace

//===----------------------------------------------------------------------===//
// Comparisons in place
//===----------------------------------------------------------------------===//

namespace {
/// A deallocation of one memref, guarded by comparisons of its pointer with
/// those of the retained memrefs:
///
///   if ptr(%a) != ptr(%r) and %owned { dealloc %a }
///   %r_owned = ptr(%a) == ptr(%r) and %owned
class ComparedFree {
public:
  explicit ComparedFree(scf::IfOp guard) : guard(guard) {}

  bool match() {
    if (guard.getNumResults() != 0 || guard.elseBlock() ||
        !llvm::hasSingleElement(guard.thenBlock()->without_terminator()))
      return false;
    auto free = dyn_cast<memref::DeallocOp>(guard.thenBlock()->front());
    if (!free)
      return false;
    freed = getWhole(free.getMemref());
    split(guard.getCondition());
    return !retained.empty() && conditions.size() <= 1;
  }

  bufferization::DeallocOp rewrite() {
    OpBuilder builder(guard);
    Value owned = conditions.empty()
                      ? arith::ConstantIntOp::create(builder, guard.getLoc(), 1,
                                                     /*width=*/1)
                      : conditions.front();
    auto dealloc = bufferization::DeallocOp::create(builder, guard.getLoc(),
                                                    freed, owned, retained);
    replaceOwnership(dealloc);
    Operation *condition = guard.getCondition().getDefiningOp();
    guard.erase();
    dead.push_back(condition);
    eraseDead(dead);
    return dealloc;
  }

private:
  /// The memref that the pointer of `freed` is compared with; null for any
  /// other value.
  Value getCompared(Value value, arith::CmpIPredicate predicate) const {
    auto compare = value.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != predicate)
      return nullptr;
    auto first = compare.getLhs()
                     .getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
    auto second = compare.getRhs()
                      .getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
    if (!first || !second)
      return nullptr;
    Value a = getWhole(first.getSource()), b = getWhole(second.getSource());
    return a == freed ? b : b == freed ? a : nullptr;
  }

  /// By operand of the conjunction that `condition` is, whether a comparison is
  /// among its own operands. A value may be an operand of several.
  llvm::DenseMap<Value, bool> findComparisons(Value condition) const {
    llvm::DenseMap<Value, bool> found;
    SmallVector<Value> open{condition};
    while (!open.empty()) {
      Value next = open.back();
      auto both = next.getDefiningOp<arith::AndIOp>();
      size_t count = open.size();
      if (both && !found.contains(next))
        llvm::copy_if(both->getOperands(), std::back_inserter(open),
                      [&](Value operand) { return !found.contains(operand); });
      if (open.size() != count)
        continue;
      bool compares =
          both ? found.lookup(both.getLhs()) || found.lookup(both.getRhs())
               : getCompared(next, arith::CmpIPredicate::ne) != nullptr;
      found.try_emplace(next, compares);
      open.pop_back();
    }
    return found;
  }

  /// Splits the condition into comparisons of pointers and other conditions.
  void split(Value condition) {
    llvm::DenseMap<Value, bool> compares = findComparisons(condition);
    llvm::DenseSet<Value> seen;
    SmallVector<Value> open{condition};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      auto both = next.getDefiningOp<arith::AndIOp>();
      if (!compares.lookup(next)) {
        conditions.push_back(next);
      } else if (both) {
        open.append({both.getRhs(), both.getLhs()});
      } else {
        comparisons.push_back(next.getDefiningOp<arith::CmpIOp>());
        retained.push_back(getCompared(next, arith::CmpIPredicate::ne));
      }
    }
  }

  /// Replaces the computed ownership of each retained memref by the result of
  /// the deallocation.
  void replaceOwnership(bufferization::DeallocOp dealloc) {
    for (auto [number, compare] : llvm::enumerate(comparisons)) {
      SmallVector<Value> replaced;
      for (Operation *user : compare.getLhs().getUsers()) {
        auto same = dyn_cast<arith::CmpIOp>(user);
        if (!same || same.getPredicate() != arith::CmpIPredicate::eq ||
            same.getLhs() != compare.getLhs() ||
            same.getRhs() != compare.getRhs())
          continue;
        if (conditions.empty())
          replaced.push_back(same.getResult());
        for (Operation *use : same->getUsers())
          if (auto both = dyn_cast<arith::AndIOp>(use);
              both && !conditions.empty() &&
              (both.getLhs() == conditions.front() ||
               both.getRhs() == conditions.front()))
            replaced.push_back(both.getResult());
      }
      for (Value value : replaced) {
        Operation *op = value.getDefiningOp();
        // An earlier op cannot use the result.
        if (op->getBlock() != dealloc->getBlock() ||
            op->isBeforeInBlock(dealloc))
          continue;
        value.replaceAllUsesWith(
            dealloc.getResult(static_cast<unsigned>(number)));
        dead.push_back(op);
      }
    }
  }

  scf::IfOp guard;
  Value freed;
  SmallVector<arith::CmpIOp> comparisons;
  SmallVector<Value> retained, conditions;
  SmallVector<Operation *> dead;
};
} // namespace

/// Removes a memref from the list if the op also retains it by the same name:
/// it is then not freed, and its condition becomes its ownership. The memref
/// stays if the program uses the ownership of a retained memref with another
/// name, which may be the same memory.
static void dropRetained(bufferization::DeallocOp dealloc) {
  SmallVector<Value> memrefs, conditions, owned;
  SmallVector<Value> retained(dealloc.getRetained());
  Value asked;
  for (auto [value, result] : llvm::zip_equal(retained, dealloc.getResults())) {
    if (result.use_empty())
      continue;
    if (asked && asked != value)
      return;
    asked = value;
  }
  for (auto [memref, condition] :
       llvm::zip_equal(dealloc.getMemrefs(), dealloc.getConditions())) {
    if (llvm::is_contained(retained, memref) && (!asked || asked == memref)) {
      owned.push_back(condition);
      continue;
    }
    memrefs.push_back(memref);
    conditions.push_back(condition);
  }
  if (owned.empty())
    return;
  OpBuilder builder(dealloc);
  Location loc = dealloc.getLoc();
  auto rest = bufferization::DeallocOp::create(builder, loc, memrefs,
                                               conditions, retained);
  rest->setDiscardableAttrs(dealloc->getDiscardableAttrDictionary());
  for (auto [old, kept] :
       llvm::zip_equal(dealloc.getResults(), rest.getResults())) {
    if (old.use_empty())
      continue;
    Value isOwned = kept;
    for (Value condition : owned)
      isOwned = arith::OrIOp::create(builder, loc, isOwned, condition);
    old.replaceAllUsesWith(isOwned);
  }
  dealloc.erase();
  if (memrefs.empty() && rest->use_empty())
    rest.erase();
}

bool DeallocationRaiser::raise(func::FuncOp function) {
  SmallVector<func::CallOp> calls;
  function->walk([&](func::CallOp call) {
    if (isHelper(call))
      calls.push_back(call);
  });
  SmallVector<bufferization::DeallocOp> raised;
  // The ownership that one call returns may be a condition of the next one. So
  // each call is matched after the previous ones have been replaced.
  for (func::CallOp call : calls)
    if (HelperCall match(call); match.match())
      raised.push_back(match.rewrite());
  SmallVector<scf::IfOp> guards;
  function->walk([&](scf::IfOp op) {
    if (ComparedFree(op).match())
      guards.push_back(op);
  });
  for (scf::IfOp guard : guards)
    if (ComparedFree match(guard); match.match())
      raised.push_back(match.rewrite());
  for (bufferization::DeallocOp dealloc : raised)
    dropRetained(dealloc);
  return !raised.empty();
}
