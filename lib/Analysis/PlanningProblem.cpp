//===- PlanningProblem.cpp - From functions to problems -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/PlanningProblem.h"

#include "FindRotation.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace memplan;

bool memplan::hasArena(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        auto function = dyn_cast<FunctionOpInterface>(op);
        for (unsigned i = 0; function && i < function.getNumArguments(); ++i)
          if (function.getArgAttr(i, MemplanDialect::kArenaAttr))
            return WalkResult::interrupt();
        return isa<ArenaOp>(op) || op->hasAttr(MemplanDialect::kArenaAttr)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// Fills in a FunctionProblem, step by step.
class ProblemBuilder {
public:
  ProblemBuilder(FunctionProblem &result, const ModuleAliases &module,
                 const PlanningOptions &options, const FrameNeeds &frames)
      : result(result), module(module), order(module.getOrder(result.function)),
        graph(module.getGraph(result.function)), options(options),
        frames(frames), lifetimes(order, graph) {}

  void run() {
    if (!options.ignoreSteps) {
      FailureOr<Steps> steps =
          Steps::find(result.function, module, options.maxParallelOps);
      result.isInvalid = failed(steps);
      if (result.isInvalid)
        return;
      result.steps = std::move(*steps);
    }
    collectBuffers();
    aliases.resize(result.buffers.size());
    for (unsigned index = 0; index < result.buffers.size(); ++index)
      if (result.buffers[index].isPlanned())
        screen(index);
    for (ArrayRef<unsigned> group : findGroups())
      deriveLifetimes(group);
    settleFrees();
    addFrames();
    for (BufferRecord &record : result.buffers)
      if (record.isPlanned())
        widenToSteps(record.lifetime);
    formArenas();
  }

private:
  void collectBuffers();
  void describe(BufferRecord &record, const DataLayout &layout);
  void screen(unsigned index);
  std::vector<std::vector<unsigned>> findGroups() const;
  void deriveLifetimes(ArrayRef<unsigned> group);
  bool coalesce(ArrayRef<unsigned> group);
  void deriveLifetime(unsigned index);
  Operation *findCarrier(unsigned index);
  bool isInCycle(Block *block);
  void settleFrees();
  void addFrames();
  void widenToSteps(Lifetime &lifetime) const;
  void formArenas();

  static void leave(BufferRecord &record, const Twine &reason,
                    Operation *culprit = nullptr) {
    record.reason = reason.str();
    record.culprit = culprit;
  }

  FunctionProblem &result;
  const ModuleAliases &module;
  const ProgramOrder &order;
  const AliasGraph &graph;
  const PlanningOptions &options;
  const FrameNeeds &frames;
  LifetimeAnalysis lifetimes;
  /// Of each record that has passed screening, its aliases.
  std::vector<std::vector<AliasGraph::Id>> aliases;
  /// Record of an allocation's result.
  llvm::DenseMap<AliasGraph::Id, unsigned> recordOf;
  /// Regions of several blocks: the blocks that lie on a cycle.
  llvm::DenseMap<Region *, llvm::DenseSet<Block *>> cycles;
};

} // namespace

void ProblemBuilder::collectBuffers() {
  DataLayout layout = DataLayout::closest(result.function);
  Operation *coroutine = findCoroutine(result.function);
  result.function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A function of a module inside this one has a problem of its own.
    if (isa<FunctionOpInterface>(op) && op != result.function)
      return WalkResult::skip();
    if (!isa<memref::AllocOp, memref::AllocaOp, WorkspaceOp>(op))
      return WalkResult::advance();
    BufferRecord record;
    record.name = "b" + std::to_string(result.buffers.size());
    record.allocation = op;
    record.type = cast<MemRefType>(op->getResult(0).getType());
    describe(record, layout);
    if (coroutine)
      leave(record, "is in a coroutine", coroutine);
    recordOf[graph.getId(op->getResult(0))] =
        static_cast<unsigned>(result.buffers.size());
    result.buffers.push_back(std::move(record));
    return WalkResult::advance();
  });
}

/// Size and alignment, or why the allocation cannot be planned on its own
/// account.
void ProblemBuilder::describe(BufferRecord &record, const DataLayout &layout) {
  Operation *op = record.allocation;
  MemRefType type = record.type;
  if (!type.hasStaticShape())
    return leave(record, "has a dynamic shape");
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element)
    return leave(record, "has elements of a type whose size is not known");
  std::optional<int64_t> size = getSizeInBytes(type, layout);
  if (!size)
    return leave(record, "needs more than 2^48 bytes");
  record.size = *size;
  int64_t requested = 1;
  if (auto workspace = dyn_cast<WorkspaceOp>(op))
    requested = workspace.getAlign();
  else if (auto attr = op->getAttrOfType<IntegerAttr>("alignment"))
    requested = attr.getInt();
  record.alignment =
      std::max({requested, element->alignment, options.alignment});
  if (!type.getLayout().isIdentity())
    return leave(record, "has a layout other than the identity");
  if (record.alignment > kMaxAlignment)
    return leave(record, "has alignment " + Twine(record.alignment) +
                             ", which is more than " + Twine(kMaxAlignment));
  // Other spaces may have a stack and no heap, which the arena would need.
  if (isa<memref::AllocaOp>(op) && type.getMemorySpace())
    return leave(record, "is on the stack of a memory space of its own");
  if (order.isInsideOpaque(op)) {
    Operation *anchor = order.getAnchor(op);
    return leave(record,
                 "is allocated inside '" + anchor->getName().getStringRef() +
                     "', whose iterations may run at the same time",
                 anchor);
  }
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

/// The op or block argument's op by which an instance of the buffer may reach
/// the next execution of its allocation.
Operation *ProblemBuilder::findCarrier(unsigned index) {
  Operation *allocation = result.buffers[index].allocation;
  for (AliasGraph::Id alias : aliases[index]) {
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

/// Leaves the buffer alone if its memory may go where it cannot be followed.
void ProblemBuilder::screen(unsigned index) {
  BufferRecord &record = result.buffers[index];
  aliases[index] =
      graph.getAliases(graph.getId(record.allocation->getResult(0)));
  for (AliasGraph::Id alias : aliases[index])
    for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(alias))
      if (!use.use.escape.empty())
        return leave(record, use.use.escape, use.operand->getOwner());
}

/// The planned buffers, grouped so that those which a value may both be are
/// together. Groups and their members in ascending order.
std::vector<std::vector<unsigned>> ProblemBuilder::findGroups() const {
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseMap<AliasGraph::Id, unsigned> firstOf;
  for (unsigned index = 0; index < result.buffers.size(); ++index) {
    if (!result.buffers[index].isPlanned())
      continue;
    classes.insert(index);
    for (AliasGraph::Id alias : aliases[index]) {
      auto [it, isNew] = firstOf.try_emplace(alias, index);
      if (!isNew)
        classes.unionSets(it->second, index);
    }
  }
  std::vector<std::vector<unsigned>> groups;
  llvm::DenseMap<unsigned, size_t> groupOf;
  for (unsigned index = 0; index < result.buffers.size(); ++index) {
    if (!result.buffers[index].isPlanned())
      continue;
    auto [it, isNew] =
        groupOf.try_emplace(classes.getLeaderValue(index), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[it->second].push_back(index);
  }
  return groups;
}

void ProblemBuilder::deriveLifetimes(ArrayRef<unsigned> group) {
  bool isSimple = group.size() == 1 && !findCarrier(group.front());
  // Work that goes on may hold an instance when its name has passed to the
  // next one, so the ranges of names do not tell which instances meet.
  bool canJoin = !isSimple && llvm::none_of(group, [&](unsigned index) {
    return llvm::any_of(aliases[index], [&](AliasGraph::Id alias) {
      return lifetimes.isUsedAsynchronously(alias);
    });
  });
  if (canJoin && coalesce(group))
    return;
  // Slots that take turns are free for a part of an iteration, which steps
  // would have to leave whole.
  if (canJoin && result.steps.empty()) {
    std::optional<Rotation> rotation =
        findRotation(result, group, aliases, order, graph, lifetimes);
    if (rotation)
      result.rotations.push_back(std::move(*rotation));
  }
  for (unsigned index : group)
    if (result.buffers[index].lifetime.ranges.empty())
      deriveLifetime(index);
}

/// Gives all buffers of the group one slot, if they can share one.
bool ProblemBuilder::coalesce(ArrayRef<unsigned> group) {
  std::vector<LifetimeAnalysis::Member> members;
  int64_t size = 0, alignment = 1;
  Attribute space = result.buffers[group.front()].type.getMemorySpace();
  for (unsigned index : group) {
    BufferRecord &record = result.buffers[index];
    if (record.type.getMemorySpace() != space ||
        isa<WorkspaceOp>(record.allocation))
      return false;
    size = std::max(size, record.size);
    alignment = std::max(alignment, record.alignment);
    members.push_back({record.allocation, aliases[index]});
  }
  std::optional<LiveRanges> ranges = lifetimes.coalesce(members, result.steps);
  if (!ranges)
    return false;
  for (unsigned index : group) {
    BufferRecord &record = result.buffers[index];
    // No markers: where an instance passes from one value to another its life
    // goes on.
    record.lifetime = {*ranges, {}};
    record.slot = group.front();
    record.alignment = alignment;
  }
  return true;
}

void ProblemBuilder::deriveLifetime(unsigned index) {
  BufferRecord &record = result.buffers[index];
  if (Operation *carrier = findCarrier(index))
    return leave(record, "is carried around the loop it is allocated in",
                 carrier);
  std::optional<Lifetime> lifetime =
      lifetimes.getLifetime(record.allocation, aliases[index]);
  if (!lifetime)
    return leave(record,
                 "may still be live when it is allocated again in a loop");
  record.lifetime = std::move(*lifetime);
  record.slot = index;
  auto workspace = dyn_cast<WorkspaceOp>(record.allocation);
  if (workspace && workspace.getKind() == WorkspaceKind::Unique)
    record.lifetime.ranges = {{0, order.size()}};
}

/// A deallocation goes when everything it may free is planned. One that may
/// free a planned and another buffer can neither go nor stay, so all it may
/// free is left alone.
void ProblemBuilder::settleFrees() {
  struct Free {
    /// Where the reason is.
    Operation *op;
    /// The memref it frees; null for the buffers of a rotation, which are
    /// planned together or not at all.
    OpOperand *operand;
    SmallVector<unsigned> records;
    bool onlyAllocations = true;
  };
  std::vector<Free> all;
  std::vector<SmallVector<unsigned, 2>> freesOf(result.buffers.size());
  for (AliasGraph::Id id = 0; id < graph.size(); ++id) {
    for (const LifetimeAnalysis::UseRecord &use : lifetimes.getUses(id)) {
      if (!use.use.free)
        continue;
      Free free{use.operand->getOwner(), use.operand, {}};
      for (AliasGraph::Id source : graph.getSources(id)) {
        auto it = recordOf.find(source);
        if (it == recordOf.end()) {
          free.onlyAllocations = false;
          continue;
        }
        free.records.push_back(it->second);
        freesOf[it->second].push_back(static_cast<unsigned>(all.size()));
      }
      all.push_back(std::move(free));
    }
  }
  for (const Rotation &rotation : result.rotations) {
    Free tie{rotation.loop, nullptr, {}};
    for (const Rotation::Slot &slot : rotation.slots) {
      tie.records.push_back(slot.record);
      freesOf[slot.record].push_back(static_cast<unsigned>(all.size()));
    }
    all.push_back(std::move(tie));
  }
  SmallVector<unsigned> pending;
  auto dissolve = [&](Free &free) {
    for (unsigned index : free.records) {
      BufferRecord &record = result.buffers[index];
      if (!record.isPlanned())
        continue;
      leave(record,
            free.operand
                ? "shares a deallocation with memory that is not planned"
                : "takes turns with memory that is not planned",
            free.op);
      pending.push_back(index);
    }
  };
  for (Free &free : all)
    if (!free.onlyAllocations)
      dissolve(free);
  for (unsigned i = 0; i < result.buffers.size(); ++i)
    if (!result.buffers[i].isPlanned())
      pending.push_back(i);
  while (!pending.empty())
    for (unsigned index : freesOf[pending.pop_back_val()])
      dissolve(all[index]);

  llvm::erase_if(result.rotations, [&](const Rotation &rotation) {
    return !result.buffers[rotation.slots.front().record].isPlanned();
  });

  llvm::MapVector<Operation *, SmallVector<unsigned>> planned;
  for (Free &free : all)
    if (free.operand && free.onlyAllocations && !free.records.empty() &&
        result.buffers[free.records.front()].isPlanned())
      planned[free.operand->getOwner()].push_back(
          free.operand->getOperandNumber());
  for (auto &[op, memrefs] : planned) {
    llvm::sort(memrefs);
    result.frees.push_back({op, std::move(memrefs)});
  }
}

/// The frames of callees are buffers that live during the call.
void ProblemBuilder::addFrames() {
  if (frames.empty())
    return;
  unsigned count = 0;
  Builder builder(result.function->getContext());
  result.function->walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    auto it = frames.find(module.getCallee(call));
    if (it == frames.end())
      return;
    int64_t begin = order.begin(call);
    for (auto [position, need] : llvm::enumerate(it->second)) {
      BufferRecord record;
      record.name = "frame" + std::to_string(count++);
      record.allocation = call;
      record.type =
          MemRefType::get({need.size}, builder.getI8Type(),
                          MemRefLayoutAttrInterface(), need.memorySpace);
      record.size = need.size;
      record.alignment = need.alignment;
      record.lifetime = {{{begin, begin + 1}}, {begin}};
      record.slot = static_cast<unsigned>(result.buffers.size());
      record.frame = static_cast<unsigned>(position);
      result.buffers.push_back(std::move(record));
    }
  });
}

/// Within a step there is no time: what is live in a part of it is live in all
/// of it.
void ProblemBuilder::widenToSteps(Lifetime &lifetime) const {
  result.steps.widen(lifetime.ranges);
  for (int64_t &start : lifetime.starts)
    if (const Step *step = result.steps.around(start))
      start = step->range.start;
  llvm::sort(lifetime.starts);
  lifetime.starts.erase(llvm::unique(lifetime.starts), lifetime.starts.end());
}

Operation *FunctionProblem::getPlace(const BufferRecord &record,
                                     const ProgramOrder &order) const {
  const Step *step = steps.around(order.begin(record.allocation));
  return step ? step->ops.front() : record.allocation;
}

void ProblemBuilder::formArenas() {
  llvm::MapVector<Attribute, ArenaProblem> arenas;
  llvm::DenseMap<unsigned, BufferIndex> buffers;
  for (auto [index, record] : llvm::enumerate(result.buffers)) {
    Attribute space = record.type.getMemorySpace();
    ArenaProblem &arena = arenas[space];
    arena.memorySpace = space;
    if (!record.isPlanned())
      continue;
    auto [slot, isNew] = buffers.try_emplace(
        record.slot, static_cast<BufferIndex>(arena.problem.buffers.size()));
    arena.placements.push_back({static_cast<unsigned>(index), slot->second});
    if (!isNew) {
      Buffer &buffer = arena.problem.buffers[slot->second];
      buffer.size = std::max(buffer.size, record.size);
      continue;
    }
    for (bool spare : {false, true}) {
      if (spare && !record.hasSpare)
        continue;
      Buffer buffer;
      buffer.id = record.name + (spare ? "_spare" : "");
      buffer.size = record.size;
      buffer.alignment = record.alignment;
      buffer.ranges = record.lifetime.ranges;
      arena.problem.buffers.push_back(std::move(buffer));
      arena.records.push_back(static_cast<unsigned>(index));
    }
  }
  for (auto &[space, arena] : arenas) {
    arena.problem.capacity = options.capacity;
    arena.problem.arenaAlignment = options.alignment;
    for (const Buffer &buffer : arena.problem.buffers)
      arena.problem.arenaAlignment =
          std::max(arena.problem.arenaAlignment, buffer.alignment);
    result.arenas.push_back(std::move(arena));
  }
}

FunctionProblem memplan::buildFunctionProblem(FunctionOpInterface function,
                                              const ModuleAliases &aliases,
                                              const PlanningOptions &options,
                                              const FrameNeeds &frames) {
  FunctionProblem result;
  result.function = function;
  if (hasArena(function)) {
    result.alreadyPlanned = true;
    return result;
  }
  ProblemBuilder(result, aliases, options, frames).run();
  return result;
}
