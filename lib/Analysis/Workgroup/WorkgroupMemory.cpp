//===- WorkgroupMemory.cpp - Lifetimes in workgroup memory ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/WorkgroupMemory.h"

#include "Alias/DeviceCode.h"
#include "Workgroup/Uniformity.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Views.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

bool memplan::isSharedByWorkgroup(Attribute memorySpace) {
  auto number = dyn_cast_or_null<IntegerAttr>(memorySpace);
  return isWorkgroupSpace(memorySpace) || (number && number.getInt() == 3);
}

bool memplan::isWorkgroupKernel(Operation *op) {
  if (isa<gpu::LaunchOp>(op))
    return true;
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op))
    return function.isKernel() && !function.isExternal();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || function.isExternal() || !findDeviceMark(function))
    return false;
  // A caller may call it with some threads only.
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(
      function, SymbolTable::getNearestSymbolTable(function->getParentOp()));
  return uses && llvm::all_of(*uses, [](SymbolTable::SymbolUse use) {
           return isa<gpu::LaunchFuncOp>(use.getUser());
         });
}

static std::string quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

static Region &getBody(Operation *kernel) {
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel))
    return launch.getBody();
  return cast<FunctionOpInterface>(kernel).getFunctionBody();
}

static ArrayRef<BlockArgument> getAttributions(Operation *kernel) {
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel))
    return launch.getWorkgroupAttributions();
  if (auto function = dyn_cast<gpu::GPUFuncOp>(kernel))
    return function.getWorkgroupAttributions();
  return {};
}

WorkgroupMemory::WorkgroupMemory(Operation *kernel,
                                 const ModuleAliases &aliases,
                                 int64_t alignment)
    : kernel(kernel), order(std::make_unique<ProgramOrder>(getBody(kernel))),
      graph(std::make_unique<AliasGraph>(kernel, *order, aliases)),
      uniformity(std::make_unique<Uniformity>(kernel, *order)),
      effects(order->size()), successors(findSuccessors()) {
  collectBuffers(alignment);
  for (unsigned i = 0, e = buffers.size(); i != e; ++i)
    if (buffers[i].isPlanned())
      collectUses(i);
  // A buffer that turned out not to be planned leaves no trace.
  auto isDropped = [&](unsigned buffer) {
    return !buffers[buffer].isPlanned();
  };
  for (Effects &at : effects) {
    llvm::erase_if(at.accesses, isDropped);
    llvm::erase_if(at.reads, isDropped);
    if (at.begins && isDropped(*at.begins))
      at.begins.reset();
  }
  for (Copy &copy : copies)
    llvm::erase_if(copy.buffers, isDropped);
  collectPlaces();
}

WorkgroupMemory::~WorkgroupMemory() = default;

//===----------------------------------------------------------------------===//
// Buffers and their uses
//===----------------------------------------------------------------------===//

void WorkgroupMemory::addBuffer(Value memory, int64_t alignment) {
  auto type = cast<MemRefType>(memory.getType());
  WorkgroupBuffer buffer;
  buffer.name = "b" + std::to_string(buffers.size());
  buffer.memory = memory;
  DataLayout layout = DataLayout::closest(kernel);
  std::optional<ElementLayout> element =
      getElementLayout(type.getElementType(), layout);
  std::optional<int64_t> size = getSizeInBytes(type, layout);
  buffer.size = size.value_or(0);
  buffer.alignment = std::max(alignment, element ? element->alignment : 1);
  std::optional<int64_t> own;
  if (auto argument = dyn_cast<BlockArgument>(memory)) {
    if (auto function = dyn_cast<gpu::GPUFuncOp>(kernel))
      if (auto align = dyn_cast_or_null<IntegerAttr>(
              function.getWorkgroupAttributionAttr(
                  argument.getArgNumber() -
                      function.getFirstWorkgroupAttributionIndex(),
                  LLVM::LLVMDialect::getAlignAttrName())))
        own = align.getInt();
  } else if (auto align = memory.getDefiningOp()->getAttrOfType<IntegerAttr>(
                 "alignment")) {
    own = align.getInt();
  }
  buffer.alignment = std::max(buffer.alignment, own.value_or(1));
  if (llvm::any_of(memory.getUsers(), [](Operation *user) {
        return user->hasAttr(MemplanDialect::kWorkgroupAttr);
      }))
    buffer.reason = "is planned already";
  else if (!type.hasStaticShape())
    buffer.reason = "has a dynamic shape";
  else if (!type.getLayout().isIdentity())
    buffer.reason = "has a layout";
  else if (!size || !llvm::isPowerOf2_64(buffer.alignment))
    buffer.reason = "has elements or an alignment of unknown size";
  buffers.push_back(std::move(buffer));
}

void WorkgroupMemory::collectBuffers(int64_t alignment) {
  for (BlockArgument argument : getAttributions(kernel))
    if (isa<MemRefType>(argument.getType()))
      addBuffer(argument, alignment);
  for (Operation *op : order->getOps()) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op) ||
        !isSharedByWorkgroup(
            cast<MemRefType>(op->getResult(0).getType()).getMemorySpace()))
      continue;
    addBuffer(op->getResult(0), alignment);
    if (buffers.back().isPlanned() && order->isInsideOpaque(op))
      buffers.back().reason = "is allocated inside " +
                              quote(order->getAnchor(op)) +
                              ", whose iterations may run at once";
  }
}

/// The effects of a use in a kernel. Unlike other code, kernels are known to
/// use the ops of their device in order, with the exception of copies that
/// have a token.
static BufferUse classifyInKernel(const AliasGraph &graph, OpOperand &use) {
  BufferUse result;
  if (isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
          nvgpu::LdMatrixOp, nvgpu::DeviceAsyncCopyOp>(use.getOwner())) {
    result.access = true;
    return result;
  }
  if (isa<CallOpInterface>(use.getOwner())) {
    result.escape = "is passed to a function";
    return result;
  }
  return graph.classify(use);
}

static bool mayRead(Operation *op, Value memory) {
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    return copy.getSrc() == memory;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> all;
  interface.getEffects(all);
  return llvm::any_of(all, [&](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect()) &&
           (!effect.getValue() || effect.getValue() == memory);
  });
}

bool WorkgroupMemory::isRepeated(int64_t point) const {
  std::vector<bool> reached(successors.size());
  SmallVector<int64_t> pending{point};
  while (!pending.empty())
    for (int64_t next : successors[pending.pop_back_val()]) {
      if (next == point)
        return true;
      if (!reached[next]) {
        reached[next] = true;
        pending.push_back(next);
      }
    }
  return false;
}

void WorkgroupMemory::collectUses(unsigned index) {
  WorkgroupBuffer &buffer = buffers[index];
  Operation *allocation = buffer.memory.getDefiningOp();
  bool isForwarded = false;
  auto refuse = [&](const Twine &reason, Operation *culprit) {
    buffer.reason = reason.str();
    buffer.culprit = culprit;
  };
  for (AliasGraph::Id id : graph->getAliases(graph->getId(buffer.memory))) {
    Value value = graph->getValue(id);
    Operation *view = value.getDefiningOp();
    isForwarded |= value != buffer.memory && (!view || !getViewSource(view));
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (!order->isNumbered(op))
        return refuse("is used by " + quote(op), op);
      BufferUse effect = classifyInKernel(*graph, use);
      if (!effect.escape.empty())
        return refuse(effect.escape, op);
      if (effect.free) {
        if (value != buffer.memory || !isa<memref::DeallocOp>(op))
          return refuse("is freed by another name", op);
        buffer.frees.push_back(op);
      }
      if (!effect.access)
        continue;
      Effects &at = effects[order->begin(op)];
      at.accesses.push_back(index);
      if (mayRead(op, value))
        at.reads.push_back(index);
      if (isa<nvgpu::DeviceAsyncCopyOp>(op))
        addCopy(index, op);
    }
  }
  if (!allocation)
    return;
  int64_t point = order->begin(allocation);
  if (!isRepeated(point))
    return;
  if (isForwarded)
    return refuse("is allocated in a loop and carried by it", allocation);
  // Threads that execute the allocation at different times may still use the
  // contents of the time before.
  if (!uniformity->findDivergentPart(allocation))
    effects[point].begins = index;
}

/// The ops that wait for the copy; empty if it is not known when it has ended.
static SmallVector<Operation *> findWaits(Operation *copy) {
  SmallVector<Operation *> waits;
  for (Operation *group : copy->getUsers()) {
    if (!isa<nvgpu::DeviceAsyncCreateGroupOp>(group))
      return {};
    for (Operation *wait : group->getUsers()) {
      auto op = dyn_cast<nvgpu::DeviceAsyncWaitOp>(wait);
      if (!op)
        return {};
      // Up to this number of groups may not have ended.
      if (op.getNumGroups().value_or(0) == 0)
        waits.push_back(op);
    }
  }
  return waits;
}

void WorkgroupMemory::addCopy(unsigned buffer, Operation *start) {
  unsigned number = copies.size();
  copies.push_back({start, {buffer}});
  effects[order->begin(start)].starts.push_back(number);
  for (Operation *wait : findWaits(start))
    if (order->isNumbered(wait) && !order->isInsideOpaque(wait)) {
      Effects &at = effects[order->begin(wait)];
      at.ends.push_back(number);
      at.accesses.push_back(buffer);
    }
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

std::vector<SmallVector<int64_t, 2>> WorkgroupMemory::findSuccessors() const {
  std::vector<SmallVector<int64_t, 2>> result(order->size());
  for (int64_t point = 0; point != order->size(); ++point) {
    Operation *op = order->getOp(point);
    auto add = [&, point = point](Operation *next) {
      result[point].push_back(order->begin(next));
    };
    auto addRegions = [&](Operation *around,
                          ArrayRef<RegionSuccessor> targets) {
      for (const RegionSuccessor &target : targets) {
        Region *region = target.getSuccessor();
        if (region && !region->empty())
          add(&region->front().front());
        else
          add(around->getNextNode());
      }
    };
    SmallVector<RegionSuccessor> targets;
    if (isTransparent(op)) {
      SmallVector<Attribute> unknown(op->getNumOperands());
      cast<RegionBranchOpInterface>(op).getEntrySuccessorRegions(unknown,
                                                                 targets);
      addRegions(op, targets);
      continue;
    }
    if (op->getNextNode()) {
      add(op->getNextNode());
      continue;
    }
    for (Block *block : op->getSuccessors())
      add(&block->front());
    Operation *around = op->getParentOp();
    auto branch = dyn_cast<RegionBranchOpInterface>(around);
    if (around == kernel || !branch || op->getNumSuccessors() != 0)
      continue;
    if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op)) {
      branch.getSuccessorRegions(terminator, targets);
      addRegions(around, targets);
    } else if (around->getNextNode()) {
      // It may go anywhere.
      for (Region &region : around->getRegions())
        if (!region.empty())
          add(&region.front().front());
      add(around->getNextNode());
    }
  }
  return result;
}

void WorkgroupMemory::collectPlaces() {
  // A region op is a place if an op inside is one.
  llvm::DenseSet<Operation *> around;
  for (int64_t point = 0; point != order->size(); ++point)
    if (!effects[point].accesses.empty())
      for (Operation *op = order->getOp(point); op != kernel;
           op = op->getParentOp())
        around.insert(op);
  for (int64_t point = 0; point != order->size(); ++point) {
    Operation *op = order->getOp(point);
    if ((around.contains(op) || uniformity->mayPart(op)) &&
        !uniformity->findDivergentPart(op))
      places.push_back(op);
  }
}

std::vector<LiveRanges>
WorkgroupMemory::findLifetimes(ArrayRef<Operation *> barriers) const {
  int64_t points = order->size();
  unsigned count = buffers.size();
  std::vector<bool> isBarrier(points);
  std::vector<const void *> partOf(points);
  for (int64_t point = 0; point != points; ++point) {
    Operation *op = order->getOp(point);
    partOf[point] = uniformity->findDivergentPart(op);
    isBarrier[point] = isa<gpu::BarrierOp>(op) && !partOf[point];
  }
  std::vector<bool> hasBarrierBefore(points);
  for (Operation *op : barriers)
    hasBarrierBefore[order->begin(op)] = true;

  // Forwards, by point, at its entry: the buffers that have been accessed since
  // they began, those that have been accessed since the last barrier, and the
  // copies that may not have ended.
  using Bits = std::vector<llvm::BitVector>;
  Bits used(points, llvm::BitVector(count));
  Bits open(points, llvm::BitVector(count));
  Bits copying(points, llvm::BitVector(copies.size()));
  // Backwards, at its entry: the buffers that are read before they begin again.
  Bits needed(points, llvm::BitVector(count));
  auto merge = [](llvm::BitVector &into, const llvm::BitVector &from) {
    bool isNew = from.test(into);
    into |= from;
    return isNew;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t point = 0; point != points; ++point) {
      const Effects &at = effects[point];
      if (hasBarrierBefore[point])
        open[point].reset();
      llvm::BitVector usedBehind = used[point], openBehind = open[point],
                      copyingBehind = copying[point];
      if (at.begins)
        usedBehind.reset(*at.begins);
      for (unsigned buffer : at.accesses) {
        usedBehind.set(buffer);
        openBehind.set(buffer);
      }
      if (isBarrier[point])
        openBehind.reset();
      for (unsigned copy : at.ends)
        copyingBehind.reset(copy);
      for (unsigned copy : at.starts)
        copyingBehind.set(copy);
      for (int64_t next : successors[point]) {
        changed |= merge(used[next], usedBehind);
        if (!hasBarrierBefore[next])
          changed |= merge(open[next], openBehind);
        changed |= merge(copying[next], copyingBehind);
      }
    }
    for (int64_t point = points; point-- != 0;) {
      llvm::BitVector before(count);
      for (int64_t next : successors[point])
        before |= needed[next];
      if (effects[point].begins)
        before.reset(*effects[point].begins);
      for (unsigned buffer : effects[point].reads)
        before.set(buffer);
      changed |= merge(needed[point], before);
    }
  }

  // The ops that access buffers are the times, and so are the divergent parts:
  // their ops run at once.
  llvm::MapVector<const void *, std::pair<int64_t, llvm::BitVector>> parts;
  std::vector<LiveRanges> lifetimes(count);
  int64_t time = 0;
  auto record = [&](int64_t at, const llvm::BitVector &live) {
    for (unsigned buffer : live.set_bits())
      lifetimes[buffer].push_back({at, at + 1});
  };
  for (int64_t point = 0; point != points; ++point) {
    const Effects &at = effects[point];
    if (at.accesses.empty())
      continue;
    llvm::BitVector live = used[point];
    live &= needed[point];
    live |= open[point];
    for (unsigned copy : copying[point].set_bits())
      for (unsigned buffer : copies[copy].buffers)
        live.set(buffer);
    for (unsigned buffer : at.accesses)
      live.set(buffer);
    record(time++, live);
    if (const void *part = partOf[point]) {
      auto [it, isNew] = parts.try_emplace(part, time, llvm::BitVector(count));
      if (isNew)
        ++time;
      for (unsigned buffer : at.accesses)
        it->second.second.set(buffer);
    }
  }
  for (const auto &[part, content] : parts)
    record(content.first, content.second);
  for (unsigned i = 0; i != count; ++i) {
    // A buffer without accesses may share bytes with any other.
    if (lifetimes[i].empty() && buffers[i].isPlanned())
      lifetimes[i].push_back({time, time + 1}), ++time;
    normalizeRanges(lifetimes[i]);
  }
  return lifetimes;
}
