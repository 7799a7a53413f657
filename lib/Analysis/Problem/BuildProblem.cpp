//===- BuildProblem.cpp - From functions to problems ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/BuildProblem.h"

#include "Alias/BufferGroups.h"
#include "Problem/BufferSizes.h"
#include "Problem/Overlaps.h"
#include "Problem/PlannedFrees.h"
#include "Problem/SoftConflicts.h"
#include "Slots/FindPhiCycle.h"
#include "Slots/MergePhiCycles.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/IR/BufferAllocation.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace memplan;

std::optional<int64_t>
PlanningOptions::getCapacity(Attribute memorySpace) const {
  return capacities.find(formatSpace(memorySpace));
}

static bool hasArenaArgument(FunctionOpInterface function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, MemplanDialect::kArenaAttr))
      return true;
  return false;
}

bool memplan::hasArena(FunctionOpInterface function) {
  auto mark =
      StringAttr::get(function.getContext(), MemplanDialect::kArenaAttr);
  return function
      ->walk([&](Operation *op) {
        bool found = isa<ArenaOp>(op) || op->getDiscardableAttr(mark);
        if (op->getNumRegions() != 0)
          if (auto inner = dyn_cast<FunctionOpInterface>(op))
            found |= hasArenaArgument(inner);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::SetVector<Operation *> memplan::findPlannedFunctions(Operation *root) {
  llvm::SetVector<Operation *> found;
  root->walk([&](func::FuncOp function) {
    if (hasArena(function))
      found.insert(function);
  });
  return found;
}

bool memplan::isReturn(Operation *op) {
  return isa<func::ReturnOp, LLVM::ReturnOp>(op);
}

void memplan::walkAllocations(Operation *root,
                              llvm::function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A function of a nested module has a problem of its own.
    if (isa<FunctionOpInterface>(op) && op != root)
      return WalkResult::skip();
    auto clone = dyn_cast<bufferization::CloneOp>(op);
    if (asBufferAllocation(op) || isa<gpu::AllocOp>(op) ||
        (clone && isa<MemRefType>(clone.getType())))
      visit(op);
    return WalkResult::advance();
  });
}

namespace {

/// Fills in a FunctionProblem, step by step.
class ProblemBuilder {
public:
  /// `workers` may be null.
  ProblemBuilder(FunctionProblem &result, const ModuleAliases &module,
                 const ProgramOrder &order, const AliasGraph &graph,
                 const PlanningOptions &options, const FrameNeeds &frames,
                 const WorkerFrames *workers)
      : result(result), module(module), order(order), graph(graph),
        options(options), frames(frames), workers(workers),
        lifetimes(order, graph, /*returnsAccess=*/options.lendResults),
        sizes(result, order, options.atGreatestSizes),
        congruent(result.function) {}

  void run() {
    // The body of a parallel loop with steps has no frame.
    if (!options.ignoreSteps && !result.parallel) {
      FailureOr<Steps> steps = Steps::find(result.function, module);
      result.isInvalid = failed(steps);
      if (result.isInvalid)
        return;
      result.steps = std::move(*steps);
    }
    collectReleasedSpaces();
    collectBuffers();
    sizes.settle();
    aliases.resize(result.buffers.size());
    findLenders();
    excludeEscaping();
    for (const BufferGroup &group : findGroups())
      deriveLifetimes(group);
    mergePhiCycles(result, std::move(phiCycleGroups), congruent,
                   [&](ArrayRef<unsigned> members, ArrayRef<unsigned> carried) {
                     return findPhiCycle(result, members, carried, order, graph,
                                         lifetimes, congruent);
                   });
    settleFrees(result, recordOf, graph, lifetimes);
    addFrames();
    addWorkerFrames();
    // A record that is not planned may have the ranges of a shared slot.
    for (BufferRecord &record : result.buffers)
      widenToSteps(record);
    formArenas();
    if (options.inPlace)
      permitOverlaps(result, module, order, graph, congruent);
    addSoftConflicts(result, order, graph, options);
  }

private:
  void collectBuffers();
  void collectReleasedSpaces();
  void excludeAll(Operation *culprit, const Twine &reason);
  void describe(BufferRecord &record, const DataLayout &layout);
  void findLenders();
  void addLenders(ArenaProblem &arena);
  void excludeEscaping();
  std::vector<BufferGroup> findGroups() const;
  std::optional<AliasGraph::Id>
  findCrowdedValue(const BufferGroup &group) const;
  void deriveLifetimes(const BufferGroup &group);
  bool coalesce(ArrayRef<unsigned> group);
  bool haveSameFormula(ArrayRef<unsigned> group) const;
  void findLoopCarriedSlots(ArrayRef<unsigned> group,
                            ArrayRef<unsigned> carried);
  void deriveLifetime(unsigned index);
  ArrayRef<AliasGraph::Id> getAliases(unsigned index);
  bool mayBeCarried(AliasGraph::Id id);
  Operation *findCarrier(unsigned index);
  bool isInCycle(Block *block);
  void addFrames();
  void addWorkerFrames();
  void addSlots(ArenaProblem &arena, PhiCycle &cycle);
  void widenToSteps(BufferRecord &record) const;
  void formArenas();

  FunctionProblem &result;
  const ModuleAliases &module;
  const ProgramOrder &order;
  const AliasGraph &graph;
  const PlanningOptions &options;
  const FrameNeeds &frames;
  const WorkerFrames *workers;
  LifetimeAnalysis lifetimes;
  BufferSizes sizes;
  CongruentSizes congruent;
  /// The aliases of each record, once they have been asked for.
  std::vector<std::vector<AliasGraph::Id>> aliases;
  /// The memory spaces in which the function, or a callee with a frame in it,
  /// frees something.
  llvm::DenseSet<Attribute> releasedSpaces;
  /// The records of the results that can lend their memory, each with a return.
  llvm::MapVector<unsigned, Operation *> lenders;
  /// The groups of `result.phiCycles`, in the same order.
  std::vector<CarriedGroup> phiCycleGroups;
  /// The record of each allocation's result.
  llvm::DenseMap<AliasGraph::Id, unsigned> recordOf;
  /// For regions of several blocks, the blocks that lie on a cycle.
  llvm::DenseMap<Region *, llvm::DenseSet<Block *>> cycles;
};

} // namespace

/// The op by which control may leave the function without a return, or go to an
/// unknown place; null if there is none.
static Operation *findUnknownExit(FunctionOpInterface function,
                                  const ProgramOrder &order) {
  for (Operation *op : order.getOps()) {
    if (op != &op->getBlock()->back() ||
        isa<LLVM::UnreachableOp, ub::UnreachableOp>(op))
      continue;
    Operation *parent = op->getParentOp();
    bool isOutermost = parent == function;
    if (!isOutermost && (order.isInsideOpaque(op) || !isTransparent(parent)))
      continue;
    bool isKnown;
    if (op->getNumSuccessors() != 0)
      isKnown = op->isRegistered();
    else if (isOutermost)
      isKnown = isReturn(op);
    else
      isKnown = isa<RegionBranchTerminatorOpInterface>(op) && !isReturn(op);
    if (!isKnown)
      return op;
  }
  return nullptr;
}

/// Marks all buffers of the function as not planned.
void ProblemBuilder::excludeAll(Operation *culprit, const Twine &reason) {
  for (BufferRecord &record : result.buffers)
    record.exclude(reason, culprit);
}

/// If the function frees memory in a space, it can also free an arena there.
void ProblemBuilder::collectReleasedSpaces() {
  releasedSpaces.insert(Attribute());
  for (Operation *op : order.getOps())
    if (isa<memref::DeallocOp, bufferization::DeallocOp>(op))
      for (Type type : op->getOperandTypes())
        if (auto memref = dyn_cast<BaseMemRefType>(type))
          releasedSpaces.insert(memref.getMemorySpace());
}

void ProblemBuilder::collectBuffers() {
  DataLayout layout = DataLayout::closest(result.function);
  unsigned count = 0;
  Operation *root = result.parallel ? result.parallel : result.function;
  walkAllocations(root, [&](Operation *op) {
    unsigned number = count++;
    if (workers && workers->frameOf.contains(op))
      return;
    BufferRecord record;
    // All problems of the function give the allocation the same name.
    if (result.parallel)
      number = workers->numberOf.lookup(op);
    record.name = "b" + std::to_string(number);
    record.origin = op;
    record.type = cast<MemRefType>(op->getResult(0).getType());
    describe(record, layout);
    if (isa<gpu::AllocOp>(op))
      record.exclude(
          "is allocated on a device by 'gpu.alloc' and was not raised "
          "(memplan-raise-gpu-alloc)");
    recordOf[graph.getId(op->getResult(0))] =
        static_cast<unsigned>(result.buffers.size());
    result.buffers.push_back(std::move(record));
  });
  // Coroutines and device code have no frames.
  if (result.parallel)
    return;
  if (Operation *coroutine = findCoroutine(order))
    excludeAll(coroutine, "is in a coroutine");
  if (Operation *mark = module.getDeviceMark(result.function))
    excludeAll(mark,
               "is in a function that many threads run, as " +
                   (isa<func::FuncOp>(mark)
                        ? Twine("its attributes show")
                        : "'" + mark->getName().getStringRef() + "' shows"));
}

/// Sets size and alignment, or the reason why the allocation alone cannot be
/// planned.
void ProblemBuilder::describe(BufferRecord &record, const DataLayout &layout) {
  Operation *op = record.origin;
  MemRefType type = record.type;
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element)
    return record.exclude("has elements of a type whose size is not known");
  if (type.hasStaticShape()) {
    std::optional<int64_t> size = getSizeInBytes(type, layout);
    if (!size)
      return record.exclude("needs more than 2^48 bytes");
    record.size = *size;
  } else {
    sizes.describe(record, element->stride);
    if (!record.isPlanned())
      return;
  }
  auto allocation = dyn_cast<BufferAllocationInterface>(op);
  int64_t requested = allocation ? allocation.getRequestedAlignment() : 1;
  BufferStorage storage = getStorage(op);
  record.ownAlignment = std::max(requested, element->alignment);
  record.alignment = std::max(record.ownAlignment, options.alignment);
  if (!type.getLayout().isIdentity())
    return record.exclude("has a layout other than the identity");
  if (isa<bufferization::CloneOp>(op))
    return record.exclude("is a clone, which may be the same memory as what it "
                          "is made from");
  if (record.alignment > kMaxAlignment)
    return record.exclude("has alignment " + Twine(record.alignment) +
                          ", which is more than " + Twine(kMaxAlignment));
  if (isWorkgroupSpace(type.getMemorySpace()))
    return record.exclude(
        "is in workgroup memory, of which threads may use the "
        "bytes at different times");
  // Other spaces may have a stack but no heap, which an arena would need.
  if (storage == BufferStorage::Stack && type.getMemorySpace())
    return record.exclude("is on the stack of a memory space of its own");
  if (workers)
    if (auto known = workers->reasons.find(op); known != workers->reasons.end())
      return record.exclude(known->second.text, known->second.culprit);
  if (order.isInsideOpaque(op)) {
    Operation *anchor = order.getAnchor(op);
    StringRef how = isa<LoopLikeOpInterface>(anchor)
                        ? "whose iterations may run at the same time"
                    : startsAsyncWork(anchor)
                        ? "which may run on while others do"
                        : "of which it is not known when it runs its regions";
    return record.exclude("is allocated inside '" +
                              anchor->getName().getStringRef() + "', " + how +
                              describeWorkers(anchor, options.maxWorkers),
                          anchor);
  }
  if (result.parallel && type.getMemorySpace())
    return record.exclude(
        "is in a memory space of which each worker may have its own",
        result.parallel);
  if (result.parallel && storage == BufferStorage::Stack &&
      !hasWorkers(result.parallel, options.maxWorkers))
    return record.exclude("is on the stack of an iteration", result.parallel);
  if (result.parallel && storage == BufferStorage::UniqueScratch)
    record.exclude("must not share its bytes, but is in the frame of a worker",
                   result.parallel);
}

bool ProblemBuilder::isInCycle(Block *block) {
  Region *region = block->getParent();
  if (region->hasOneBlock())
    return false;
  auto [it, isNew] = cycles.try_emplace(region);
  if (isNew)
    for (auto scc = llvm::scc_begin(region); !scc.isAtEnd(); ++scc)
      if (scc.hasCycle())
        it->second.insert(scc->begin(), scc->end());
  return it->second.contains(block);
}

ArrayRef<AliasGraph::Id> ProblemBuilder::getAliases(unsigned index) {
  std::vector<AliasGraph::Id> &own = aliases[index];
  if (own.empty())
    own = graph.getAliases(
        graph.getId(result.buffers[index].origin->getResult(0)));
  return own;
}

/// False if findCarrier finds no carrier because of this alias.
bool ProblemBuilder::mayBeCarried(AliasGraph::Id id) {
  auto argument = dyn_cast<BlockArgument>(graph.getValue(id));
  if (!argument)
    return false;
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return order.isNumbered(block->getParentOp());
  return isInCycle(block) || !cycles.find(block->getParent())->second.empty();
}

/// The op with which an instance of the buffer may reach the next execution of
/// its allocation: a loop that carries it, or the first op of a block that gets
/// it as an argument. Null if there is none.
Operation *ProblemBuilder::findCarrier(unsigned index) {
  Operation *allocation = result.buffers[index].origin;
  for (AliasGraph::Id alias : getAliases(index)) {
    auto argument = dyn_cast<BlockArgument>(graph.getValue(alias));
    if (!argument)
      continue;
    Block *block = argument.getOwner();
    Operation *parent = block->getParentOp();
    if (block->isEntryBlock()) {
      if (order.isNumbered(parent) && parent->isAncestor(allocation))
        return parent;
      continue;
    }
    // A block argument of a cf loop around the allocation.
    Block *around =
        block->getParent()->findAncestorBlockInRegion(*allocation->getBlock());
    if (around && isInCycle(around))
      return &block->front();
  }
  return nullptr;
}

/// Bytes: a smaller result lends nothing worth an alignment.
constexpr int64_t kLeastLent = 64;

/// Finds the results that can lend their memory: allocations of constant size
/// in the entry block. Each return must return the buffer once, as a view of it
/// that still knows the allocation to free. Nothing else may keep or free the
/// buffer, and control flow may not join it with others.
void ProblemBuilder::findLenders() {
  if (!options.lendResults || result.parallel ||
      !isa<func::FuncOp>(result.function.getOperation()) ||
      getObserveGuard(result.function) ||
      options.bankSizes.find(formatSpace(Attribute())).value_or(0) != 0)
    return;
  // A piece of an arena whose offsets are computed has no constant end.
  for (const BufferRecord &record : result.buffers)
    if (record.isPlanned() && record.getSlotFormula())
      return;
  size_t exits =
      llvm::count_if(result.function.getFunctionBody(), [](Block &block) {
        return isa<func::ReturnOp>(block.back());
      });
  for (auto [number, record] : llvm::enumerate(result.buffers)) {
    auto index = static_cast<unsigned>(number);
    if (!record.isPlanned() || !isa<memref::AllocOp>(record.origin) ||
        !record.type.hasStaticShape() || record.type.getMemorySpace() ||
        record.size < kLeastLent ||
        !isAlwaysReached(record.origin, result.function))
      continue;
    llvm::SmallSetVector<Operation *, 1> returns;
    bool isLender = true;
    for (AliasGraph::Id id : getAliases(index)) {
      Operation *definition = graph.getValue(id).getDefiningOp();
      isLender &= definition == record.origin ||
                  isa_and_present<ViewLikeOpInterface>(definition);
      for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(id)) {
        Operation *user = use.operand->getOwner();
        isLender &= isa<func::ReturnOp>(user)
                        ? returns.insert(user)
                        : use.use.escape.empty() && !use.use.free;
      }
    }
    if (isLender && exits != 0 && returns.size() == exits)
      lenders[index] = returns.front();
  }
}

/// Pins the lenders of the arena at its begin, each behind the bytes of the one
/// before it.
void ProblemBuilder::addLenders(ArenaProblem &arena) {
  int64_t begin = 0;
  for (BufferIndex index = 0; index < arena.records.size(); ++index) {
    if (!lenders.contains(arena.records[index]))
      continue;
    Buffer &buffer = arena.problem.buffers[index];
    buffer.pinnedOffset = begin;
    begin = static_cast<int64_t>(
        llvm::alignTo(begin + buffer.size, arena.problem.arenaAlignment));
    arena.problem.cuts.push_back(begin);
    arena.lenders.push_back(index);
  }
}

/// Excludes the buffers that escape; excludes all if control may leave the
/// function by an unknown exit.
void ProblemBuilder::excludeEscaping() {
  llvm::DenseMap<AliasGraph::Id, const LifetimeAnalysis::UseRecord *> escapes;
  SmallVector<AliasGraph::Id> escaping;
  for (AliasGraph::Id id = 0; id < graph.size(); ++id)
    for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(id))
      if (!use.use.escape.empty() && escapes.try_emplace(id, &use).second)
        escaping.push_back(id);
  std::vector<AliasGraph::Id> first = graph.findFirstAliases(escaping);
  for (auto &[id, index] : recordOf)
    if (BufferRecord &record = result.buffers[index];
        record.isPlanned() && !lenders.contains(index))
      if (const LifetimeAnalysis::UseRecord *use = escapes.lookup(first[id]))
        record.exclude(use->use.escape, use->operand->getOwner());
  Operation *exit =
      result.parallel ? nullptr : findUnknownExit(result.function, order);
  if (!exit)
    return;
  for (BufferRecord &record : result.buffers)
    if (record.isPlanned())
      record.exclude("is in a function that '" +
                         exit->getName().getStringRef() +
                         "' may leave, which is no return",
                     exit);
}

/// The planned buffers, grouped with those with which they share an alias.
std::vector<BufferGroup> ProblemBuilder::findGroups() const {
  SmallVector<unsigned> planned;
  SmallVector<AliasGraph::Id> values;
  for (auto [index, record] : llvm::enumerate(result.buffers)) {
    if (!record.isPlanned())
      continue;
    planned.push_back(static_cast<unsigned>(index));
    values.push_back(graph.getId(record.origin->getResult(0)));
  }
  std::vector<BufferGroup> groups = findBufferGroups(graph, values);
  for (BufferGroup &group : groups)
    for (unsigned &member : group.members)
      member = planned[member];
  return groups;
}

/// The most buffers that one value may be if they do not share a slot, because
/// the work of planning and of its proof grows with the sum over all values.
constexpr unsigned kMostChoices = 256;

/// A value that may be more than kMostChoices buffers of the group; none if
/// there is no such value. Cost: kMostChoices times the aliases of the group.
std::optional<AliasGraph::Id>
ProblemBuilder::findCrowdedValue(const BufferGroup &group) const {
  if (group.members.size() <= kMostChoices)
    return std::nullopt;
  llvm::DenseMap<AliasGraph::Id, unsigned> choices;
  for (unsigned index : group.members)
    for (AliasGraph::Id id : graph.getAliases(
             graph.getId(result.buffers[index].origin->getResult(0))))
      if (++choices[id] > kMostChoices)
        return id;
  return std::nullopt;
}

/// The op that defines the value, or the one that its block is in.
static Operation *getMaker(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op : value.getParentBlock()->getParentOp();
}

void ProblemBuilder::deriveLifetimes(const BufferGroup &joined) {
  ArrayRef<unsigned> group = joined.members;
  bool isSimple = group.size() == 1 && !findCarrier(group.front());
  // Asynchronous work that is awaited in another block, or in the next
  // iteration, may still use an instance when its name has passed to the next
  // one. The ranges of the names then do not tell which instances are live
  // together.
  bool canJoin =
      !isSimple && llvm::none_of(joined.aliases, [&](AliasGraph::Id id) {
        return lifetimes.outlivesBlock(id);
      });
  if (canJoin && coalesce(group))
    return;
  std::optional<AliasGraph::Id> crowded = findCrowdedValue(joined);
  // To look for the carrier of each member visits all values that it may be.
  bool canCarry =
      !crowded || llvm::any_of(joined.aliases, [&](AliasGraph::Id id) {
        return mayBeCarried(id);
      });
  SmallVector<unsigned> carried;
  if (canCarry)
    llvm::copy_if(group, std::back_inserter(carried), [&](unsigned index) {
      return findCarrier(index) != nullptr;
    });
  // A slot of a phi cycle is free for a part of an iteration, and a step would
  // have to be completely inside or outside of that part.
  if (canJoin && result.steps.empty() && !carried.empty() &&
      !result.buffers[group.front()].isVariable)
    findLoopCarriedSlots(group, carried);
  for (unsigned index : group)
    if (BufferRecord &record = result.buffers[index]; record.lifetime.empty()) {
      if (crowded)
        record.exclude(
            "is joined with others by control flow, and one value may be "
            "more than " +
                Twine(kMostChoices) + " of them",
            getMaker(graph.getValue(*crowded)));
      else
        deriveLifetime(index);
    }
}

/// True if the sizes of all are constant, or the same formula. They need not be
/// congruent: the slot is as large as the greatest.
bool ProblemBuilder::haveSameFormula(ArrayRef<unsigned> group) const {
  const BufferRecord &first = result.buffers[group.front()];
  return llvm::all_of(group, [&](unsigned index) {
    const BufferRecord &record = result.buffers[index];
    return record.formula == first.formula &&
           record.isBounded == first.isBounded;
  });
}

/// Gives all buffers of the group one slot, if they can share one.
bool ProblemBuilder::coalesce(ArrayRef<unsigned> group) {
  SmallVector<Operation *> allocations;
  int64_t size = 0, alignment = 1;
  Attribute space = result.buffers[group.front()].type.getMemorySpace();
  if (!haveSameFormula(group))
    return false;
  for (unsigned index : group) {
    BufferRecord &record = result.buffers[index];
    if (record.type.getMemorySpace() != space || isScratch(record.origin))
      return false;
    size = std::max(size, record.size);
    alignment = std::max(alignment, record.alignment);
    allocations.push_back(record.origin);
  }
  std::optional<LiveRanges> ranges =
      lifetimes.coalesce(allocations, result.steps);
  if (!ranges)
    return false;
  result.buffers[group.front()].lifetime = std::move(*ranges);
  for (unsigned index : group) {
    BufferRecord &record = result.buffers[index];
    if (options.describes) {
      for (AliasGraph::Id id : getAliases(index))
        llvm::append_range(record.held, lifetimes.getValueRanges(id));
      normalizeRanges(record.held);
    }
    // The instance lives on when control flow forwards it from one value to
    // another.
    record.slotOwner = group.front();
    record.alignment = alignment;
  }
  return true;
}

/// Puts buffers of the group in loop-carried slots, if possible.
void ProblemBuilder::findLoopCarriedSlots(ArrayRef<unsigned> group,
                                          ArrayRef<unsigned> carried) {
  std::optional<PhiCycle> cycle =
      findPhiCycle(result, group, carried, order, graph, lifetimes, congruent);
  if (!cycle)
    return;
  settleRecords(result, *cycle);
  result.phiCycles.push_back(std::move(*cycle));
  phiCycleGroups.push_back(
      {SmallVector<unsigned>(group), SmallVector<unsigned>(carried)});
}

void ProblemBuilder::deriveLifetime(unsigned index) {
  BufferRecord &record = result.buffers[index];
  bool isAccessed = llvm::any_of(getAliases(index), [&](AliasGraph::Id id) {
    return !lifetimes.getValueRanges(id).empty();
  });
  if (Operation *carrier = findCarrier(index); carrier && isAccessed)
    return record.exclude("is carried around the loop it is allocated in",
                          carrier);
  std::optional<LiveRanges> lifetime =
      lifetimes.getLifetime(record.origin, getAliases(index));
  if (!lifetime)
    return record.exclude(
        "may still be live when it is allocated again in a loop");
  record.lifetime = std::move(*lifetime);
  record.slotOwner = index;
  if (getStorage(record.origin) == BufferStorage::UniqueScratch)
    record.lifetime = {{0, order.size()}};
}

/// Adds the frames of callees as buffers that are live during the call.
void ProblemBuilder::addFrames() {
  if (frames.empty())
    return;
  unsigned count = 0;
  Builder builder(result.function->getContext());
  Operation *root = result.parallel ? result.parallel : result.function;
  root->walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    auto it = frames.find(module.getCallee(call));
    // Calls in the bodies of parallel loops have their frames in those of
    // workers.
    if (it == frames.end() || order.isInsideOpaque(call))
      return;
    // Each worker may have its own memory in other spaces.
    if (result.parallel &&
        llvm::any_of(it->second, [](const FrameNeed &need) -> bool {
          return static_cast<bool>(need.memorySpace);
        }))
      return;
    int64_t begin = order.begin(call);
    for (auto [position, need] : llvm::enumerate(it->second)) {
      if (need.isReleased)
        releasedSpaces.insert(need.memorySpace);
      BufferRecord record;
      record.name = "frame" + std::to_string(count++);
      record.origin = call;
      record.type =
          MemRefType::get({need.mostBytes}, builder.getI8Type(),
                          MemRefLayoutAttrInterface(), need.memorySpace);
      record.size = need.mostBytes;
      record.alignment = need.alignment;
      record.lifetime = {{begin, begin + 1}};
      record.slotOwner = static_cast<unsigned>(result.buffers.size());
      record.frame = static_cast<unsigned>(position);
      result.buffers.push_back(std::move(record));
    }
  });
}

void ProblemBuilder::addWorkerFrames() {
  if (!workers)
    return;
  for (const std::unique_ptr<WorkerFrame> &frame : workers->frames)
    for (const ArenaProblem &arena : frame->problem.arenas)
      if (arena.isReleased)
        releasedSpaces.insert(arena.memorySpace);
  for (BufferRecord &record : makeWorkerRecords(*workers, order)) {
    record.slotOwner = static_cast<unsigned>(result.buffers.size());
    result.buffers.push_back(std::move(record));
  }
}

/// Adds a buffer for each slot of a phi cycle, named after one of its records.
void ProblemBuilder::addSlots(ArenaProblem &arena, PhiCycle &cycle) {
  cycle.firstBuffer = static_cast<BufferIndex>(arena.problem.buffers.size());
  size_t count = cycle.records.size();
  for (auto [number, ranges] : llvm::enumerate(cycle.slots)) {
    unsigned index = cycle.records[std::min(number, count - 1)];
    const BufferRecord &record = result.buffers[index];
    Buffer buffer;
    buffer.id = record.name;
    if (number >= count)
      buffer.id += "_spare" + std::to_string(number - count);
    buffer.size = record.size;
    buffer.formula = record.getSlotFormula();
    buffer.alignment = record.alignment;
    buffer.ranges = ranges;
    arena.problem.buffers.push_back(std::move(buffer));
    arena.records.push_back(index);
  }
}

/// There is no order within a step: a buffer that is live in a part of it is
/// live in all of it.
void ProblemBuilder::widenToSteps(BufferRecord &record) const {
  result.steps.widen(record.lifetime);
  result.steps.widen(record.held);
}

void BufferRecord::setFrameSize(int64_t bytes) {
  size = bytes;
  type = MemRefType::get({bytes}, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

Operation *FunctionProblem::getPlace(const BufferRecord &record,
                                     const ProgramOrder &order) const {
  const Step *step = steps.around(order.begin(record.origin));
  return step ? step->ops.front() : record.origin;
}

/// Gives the problem the symbols that its formulas use, and their hints.
static void takeSymbols(const FunctionProblem &function, Problem &problem) {
  std::set<std::string> used;
  for (const Buffer &buffer : problem.buffers)
    if (buffer.formula)
      for (std::string &name : buffer.formula->getSymbols())
        used.insert(std::move(name));
  problem.hints.resize(function.hints.size());
  for (auto [number, symbol] : llvm::enumerate(function.symbols)) {
    if (!used.count(symbol.name))
      continue;
    problem.symbols.push_back(symbol);
    for (auto [values, all] : llvm::zip_equal(problem.hints, function.hints))
      values.push_back(all[number]);
  }
}

void ProblemBuilder::formArenas() {
  llvm::MapVector<Attribute, ArenaProblem> arenas;
  llvm::DenseMap<unsigned, BufferIndex> buffers;
  llvm::DenseMap<unsigned, PhiCycle *> phiCycleOf;
  DataLayout layout = DataLayout::closest(result.function);
  for (PhiCycle &cycle : result.phiCycles)
    for (unsigned index : cycle.records)
      phiCycleOf[index] = &cycle;
  // Without other buffers there is nobody to lend to.
  auto isOther = [&](auto pair) {
    const auto &[index, record] = pair;
    return record.isPlanned() && !record.type.getMemorySpace() &&
           !lenders.contains(static_cast<unsigned>(index));
  };
  if (llvm::none_of(llvm::enumerate(result.buffers), isOther))
    for (auto [index, exit] : lenders)
      if (BufferRecord &record = result.buffers[index]; record.isPlanned())
        record.exclude("is returned", exit);
  for (auto [index, record] : llvm::enumerate(result.buffers)) {
    Attribute space = record.type.getMemorySpace();
    ArenaProblem &arena = arenas[space];
    arena.memorySpace = space;
    if (!record.isPlanned()) {
      // The problem of the function reports the buffers of a body that are not
      // planned.
      if (result.parallel)
        continue;
      std::optional<int64_t> size = getKnownSize(record.type, layout);
      std::optional<int64_t> sum =
          size ? checkedAdd(arena.unplannedBytes, *size) : std::nullopt;
      if (sum)
        arena.unplannedBytes = *sum;
      else
        ++arena.unplannedUnknown;
      continue;
    }
    auto number = static_cast<unsigned>(index);
    if (PhiCycle *cycle = phiCycleOf.lookup(number)) {
      if (cycle->records.front() == number)
        addSlots(arena, *cycle);
      auto place = llvm::lower_bound(cycle->records, number);
      SmallVector<BufferIndex, 2> &slots = arena.carried[number];
      for (unsigned slot : cycle->slotsOf[place - cycle->records.begin()])
        slots.push_back(cycle->firstBuffer + slot);
      arena.placements.push_back({number, slots.front()});
      continue;
    }
    auto [slot, isNew] = buffers.try_emplace(
        record.slotOwner,
        static_cast<BufferIndex>(arena.problem.buffers.size()));
    arena.placements.push_back({number, slot->second});
    if (!isNew) {
      Buffer &buffer = arena.problem.buffers[slot->second];
      buffer.size = std::max(buffer.size, record.size);
      continue;
    }
    Buffer buffer;
    buffer.id = record.name;
    buffer.size = record.size;
    buffer.formula = record.getSlotFormula();
    buffer.alignment = record.alignment;
    buffer.ranges = result.getRanges(record);
    arena.problem.buffers.push_back(std::move(buffer));
    arena.records.push_back(number);
  }
  // Room for guards. The buffers themselves do not grow.
  int64_t guard = getObserveGuard(result.function).value_or(0);
  for (auto &[space, arena] : arenas) {
    for (auto [buffer, leader] :
         llvm::zip_equal(arena.problem.buffers, arena.records))
      if (guard > 0 && !result.buffers[leader].frame) {
        buffer.size += guard;
        if (buffer.formula)
          buffer.formula = add(buffer.formula, guard);
      }
    arena.isReleased = releasedSpaces.contains(space);
    arena.capacity = options.getCapacity(space);
    if (arena.capacity)
      arena.problem.capacity =
          std::max<int64_t>(*arena.capacity - arena.unplannedBytes, 0);
    arena.problem.arenaAlignment = options.alignment;
    for (const Buffer &buffer : arena.problem.buffers)
      arena.problem.arenaAlignment =
          std::max(arena.problem.arenaAlignment, buffer.alignment);
    if (hasFormulas(arena.problem))
      takeSymbols(result, arena.problem);
    addLenders(arena);
    result.arenas.push_back(std::move(arena));
  }
}

int64_t memplan::getMostBytes(const Problem &problem) {
  int64_t most = 0;
  for (const Buffer &buffer : problem.buffers)
    if (llvm::AddOverflow(most, buffer.size, most) ||
        llvm::AddOverflow(most, buffer.alignment, most) ||
        most > kMaxBufferBytes)
      return kMaxBufferBytes;
  return most;
}

bool memplan::hasPlannedBuffers(const FunctionProblem &problem) {
  return llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
    return !arena.records.empty();
  });
}

FunctionProblem memplan::buildFunctionProblem(
    FunctionOpInterface function, const ModuleAliases &aliases,
    const PlanningOptions &options, const FrameNeeds &frames,
    std::shared_ptr<WorkerFrames> workers) {
  FunctionProblem result;
  result.function = function;
  result.workers = std::move(workers);
  if (hasArena(function)) {
    result.alreadyPlanned = true;
    return result;
  }
  ProblemBuilder(result, aliases, aliases.getOrder(function),
                 aliases.getGraph(function), options, frames,
                 result.workers.get())
      .run();
  return result;
}

FunctionProblem memplan::buildBodyProblem(
    Operation *parallel, FunctionOpInterface function,
    const ModuleAliases &aliases, const ProgramOrder &order,
    const AliasGraph &graph, const PlanningOptions &options,
    const WorkerFrames &workers, const FrameNeeds &frames) {
  FunctionProblem result;
  result.function = function;
  result.parallel = parallel;
  ProblemBuilder(result, aliases, order, graph, options, frames, &workers)
      .run();
  return result;
}
