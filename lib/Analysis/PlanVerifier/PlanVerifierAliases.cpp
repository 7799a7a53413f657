//===- PlanVerifierAliases.cpp - Which slots a value may refer to ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slots flow through views, branches, regions, selects and calls, whatever the
// order of execution. A value that only views another shares its handle; one
// that may be any of several has a handle of its own, whose state is bound
// where control forwards a source to it.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierAliases.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

bool isMemRef(Value value) { return isa<BaseMemRefType>(value.getType()); }

/// What a view shares its bytes with; null for every other value.
Value getViewedValue(Value value) {
  auto view = value.getDefiningOp<ViewLikeOpInterface>();
  if (!view || !isMemRef(value) || !isMemRef(view.getViewSource()))
    return nullptr;
  return view.getViewSource();
}

/// True if the view keeps its source's base pointer, so that the offset in its
/// type counts from there.
bool keepsBase(Operation *view) {
  return isa_and_present<memref::MemRefDialect>(view->getDialect()) &&
         !isa<memref::ViewOp>(view);
}

bool isAllocated(Value result) {
  auto effects = result.getDefiningOp<MemoryEffectOpInterface>();
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result);
}

} // namespace

//===----------------------------------------------------------------------===//
// Flows
//===----------------------------------------------------------------------===//

Flows::Flows(const Model &model, CallSummaries &calls)
    : idSets(*model.idSets), calls(calls) {
  for (const Node &node : model.nodes)
    for (const Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        add(source, target);
  forEachOp(model, [&](const ListedOp &listed) {
    Operation *op = listed.op;
    for (Value result : op->getResults())
      if (isMemRef(result) && !model.placed.count(result))
        addResult(op, result);
    if (op->getNumRegions() != 0 && !hasKnownControlFlow(op))
      addOpaqueRegions(op);
  });
}

void Flows::add(Value from, Value to) {
  if (llvm::is_contained(sources[to], from))
    return;
  targets[from].push_back(to);
  sources[to].push_back(from);
}

void Flows::addResult(Operation *op, Value result) {
  if (Value viewed = getViewedValue(result)) {
    add(viewed, result);
    if (!keepsBase(op))
      rebased.insert(result);
    return;
  }
  if (hasKnownControlFlow(op) || isAllocated(result))
    return;
  if (!isa<SelectLikeOpInterface>(op))
    rebased.insert(result);
  auto call = dyn_cast<CallOpInterface>(op);
  const CallSummary *summary = call ? calls.get(call) : nullptr;
  if (!summary) {
    for (Value operand : op->getOperands())
      if (isMemRef(operand))
        add(operand, result);
    return;
  }
  unsigned index = cast<OpResult>(result).getResultNumber();
  for (unsigned argument : summary->resultIsArgument[index].set_bits())
    add(call.getArgOperands()[argument], result);
  if (summary->resultIsOnlyArguments.test(index))
    onlySources.insert(result);
}

bool Flows::isOnlyArguments(Value value, const Model &model) const {
  FunctionOpInterface function = model.function;
  Block *entry = &function.getFunctionBody().front();
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Value next = worklist[i];
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() == entry)
        continue;
      Operation *around = argument.getOwner()->getParentOp();
      if (around != function && !hasKnownControlFlow(around))
        return false;
    } else {
      Operation *op = next.getDefiningOp();
      bool known = getViewedValue(next) || hasKnownControlFlow(op) ||
                   isa<SelectLikeOpInterface>(op) || onlySources.contains(next);
      if (!known)
        return false;
    }
    ArrayRef<Value> from = sourcesOf(next);
    // Of a call within a circle it may not be known yet which arguments.
    if (from.empty() && !onlySources.contains(next))
      return false;
    worklist.insert(from.begin(), from.end());
  }
  return true;
}

/// Nothing is known of these regions: what goes in and what their terminators
/// name may turn up in any argument and result.
void Flows::addOpaqueRegions(Operation *op) {
  SmallVector<Value> into(llvm::make_filter_range(op->getOperands(), isMemRef));
  SmallVector<Value> out(llvm::make_filter_range(op->getResults(), isMemRef));
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      llvm::append_range(
          out, llvm::make_filter_range(block.getArguments(), isMemRef));
      if (!block.empty())
        llvm::append_range(into, llvm::make_filter_range(
                                     block.back().getOperands(), isMemRef));
    }
  for (Value target : out) {
    rebased.insert(target);
    for (Value source : into)
      add(source, target);
  }
}

void Flows::propagate(ArrayRef<std::pair<Value, unsigned>> rootsOfValues) {
  // The graph of the values that a root may flow to.
  llvm::SetVector<Value> values;
  for (auto [value, root] : rootsOfValues) {
    roots[value] = IdSet(root);
    values.insert(value);
  }
  auto starts = llvm::to_vector(llvm::seq<unsigned>(0, values.size()));
  std::vector<Successors> successors;
  llvm::DenseMap<Value, unsigned> ids;
  auto getId = [&](Value value) {
    auto [it, isNew] = ids.try_emplace(value, ids.size());
    if (isNew)
      values.insert(value);
    return it->second;
  };
  llvm::for_each(SmallVector<Value>(values.getArrayRef()), getId);
  for (unsigned i = 0; i != values.size(); ++i) {
    Successors &next = successors.emplace_back();
    auto flowing = targets.find(values[i]);
    if (flowing != targets.end())
      for (Value target : flowing->second)
        next.push_back(getId(target));
  }
  // What flows in a circle is one, and all that comes before is known.
  for (const Component &component : findComponents(successors, starts)) {
    IdSet all;
    bool isRebased = false;
    for (unsigned id : component) {
      all = idSets.unite(all, rootsOf(values[id]));
      isRebased |= rebased.contains(values[id]);
    }
    auto become = [&](Value value, IdSet set) {
      roots[value] = set;
      if (isRebased)
        rebased.insert(value);
    };
    for (unsigned id : component)
      become(values[id], all);
    for (unsigned id : component)
      for (unsigned target : successors[id])
        become(values[target], idSets.unite(rootsOf(values[target]), all));
  }
}

ArrayRef<Value> Flows::sourcesOf(Value value) const {
  auto it = sources.find(value);
  return it == sources.end() ? ArrayRef<Value>() : it->second;
}

ArrayRef<Value> Flows::targetsOf(Value value) const {
  auto it = targets.find(value);
  return it == targets.end() ? ArrayRef<Value>() : it->second;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Aliases::Aliases(Model &model, CallSummaries &calls)
    : model(model), flows(model, calls) {
  model.mayMergeBuffers = !hasRepeatedViews();
  SmallVector<std::pair<Value, unsigned>> slots;
  std::vector<unsigned> withMarkers;
  for (unsigned id = 0; id != model.handles.size(); ++id) {
    const Handle &handle = model.handles[id];
    if (handle.marked)
      withMarkers.push_back(id);
    // No value names the frames of a parallel loop as a whole.
    if (handle.kind == HandleKind::Slot && isMemRef(handle.value))
      slots.push_back({handle.value, id});
  }
  flows.propagate(slots);
  marked = model.idSets->get(withMarkers);

  for (Block &block : model.function.getFunctionBody())
    createMerged(block.getArguments());
  forEachOp(model, [&](const ListedOp &listed) {
    if (auto renew = dyn_cast<RenewOp>(listed.op))
      for (unsigned slot : flows.rootsOf(renew.getOperand()))
        model.handles[slot].renewable = true;
  });
  forEachOp(model, [&](const ListedOp &listed) {
    createMerged(listed.op->getResults());
    for (Region &region : listed.op->getRegions())
      for (Block &block : region)
        createMerged(block.getArguments());
  });
  forEachOp(model, [&](const ListedOp &listed) {
    if (auto renew = dyn_cast<RenewOp>(listed.op))
      if (int handle = handleOf(renew.getOperand()); handle != kForeign)
        model.handles[handle].renewed = true;
  });
  simplifyMerged();
  for (Node &node : model.nodes)
    for (Edge &edge : node.edges)
      for (auto [target, source] : edge.forwarded)
        if (int handle = handleOf(target);
            handle != kForeign && model.handles[handle].value == target)
          edge.bindings.push_back(bind(handle, source));
}

bool Aliases::hasRepeatedViews() {
  DenseMap<std::tuple<unsigned, int64_t, Type>, Value> last;
  for (const Handle &handle : model.handles) {
    if (handle.kind != HandleKind::Slot || handle.marked)
      continue;
    Value view = handle.value;
    Value &previous = last[{handle.arena, handle.bytes.begin, view.getType()}];
    if (previous && view.getDefiningOp() &&
        dominance.properlyDominates(previous, view.getDefiningOp()))
      return true;
    previous = view;
  }
  return false;
}

void Aliases::createMerged(ValueRange values) {
  for (Value value : values) {
    IdSet slots = flows.rootsOf(value);
    if (slots.empty() || model.placed.count(value) || getViewedValue(value))
      continue;
    Handle handle;
    handle.kind = HandleKind::Merged;
    handle.value = value;
    handle.slots = slots;
    handle.depth = getDepth(value, model);
    handle.marked = IdSet::findCommon(slots, marked).has_value();
    handles[value] = model.handles.size();
    merged.push_back(value);
    model.handles.push_back(handle);
  }
}

bool Aliases::dominates(Value definition, Value value) {
  Region *outer = definition.getParentRegion();
  Region *inner = value.getParentRegion();
  // It flows to the value from within: a definition in an enclosing region
  // comes before the op that holds `inner`.
  if (outer->isProperAncestor(inner))
    return true;
  if (outer != inner)
    return false;
  Block *block = value.getParentBlock();
  if (definition.getParentBlock() == block)
    return isa<OpResult>(value) && definition != value;
  return dominance.properlyDominates(definition.getParentBlock(), block);
}

void Aliases::simplifyMerged() {
  // A merged value with one source but itself is that source, provided that no
  // other execution of the source's definition can come between, and no other
  // buffer begin in the slot by the name of one of the two.
  bool changed = true;
  while (changed) {
    changed = false;
    for (Value value : merged) {
      int own = handleOf(value);
      if (model.handles[own].value != value || model.handles[own].renewed)
        continue;
      std::optional<int> only;
      bool unique = true;
      for (Value source : flows.sourcesOf(value)) {
        int handle = handleOf(source);
        if (handle == own)
          continue;
        unique &= !only || *only == handle;
        only = handle;
      }
      if (!unique || !only || *only == kForeign ||
          model.handles[*only].renewed || model.handles[*only].renewable ||
          (isa_and_present<CallOpInterface>(value.getDefiningOp()) &&
           !flows.isOnlySources(value)) ||
          !dominates(model.handles[*only].value, value))
        continue;
      handles[value] = *only;
      changed = true;
    }
  }
}

int Aliases::handleOf(Value value) const {
  while (true) {
    if (auto it = model.wholeArenas.find(value); it != model.wholeArenas.end())
      return it->second;
    if (auto it = model.placed.find(value); it != model.placed.end())
      return model.handles[it->second].kind == HandleKind::Slot
                 ? static_cast<int>(it->second)
                 : kForeign;
    if (auto it = handles.find(value); it != handles.end()) {
      if (it->second == kForeign || model.handles[it->second].value == value)
        return it->second;
      value = model.handles[it->second].value;
      continue;
    }
    value = getViewedValue(value);
    if (!value)
      return kForeign;
  }
}

Binding Aliases::bind(unsigned target, ArrayRef<Value> values) const {
  Binding binding;
  binding.target = target;
  for (Value value : values)
    if (int handle = handleOf(value);
        !llvm::is_contained(binding.sources, handle))
      binding.sources.push_back(handle);
  return binding;
}

} // namespace memplan::planverifier
