//===- PlanVerifierAsync.cpp - Slots that running tasks use ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierAsync.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace memplan::planverifier {

bool startsTask(Operation *op) {
  if (isa<async::ExecuteOp>(op))
    return true;
  return isa<gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp, gpu::LaunchOp>(
             op) &&
         op->getNumResults() != 0;
}

namespace {

/// Values whose awaiting shows that a task has ended; sorted by address, for
/// set operations only.
using Witnesses = SmallVector<Value, 4>;

bool byAddress(Value a, Value b) {
  return a.getAsOpaquePointer() < b.getAsOpaquePointer();
}

bool holds(const Witnesses &witnesses, Value value) {
  return std::binary_search(witnesses.begin(), witnesses.end(), value,
                            byAddress);
}

bool holdsAny(const Witnesses &witnesses, ValueRange values) {
  return llvm::any_of(values,
                      [&](Value value) { return holds(witnesses, value); });
}

void add(Witnesses &witnesses, Value value) {
  auto it = llvm::lower_bound(witnesses, value, byAddress);
  if (it == witnesses.end() || *it != value)
    witnesses.insert(it, value);
}

enum class Step { Passes, Joins, Awaits };

/// What `op` does about a task: nothing; depends on its end; awaits it.
Step classify(Operation *op, const Witnesses &witnesses) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "async") {
    if (isa<async::AwaitOp, async::AwaitAllOp>(op))
      return holds(witnesses, op->getOperand(0)) ? Step::Awaits : Step::Passes;
    if (isa<async::AddToGroupOp>(op))
      return holds(witnesses, op->getOperand(0)) ? Step::Joins : Step::Passes;
    if (isa<async::ExecuteOp>(op))
      return holdsAny(witnesses, op->getOperands()) ? Step::Joins
                                                    : Step::Passes;
    return Step::Passes;
  }
  // Ops of the gpu dialect begin once the tokens they are given are ready.
  // Those without a token of their own return when they are done.
  if (dialect != "gpu" || !holdsAny(witnesses, op->getOperands()))
    return Step::Passes;
  bool hasToken = llvm::any_of(op->getResultTypes(), [](Type type) {
    return isa<gpu::AsyncTokenType>(type);
  });
  if (hasToken)
    return Step::Joins;
  return isa<gpu::AsyncOpInterface>(op) ? Step::Awaits : Step::Passes;
}

/// Visits, over the graph of a region, the ops that a task may run beside.
class TaskWalk {
public:
  TaskWalk(const Model &model, Region *root, Operation *start,
           llvm::function_ref<void(Operation *)> visit)
      : root(root), visit(visit), in(model.nodes.size()) {
    for (const Node &node : model.nodes)
      if (contains(node, start)) {
        Witnesses witnesses(start->result_begin(), start->result_end());
        llvm::sort(witnesses, byAddress);
        runNode(node, start->getNextNode(), std::move(witnesses));
        break;
      }
    while (!dirty.empty()) {
      unsigned node = dirty.pop_back_val();
      runNode(model.nodes[node], firstOf(model.nodes[node]), *in[node]);
    }
  }

  /// There is a way on which nobody awaits the task.
  bool isLost = false;

private:
  static Operation *firstOf(const Node &node) {
    return node.after ? node.after->getNextNode() : &node.block->front();
  }

  static bool contains(const Node &node, Operation *op) {
    return node.block == op->getBlock() && node.last &&
           (!node.after || node.after->isBeforeInBlock(op)) &&
           (node.last == op || op->isBeforeInBlock(node.last));
  }

  void runNode(const Node &node, Operation *op, Witnesses witnesses) {
    for (; op; op = op == node.last ? nullptr : op->getNextNode()) {
      visit(op);
      Step step = classify(op, witnesses);
      if (step == Step::Awaits)
        return;
      llvm::erase_if(witnesses,
                     [&](Value value) { return value.getDefiningOp() == op; });
      if (step == Step::Joins) {
        if (isa<async::AddToGroupOp>(op))
          add(witnesses, op->getOperand(1));
        else
          for (Value result : op->getResults())
            add(witnesses, result);
      }
      if (witnesses.empty()) {
        isLost = true;
        return;
      }
    }
    if (node.edges.empty())
      isLost |= !isa<LLVM::UnreachableOp, ub::UnreachableOp>(node.last);
    for (const Edge &edge : node.edges)
      follow(edge, witnesses);
  }

  /// How many regions inside `root` enclose the definition of `value`.
  unsigned depthOf(Value value) const {
    unsigned depth = 0;
    Region *region = value.getParentRegion();
    if (!root->isAncestor(region))
      return 0;
    for (; region != root; region = region->getParentRegion())
      ++depth;
    return depth;
  }

  void follow(const Edge &edge, const Witnesses &witnesses) {
    Witnesses next;
    for (Value value : witnesses) {
      unsigned depth = depthOf(value);
      bool stays = depth < edge.keepBelow ||
                   (edge.sameRegionBlock && depth == edge.keepBelow);
      bool rebound = edge.sameRegionBlock &&
                     value.getParentBlock() == edge.sameRegionBlock &&
                     isa<BlockArgument>(value);
      if (stays && !rebound)
        next.push_back(value);
    }
    for (auto [target, source] : edge.tokens)
      if (holds(witnesses, source))
        add(next, target);
    std::optional<Witnesses> &known = in[edge.target];
    if (!known) {
      known = next;
    } else {
      size_t size = known->size();
      llvm::erase_if(*known, [&](Value value) { return !holds(next, value); });
      if (known->size() == size)
        return;
    }
    if (known->empty())
      isLost = true;
    else
      dirty.push_back(edge.target);
  }

  Region *root;
  llvm::function_ref<void(Operation *)> visit;
  /// What holds on all ways into a node. It only shrinks.
  std::vector<std::optional<Witnesses>> in;
  SmallVector<unsigned> dirty;
};

/// The events of each op.
using EventIndex =
    llvm::DenseMap<Operation *, llvm::SmallVector<const Event *, 1>>;

/// The task's own accesses, slot by slot, held against everything beside it.
class TaskCheck {
public:
  TaskCheck(const Model &model, const EventIndex &events, Reporter &reporter,
            const Event &start)
      : model(model), events(events), reporter(reporter), start(start.op) {
    for (const Access &access : start.accesses)
      for (unsigned slot : model.handles[access.handle].slots)
        uses.push_back({slot, access.writes});
  }

  void visit(Operation *op) {
    auto it = events.find(op);
    if (it == events.end())
      return;
    for (const Event *event : it->second)
      if (!reported.contains(op))
        check(*event);
  }

private:
  struct SlotUse {
    unsigned slot;
    bool writes;
  };

  bool overlaps(unsigned a, unsigned b) const {
    const Handle &first = model.handles[a], &second = model.handles[b];
    return first.arena == second.arena && first.bytes.overlaps(second.bytes);
  }

  void check(const Event &event) {
    for (const SlotUse &use : uses) {
      switch (event.kind) {
      case EventKind::Release:
        if (model.handles[use.slot].arena == event.handle)
          return report(event.op, "releases the arena", use.slot);
        break;
      case EventKind::Place:
        if (event.handle == use.slot)
          return report(event.op, "places a buffer anew", use.slot);
        break;
      case EventKind::End:
        if (event.handle == use.slot)
          return report(event.op, "ends a lifetime", use.slot);
        break;
      case EventKind::Start:
        if (overlaps(event.handle, use.slot))
          return report(event.op, "starts a lifetime", use.slot);
        break;
      case EventKind::Access:
        // One slot under two names is the program's own sharing.
        for (const Access &access : event.accesses)
          for (unsigned slot : model.handles[access.handle].slots)
            if (slot != use.slot && (access.writes || use.writes) &&
                overlaps(slot, use.slot))
              return report(event.op,
                            access.writes ? "writes a buffer that shares bytes"
                                          : "reads a buffer that shares bytes",
                            use.slot);
        break;
      default:
        break;
      }
    }
  }

  void report(Operation *op, StringRef what, unsigned slot) {
    reported.insert(op);
    reporter.besideTask(op, start, what, slot);
  }

  const Model &model;
  const EventIndex &events;
  Reporter &reporter;
  Operation *start;
  SmallVector<SlotUse> uses;
  llvm::DenseSet<Operation *> reported;
};

} // namespace

bool CallSummaries::isAwaited(Operation *start) {
  if (!startsTask(start))
    return false;
  auto [it, isNew] = awaited.try_emplace(start, false);
  if (!isNew)
    return it->second;
  // The task has to be awaited inside the same region of known control flow:
  // all that is known of an op around is that it is done when its regions are.
  Region *root = start->getParentRegion();
  while (!isa<FunctionOpInterface>(root->getParentOp()) &&
         hasKnownControlFlow(root->getParentOp()))
    root = root->getParentRegion();
  std::unique_ptr<Model> &graph = taskGraphs[root];
  if (!graph) {
    graph = std::make_unique<Model>();
    listOps(*graph, *root);
    buildGraph(*graph, *root);
  }
  bool result = !TaskWalk(*graph, root, start, [](Operation *) {}).isLost;
  awaited[start] = result;
  return result;
}

void checkTasks(const Model &model, Reporter &reporter) {
  FunctionOpInterface function = model.function;
  Region *root = &function.getFunctionBody();
  SmallVector<const Event *> tasks;
  for (const Node &node : model.nodes)
    for (const Event &event : node.events)
      if (event.kind == EventKind::Access && startsTask(event.op))
        tasks.push_back(&event);
  if (tasks.empty())
    return;
  EventIndex events;
  for (const Node &node : model.nodes)
    for (const Event &event : node.events)
      events[event.op].push_back(&event);
  for (const Event *task : tasks) {
    TaskCheck check(model, events, reporter, *task);
    TaskWalk(model, root, task->op, [&](Operation *op) { check.visit(op); });
  }
}

} // namespace memplan::planverifier
