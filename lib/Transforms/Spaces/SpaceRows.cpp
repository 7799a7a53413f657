//===- SpaceRows.cpp - Functions as rows of accesses ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/SpaceRows.h"

#include "Prepare/Accesses.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Analysis/Copies.h"
#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/Nests.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/OpCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

/// How often the loops between `op` and `outer`, which is around it, execute
/// it. A loop of unknown bounds counts once.
static int64_t countExecutions(Operation *op, Operation *outer) {
  int64_t times = 1;
  for (Operation *around = op->getParentOp(); around && around != outer;
       around = around->getParentOp()) {
    if (isNestLoop(around)) {
      if (auto variables = readNestLoop(around))
        for (const NestVariable &variable : *variables)
          times = saturatingMul(times, variable.loop.trips);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(around)) {
      if (std::optional<APInt> trips = loop.getStaticTripCount())
        times = saturatingMul(
            times, static_cast<int64_t>(trips->getLimitedValue(INT32_MAX)));
    }
  }
  return times;
}

/// The bytes that the op accesses through the operand, each time it is
/// executed: an element, a vector, or all of the memref.
static int64_t getAccessedBytes(OpOperand &use, Operation *place,
                                const DataLayout &layout) {
  auto type = cast<MemRefType>(use.get().getType());
  Operation *op = use.getOwner();
  int64_t all = getSizeInBytes(type, layout).value_or(0);
  // A structured op reads at most all of a memref that its body loads from.
  if (op != place && op->getParentOfType<linalg::LinalgOp>())
    return all;
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  if (!element)
    return all;
  if (getIndexedAccess(op))
    return element->stride;
  auto findVector = [](TypeRange types) {
    for (Type type : types)
      if (auto vector = dyn_cast<VectorType>(type))
        return vector;
    return VectorType();
  };
  VectorType vector = findVector(op->getResultTypes());
  if (!vector)
    vector = findVector(op->getOperandTypes());
  if (vector && !isa<linalg::LinalgOp>(op))
    return std::min(all,
                    saturatingMul(vector.getNumElements(), element->stride));
  return all;
}

namespace {
/// Reads and writes of one use.
struct Effects {
  bool reads = false, writes = false;
};

class RowBuilder {
public:
  RowBuilder(const ProgramOrder &order, const SpacePair &spaces,
             int64_t alignment, SpaceRows &rows)
      : order(order), spaces(spaces), alignment(alignment), rows(rows) {}

  void add(const BufferRecord &record);
  /// Memory of the fast space that is taken while the op runs, or from the op
  /// to the end of its block.
  void addTaken(std::string name, int64_t bytes, LiveRange span);

private:
  std::string findObstacle(const BufferRecord &record,
                           ArrayRef<Access> accesses, Operation *&culprit);
  SpaceAccess describe(const MovableBuffer &buffer,
                       const MovableBuffer::Access &access, bool isFirst);

  const ProgramOrder &order;
  const SpacePair &spaces;
  int64_t alignment;
  SpaceRows &rows;
};
} // namespace

static Effects getEffects(OpOperand &use) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(use.getOwner()).getEffects(effects);
  Effects found;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    auto *own = effect.getEffectValue<OpOperand *>();
    if (own ? own != &use : effect.getValue() != use.get())
      continue;
    found.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    found.writes |= isa<MemoryEffects::Write>(effect.getEffect());
  }
  return found;
}

static bool isDeallocation(const Access &access) {
  return isa<memref::DeallocOp>(access.use->getOwner()) &&
         access.place == access.use->getOwner();
}

/// Why the buffer stays where it is, as a predicate; empty if it may move.
std::string RowBuilder::findObstacle(const BufferRecord &record,
                                     ArrayRef<Access> accesses,
                                     Operation *&culprit) {
  Operation *allocation = record.origin;
  culprit = record.culprit;
  if (!record.isPlanned())
    return record.reason;
  culprit = nullptr;
  if (!isAllocation(allocation) || !record.type.hasStaticShape())
    return "is no allocation of static shape";
  // The stack is of the default memory space. Planning leaves it elsewhere.
  if (isa<memref::AllocaOp>(allocation))
    return "is on the stack";
  for (Operation *around = allocation->getParentOp(); around;
       around = around->getParentOp())
    if (isParallelLoop(around))
      return "is allocated in a parallel loop";
  if (!isInOrder(allocation, accesses))
    return "is used together with tensors, or by several threads";
  int64_t deallocations = 0;
  for (const Access &access : accesses) {
    culprit = access.use->getOwner();
    if (isDeallocation(access)) {
      if (access.use->get() != allocation->getResult(0))
        return "is freed by another name";
      ++deallocations;
      continue;
    }
    if (!access.place)
      return "is used in another block";
    if (!keepsNoName(*access.use))
      return "is used by '" + culprit->getName().getStringRef().str() +
             "', which may not take another memory space";
  }
  culprit = nullptr;
  if (deallocations > 1)
    return "is freed more than once";
  return "";
}

/// The access as a part of the problem. Uses that query the shape do not count.
SpaceAccess RowBuilder::describe(const MovableBuffer &buffer,
                                 const MovableBuffer::Access &access,
                                 bool isFirst) {
  SpaceAccess described;
  described.span = {order.begin(access.place), order.end(access.place)};
  DataLayout layout = DataLayout::closest(access.place);
  bool overwrites = true;
  for (OpOperand *use : access.uses) {
    Effects effects = getEffects(*use);
    int64_t bytes = saturatingMul(getAccessedBytes(*use, access.place, layout),
                                  countExecutions(use->getOwner(), nullptr));
    if (effects.reads)
      described.bytesRead = saturatingAdd(described.bytesRead, bytes);
    if (effects.writes)
      described.bytesWritten = saturatingAdd(described.bytesWritten, bytes);
    described.writes |= effects.writes;
    overwrites &= !effects.reads && use->getOwner() == access.place &&
                  overwritesAll(*use) &&
                  findWholeRoot(use->get()) == buffer.allocation->getResult(0);
  }
  described.needsContents = !isFirst && !overwrites;
  return described;
}

void RowBuilder::add(const BufferRecord &record) {
  Attribute space = record.type.getMemorySpace();
  bool isFast = space == spaces.fast;
  if (!isFast && space != spaces.slow)
    return;
  SmallVector<Access> accesses;
  if (isAllocation(record.origin))
    accesses = collectAccesses(record.origin);
  Operation *culprit = nullptr;
  std::string obstacle = findObstacle(record, accesses, culprit);
  if (!obstacle.empty()) {
    rows.staying.push_back({record.origin, obstacle, culprit});
    if (isFast && record.origin->getBlock())
      addTaken(
          record.name, record.size,
          {order.begin(record.origin), order.end(record.origin->getBlock())});
    return;
  }
  MovableBuffer buffer{record.origin, {}, nullptr};
  bool isOnePiece = false;
  for (const Access &access : accesses) {
    Operation *op = access.use->getOwner();
    if (isDeallocation(access)) {
      buffer.deallocation = op;
      continue;
    }
    if (isShapeQuery(op))
      continue;
    // Where an op names memory of unknown shape, the check of contents needs
    // one name for the buffer.
    isOnePiece |=
        (op != access.place && getEffects(*access.use).writes) ||
        !cast<MemRefType>(access.use->get().getType()).hasStaticShape();
    if (buffer.accesses.empty() || buffer.accesses.back().place != access.place)
      buffer.accesses.push_back({access.place, {}});
    buffer.accesses.back().uses.push_back(access.use);
  }
  if (buffer.accesses.empty())
    return;
  SpaceBuffer row;
  row.id = record.name;
  row.size = record.size;
  row.alignment = std::max(record.ownAlignment, alignment);
  row.times = countExecutions(record.origin, nullptr);
  for (const MovableBuffer::Access &access : buffer.accesses)
    row.accesses.push_back(describe(buffer, access, row.accesses.empty()));
  if (isOnePiece) {
    SpaceAccess whole = row.accesses.front();
    whole.span.end = row.accesses.back().span.end;
    for (const SpaceAccess &access : llvm::drop_begin(row.accesses)) {
      whole.bytesRead = saturatingAdd(whole.bytesRead, access.bytesRead);
      whole.bytesWritten =
          saturatingAdd(whole.bytesWritten, access.bytesWritten);
    }
    whole.writes = true;
    row.accesses = {whole};
    MovableBuffer::Access all{buffer.accesses.front().place, {}};
    for (const MovableBuffer::Access &access : buffer.accesses)
      llvm::append_range(all.uses, access.uses);
    buffer.accesses = {std::move(all)};
  }
  rows.problem.buffers.push_back(std::move(row));
  rows.movable.push_back(std::move(buffer));
}

void RowBuilder::addTaken(std::string name, int64_t bytes, LiveRange span) {
  SpaceBuffer taken;
  taken.id = std::move(name);
  taken.size = bytes;
  taken.alignment = alignment;
  taken.accesses.push_back({span, 0, 0, false, true, true, false});
  rows.problem.buffers.push_back(std::move(taken));
}

/// Adds the ops that may write one buffer over another.
static void addInPlace(const FunctionProblem &lifetimes,
                       const ProgramOrder &order, SpaceRows &rows) {
  llvm::DenseMap<Operation *, BufferIndex> numbers;
  for (auto [i, buffer] : llvm::enumerate(rows.movable))
    numbers[buffer.allocation] = static_cast<BufferIndex>(i);
  auto findAccess = [&](BufferIndex b, Operation *op) {
    const auto &accesses = rows.movable[b].accesses;
    auto it = llvm::find_if(accesses, [&](const MovableBuffer::Access &access) {
      return access.place == op;
    });
    return static_cast<unsigned>(it - accesses.begin());
  };
  for (const ArenaProblem &arena : lifetimes.arenas)
    for (const InPlaceUse &use : arena.inPlace) {
      auto read =
          numbers.find(lifetimes.buffers[arena.records[use.read]].origin);
      auto written =
          numbers.find(lifetimes.buffers[arena.records[use.written]].origin);
      if (read == numbers.end() || written == numbers.end())
        continue;
      SpaceInPlace pair{read->second, findAccess(read->second, use.op),
                        written->second, findAccess(written->second, use.op)};
      // The conditions of the problem; the lifetimes may know more.
      const SpaceBuffer &first = rows.problem.buffers[pair.read];
      const SpaceBuffer &second = rows.problem.buffers[pair.written];
      if (pair.readAccess >= first.accesses.size() ||
          pair.writtenAccess >= second.accesses.size())
        continue;
      LiveRange span = {order.begin(use.op), order.end(use.op)};
      bool isLast = pair.readAccess + 1 == first.accesses.size() ||
                    !first.accesses[pair.readAccess + 1].needsContents;
      if (isLast && first.size == second.size &&
          !second.accesses[pair.writtenAccess].needsContents &&
          first.accesses[pair.readAccess].span == span &&
          second.accesses[pair.writtenAccess].span == span)
        rows.problem.inPlace.push_back(pair);
    }
}

SpaceRows memplan::buildSpaceRows(
    FunctionOpInterface function, const ModuleAliases &aliases,
    const FunctionProblem &lifetimes, const SpacePair &spaces,
    int64_t alignment,
    const llvm::DenseMap<Operation *, int64_t> &calleeBytes) {
  SpaceRows rows;
  const ProgramOrder &order = aliases.getOrder(function);
  RowBuilder builder(order, spaces, alignment, rows);
  for (const BufferRecord &record : lifetimes.buffers)
    builder.add(record);
  // What moves comes first.
  std::vector<SpaceBuffer> taken;
  auto isTaken = [](const SpaceBuffer &buffer) {
    return !buffer.accesses.front().inSlow;
  };
  std::stable_partition(rows.problem.buffers.begin(),
                        rows.problem.buffers.end(), std::not_fn(isTaken));
  function.walk([&](Operation *call) {
    int64_t bytes = 0;
    if (auto direct = dyn_cast<func::CallOp>(call)) {
      if (FunctionOpInterface callee = aliases.getCallee(direct))
        bytes = calleeBytes.lookup(callee);
    } else if (auto indirect = dyn_cast<func::CallIndirectOp>(call)) {
      for (FunctionOpInterface callee : aliases.getIndirectCallees(indirect))
        bytes = std::max(bytes, calleeBytes.lookup(callee));
    }
    if (bytes > 0)
      builder.addTaken("call" + std::to_string(order.begin(call)), bytes,
                       {order.begin(call), order.end(call)});
  });
  addInPlace(lifetimes, order, rows);
  int64_t most = alignment;
  for (const SpaceBuffer &buffer : rows.problem.buffers)
    most = std::max(most, buffer.alignment);
  rows.problem.arenaAlignment = most;
  return rows;
}
