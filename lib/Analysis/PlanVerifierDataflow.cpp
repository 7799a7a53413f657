//===- PlanVerifierDataflow.cpp - Who overwrites what ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward analysis to a fixpoint. A write through one slot takes its bytes
// from every other slot that overlaps it and holds something; reading bytes
// that were taken is the violation. A loop (a strongly connected part of the
// graph) is iterated until its states stand still, and reported on in a last
// pass: states only get worse, but "definitely live" is not a property that
// only gets truer.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"
#include "PlanVerifierRewrites.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <set>

using namespace mlir;

namespace memplan::planverifier {
namespace {

/// True if an op that reads `read` and writes `written`, both at the same
/// bytes, reads each element before it writes it.
bool isSafeInPlace(Operation *op, Value read, Value written) {
  if (read.getType() != written.getType())
    return false;
  if (isa<memref::CopyOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumLoops() != linalgOp.getNumParallelLoops())
    return false;
  AffineMap map;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != read && operand.get() != written)
      continue;
    AffineMap other = linalgOp.getMatchingIndexingMap(&operand);
    if (!other.isPermutation() || (map && map != other))
      return false;
    map = other;
  }
  return true;
}

class Dataflow {
public:
  Dataflow(const Model &model, const Aliases &aliases, CallSummaries &calls,
           Reporter &reporter)
      : model(model), calls(calls), bytes(model, aliases), reporter(reporter),
        state(model), in(model.nodes.size()),
        reached(model.nodes.size(), false), componentOf(model.nodes.size(), 0),
        rewrites(model, bytes) {}

  void run(Snapshot entry) {
    std::vector<Component> components = findComponents(model.nodes);
    for (unsigned i = 0; i != components.size(); ++i)
      for (unsigned node : components[i])
        componentOf[node] = i;
    reached[0] = true;
    in[0] = std::move(entry);
    for (ArrayRef<unsigned> component : components) {
      if (isCyclic(model.nodes, component))
        iterate(component);
      report = true;
      for (unsigned node : component)
        runNode(node);
      report = false;
    }
  }

private:
  void iterate(ArrayRef<unsigned> component) {
    // The earliest node first: inner loops settle before what follows them.
    dirty.insert(component.begin(), component.end());
    while (!dirty.empty()) {
      unsigned node = *dirty.begin();
      dirty.erase(dirty.begin());
      if (reached[node])
        runNode(node);
    }
  }

  void runNode(unsigned id) {
    const Node &node = model.nodes[id];
    // In the last pass nothing comes back to it.
    state.load(in[id], /*keep=*/!report);
    if (report)
      in[id] = {};
    if (node.after) {
      applyCovers(node.after);
      dropAfter(node.after);
    }
    for (size_t i = 0, e = node.events.size(); i != e; ++i) {
      Operation *op = node.events[i].op;
      runEvent(node.events[i]);
      // What regions use is needed until control has left them.
      if ((i + 1 == e || node.events[i + 1].op != op) &&
          !model.spans.contains(op))
        dropAfter(op);
    }
    leave(node.last, [&](unsigned arena) {
      return llvm::any_of(
          node.edges, [&](const Edge &edge) { return !outlives(arena, edge); });
    });
    for (const Edge &edge : node.edges)
      runEdge(node, edge);
  }

  void runEvent(const Event &event) {
    switch (event.kind) {
    case EventKind::Allocate:
      allocate(event.op, event.handle);
      break;
    case EventKind::Release:
      release(event.op, event.handle);
      break;
    case EventKind::Place:
      place(event.handle);
      break;
    case EventKind::Start:
      start(event.op, event.handle);
      break;
    case EventKind::End:
      end(event.handle);
      break;
    case EventKind::Access:
      access(event);
      break;
    case EventKind::Bind:
      for (auto &[target, entry] : bind(event.bindings))
        state.set(target, std::move(entry));
      break;
    case EventKind::Exit:
      leave(event.op, [](unsigned) { return true; });
      if (report)
        reporter.atExit(event.op, state);
      break;
    }
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  void dropAfter(Operation *op) {
    auto it = model.lastUses.find(op);
    if (it == model.lastUses.end())
      return;
    // A slot whose lifetime has not ended still owns its bytes.
    for (unsigned handle : it->second)
      if (Entry *entry = state.find(handle);
          entry && !(model.handles[handle].kind == HandleKind::Slot &&
                     entry->life == Life::Yes))
        state.erase(handle);
  }

  bool outlives(unsigned handle, const Edge &edge) const {
    const Handle &info = model.handles[handle];
    if (info.depth != edge.keepBelow || !edge.sameRegionBlock)
      return info.depth < edge.keepBelow;
    if (info.kind == HandleKind::Arena)
      return true;
    auto live = model.liveIn.find(edge.sameRegionBlock);
    return live != model.liveIn.end() &&
           std::binary_search(live->second.begin(), live->second.end(), handle);
  }

  void runEdge(const Node &node, const Edge &edge) {
    bool within =
        componentOf[edge.target] == componentOf[&node - &model.nodes[0]];
    if (report && within)
      return;
    Snapshot bound = bind(edge.bindings);
    next.clear();
    for (unsigned handle : state.getPresent())
      if (outlives(handle, edge) && llvm::none_of(bound, [&](auto &entry) {
            return entry.first == handle;
          }))
        next.push_back({handle, state.find(handle)});
    for (const auto &[handle, entry] : bound)
      next.push_back({handle, &entry});
    llvm::sort(next,
               [](const auto &a, const auto &b) { return a.first < b.first; });
    bool changed = true;
    if (reached[edge.target]) {
      changed = joinSnapshot(in[edge.target], next, model.handles);
    } else {
      in[edge.target].reserve(next.size());
      for (const auto &[handle, entry] : next)
        in[edge.target].emplace_back(handle, *entry);
    }
    reached[edge.target] = true;
    if (changed && within)
      dirty.insert(edge.target);
  }

  /// The state of each target when it becomes one of its sources.
  Snapshot bind(ArrayRef<Binding> bindings) {
    Snapshot bound;
    for (const Binding &binding : bindings) {
      std::optional<Entry> joined;
      for (int source : binding.sources) {
        Entry entry = valueOf(source);
        if (joined)
          joinEntry(*joined, entry);
        else
          joined = std::move(entry);
      }
      if (joined)
        bound.push_back({binding.target, std::move(*joined)});
    }
    return bound;
  }

  Entry valueOf(int handle) {
    Entry entry;
    if (handle == kForeign) {
      entry.life = Life::Yes;
      entry.written = true;
      return entry;
    }
    if (Entry *present = state.find(handle))
      entry = *present;
    const Handle &info = model.handles[handle];
    if (!info.marked)
      entry.life = Life::Yes;
    if (info.kind == HandleKind::Slot)
      entry.refs = {{static_cast<unsigned>(handle), true, false}};
    return entry;
  }

  //===--------------------------------------------------------------------===//
  // Arenas
  //===--------------------------------------------------------------------===//

  void allocate(Operation *op, unsigned arena) {
    if (Entry *entry = state.find(arena);
        report && entry && entry->life != Life::No)
      reporter.leak(op, arena);
    state.get(arena).life = Life::Yes;
  }

  void release(Operation *op, unsigned arena) {
    Entry &entry = state.get(arena);
    if (report && entry.life != Life::Yes)
      reporter.releaseAgain(op, arena, entry.life);
    entry.life = Life::No;
  }

  /// Reports the arenas that `op` loses sight of before they are released.
  void leave(Operation *op, llvm::function_ref<bool(unsigned)> isLeft) {
    if (!report)
      return;
    SmallVector<unsigned, 1> leaked;
    for (unsigned handle : state.getPresent())
      if (model.handles[handle].kind == HandleKind::Arena &&
          state.find(handle)->life != Life::No && isLeft(handle))
        leaked.push_back(handle);
    llvm::sort(leaked);
    for (unsigned arena : leaked)
      reporter.leak(op, arena);
  }

  //===--------------------------------------------------------------------===//
  // Slots
  //===--------------------------------------------------------------------===//

  /// True if a value known as `handle` that may be `slot` and a reference `ref`
  /// to that slot surely name one and the same life of its bytes.
  bool isSameInstance(unsigned handle, unsigned slot, Ref ref) {
    if (slot != ref.slot || !ref.current || ref.former)
      return false;
    if (handle == slot)
      return true;
    for (const Ref &own : state.find(handle)->refs)
      if (own.slot == slot)
        return own.current && !own.former;
    return false;
  }

  void clobber(unsigned handle, unsigned slot, unsigned taker, Operation *op) {
    Entry *entry = state.find(handle);
    if (!entry->written)
      return;
    ByteRange own = model.handles[slot].bytes;
    ByteRange taken = model.handles[taker].bytes;
    addClobber(entry->clobbers,
               {std::max(own.begin, taken.begin) - own.begin,
                std::min(own.end, taken.end) - own.begin, op, taker});
  }

  void place(unsigned slot) {
    for (auto [handle, as] : state.findOverlapping(slot))
      if (as == slot && handle != slot)
        for (Ref &ref : state.find(handle)->refs)
          if (ref.slot == slot && ref.current) {
            ref.current = false;
            ref.former = true;
          }
    state.erase(slot);
  }

  void start(Operation *op, unsigned slot) {
    checkArenas(op, slot);
    Entry *own = state.find(slot);
    if (report && own && own->life == Life::Yes)
      reporter.startAgain(op, slot);
    for (auto [handle, as] : state.findOverlapping(slot)) {
      if (isSameInstance(handle, as, {slot, true, false}))
        continue;
      const Handle &other = model.handles[handle];
      if (report && other.kind == HandleKind::Slot && other.marked &&
          state.find(handle)->life == Life::Yes)
        reporter.startWhileLive(op, slot, handle);
      clobber(handle, as, slot, op);
    }
    Entry entry;
    entry.life = Life::Yes;
    state.set(slot, entry);
  }

  void end(unsigned slot) {
    for (auto [handle, as] : state.findOverlapping(slot)) {
      if (as != slot || handle == slot)
        continue;
      Entry *entry = state.find(handle);
      bool same = isSameInstance(handle, as, {slot, true, false});
      if (same && entry->refs.size() == 1)
        entry->life = Life::No;
      else if (entry->life == Life::Yes)
        entry->life = Life::Maybe;
    }
    state.erase(slot);
  }

  void access(const Event &event) {
    if (report)
      checkSharing(event);
    SmallVector<Access, 2> accesses(event.accesses);
    if (auto call = dyn_cast<CallOpInterface>(event.op))
      for (Access &access : accesses)
        lookInto(call, access);
    for (const Access &access : accesses) {
      if (report)
        check(event.op, access);
      Entry *entry = state.find(access.handle);
      if (access.reads && entry && entry->written)
        entry->consumed = true;
    }
    for (const Access &access : accesses)
      if (access.writes)
        write(event.op, access);
  }

  /// Where a slot has lost bytes it matters whether a callee reads them.
  void lookInto(CallOpInterface call, Access &access) {
    const Handle &info = model.handles[access.handle];
    Entry *entry = state.find(access.handle);
    if (!entry || entry->clobbers.empty() || !access.memref)
      return;
    if (const CallContents *contents = calls.getContents(call)) {
      access.reads = false;
      access.overwrites = true;
      for (auto [i, operand] : llvm::enumerate(call.getArgOperands()))
        if (operand == access.memref) {
          access.reads |= contents->reads[i];
          access.overwrites &= contents->overwrites[i];
        }
      return;
    }
    // A callee without a body. A buffer that was used up and then lost as a
    // whole is one that begins anew where one view may stand for several.
    ByteSet whole = {{0, info.bytes.end - info.bytes.begin}};
    std::vector<Clobber> kept = {{0, whole.front().end, call, access.handle}};
    for (const Clobber &clobber : entry->clobbers)
      removeClobbers(kept, {{clobber.begin, clobber.end}});
    if (model.mayMergeBuffers && info.kind == HandleKind::Slot &&
        !info.marked && entry->consumed && kept.empty()) {
      entry->clobbers.clear();
      entry->consumed = false;
    }
  }

  void write(Operation *op, const Access &access) {
    const Handle &info = model.handles[access.handle];
    SmallVector<Ref, 2> refs;
    if (info.kind == HandleKind::Slot)
      refs.push_back({access.handle, true, false});
    else if (Entry *entry = state.find(access.handle))
      refs.append(entry->refs.begin(), entry->refs.end());
    for (const Ref &ref : refs)
      for (auto [handle, as] : state.findOverlapping(ref.slot)) {
        if (handle == access.handle)
          continue;
        if (!isSameInstance(handle, as, ref))
          clobber(handle, as, ref.slot, op);
        else
          fill(op, access, handle,
               refs.size() == 1 && state.find(handle)->refs.size() <= 1);
      }
    if (info.kind == HandleKind::Slot)
      state.get(access.handle);
    if (state.find(access.handle))
      fill(op, access, access.handle, true);
  }

  /// `access` writes to what `handle` is, or may be.
  void fill(Operation *op, const Access &access, unsigned handle, bool surely) {
    Entry *entry = state.find(handle);
    entry->written = true;
    if (!access.reads)
      entry->consumed = false;
    if (surely && !entry->clobbers.empty())
      removeClobbers(entry->clobbers, bytes.written(op, access));
  }

  /// A loop has written what its iterations cover, if nothing took it back.
  void applyCovers(Operation *loop) {
    if (llvm::all_of(state.getPresent(), [&](unsigned handle) {
          return state.find(handle)->clobbers.empty();
        }))
      return;
    for (const Cover &cover : rewrites.getCovers(loop)) {
      Entry *entry = state.find(cover.access->handle);
      if (entry && !entry->clobbers.empty() &&
          !rewrites.disturbs(loop, cover.access->handle))
        removeClobbers(entry->clobbers,
                       bytes.covered(loop, cover.op, *cover.access));
    }
  }

  //===--------------------------------------------------------------------===//
  // Checks
  //===--------------------------------------------------------------------===//

  void checkArenas(Operation *op, unsigned handle) {
    if (!report)
      return;
    for (unsigned slot : model.handles[handle].slots) {
      Entry *arena = state.find(model.handles[slot].arena);
      if (arena && arena->life != Life::Yes) {
        reporter.afterRelease(op, slot);
        return;
      }
    }
  }

  void check(Operation *op, const Access &access) {
    checkArenas(op, access.handle);
    Entry *entry = state.find(access.handle);
    if (model.handles[access.handle].marked) {
      Life life = entry ? entry->life : Life::No;
      if (life != Life::Yes) {
        reporter.outsideLifetime(op, access.handle, life);
        return;
      }
    }
    if (!access.reads || !entry || entry->clobbers.empty())
      return;
    const Clobber *lost = findClobber(entry->clobbers, bytes.read(op, access));
    if (!lost || rewrites.isRewrittenBefore(op, access))
      return;
    reporter.readClobbered(op, access.handle, *lost);
    // One report for what was lost once.
    entry->clobbers.clear();
  }

  /// An op that writes one slot and uses another that overlaps it may destroy
  /// what it has yet to read, or write one of its results over another.
  void checkSharing(const Event &event) {
    ArrayRef<Access> accesses = event.accesses;
    for (const Access &written : accesses) {
      if (!written.writes)
        continue;
      for (const Access &other : accesses) {
        if (other.handle == written.handle ||
            (other.writes && &other < &written))
          continue;
        if (auto shared = findShared(event.op, written, other)) {
          reporter.sharedInOneOp(event.op, shared->second, shared->first);
          return;
        }
      }
    }
  }

  SmallVector<Ref, 2> refsOf(unsigned handle) {
    if (model.handles[handle].kind == HandleKind::Slot)
      return {{handle, true, false}};
    Entry *entry = state.find(handle);
    return entry ? SmallVector<Ref, 2>(entry->refs.begin(), entry->refs.end())
                 : SmallVector<Ref, 2>();
  }

  /// Two slots with common bytes, the one that `written` may be and the one
  /// that `other` may be.
  std::optional<std::pair<unsigned, unsigned>>
  findShared(Operation *op, const Access &written, const Access &other) {
    for (const Ref &x : refsOf(written.handle))
      for (const Ref &y : refsOf(other.handle)) {
        const Handle &first = model.handles[x.slot];
        const Handle &second = model.handles[y.slot];
        // One life of one slot under two names: the program's own aliasing.
        if (x.slot == y.slot || first.arena != second.arena ||
            !first.bytes.overlaps(second.bytes))
          continue;
        bool inPlace = first.bytes.begin == second.bytes.begin &&
                       !other.writes && bytes.hasKnownPlace(other.memref) &&
                       bytes.hasKnownPlace(written.memref) &&
                       isSafeInPlace(op, other.memref, written.memref);
        if (!inPlace)
          return std::make_pair(x.slot, y.slot);
      }
    return std::nullopt;
  }

  const Model &model;
  CallSummaries &calls;
  Bytes bytes;
  Reporter &reporter;
  WorkingState state;
  std::vector<Snapshot> in;
  /// What an edge hands on, while it is collected.
  std::vector<std::pair<unsigned, const Entry *>> next;
  std::vector<bool> reached;
  std::vector<unsigned> componentOf;
  Rewrites rewrites;
  std::set<unsigned> dirty;
  bool report = false;
};

} // namespace

void runDataflow(const Model &model, const Aliases &aliases,
                 CallSummaries &calls, Reporter &reporter, Snapshot entry) {
  if (!model.nodes.empty())
    Dataflow(model, aliases, calls, reporter).run(std::move(entry));
}

} // namespace memplan::planverifier
