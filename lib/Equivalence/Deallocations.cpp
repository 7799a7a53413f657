//===- Deallocations.cpp - Raised deallocations free the same -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check executes both functions side by side, with numbers for values: two
// values with one number are equal. Pure ops with equal operands have one
// number. A truth value is a formula of conditions and of comparisons of
// pointers, in which the order of operands does not matter:
//
//   before                              after
//   store ptr(a), ptr(b) to t           o = dealloc (a, b) if (c, d) retain (r)
//   call helper(t, ...)
//   if load u[0] { dealloc a }          frees a if c and a != r
//   if load u[1] { dealloc b }          frees b if d and b != r and b != a
//   load w[0]                           o: (c and a == r) or (d and b == r)
//
// Both have one meaning if they free the same memrefs under the same conditions
// between each two other ops with effects. Every other op must be in both
// functions, in the same order, with operands of the same numbers. Both
// functions are read in the same way, so that what stays lowered is equal, too.
//
// What the helper does is written here from the documentation of upstream's
// -bufferization-lower-deallocations. That a callee is the helper is proven by
// comparing it with the one that upstream builds.
//
//===----------------------------------------------------------------------===//

#include "memplan/Equivalence/Equivalence.h"

#include "memplan/IR/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>
#include <unordered_map>

using namespace mlir;
using namespace memplan;

namespace {

/// What a value is; equal values have equal numbers: those of nodes, or of a
/// comparison, which has its two operands in it, because there may be as many
/// as the square of the memrefs.
using Number = uint64_t;
using Numbers = SmallVector<Number, 4>;

/// The memrefs that are freed, by pointer and condition.
using Frees = std::multiset<std::pair<Number, Number>>;

class DeallocationCheck {
public:
  /// `scope` is an op from which callees are looked up.
  explicit DeallocationCheck(Operation *scope) : scope(scope) {}

  bool isSame(Region &before, Region &after);

  /// Of the first difference, if there is one: what it is, the op of the new
  /// function, and its counterpart.
  std::string what;
  Operation *place = nullptr, *original = nullptr;

private:
  enum Kind : uint8_t { Own, Pure, Pointer, Not, And, Or, Compared };
  struct Node {
    Kind kind;
    Numbers operands;
  };
  using Key = SmallVector<uintptr_t, 8>;
  struct KeyHash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };

  bool differs(Operation *before, Operation *after, StringRef how) {
    if (!place)
      what = how, original = before, place = after;
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  Number makeOwn() {
    nodes.push_back({Own, {}});
    return nodes.size() - 1;
  }

  Number intern(Kind kind, Numbers operands, Key key = {}) {
    key.push_back(kind);
    key.append(operands.begin(), operands.end());
    auto [it, isNew] = interned.try_emplace(std::move(key), nodes.size());
    if (isNew)
      nodes.push_back({kind, std::move(operands)});
    return it->second;
  }

  /// The conjunction or the disjunction.
  Number combine(Kind kind, ArrayRef<Number> operands) {
    Number neutral = kind == And ? kTrue : kFalse;
    Numbers parts;
    for (Number operand : operands)
      if (getKind(operand) == kind)
        parts.append(nodes[operand].operands);
      else if (operand != neutral)
        parts.push_back(operand);
    llvm::sort(parts);
    parts.erase(llvm::unique(parts), parts.end());
    Number other = kind == And ? kFalse : kTrue;
    if (llvm::is_contained(parts, other))
      return other;
    if (parts.size() < 2)
      return parts.empty() ? neutral : parts.front();
    return intern(kind, std::move(parts));
  }

  Kind getKind(Number number) const {
    return number & kCompared ? Compared : nodes[number].kind;
  }

  Number negate(Number number) {
    if (number == kTrue || number == kFalse)
      return number == kTrue ? kFalse : kTrue;
    if (getKind(number) == Compared)
      return number ^ kDiffer;
    return getKind(number) == Not ? nodes[number].operands.front()
                                  : intern(Not, {number});
  }

  /// True if both are equal.
  Number compare(Number a, Number b) {
    constexpr unsigned kBits = 31;
    if (a == b)
      return kTrue;
    auto [least, greatest] = std::minmax(a, b);
    // There are fewer nodes, but an operand may be a comparison.
    return greatest >> kBits ? intern(Pure, {least, greatest})
                             : kCompared | least << kBits | greatest;
  }

  /// The pointer to the first element of the whole buffer of the memref.
  Number point(Value memref) {
    while (auto base = memref.getDefiningOp<memref::ExtractStridedMetadataOp>())
      if (memref == base.getBaseBuffer())
        memref = base.getSource();
      else
        break;
    return intern(Pointer, {get(memref)});
  }

  /// Gives both values a new number.
  void pair(Value before, Value after) {
    Number number = makeOwn();
    numbers[before] = number;
    numbers[after] = number;
  }

  static bool isPure(Operation *op) {
    return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
           isMemoryEffectFree(op);
  }

  Number get(Value value) {
    if (auto it = numbers.find(value); it != numbers.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    // Ops are visited in order: only in an odd order of blocks is there more.
    if (!op || !isPure(op) || depth == kMostDepth)
      return numbers[value] = makeOwn();
    ++depth;
    Number number = compute(cast<OpResult>(value));
    --depth;
    return numbers[value] = number;
  }

  /// Without `nontemporal = false`, the default, which printed text omits.
  static DictionaryAttr getAttributes(Operation *op) {
    NamedAttrList attributes(op->getAttrDictionary());
    if (attributes.get("nontemporal") == BoolAttr::get(op->getContext(), false))
      attributes.erase("nontemporal");
    return attributes.getDictionary(op->getContext());
  }

  Number compute(OpResult result) {
    Operation *op = result.getOwner();
    auto of = [&](unsigned i) { return get(op->getOperand(i)); };
    bool isTruth = result.getType().isInteger(1);
    if (std::optional<int64_t> constant = getConstantNumber(result);
        isTruth && constant)
      return *constant == 0 ? kFalse : kTrue;
    if (isTruth && isa<arith::AndIOp, arith::OrIOp>(op))
      return combine(isa<arith::AndIOp>(op) ? And : Or, {of(0), of(1)});
    if (isTruth && isa<arith::XOrIOp>(op) && (of(0) == kTrue || of(1) == kTrue))
      return negate(of(0) == kTrue ? of(1) : of(0));
    if (auto comparison = dyn_cast<arith::CmpIOp>(op);
        comparison && isTruth &&
        (comparison.getPredicate() == arith::CmpIPredicate::eq ||
         comparison.getPredicate() == arith::CmpIPredicate::ne)) {
      Number equal = compare(of(0), of(1));
      return comparison.getPredicate() == arith::CmpIPredicate::eq
                 ? equal
                 : negate(equal);
    }
    if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
      return point(pointer.getSource());
    Numbers operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    return number(op->getName(), result.getResultNumber(), result.getType(),
                  getAttributes(op), std::move(operands));
  }

  Number number(OperationName name, unsigned result, Type type,
                DictionaryAttr attributes, Numbers operands) {
    auto asKey = [](const void *pointer) {
      return reinterpret_cast<uintptr_t>(pointer);
    };
    return intern(Pure, std::move(operands),
                  {asKey(name.getAsOpaquePointer()), result,
                   asKey(type.getAsOpaquePointer()),
                   asKey(attributes.getAsOpaquePointer())});
  }

  //===--------------------------------------------------------------------===//
  // Deallocations
  //===--------------------------------------------------------------------===//

  static memref::AllocOp findAllocation(Value memref) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>())
      memref = cast.getSource();
    return memref.getDefiningOp<memref::AllocOp>();
  }

  /// The number of the element that a load or store accesses.
  static std::optional<int64_t> findIndex(ValueRange indices,
                                          memref::AllocOp table) {
    std::optional<int64_t> index = getConstantNumber(indices.front());
    return index && 0 <= *index && *index < table.getType().getDimSize(0)
               ? index
               : std::nullopt;
  }

  /// True for a table of pointers or truth values of which each use is in its
  /// block and understood.
  bool looksLikeTable(memref::AllocOp table) {
    MemRefType type = table ? table.getType() : MemRefType();
    if (!type || type.getRank() != 1 || !type.hasStaticShape() ||
        !type.getLayout().isIdentity() ||
        !(type.getElementType().isIndex() ||
          type.getElementType().isInteger(1)))
      return false;
    auto isUnderstood = [&](Operation *user) {
      if (user->getBlock() != table->getBlock())
        return false;
      return llvm::TypeSwitch<Operation *, bool>(user)
          .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
            return findIndex(access.getIndices(), table).has_value();
          })
          .Case([&](func::CallOp call) { return isHelper(call); })
          .Default([](Operation *op) { return isa<memref::DeallocOp>(op); });
    };
    return llvm::all_of(table->getUsers(), [&](Operation *user) {
      return isa<memref::CastOp>(user)
                 ? llvm::all_of(user->getUsers(),
                                [&](Operation *call) {
                                  return isa<func::CallOp>(call) &&
                                         isUnderstood(call);
                                })
                 : isUnderstood(user);
    });
  }

  /// The same, and each call of the helper has such tables only, apart from
  /// each other.
  bool isTable(memref::AllocOp table) {
    auto isReadable = [&](Operation *user) {
      auto call = dyn_cast<func::CallOp>(user);
      std::set<Operation *> all;
      if (call)
        for (Value operand : call.getOperands()) {
          memref::AllocOp other = findAllocation(operand);
          if (!looksLikeTable(other) || !all.insert(other).second)
            return false;
        }
      return true;
    };
    return looksLikeTable(table) &&
           llvm::all_of(table->getUsers(), [&](Operation *user) {
             return isReadable(user) &&
                    (!isa<memref::CastOp>(user) ||
                     llvm::all_of(user->getUsers(), isReadable));
           });
  }

  bool isHelper(func::CallOp call) {
    // The helper calls nothing, itself included.
    if (isInHelper || call.getNumOperands() != 5)
      return false;
    auto [it, isNew] = helpers.try_emplace(call.getCalleeAttr(), false);
    if (!isNew)
      return it->second;
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        scope, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return false;
    OwningOpRef<ModuleOp> scratch = ModuleOp::create(call.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
    SymbolTable symbols(*scratch);
    func::FuncOp model = bufferization::buildDeallocationLibraryFunction(
        builder, call.getLoc(), symbols);
    DeallocationCheck check(scope);
    check.isInHelper = true;
    it->second = callee.getFunctionType() == model.getFunctionType() &&
                 check.isSame(model.getBody(), callee.getBody());
    return it->second;
  }

  /// Which of the memrefs at `pointers` are freed, and which of those that are
  /// retained are owned then. A memref is not freed if it is retained, or if
  /// one before it is at the same pointer.
  std::pair<Numbers, Numbers> decide(ArrayRef<Number> pointers,
                                     ArrayRef<Number> conditions,
                                     ArrayRef<Number> retained) {
    Numbers decisions, ownership;
    for (auto [i, pointer] : llvm::enumerate(pointers)) {
      Numbers all{conditions[i]};
      for (Number other : retained)
        all.push_back(negate(compare(pointer, other)));
      for (Number earlier : pointers.take_front(i))
        all.push_back(negate(compare(pointer, earlier)));
      decisions.push_back(combine(And, all));
    }
    for (Number other : retained) {
      Numbers any;
      for (auto [pointer, condition] : llvm::zip_equal(pointers, conditions))
        any.push_back(combine(And, {condition, compare(pointer, other)}));
      ownership.push_back(combine(Or, any));
    }
    return {decisions, ownership};
  }

  bool callHelper(func::CallOp call) {
    if (!isHelper(call))
      return false;
    SmallVector<Numbers *, 5> read;
    for (Value operand : call.getOperands()) {
      auto it = tables.find(findAllocation(operand));
      if (it == tables.end())
        return false;
      read.push_back(&it->second);
    }
    for (unsigned i : {0, 1, 2})
      if (llvm::is_contained(*read[i], kUnset))
        return false;
    if (read[0]->size() * (read[0]->size() + read[1]->size()) > kMostCompared ||
        read[0]->size() != read[2]->size() ||
        read[0]->size() != read[3]->size() ||
        read[1]->size() != read[4]->size())
      return false;
    std::tie(*read[3], *read[4]) = decide(*read[0], *read[2], *read[1]);
    return true;
  }

  void addFree(Value memref, Number condition, Frees &frees) {
    if (condition != kFalse)
      frees.insert({point(memref), condition});
  }

  /// Executes what may be in one function only. Returns false if the op must
  /// have a counterpart.
  bool execute(Operation *op, Frees &frees) {
    if (isPure(op)) {
      for (Value result : op->getResults())
        get(result);
      return true;
    }
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](memref::AllocOp table) {
          if (!isTable(table))
            return false;
          tables[table].assign(table.getType().getDimSize(0), kUnset);
          return true;
        })
        .Case([&](memref::StoreOp store) {
          auto it = tables.find(store.getMemRef().getDefiningOp());
          if (it == tables.end())
            return false;
          memref::AllocOp table = findAllocation(store.getMemRef());
          it->second[*findIndex(store.getIndices(), table)] =
              get(store.getValueToStore());
          return true;
        })
        .Case([&](memref::LoadOp load) {
          auto it = tables.find(load.getMemRef().getDefiningOp());
          if (it == tables.end())
            return false;
          memref::AllocOp table = findAllocation(load.getMemRef());
          Number held = it->second[*findIndex(load.getIndices(), table)];
          numbers[load] = held == kUnset ? makeOwn() : held;
          return true;
        })
        .Case([&](memref::DeallocOp free) {
          return tables.erase(free.getMemref().getDefiningOp());
        })
        .Case([&](func::CallOp call) { return callHelper(call); })
        .Case([&](scf::IfOp guard) {
          Block &block = guard.getThenRegion().front();
          auto free = dyn_cast<memref::DeallocOp>(block.front());
          if (!free || free->getNextNode() != block.getTerminator() ||
              guard.elseBlock() || guard.getNumResults() != 0)
            return false;
          addFree(free.getMemref(), get(guard.getCondition()), frees);
          return true;
        })
        .Case([&](bufferization::DeallocOp dealloc) {
          size_t freed = dealloc.getMemrefs().size();
          if (freed * (freed + dealloc.getRetained().size()) > kMostCompared)
            return false;
          Numbers pointers, conditions, retained;
          for (Value memref : dealloc.getMemrefs())
            pointers.push_back(point(memref));
          for (Value condition : dealloc.getConditions())
            conditions.push_back(get(condition));
          for (Value memref : dealloc.getRetained())
            retained.push_back(point(memref));
          auto [decisions, ownership] = decide(pointers, conditions, retained);
          for (auto [memref, decision] :
               llvm::zip_equal(dealloc.getMemrefs(), decisions))
            addFree(memref, decision, frees);
          for (auto [result, owned] :
               llvm::zip_equal(dealloc.getResults(), ownership))
            numbers[result] = owned;
          return true;
        })
        .Default([](Operation *) { return false; });
  }

  //===--------------------------------------------------------------------===//
  // The comparison
  //===--------------------------------------------------------------------===//

  /// True if `after` is an allocation, and the next op the copy, to which
  /// upstream lowers the clone.
  bool isLoweredClone(Operation *before, Operation *after) {
    auto clone = dyn_cast<bufferization::CloneOp>(before);
    auto memory = dyn_cast<memref::AllocOp>(after);
    auto copy = dyn_cast_or_null<memref::CopyOp>(after->getNextNode());
    auto type = clone ? dyn_cast<MemRefType>(clone.getType()) : MemRefType();
    if (!type || !memory || !copy || copy.getTarget() != memory ||
        get(copy.getSource()) != get(clone.getInput()) ||
        copy->getDiscardableAttrDictionary() !=
            clone->getDiscardableAttrDictionary() ||
        !type.hasStaticShape() ||
        memory.getType().getShape() != type.getShape() ||
        memory.getType().getElementType() != type.getElementType() ||
        memory.getType().getMemorySpace() != type.getMemorySpace())
      return false;
    Number number = makeOwn();
    numbers[memory] = number;
    if (memory.getType() != type)
      number = this->number(
          OperationName(memref::CastOp::getOperationName(), type.getContext()),
          0, type, DictionaryAttr::get(type.getContext()), {number});
    numbers[clone] = number;
    return true;
  }

  bool isSame(Operation *before, Operation *after) {
    if (before->getName() != after->getName() ||
        getAttributes(before) != getAttributes(after) ||
        before->getResultTypes() != after->getResultTypes() ||
        before->getNumOperands() != after->getNumOperands() ||
        before->getNumRegions() != after->getNumRegions() ||
        before->getNumSuccessors() != after->getNumSuccessors())
      return differs(before, after, "is not the op of the original program");
    for (auto [own, other] :
         llvm::zip(before->getSuccessors(), after->getSuccessors()))
      if (counterparts.lookup(own) != other)
        return differs(before, after, "leads to other blocks");
    for (auto [i, own, other] :
         llvm::enumerate(before->getOperands(), after->getOperands()))
      if (get(own) != get(other))
        return differs(before, after, "has another operand");
    for (auto [own, other] :
         llvm::zip(before->getResults(), after->getResults()))
      pair(own, other);
    return llvm::all_of(llvm::zip(before->getRegions(), after->getRegions()),
                        [&](auto pair) {
                          return isSame(std::get<0>(pair), std::get<1>(pair));
                        });
  }

  bool isSame(Block &before, Block &after) {
    Frees freed, freedAfter;
    auto i = before.begin(), j = after.begin();
    while (true) {
      while (i != before.end() && execute(&*i, freed))
        ++i;
      while (j != after.end() && execute(&*j, freedAfter))
        ++j;
      if (i == before.end() || j == after.end())
        break;
      if ((i->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&*i)) &&
          freed != freedAfter)
        return differs(&*i, &*j, "follows other deallocations");
      if (i->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&*i))
        freed.clear(), freedAfter.clear();
      if (isLoweredClone(&*i, &*j))
        ++j;
      else if (!isSame(&*i, &*j))
        return false;
      ++i, ++j;
    }
    if (i != before.end() || j != after.end() || freed != freedAfter)
      return differs(before.getParentOp(), after.getParentOp(),
                     "has more ops, or fewer");
    return true;
  }

  Operation *scope;
  std::vector<Node> nodes{{Own, {}}, {Own, {}}, {Own, {}}};
  static constexpr Number kFalse = 0, kTrue = 1, kUnset = 2;
  /// The bits of comparisons, and of those that are true if both differ.
  static constexpr Number kCompared = Number(1) << 63, kDiffer = kCompared / 2;
  std::unordered_map<Key, Number, KeyHash> interned;
  llvm::DenseMap<Value, Number> numbers;
  /// The values that are being computed.
  unsigned depth = 0;
  static constexpr unsigned kMostDepth = 1000;
  /// What one call or deallocation may compare, so that memory is bounded.
  static constexpr size_t kMostCompared = 1 << 22;
  /// What the tables hold.
  llvm::DenseMap<Operation *, Numbers> tables;
  /// By symbol, whether it is the helper.
  llvm::DenseMap<Attribute, bool> helpers;
  /// True while the body of what may be the helper is compared.
  bool isInHelper = false;
  llvm::DenseMap<Block *, Block *> counterparts;
};

bool DeallocationCheck::isSame(Region &before, Region &after) {
  if (before.getBlocks().size() != after.getBlocks().size())
    return differs(before.getParentOp(), after.getParentOp(),
                   "has other blocks");
  for (auto [own, other] : llvm::zip(before, after)) {
    if (own.getArgumentTypes() != other.getArgumentTypes())
      return differs(before.getParentOp(), after.getParentOp(),
                     "has a block with other arguments");
    counterparts[&own] = &other;
    for (auto [argument, same] :
         llvm::zip(own.getArguments(), other.getArguments()))
      pair(argument, same);
  }
  for (auto [own, other] : llvm::zip(before, after))
    if (!isSame(own, other))
      return false;
  return true;
}

} // namespace

LogicalResult memplan::checkDeallocations(FunctionOpInterface original,
                                          FunctionOpInterface raised) {
  DeallocationCheck check(raised);
  if (check.isSame(original.getFunctionBody(), raised.getFunctionBody()))
    return success();
  InFlightDiagnostic diag = check.place->emitError() << check.what;
  diag.attachNote(check.original->getLoc()) << "in the original program";
  return diag;
}
