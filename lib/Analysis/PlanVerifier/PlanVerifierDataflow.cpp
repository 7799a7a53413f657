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

#include "PlanVerifierDataflow.h" // NOLINT(llvm-include-order)
#include "PlanVerifierArenas.h"
#include "PlanVerifierArrivals.h"
#include "PlanVerifierIdentity.h"
#include "PlanVerifierRewrites.h"
#include "PlanVerifierSharing.h"
#include "PlanVerifierTurns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <set>

using namespace mlir;

namespace memplan::planverifier {
namespace {

class Dataflow {
public:
  Dataflow(const Model &model, const Aliases &aliases, CallSummaries &calls,
           Reporter &reporter)
      : model(model), calls(calls), bytes(model, aliases), reporter(reporter),
        state(model), arenas(model, reporter, state, report),
        slots(model, aliases, state), sharing(bytes, state),
        arrivals(model, loops, state.getSets()),
        componentOf(model.nodes.size(), 0), rewrites(model, bytes, loops) {}

  void run(const Entries &entry) {
    std::vector<Component> components = findComponents(model.nodes);
    for (unsigned i = 0; i != components.size(); ++i)
      for (unsigned node : components[i])
        componentOf[node] = i;
    for (const auto &[handle, first] : entry) {
      arrivals.at(0).set(handle, new SharedEntry(first));
      mayHaveLost |= !first.clobbers.empty();
    }
    size_t reachable = 0;
    for (const Component &component : components) {
      isLoop.push_back(isCyclic(model.nodes, component));
      reachable += component.size();
    }
    if (reachable == model.nodes.size() && llvm::is_contained(isLoop, true))
      turns.emplace(model, componentOf, isLoop);
    for (auto [i, component] : llvm::enumerate(components)) {
      if (isLoop[i])
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
      if (arrivals.isReached(node))
        runNode(node);
    }
  }

  void runNode(unsigned id) {
    const Node &node = model.nodes[id];
    Block *exit = arrivals.getExit(id);
    state.load(arrivals.at(id));
    // In the last pass nothing comes back to it.
    if (report)
      arrivals.at(id) = {};
    runEvents(node);
    arenas.leave(node.last, [&](unsigned arena) {
      return llvm::any_of(
          node.edges, [&](const Edge &edge) { return !outlives(arena, edge); });
    });
    for (const Edge &edge : node.edges)
      if (!exit || edge.sameRegionBlock != exit)
        runEdge(id, edge);
    if (const StateMap *last = arrivals.getLast(id))
      leaveLoop(id, *last, exit);
  }

  void runEvents(const Node &node) {
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
  }

  /// Goes to the exit of a loop of blocks as its header does when it is entered
  /// once more after the last iteration.
  void leaveLoop(unsigned header, const StateMap &last, Block *exit) {
    const Node &node = model.nodes[header];
    state.load(last);
    bool reports = std::exchange(report, false);
    runEvents(node);
    report = reports;
    applyCovers(node.block);
    for (const Edge &edge : node.edges)
      if (edge.sameRegionBlock == exit)
        runEdge(header, edge);
  }

  void runEvent(const Event &event) {
    switch (event.kind) {
    case EventKind::Allocate:
      arenas.allocate(event.op, event.handle);
      break;
    case EventKind::Release:
      arenas.release(event.op, event.handle);
      break;
    case EventKind::Place:
      place(event.handle);
      break;
    case EventKind::Start:
      start(event.op, event.handle);
      break;
    case EventKind::Renew:
      renew(event.op, event.handle);
      break;
    case EventKind::Empty:
      empty(event.op, event.handle);
      break;
    case EventKind::End:
      end(event.handle);
      break;
    case EventKind::Access:
      access(event);
      break;
    case EventKind::Bind:
      bindHere(event.op, event.bindings);
      break;
    case EventKind::Exit:
      arenas.leave(event.op, [](unsigned) { return true; });
      if (report)
        reporter.atExit(event.op, state);
      break;
    }
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  void dropAfter(Operation *op) {
    // A slot whose lifetime has not ended still owns its bytes.
    for (unsigned handle : model.liveness.getLast(op))
      if (const Entry *entry = state.find(handle);
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
    return model.liveness.isLiveIn(handle, edge.sameRegionBlock);
  }

  void runEdge(unsigned from, const Edge &edge) {
    bool within = componentOf[edge.target] == componentOf[from];
    if (report && within)
      return;
    Entries bound = bind(edge.bindings);
    if (turns && isLoop[componentOf[edge.target]])
      turns->add(bound, state.getSets());
    StateMap next = state.save();
    // Of the region that the edge stays in, what is present was used to come.
    bool stays = edge.sameRegionBlock != nullptr;
    state.forEachPresent(edge.keepBelow + (stays ? 1 : 0),
                         [&](unsigned handle) { next.set(handle, nullptr); });
    if (stays)
      for (unsigned handle : model.liveness.getDying(model.nodes[from].block,
                                                     edge.sameRegionBlock))
        if (state.find(handle))
          next.set(handle, nullptr);
#ifndef NDEBUG
    llvm::DenseSet<unsigned> dropped;
    if (stays)
      dropped.insert_range(model.liveness.getDying(model.nodes[from].block,
                                                   edge.sameRegionBlock));
    state.forEachPresent(edge.keepBelow, [&](unsigned handle) {
      assert(model.handles[handle].depth > edge.keepBelow || !stays ||
             !outlives(handle, edge) || !dropped.contains(handle));
    });
#endif
    if (model.hasRenewals && !bound.empty())
      for (auto &[handle, entry] :
           slots.tellApart(bound, edge.bindings, others(bound, &edge)))
        next.set(handle, new SharedEntry(std::move(entry)));
    for (auto &[handle, entry] : bound)
      next.set(handle, new SharedEntry(std::move(entry)));
    if (arrivals.add(from, edge.target, next) && within)
      dirty.insert(edge.target);
  }

  /// The state of each target when it becomes one of its sources. What is not
  /// used any more is left out.
  Entries bind(ArrayRef<Binding> bindings) {
    Entries bound;
    for (const Binding &binding : bindings) {
      if (model.handles[binding.target].unused)
        continue;
      std::optional<Entry> joined;
      for (int source : binding.sources) {
        Entry entry = valueOf(source);
        if (joined)
          joinEntry(*joined, entry, state.getSets());
        else
          joined = std::move(entry);
      }
      if (!joined)
        continue;
      joined->ownWritten = false;
      bound.push_back({binding.target, std::move(*joined)});
    }
    return bound;
  }

  /// The merged handles that are not bound, and outlive `edge` if there is one.
  SmallVector<unsigned> others(const Entries &bound, const Edge *edge) {
    SmallVector<unsigned> found;
    llvm::SmallDenseSet<unsigned> targets;
    for (const auto &[handle, entry] : bound)
      targets.insert(handle);
    for (unsigned handle : state.getMerged())
      if ((!edge || outlives(handle, *edge)) && !targets.contains(handle))
        found.push_back(handle);
    llvm::sort(found);
    return found;
  }

  void bindHere(Operation *op, ArrayRef<Binding> bindings) {
    Entries bound = bind(bindings);
    if (model.hasRenewals && !bound.empty())
      for (auto &[handle, entry] :
           slots.tellApart(bound, bindings, others(bound, nullptr), op))
        state.edit(handle).facts = std::move(entry.facts);
    for (auto &[target, entry] : bound)
      state.set(target, std::move(entry));
  }

  Entry valueOf(int handle) {
    Entry entry;
    if (handle == kForeign) {
      entry.life = Life::Yes;
      entry.written = entry.begun = true;
      return entry;
    }
    if (const Entry *present = state.find(handle))
      entry = *present;
    const Handle &info = model.handles[handle];
    if (!info.marked)
      entry.life = Life::Yes;
    if (info.kind == HandleKind::Slot) {
      entry.refs = state.refsOf(handle);
      entry.begun |= !info.renewable;
    }
    return entry;
  }

  //===--------------------------------------------------------------------===//
  // Slots
  //===--------------------------------------------------------------------===//

  /// Takes from `handle`, which may be at `place`, what `taker` has of it.
  void clobber(unsigned handle, unsigned place, unsigned taker, Operation *op) {
    const Entry *entry = state.find(handle);
    if (!entry->written)
      return;
    ByteRange own = state.getPlaces().bytes(place);
    ByteRange taken = model.handles[taker].bytes;
    Clobber lost = {std::max(own.begin, taken.begin) - own.begin,
                    std::min(own.end, taken.end) - own.begin, op, taker};
    if (hasClobbers(entry->clobbers, lost.begin, lost.end))
      return;
    addClobber(state.edit(handle).clobbers, lost);
    mayHaveLost = true;
  }

  void place(unsigned slot) {
    for (unsigned handle : state.findMerged(slot))
      state.setRefs(handle, state.getSets().makeFormer(state.refsOf(handle),
                                                       IdSet(slot)));
    state.erase(slot);
  }

  void start(Operation *op, unsigned slot) {
    arenas.check(op, slot);
    const Entry *own = state.find(slot);
    if (report && own && own->life == Life::Yes)
      reporter.startAgain(op, slot);
    const RefSet *refs = state.refsOf(slot);
    for (unsigned handle : state.findAt(*refs)) {
      const Handle &other = model.handles[handle];
      if (handle == slot)
        continue;
      if (report && other.kind == HandleKind::Slot && other.marked &&
          state.find(handle)->life == Life::Yes)
        reporter.startWhileLive(op, slot, handle);
      // What surely is this very slot stays what it is.
      for (const Overlap &overlap : meet(refs, handle).overlaps)
        if (overlap.kind != Overlap::SameLife)
          clobber(handle, overlap.second.place, slot, op);
    }
    Entry entry;
    entry.life = Life::Yes;
    entry.begun = true;
    state.set(slot, entry);
  }

  const Meeting &meet(const RefSet *refs, unsigned handle) {
    return state.getSets().meet(refs, state.refsOf(handle));
  }

  /// A new buffer begins in the slot that `handle` is, whichever that is. What
  /// is not surely in another one is lost.
  void renew(Operation *op, unsigned handle) {
    arenas.check(op, handle);
    const RefSet *refs = state.refsOf(handle);
    for (unsigned other : state.findAt(*refs))
      if (other != handle && !slots.isDistinct(other, handle))
        for (const Overlap &overlap : meet(refs, other).overlaps)
          clobber(other, overlap.second.place, overlap.first.slot, op);
    const Entry *before = state.find(handle);
    std::vector<Emptying> emptied = makeEmptied(op, before);
    if (model.handles[handle].kind == HandleKind::Slot) {
      place(handle);
      Entry &entry = state.get(handle);
      entry.begun = true;
      entry.emptied = emptied;
      return;
    }
    slots.renew(handle);
    // No other value stands for this life.
    if (!before)
      return;
    Entry &entry = state.edit(handle);
    entry.written = entry.consumed = false;
    entry.clobbers.clear();
    entry.begun = true;
    entry.emptied = emptied;
    state.setRefs(handle, state.getSets().makeFormer(refs, refs->slots));
  }

  std::vector<Emptying> makeEmptied(Operation *op, const Entry *before) {
    auto [it, isNew] = numberOf.insert({op, renewals.size()});
    if (isNew)
      renewals.push_back(op);
    return {{it->second, false, before && before->ownWritten}};
  }

  /// A renewal that was lowered. It only says what the handle has lost for
  /// good: it may have been moved out of a loop, as it does nothing.
  void empty(Operation *op, unsigned handle) {
    const Entry *before = state.find(handle);
    if (!before)
      return;
    Entry &entry = state.edit(handle);
    entry.emptied = makeEmptied(op, &entry);
    entry.written = entry.consumed = false;
    entry.clobbers.clear();
  }

  void end(unsigned slot) {
    for (unsigned handle : state.findMerged(slot)) {
      const Entry *entry = state.find(handle);
      if (entry->refs->current == IdSet(slot) && entry->refs->slots.isOne())
        state.edit(handle).life = Life::No;
      else if (entry->life == Life::Yes)
        state.edit(handle).life = Life::Maybe;
    }
    state.erase(slot);
  }

  void access(const Event &event) {
    if (report)
      if (auto shared = sharing.find(event))
        reporter.sharedInOneOp(event.op, shared->second, shared->first);
    SmallVector<Access, 2> accesses(event.accesses);
    if (auto call = dyn_cast<CallOpInterface>(event.op))
      for (Access &access : accesses)
        lookInto(call, access, model, calls, state);
    for (const Access &access : accesses) {
      if (report)
        check(event.op, access);
      const Entry *entry = state.find(access.handle);
      if (access.reads && entry && entry->written && !entry->consumed)
        state.edit(access.handle).consumed = true;
    }
    for (const Access &access : accesses)
      if (access.writes)
        write(event.op, access);
  }

  void write(Operation *op, const Access &access) {
    const RefSet *refs = state.refsOf(access.handle);
    for (unsigned handle : state.findAt(*refs))
      if (handle != access.handle &&
          !(model.hasRenewals && slots.isDistinct(handle, access.handle)))
        writeOther(op, access, refs, handle);
    if (model.handles[access.handle].kind == HandleKind::Slot)
      state.get(access.handle);
    const Entry *entry = state.find(access.handle);
    if (!entry)
      return;
    fill(op, access, access.handle, true);
    if (model.hasBeginnings && !state.find(access.handle)->ownWritten)
      state.edit(access.handle).ownWritten = true;
  }

  /// `access` writes to one of `refs`, taken one after another, and `handle`
  /// may be one of them as well, or share bytes with it.
  void writeOther(Operation *op, const Access &access, const RefSet *refs,
                  unsigned handle) {
    const RefSet *own = state.refsOf(handle);
    const Meeting *meeting = &state.getSets().meet(refs, own);
    bool surely = refs->slots.isOne() && own->slots.isOne();
    // As one slot they may be one life of it.
    bool isCompatible = meeting->shareSlot && model.hasRenewals &&
                        slots.isCompatible(handle, access.handle);
    if (!state.find(handle)->written) {
      // Nothing is lost before something has been written.
      if (!meeting->shareLife && !isCompatible)
        return;
      const Places &places = state.getPlaces();
      unsigned first = *state.getSets().findShared(refs, own, !isCompatible);
      unsigned taken = places.of(first);
      fill(op, access, handle, surely);
      // Of those that come after it by place and number.
      auto key = [&](unsigned place, unsigned slot) {
        return std::make_pair(places.bytes(place).begin, slot);
      };
      for (const RefPlace &other : own->places)
        if (key(other.place, other.last) > key(taken, first) &&
            places.overlap(other.place, taken))
          clobber(handle, other.place, first, op);
      refs = state.getSets().after(refs, first);
      meeting = &state.getSets().meet(refs, own);
    }
    for (const Overlap &overlap : meeting->overlaps)
      if (overlap.kind == Overlap::Differ ||
          (overlap.kind == Overlap::SameSlot && !isCompatible))
        clobber(handle, overlap.second.place, overlap.first.slot, op);
    if (meeting->shareLife || (meeting->shareSlot && isCompatible))
      fill(op, access, handle, surely);
  }

  /// `access` writes to what `handle` is, or may be.
  void fill(Operation *op, const Access &access, unsigned handle, bool surely) {
    const Entry *entry = state.find(handle);
    bool restores = surely && !entry->clobbers.empty();
    bool begins = llvm::any_of(entry->emptied, [](const Emptying &emptying) {
      return !emptying.isWritten;
    });
    if (entry->written && (access.reads || !entry->consumed) && !restores &&
        !begins)
      return;
    Entry &filled = state.edit(handle);
    filled.written = true;
    for (Emptying &emptying : filled.emptied)
      emptying.isWritten = true;
    if (!access.reads)
      filled.consumed = false;
    if (restores)
      removeClobbers(filled.clobbers, bytes.written(op, access));
  }

  /// A loop has written what its iterations cover, if nothing took it back.
  void applyCovers(LoopKey loop) {
    if (!mayHaveLost)
      return;
    for (const Cover &cover : rewrites.getCovers(loop)) {
      unsigned handle = cover.access->handle;
      const Entry *entry = state.find(handle);
      if (entry && !entry->clobbers.empty())
        removeClobbers(state.edit(handle).clobbers,
                       rewrites.getCovered(loop, cover));
    }
  }

  //===--------------------------------------------------------------------===//
  // Checks
  //===--------------------------------------------------------------------===//

  void check(Operation *op, const Access &access) {
    arenas.check(op, access.handle);
    const Entry *entry = state.find(access.handle);
    if (model.handles[access.handle].marked) {
      Life life = entry ? entry->life : Life::No;
      if (life != Life::Yes) {
        reporter.outsideLifetime(op, access.handle, life);
        return;
      }
    }
    if (model.hasBeginnings && !checkBegun(op, access, entry))
      return;
    if (!access.reads || !entry || entry->clobbers.empty())
      return;
    const Clobber *lost = findClobber(entry->clobbers, bytes.read(op, access));
    if (!lost || rewrites.isRewrittenBefore(op, access))
      return;
    reporter.readClobbered(op, access.handle, *lost);
    // One report for what was lost once.
    state.edit(access.handle).clobbers.clear();
  }

  /// Where buffers begin with renewals, nothing is accessed before; nor is what
  /// is written to a value before its own renewal read after it.
  bool checkBegun(Operation *op, const Access &access, const Entry *entry) {
    const Handle &handle = model.handles[access.handle];
    bool hasBegun = entry ? entry->begun : handle.kind == HandleKind::Merged;
    if (model.hasRenewals && !hasBegun &&
        llvm::any_of(handle.slots, [&](unsigned slot) {
          return model.handles[slot].renewable;
        })) {
      reporter.notBegun(op, access.handle);
      return false;
    }
    // What a callee does first with memory that it reads and writes is not
    // known.
    if (!entry || !access.reads ||
        (access.writes && !isa<linalg::LinalgOp>(op)))
      return true;
    auto lost = llvm::find_if(entry->emptied, [](const Emptying &emptying) {
      return emptying.wasWritten && !emptying.isWritten;
    });
    if (lost == entry->emptied.end())
      return true;
    reporter.readBeforeWritten(op, access.handle, renewals[lost->number]);
    // One report for what was read so.
    state.edit(access.handle).emptied.clear();
    return true;
  }

  const Model &model;
  CallSummaries &calls;
  Bytes bytes;
  Reporter &reporter;
  WorkingState state;
  ArenaLives arenas;
  SlotIdentity slots;
  Sharing sharing;
  Loops loops;
  Arrivals arrivals;
  std::vector<unsigned> componentOf;
  Rewrites rewrites;
  std::set<unsigned> dirty;
  /// In the order in which they were come to first.
  std::vector<Operation *> renewals;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  /// By component.
  std::vector<bool> isLoop;
  /// Only where control may get to every node.
  std::optional<Turns> turns;
  /// Some entry may have clobbers.
  bool mayHaveLost = false;
  bool report = false;
};

} // namespace

void runDataflow(const Model &model, const Aliases &aliases,
                 CallSummaries &calls, Reporter &reporter,
                 const Entries &entry) {
  if (!model.nodes.empty())
    Dataflow(model, aliases, calls, reporter).run(entry);
}

} // namespace memplan::planverifier
