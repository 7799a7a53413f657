//===- ComputeInSlices.cpp - Compute in slices ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/ComputeInSlices.h"

#include "Prepare/Accesses.h"
#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/Copies.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

namespace {
/// An op from which on the slice can replace the smaller buffer.
struct Start {
  /// The op that overwrites the smaller buffer.
  Operation *op;
  /// The op also reads the old contents of the smaller buffer.
  bool readsSmall;
  /// Uses of the smaller buffer that become uses of the slice.
  SmallVector<OpOperand *> uses;
  /// Fills of the larger buffer after `op`, which move before it.
  SmallVector<Operation *, 1> fills;
};

/// A copy of all of the allocation `small` to a slice of the allocation
/// `large`.
struct Candidate {
  Operation *copy;
  Operation *small, *large;
  memref::SubViewOp slice;
  /// Reads of the smaller buffer after the copy.
  SmallVector<OpOperand *, 1> reads;
  /// The last op with such a read, or the copy.
  Operation *last;
  /// In reverse program order.
  SmallVector<Start, 2> starts;
};
} // namespace

static bool isConstantSlice(memref::SubViewOp slice) {
  return slice.getType().hasStaticShape() &&
         llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// True if the two slices of one buffer have no element in common.
static bool areApart(memref::SubViewOp a, memref::SubViewOp b) {
  auto sizesOf = [](memref::SubViewOp slice) { return slice.getStaticSizes(); };
  for (auto [offsetA, sizeA, offsetB, sizeB] : llvm::zip_equal(
           a.getStaticOffsets(), sizesOf(a), b.getStaticOffsets(), sizesOf(b)))
    if (offsetA + sizeA <= offsetB || offsetB + sizeB <= offsetA)
      return true;
  return false;
}

static bool isPlainAllocation(Operation *op, Block *block) {
  if (!isAllocation(op) || op->getBlock() != block)
    return false;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  return type.hasStaticShape() && type.getLayout().isIdentity();
}

/// True for an op that works on a slice as it does on an allocation.
static bool takesSlices(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.hasPureBufferSemantics() &&
           llvm::all_of(
               structured.getBlock()->without_terminator(),
               [](Operation &inner) { return isMemoryEffectFree(&inner); });
  // A slice may be less aligned.
  return isa<memref::CopyOp>(op) || (isa<memref::LoadOp, memref::StoreOp>(op) &&
                                     !op->hasAttr("alignment"));
}

/// For an op that reads through `other` the buffer that it writes through
/// `init`: true if each iteration reads only the element that it writes.
static bool readsInPlace(OpOperand &init, OpOperand &other) {
  auto op = dyn_cast<linalg::LinalgOp>(init.getOwner());
  return op && op.isDpsInput(&other) &&
         op.getMatchingIndexingMap(&init).isPermutation() &&
         op.getMatchingIndexingMap(&init) == op.getMatchingIndexingMap(&other);
}

/// True if the op reads, and does not write, through all its operands of this
/// memref.
static bool onlyReadsThrough(OpOperand &use) {
  return llvm::all_of(use.getOwner()->getOpOperands(), [&](OpOperand &other) {
    return other.get() != use.get() || onlyReads(other);
  });
}

/// Collects the reads of the smaller buffer between the copy and the next op
/// that overwrites the buffer: they can read the slice instead. False if some
/// other access comes in between.
static bool findReadsBehind(Candidate &candidate, ArrayRef<Access> accesses) {
  while (!accesses.empty()) {
    ArrayRef<Access> here = takePlace(accesses);
    Operation *place = here.front().place;
    if (place && !candidate.copy->isBeforeInBlock(place))
      continue;
    if (llvm::all_of(here, [&](const Access &access) {
          Operation *op = access.use->getOwner();
          return isShapeQuery(op) ||
                 (isa<memref::DeallocOp>(op) && op == place);
        }))
      continue;
    OpOperand *init = nullptr;
    for (const Access &access : here) {
      if (access.use->getOwner() != place ||
          access.use->get() != candidate.small->getResult(0))
        return false;
      if (overwritesAll(*access.use))
        init = access.use;
    }
    if (here.size() > 1 || !init) {
      if (!takesSlices(place))
        return false;
      candidate.last = place;
    }
    for (const Access &access : here) {
      if (access.use == init)
        continue;
      if (init ? !readsInPlace(*init, *access.use)
               : !onlyReadsThrough(*access.use))
        return false;
      candidate.reads.push_back(access.use);
    }
    if (init)
      return true;
  }
  return true;
}

/// The ops before the copy from which on the slice could replace the smaller
/// buffer, judged by the uses of the smaller buffer alone; in reverse program
/// order. Empty if an op before the copy gives the buffer a name that cannot be
/// followed.
static SmallVector<Start, 2> findStarts(const Candidate &candidate,
                                        ArrayRef<Access> accesses) {
  SmallVector<Start, 2> starts;
  SmallVector<OpOperand *> uses;
  for (const Access &access : accesses)
    if (access.place && access.place->isBeforeInBlock(candidate.copy) &&
        !keepsNoName(*access.use))
      return starts;
  while (!accesses.empty()) {
    Operation *place = accesses.back().place;
    ArrayRef<Access> here =
        accesses.take_back(llvm::find_if(llvm::reverse(accesses),
                                         [&](const Access &access) {
                                           return access.place != place;
                                         }) -
                           accesses.rbegin());
    accesses = accesses.drop_back(here.size());
    if (!place || place == candidate.copy ||
        candidate.copy->isBeforeInBlock(place))
      continue;
    bool isKnown = llvm::all_of(here, [&](const Access &access) {
      return access.use->getOwner() == place &&
             access.use->get() == candidate.small->getResult(0);
    });
    if (isKnown && isShapeQuery(place))
      continue;
    if (!isKnown || !takesSlices(place))
      break;
    OpOperand *init = nullptr;
    for (const Access &access : here)
      if (overwritesAll(*access.use))
        init = access.use;
    if (init && llvm::all_of(here, [&](const Access &access) {
          return access.use == init || readsInPlace(*init, *access.use);
        })) {
      Start start{place, here.size() > 1, uses, {}};
      start.uses.push_back(init);
      starts.push_back(start);
      if (here.size() == 1)
        break;
    }
    for (const Access &access : here)
      uses.push_back(access.use);
  }
  return starts;
}

/// True if the op fills all of the larger buffer with a value that is available
/// before `start`, and reads no memory.
static bool isMovableFill(Operation *op, OpOperand &use, Operation *start) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !overwritesAll(use) || structured.getNumDpsInits() != 1 ||
      !structured.hasPureBufferSemantics())
    return false;
  auto isThere = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return !definition || definition->getBlock() != start->getBlock() ||
           definition->isBeforeInBlock(start);
  };
  // The value comes from outside the op, or is an operand that is not memory.
  Operation &first = structured.getBlock()->front();
  return isa<linalg::FillOp>(op)
             ? isThere(op->getOperand(0))
             : isa<linalg::YieldOp>(first) && isThere(first.getOperand(0)) &&
                   llvm::all_of(structured.getDpsInputs(), [&](Value input) {
                     return !isa<ShapedType>(input.getType()) && isThere(input);
                   });
}

/// True if the access is to another slice of the larger buffer.
static bool isElsewhere(const Candidate &candidate, const Access &access) {
  auto slice = access.use->get().getDefiningOp<memref::SubViewOp>();
  return slice && slice.getSource() == candidate.large->getResult(0) &&
         isConstantSlice(slice) && areApart(slice, candidate.slice) &&
         keepsNoName(*access.use);
}

/// True if nothing overwrites the slice between the copy and the last op that
/// will read it instead of the smaller buffer.
static bool staysBehind(const Candidate &candidate, ArrayRef<Access> ofLarge) {
  return llvm::all_of(ofLarge, [&](const Access &access) {
    if (!access.place || !candidate.copy->isBeforeInBlock(access.place) ||
        candidate.last->isBeforeInBlock(access.place))
      return true;
    return onlyReads(*access.use) || isElsewhere(candidate, access);
  });
}

/// Adds to `start` the fills of the larger buffer between it and the copy.
/// False if some other op there accesses the bytes of the slice.
static bool findFills(const Candidate &candidate, ArrayRef<Access> accesses,
                      Start &start) {
  bool isUsed = false;
  while (!accesses.empty()) {
    ArrayRef<Access> here = takePlace(accesses);
    Operation *place = here.front().place;
    if (!place || place == candidate.copy ||
        candidate.copy->isBeforeInBlock(place))
      return true;
    if (place->isBeforeInBlock(start.op)) {
      if (!llvm::all_of(here, [](const Access &access) {
            return keepsNoName(*access.use);
          }))
        return false;
      continue;
    }
    OpOperand &use = *here.front().use;
    if (here.size() == 1 && use.getOwner() == place &&
        use.get() == candidate.large->getResult(0) && !isUsed &&
        place != start.op && isMovableFill(place, use, start.op)) {
      start.fills.push_back(place);
      continue;
    }
    for (const Access &access : here)
      if (!isElsewhere(candidate, access) &&
          !isShapeQuery(access.use->getOwner()))
        return false;
    isUsed = true;
  }
  return true;
}

/// The candidate for a copy of all of an allocation to a slice of another one
/// in the same block, judged by the operands of the copy alone.
static std::optional<Candidate> matchSliceCopy(Operation *op) {
  std::optional<PlainCopy> plain = matchPlainCopy(op);
  if (!plain)
    return std::nullopt;
  auto slice = plain->target.getDefiningOp<memref::SubViewOp>();
  Operation *small = plain->source.getDefiningOp();
  Operation *large = slice ? slice.getSource().getDefiningOp() : nullptr;
  Block *block = op->getBlock();
  if (!large || !isPlainAllocation(small, block) ||
      !isPlainAllocation(large, block) || slice->getBlock() != block ||
      small == large || !isConstantSlice(slice))
    return std::nullopt;
  auto from = cast<MemRefType>(plain->source.getType());
  if (from.getShape() != slice.getType().getShape() ||
      from.getElementType() != slice.getType().getElementType() ||
      from.getMemorySpace() != slice.getType().getMemorySpace())
    return std::nullopt;
  return Candidate{op, small, large, slice, {}, op, {}};
}

/// The copy with all its starts; std::nullopt if there is none.
static std::optional<Candidate> findCandidate(Operation *op) {
  // Bounds the cost of a copy: it visits all accesses of both buffers.
  constexpr size_t kMaxAccesses = 256;
  std::optional<Candidate> candidate = matchSliceCopy(op);
  if (!candidate)
    return std::nullopt;
  std::optional<SmallVector<Access>> ofSmall =
      collectFewAccesses(candidate->small, kMaxAccesses);
  std::optional<SmallVector<Access>> ofLarge =
      collectFewAccesses(candidate->large, kMaxAccesses);
  if (!ofSmall || !ofLarge || !isInOrder(candidate->small, *ofSmall) ||
      !isInOrder(candidate->large, *ofLarge) ||
      llvm::any_of(*ofSmall,
                   [](const Access &access) {
                     return mayGoOn(access.use->getOwner());
                   }) ||
      !findReadsBehind(*candidate, *ofSmall) ||
      !staysBehind(*candidate, *ofLarge))
    return std::nullopt;
  // Planning itself places a buffer in a contiguous slice. It cannot if a fill
  // of the larger buffer comes between the two: sinkFills leaves such a fill
  // before the copy.
  std::optional<Slice> bytes = findSlice(candidate->slice);
  bool hasGaps = !bytes || !bytes->getContiguousBytes();
  if (!hasGaps && llvm::none_of(*ofLarge, [&](const Access &access) {
        return access.place && access.place == access.use->getOwner() &&
               access.place->isBeforeInBlock(op) &&
               access.use->get() == candidate->large->getResult(0) &&
               overwritesAll(*access.use);
      }))
    return std::nullopt;
  for (Start &start : findStarts(*candidate, *ofSmall))
    if (findFills(*candidate, *ofLarge, start))
      candidate->starts.push_back(std::move(start));
  return candidate->starts.empty() ? std::nullopt : std::move(candidate);
}

namespace {
/// The bytes of one memory space that are live at each point of a function.
class Load {
public:
  Load(const FunctionProblem &problem, const ArenaProblem &arena)
      : bound(lowerBound(arena.problem)) {
    for (unsigned index : arena.records) {
      const BufferRecord &record = problem.buffers[index];
      add(record.lifetime, getPadded(record));
    }
    llvm::DenseMap<unsigned, unsigned> sharers;
    for (auto [record, slot] : arena.placements)
      ++sharers[problem.buffers[record].slotOwner];
    for (auto [record, slot] : arena.placements) {
      const BufferRecord &buffer = problem.buffers[record];
      // The lives of buffers that share a slot are not changed.
      if (sharers.lookup(record) == 1 && buffer.held.empty())
        buffers[buffer.origin] = {getPadded(buffer), buffer.lifetime};
    }
  }

  /// The most bytes that are live between the point `from` and the last use of
  /// the slice if the slice replaces the smaller buffer from `start` on.
  int64_t getPeak(int64_t from, const Start &start, const Candidate &candidate,
                  const ProgramOrder &order) const {
    int64_t peak = 0, last = order.begin(candidate.last);
    int64_t copied = order.begin(candidate.copy);
    for (int64_t point = from; point <= last; ++point) {
      int64_t change = getChange(point, start, candidate, order);
      // A buffer with a longer life competes with more buffers, and the arena
      // may exceed the bound: a quarter of the bound must be free.
      if (point > copied && change > 0)
        change += bound / 4;
      peak = std::max(peak, at(point) + change);
    }
    return peak;
  }

  int64_t getBound() const { return bound; }

  void apply(const Start &start, const Candidate &candidate,
             const ProgramOrder &order) {
    int64_t first = order.begin(start.op), last = order.begin(candidate.last);
    std::vector<int64_t> changes;
    for (int64_t point = first; point <= last; ++point)
      changes.push_back(getChange(point, start, candidate, order));
    for (int64_t point = first; point <= last; ++point) {
      grow(point);
      bytes[point] += changes[point - first];
    }
    auto large = buffers.find(candidate.large);
    if (large != buffers.end()) {
      large->second.ranges.push_back({first, last + 1});
      normalizeRanges(large->second.ranges);
    }
  }

private:
  struct Known {
    int64_t size;
    LiveRanges ranges;
    bool isLiveAt(int64_t point) const {
      return llvm::any_of(ranges, [&](const LiveRange &range) {
        return range.start <= point && point < range.end;
      });
    }
  };

  /// Bytes up to the next multiple of the alignment, as in the bound.
  static int64_t getPadded(const BufferRecord &record) {
    return alignTo(record.size, record.alignment);
  }
  int64_t at(int64_t point) const {
    return point < static_cast<int64_t>(bytes.size()) ? bytes[point] : 0;
  }
  void grow(int64_t point) {
    if (static_cast<int64_t>(bytes.size()) <= point)
      bytes.resize(point + 1);
  }
  void add(const LiveRanges &ranges, int64_t size) {
    for (const LiveRange &range : ranges)
      for (int64_t point = range.start; point < range.end; ++point) {
        grow(point);
        bytes[point] += size;
      }
  }
  int64_t getChange(int64_t point, const Start &start,
                    const Candidate &candidate,
                    const ProgramOrder &order) const {
    int64_t first = order.begin(start.op);
    if (point < first)
      return 0;
    int64_t change = 0;
    auto large = buffers.find(candidate.large);
    if (large != buffers.end() && !large->second.isLiveAt(point))
      change += large->second.size;
    auto small = buffers.find(candidate.small);
    bool isRead = start.readsSmall && point == first;
    if (small != buffers.end() && !isRead && small->second.isLiveAt(point))
      change -= small->second.size;
    return change;
  }

  int64_t bound;
  std::vector<int64_t> bytes;
  llvm::DenseMap<Operation *, Known> buffers;
};
} // namespace

static void apply(Candidate &candidate, const Start &start) {
  auto moveUp = [&](Operation *op) {
    if (op->isBeforeInBlock(start.op))
      return;
    // Operation::moveBefore would invalidate the op order of the block.
    op->remove();
    start.op->getBlock()->getOperations().insert(start.op->getIterator(), op);
  };
  moveUp(candidate.large);
  for (Operation *fill : start.fills)
    moveUp(fill);
  moveUp(candidate.slice);
  for (OpOperand *use :
       llvm::concat<OpOperand *const>(start.uses, candidate.reads))
    use->set(candidate.slice);
  candidate.copy->erase();
}

bool memplan::hasCopiesToSlices(ModuleOp module) {
  bool found = false;
  walkOrderedFunctions(module, [&](FunctionOpInterface function) {
    if (!found)
      found = function
                  .walk([](Operation *op) {
                    return findCandidate(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
                  })
                  .wasInterrupted();
  });
  return found;
}

void memplan::computeInSlices(ModuleOp module, CalleeTrust trust,
                              ChangedAllocations &changed) {
  // Bounds the cost of a copy: it visits all these points for each start.
  constexpr int64_t kMaxPoints = 1 << 12;
  llvm::MapVector<FunctionOpInterface, SmallVector<Operation *>> copies;
  walkOrderedFunctions(module, [&](FunctionOpInterface function) {
    function.walk([&](Operation *op) {
      if (findCandidate(op))
        copies[function].push_back(op);
    });
  });
  if (copies.empty())
    return;
  // Describes the program before the changes.
  ModuleAliases aliases(module, trust);
  PlanningOptions options;
  options.inPlace = true;
  for (auto &[function, ops] : copies) {
    FunctionProblem problem = buildFunctionProblem(function, aliases, options);
    const ProgramOrder &order = aliases.getOrder(function);
    llvm::DenseMap<Attribute, Load> loads;
    for (const ArenaProblem &arena : problem.arenas)
      loads.try_emplace(arena.memorySpace, problem, arena);
    for (Operation *op : ops) {
      std::optional<Candidate> candidate = findCandidate(op);
      if (!candidate || order.begin(op) < 0)
        continue;
      auto type = cast<MemRefType>(candidate->small->getResult(0).getType());
      auto load = loads.find(type.getMemorySpace());
      if (load == loads.end())
        continue;
      int64_t from = order.begin(candidate->starts.back().op);
      if (from < 0 || order.begin(candidate->last) - from > kMaxPoints)
        continue;
      const Start *best = nullptr;
      int64_t least = load->second.getBound();
      for (const Start &start : candidate->starts) {
        int64_t peak = load->second.getPeak(from, start, *candidate, order);
        if (best ? peak < least : peak <= least) {
          best = &start;
          least = peak;
        }
      }
      if (!best)
        continue;
      load->second.apply(*best, *candidate, order);
      changed[function].insert(candidate->small);
      apply(*candidate, *best);
    }
  }
}
