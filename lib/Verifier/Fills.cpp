//===- Fills.cpp - Fills that have moved write what they did --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both functions are executed side by side, with numbers for contents: a fill
// of a whole allocation with a value makes it hold the number of the value, a
// copy hands that on, and each op that both have in common and that writes
// gives what it writes a new number. What such an op reads must have one number
// in both. Fills, and copies of filled buffers, may be in one of them alone.
//
// An allocation is followed in its own block, and in the regions in it that
// only read it, until it gets a name that cannot be followed: from there on its
// contents are the same.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "NestAccess.h"
#include "Slots.h"

#include "memplan/IR/AsyncWork.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;
using namespace memplan::verifier;

namespace {

/// What an op does with a memref, from the least to the most.
enum class Use { None, Frees, Reads, Writes, Unknown };

/// One value for all elements of a memref.
struct Fill {
  Value target, value;
};

/// The numbers of what an allocation holds in the two functions.
struct Contents {
  int64_t before, after;
};

bool isPlainView(Operation *op) {
  return isa<ViewLikeOpInterface>(op) && op->getNumResults() == 1 &&
         isa<BaseMemRefType>(op->getResult(0).getType()) &&
         isMemoryEffectFree(op);
}

bool isLoop(Operation *op) {
  return isa<scf::ForOp, affine::AffineForOp>(op) || isParallelLoop(op);
}

/// True for loops that run once each, down to the inner one, which may be the
/// outer one itself.
bool runsOnce(Operation *outer, Operation *inner) {
  for (; inner != outer; inner = inner->getParentOp()) {
    Operation *parent = inner->getParentOp();
    auto ranges = isLoop(parent) ? getLoopRanges(parent) : std::nullopt;
    if (!ranges || !llvm::all_of(*ranges, [](const LoopRange &range) {
          return range.count == 1;
        }))
      return false;
  }
  return true;
}

/// True if the store is to each element of its memref, index by index, as the
/// loops from the nest on go through one dimension each.
bool storesEach(Operation *store, Operation *nest) {
  std::optional<IndexedAccess> access = getIndexedAccess(store);
  auto type = dyn_cast<MemRefType>(access->memref.getType());
  if (!type || !type.hasStaticShape() ||
      (access->map &&
       (!access->map.isIdentity() || access->map.getNumSymbols())))
    return false;
  DenseMap<Value, int64_t> counts;
  for (Operation *op = store; op != nest;) {
    op = op->getParentOp();
    auto ranges = isLoop(op) ? getLoopRanges(op) : std::nullopt;
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

class FillCheck {
public:
  LogicalResult compareRegions(Region &before, Region &after);

private:
  LogicalResult compareBlocks(Block &before, Block &after);
  LogicalResult compareOps(Operation *before, Operation *after);
  LogicalResult mismatch(Operation *before, Operation *after,
                         const Twine &what) {
    InFlightDiagnostic diag = after->emitError() << what;
    diag.attachNote(before->getLoc()) << "in the original program";
    return diag;
  }

  /// True if the two are one value; two of which nothing is known yet may be,
  /// which is seen where the second is defined.
  bool corresponds(Value before, Value after) {
    return toBefore.try_emplace(after, before).first->second == before;
  }
  bool correspond(ValueRange before, ValueRange after) {
    return before.size() == after.size() &&
           llvm::all_of(llvm::zip(before, after), [&](auto pair) {
             return corresponds(std::get<0>(pair), std::get<1>(pair));
           });
  }

  Operation *findRoot(Value memref);
  bool isWhole(Value memref, Operation *root);
  std::optional<Fill> matchFill(Operation *op);
  std::optional<std::pair<Value, Value>> matchCopy(Operation *op);
  Use classify(OpOperand &operand);
  bool isUsedBehind(Operation *allocation, Block &block);

  /// What the op of `before` does with allocations that are followed, in its
  /// regions, too.
  llvm::MapVector<Operation *, Use> collectUses(Operation *op);

  /// That of the allocation of `after` in `before`.
  Operation *findOriginal(Operation *allocation) {
    Value value =
        allocation ? toBefore.lookup(allocation->getResult(0)) : Value();
    return value ? value.getDefiningOp() : nullptr;
  }
  bool isOwn(Operation *allocation, Block &block) {
    return allocation && allocation->getBlock() == &block &&
           contents.contains(allocation);
  }
  int64_t numberOf(Value value) {
    return values.try_emplace(value, --lastValue).first->second;
  }
  void renew(Operation *allocation) {
    contents[allocation] = {lastNumber, lastNumber};
    ++lastNumber;
  }
  bool areSame(Operation *allocation) {
    Contents known = contents.lookup(allocation);
    return known.before == known.after;
  }

  /// Of allocations of `before` that are followed.
  DenseMap<Operation *, Contents> contents;
  DenseMap<Value, Value> toBefore;
  DenseMap<Block *, Block *> blockToBefore;
  DenseMap<Value, Operation *> roots;
  /// The numbers of values of `before`, which are negative.
  DenseMap<Value, int64_t> values;
  int64_t lastValue = 0, lastNumber = 0;
};

Operation *FillCheck::findRoot(Value memref) {
  SmallVector<Value, 4> path;
  Operation *root = nullptr;
  while (true) {
    if (auto it = roots.find(memref); it != roots.end()) {
      root = it->second;
      break;
    }
    path.push_back(memref);
    Operation *op = memref.getDefiningOp();
    if (isa_and_present<memref::AllocOp, memref::AllocaOp>(op))
      root = op;
    if (root || !op || !isPlainView(op))
      break;
    memref = cast<ViewLikeOpInterface>(op).getViewSource();
  }
  for (Value name : path)
    roots[name] = root;
  return root;
}

/// True if the memref, which is of the allocation, has all of its elements.
bool FillCheck::isWhole(Value memref, Operation *root) {
  auto all = cast<MemRefType>(root->getResult(0).getType());
  for (; memref != root->getResult(0);
       memref = memref.getDefiningOp()->getOperand(0)) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type || !type.hasStaticShape() || !all.hasStaticShape() ||
        type.getNumElements() != all.getNumElements() ||
        type.getElementType() != all.getElementType() ||
        !isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
            memref.getDefiningOp()))
      return false;
  }
  return true;
}

std::optional<Fill> FillCheck::matchFill(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    if (!fill.hasPureBufferSemantics())
      return std::nullopt;
    return Fill{fill.getOutputs()[0], fill.getInputs()[0]};
  }
  if (!isLoop(op) || op->getNumResults() > 0)
    return std::nullopt;
  Operation *store = nullptr;
  WalkResult walk = op->walk([&](Operation *inner) {
    if (isa<memref::StoreOp, affine::AffineStoreOp>(inner) && !store)
      store = inner;
    else if (!isLoop(inner) && !isMemoryEffectFree(inner))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted() || !store)
    return std::nullopt;
  Value target = getIndexedAccess(store)->memref, value = store->getOperand(0);
  auto isInside = [&](Value used) {
    return op->isAncestor(used.getParentBlock()->getParentOp());
  };
  if (isInside(target) || isInside(value))
    return std::nullopt;
  Operation *root = findRoot(target);
  if (storesEach(store, op))
    return Fill{target, value};
  // Tiles, and other shapes of the whole.
  auto type =
      root ? dyn_cast<MemRefType>(root->getResult(0).getType()) : MemRefType();
  if (!type || !type.hasStaticShape() || !isWhole(target, root))
    return std::nullopt;
  std::optional<int64_t> size =
      getElementBytes(type.getElementType(), DataLayout::closest(op));
  std::optional<StoredBytes> stored =
      size ? findStoredBytes(store, root->getResult(0), *size, op)
           : std::nullopt;
  int64_t bytes;
  if (!stored || stored->bytes.begin != 0 ||
      llvm::MulOverflow(*size, type.getNumElements(), bytes) ||
      stored->bytes.end != bytes || !runsOnce(op, stored->nest))
    return std::nullopt;
  return Fill{target, value};
}

/// Source and target of an op that copies elements as they are.
std::optional<std::pair<Value, Value>> FillCheck::matchCopy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return std::make_pair(copy.getSource(), copy.getTarget());
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isa<linalg::CopyOp, linalg::GenericOp>(op) ||
      !structured.hasPureBufferSemantics() ||
      structured.getNumDpsInputs() != 1 || structured.getNumDpsInits() != 1)
    return std::nullopt;
  OpOperand *input = structured.getDpsInputOperand(0);
  OpOperand *init = structured.getDpsInitOperand(0);
  Operation &first = structured.getBlock()->front();
  if (!isa<linalg::YieldOp>(first) || first.getNumOperands() != 1 ||
      first.getOperand(0) != structured.getBlock()->getArgument(0) ||
      !structured.getMatchingIndexingMap(init).isPermutation())
    return std::nullopt;
  return std::make_pair(input->get(), init->get());
}

Use FillCheck::classify(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<memref::DimOp, memref::RankOp>(op) ||
      (isPlainView(op) &&
       cast<ViewLikeOpInterface>(op).getViewSource() == operand.get()))
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
  interface.getEffectsOnValue(operand.get(), effects);
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

llvm::MapVector<Operation *, Use> FillCheck::collectUses(Operation *op) {
  llvm::MapVector<Operation *, Use> uses;
  if (contents.empty())
    return uses;
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      if (!isMemRef(operand.get()))
        continue;
      Operation *root = findRoot(operand.get());
      if (!root || !contents.contains(root))
        continue;
      Use use = classify(operand);
      for (Operation *around = inner; around != op;) {
        around = around->getParentOp();
        if (!hasKnownControlFlow(around) && !isa<linalg::LinalgOp>(around))
          use = Use::Unknown;
      }
      auto [it, isNew] = uses.try_emplace(root, use);
      it->second = std::max(it->second, use);
    }
  });
  return uses;
}

/// True if a name of the allocation is used in another block of the region.
bool FillCheck::isUsedBehind(Operation *allocation, Block &block) {
  SmallVector<Value> names = {allocation->getResult(0)};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (!block.findAncestorOpInBlock(*user))
        return true;
      if (isPlainView(user))
        names.push_back(user->getResult(0));
    }
  return false;
}

LogicalResult FillCheck::compareOps(Operation *before, Operation *after) {
  if (before->getName() != after->getName() ||
      before->getAttrDictionary() != after->getAttrDictionary() ||
      before->getResultTypes() != after->getResultTypes() ||
      before->getNumRegions() != after->getNumRegions() ||
      before->getNumSuccessors() != after->getNumSuccessors() ||
      !correspond(before->getOperands(), after->getOperands()) ||
      !correspond(before->getResults(), after->getResults()))
    return mismatch(before, after, "is not the op of the original program");
  for (auto [own, other] :
       llvm::zip(before->getSuccessors(), after->getSuccessors()))
    if (blockToBefore.lookup(other) != own)
      return mismatch(before, after, "leads to other blocks");

  SmallVector<std::pair<Operation *, Contents>> inside;
  SmallVector<Operation *> renewed;
  bool hasRegions = before->getNumRegions() > 0;
  for (auto [allocation, use] : collectUses(before)) {
    // Those that only read are looked at one by one.
    bool isReadInside =
        hasRegions && !isa<linalg::LinalgOp>(before) && use == Use::Reads;
    if (use < Use::Reads || isReadInside)
      continue;
    if (!areSame(allocation))
      return mismatch(before, after,
                      "uses a buffer that holds something else than in the "
                      "original program");
    if (use == Use::Reads)
      continue;
    contents.erase(allocation);
    if (use == Use::Writes)
      renewed.push_back(allocation);
  }
  for (auto [own, other] : llvm::zip(before->getRegions(), after->getRegions()))
    if (failed(compareRegions(own, other)))
      return failure();
  for (Operation *allocation : renewed)
    renew(allocation);
  if (isa<memref::AllocOp, memref::AllocaOp>(before) &&
      !isWorkgroupSpace(
          cast<MemRefType>(before->getResult(0).getType()).getMemorySpace()))
    renew(before);
  return success();
}

LogicalResult FillCheck::compareBlocks(Block &before, Block &after) {
  SmallVector<Operation *> own;
  auto i = before.begin(), j = after.begin();
  while (true) {
    // What is in the one alone, or in the other in another form.
    if (i != before.end()) {
      std::optional<Fill> fill = matchFill(&*i);
      Operation *root = fill ? findRoot(fill->target) : nullptr;
      if (isOwn(root, before) && isWhole(fill->target, root)) {
        contents[root].before = numberOf(fill->value);
        ++i;
        continue;
      }
    }
    std::optional<Fill> fill;
    Value filled, filledWith;
    if (j != after.end() && (fill = matchFill(&*j))) {
      filled = toBefore.lookup(fill->target);
      filledWith = toBefore.lookup(fill->value);
    }
    auto copy = i != before.end() ? matchCopy(&*i) : std::nullopt;
    if (copy) {
      auto [source, target] = *copy;
      Operation *from = findRoot(source), *to = findRoot(target);
      auto elementOf = [](Value memref) {
        return cast<BaseMemRefType>(memref.getType()).getElementType();
      };
      int64_t number =
          from && contents.contains(from) &&
                  elementOf(source) == elementOf(from->getResult(0))
              ? contents[from].before
              : 0;
      if (number < 0 && from != to && isOwn(to, before) &&
          isWhole(target, to)) {
        contents[to].before = number;
        ++i;
        continue;
      }
      if (number < 0 && from != to && filled == target && filledWith &&
          values.lookup(filledWith) == number) {
        if (to && contents.contains(to)) {
          if (!areSame(to))
            return mismatch(&*i, &*j, "fills a part of what differs");
          renew(to);
        }
        ++i, ++j;
        continue;
      }
    }
    if (filledWith) {
      Operation *root = findOriginal(findRoot(fill->target));
      if (isOwn(root, before) &&
          isWhole(fill->target, findRoot(fill->target))) {
        contents[root].after = numberOf(filledWith);
        ++j;
        continue;
      }
    }
    if (j != after.end())
      if (auto kept = matchCopy(&*j)) {
        Operation *from = findOriginal(findRoot(kept->first));
        Operation *to = findRoot(kept->second);
        Operation *root = findOriginal(to);
        if (from && from != root && contents.contains(from) &&
            contents[from].after < 0 && isOwn(root, before) &&
            isWhole(kept->second, to)) {
          contents[root].after = contents[from].after;
          ++j;
          continue;
        }
      }
    if (i == before.end() || j == after.end())
      break;
    if (i->hasTrait<OpTrait::IsTerminator>())
      for (Operation *allocation : own)
        if (contents.contains(allocation) && !areSame(allocation) &&
            isUsedBehind(allocation, before))
          return mismatch(&*i, &*j,
                          "leaves a buffer with something else than in the "
                          "original program");
    if (failed(compareOps(&*i, &*j)))
      return failure();
    if (contents.contains(&*i))
      own.push_back(&*i);
    ++i, ++j;
  }
  for (Operation *allocation : own)
    contents.erase(allocation);
  if (i != before.end() || j != after.end())
    return mismatch(i != before.end() ? &*i : before.getParentOp(),
                    j != after.end() ? &*j : after.getParentOp(),
                    "has more ops, or fewer");
  return success();
}

LogicalResult FillCheck::compareRegions(Region &before, Region &after) {
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

LogicalResult memplan::checkFills(FunctionOpInterface original,
                                  FunctionOpInterface filled) {
  return FillCheck().compareRegions(original.getFunctionBody(),
                                    filled.getFunctionBody());
}
