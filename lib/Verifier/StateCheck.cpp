//===- StateCheck.cpp - No read sees lost bytes ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Globals.h"
#include "InPlace.h"
#include "Offsets.h"
#include "State.h"

#include "memplan/IR/MemorySpace.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <set>

using namespace mlir;

namespace memplan::verifier {
namespace {

class StateCheck : Reporter {
public:
  explicit StateCheck(const NameModel &model)
      : model(model), order(model.slots), losses(model.names.size()) {}

  LogicalResult run();

private:
  using Kind = Event::Kind;

  //===--------------------------------------------------------------------===//
  // The state at an op
  //===--------------------------------------------------------------------===//

  bool inSeveralSlots(unsigned name) const {
    return model.names[name].inSeveralSlots;
  }
  int slotOf(unsigned name) const { return model.names[name].slots.front(); }
  bool overlap(int a, int b) const {
    return a != kForeign && b != kForeign && model.slots.overlap(a, b);
  }
  bool mayOverlap(unsigned a, unsigned b) const {
    return llvm::any_of(model.names[a].slots, [&](int x) {
      return llvm::any_of(model.names[b].slots,
                          [&](int y) { return overlap(x, y); });
    });
  }

  /// The state of the name's web. The name must be `inSeveralSlots`.
  WebState &webOf(unsigned name) { return state.webs[model.names[name].web]; }

  /// The relation of two names of a web. If one of them is not tracked any
  /// more, they may have any relation that their slots allow.
  Relation getRelation(WebState &web, unsigned a, unsigned b) const {
    if (a == b)
      return {/*same=*/true, /*clash=*/false};
    int first = web.find(a), second = web.find(b);
    if (first >= 0 && second >= 0)
      return web.getRelation(first, second);
    bool mayShare = mayOverlap(a, b);
    return {mayShare, mayShare};
  }

  /// The first name of the instance in the base that the name belongs to; -1 if
  /// there is none.
  int getInstance(int name) const {
    const Instance *instance = name < 0 ? nullptr : state.base.find(name);
    return instance ? static_cast<int>(instance->names.front()) : -1;
  }

  /// Begins an instance with this name only.
  void addInstance(unsigned name, Content content) {
    detach(name);
    state.base.put({slotOf(name), content, {name}});
  }

  /// Removes the name from its instance, if it has one.
  void detach(unsigned name) {
    if (!state.base.find(name))
      return;
    Instance old = state.base.take(name);
    llvm::erase(old.names, name);
    state.base.put(std::move(old));
  }

  void makeIntact(unsigned name) {
    if (state.base.find(name)->content != Content::Fresh)
      return;
    Instance instance = state.base.take(name);
    instance.content = Content::Intact;
    state.base.put(std::move(instance));
  }

  /// All bytes of the slot, as offsets from its start.
  ByteRange all(int slot) const {
    return {0, model.slots.slots[slot].own().size()};
  }
  /// The same for the largest slot that the name may be in.
  ByteRange allOf(unsigned name) const {
    ByteRange bytes{0, 0};
    for (int slot : model.names[name].slots)
      if (slot != kForeign)
        bytes.end = std::max(bytes.end, all(slot).end);
    return bytes;
  }

  /// The instance in the base that the name belongs to loses the bytes.
  void lose(unsigned name, ByteRange bytes, Loss loss) {
    Instance instance = state.base.take(name);
    addBytes(instance.lost, bytes);
    instance.loss = loss;
    if (instance.lost.front() == all(instance.slot))
      leave(instance, loss);
    else
      state.base.put(std::move(instance));
  }

  void lose(WebState::Entry &entry, ByteRange bytes, Loss loss) const {
    addBytes(entry.lost, bytes);
    entry.loss = loss;
    if (entry.lost.front() == allOf(entry.name))
      loseAll(entry, loss);
  }

  static void loseAll(WebState::Entry &entry, Loss loss) {
    entry.content = Content::Lost;
    entry.loss = loss;
    entry.lost.clear();
  }

  /// The instance in the base that the name belongs to loses all of its bytes.
  void lose(unsigned name, Loss loss) { leave(state.base.take(name), loss); }

  void leave(const Instance &instance, Loss loss) {
    for (unsigned name : instance.names)
      losses[name] = loss;
  }

  //===--------------------------------------------------------------------===//
  // Effects
  //===--------------------------------------------------------------------===//

  /// An op has written these bytes of the slot. All intact instances that share
  /// them lose them, except for the instance of the name `except` in the base
  /// and for all names of the web `ownWeb` (-1 for none). If the op is a store
  /// in a proven nest of loops, the buffer that the nest reads keeps its bytes
  /// until the Replace event behind the nest.
  void takeBytes(int slot, ByteRange bytes, int except, int ownWeb,
                 Operation *op) {
    if (slot == kForeign)
      return;
    int own = getInstance(except);
    for (unsigned other : state.base.findIntact(slot)) {
      ByteRange common = model.slots.findCommon(slot, bytes, slotOf(other));
      if (common.begin != common.end && static_cast<int>(other) != own &&
          !isKept(state.base.find(other)->names, op))
        lose(other, common, {op, slot});
    }
    for (auto &[number, web] : state.webs)
      if (static_cast<int>(number) != ownWeb)
        for (WebState::Entry &entry : web.getEntries())
          takeBytes(entry, slot, bytes, op);
  }

  /// If the entry is intact, it loses those of the written bytes that it may
  /// have.
  void takeBytes(WebState::Entry &entry, int slot, ByteRange bytes,
                 Operation *op) const {
    for (int held : model.names[entry.name].slots) {
      if (entry.content != Content::Intact || !overlap(slot, held) ||
          isKept(entry.name, op))
        continue;
      ByteRange common = model.slots.findCommon(slot, bytes, held);
      if (common.begin != common.end)
        lose(entry, common, {op, slot});
    }
  }

  /// True if the op is a store in a proven nest of loops that takes no bytes
  /// from the instance with these names (NameModel::overwrittenBy).
  bool isKept(ArrayRef<unsigned> names, Operation *op) const {
    auto it = model.overwrittenBy.find(op);
    return it != model.overwrittenBy.end() &&
           llvm::any_of(it->second, [&](unsigned name) {
             return llvm::is_contained(names, name);
           });
  }

  /// An op is about to overwrite these bytes of the name, which are therefore
  /// not lost any more. If the whole instance was lost, its other names stay
  /// lost; in a web, all other names do.
  void restore(unsigned name, ByteRange bytes) {
    if (!inSeveralSlots(name)) {
      Instance own = state.base.find(name) ? state.base.take(name)
                                           : Instance{slotOf(name),
                                                      Content::Fresh,
                                                      {name},
                                                      losses[name],
                                                      {all(slotOf(name))}};
      removeBytes(own.lost, bytes);
      own.content = Content::Intact;
      state.base.put(std::move(own));
      return;
    }
    WebState::Entry *own = webOf(name).lookup(name);
    if (!own)
      return;
    if (own->content == Content::Lost)
      addBytes(own->lost, allOf(name));
    removeBytes(own->lost, bytes);
    own->content = Content::Intact;
  }

  void write(const Access &access) {
    unsigned name = access.name;
    Operation *op = access.member;
    if (access.overwrites && !access.reads)
      restore(name, access.bytes);
    const Name &info = model.names[name];
    if (!info.inSeveralSlots) {
      if (!state.base.find(name) ||
          overlaps(state.base.find(name)->lost, access.bytes))
        return;
      makeIntact(name);
      takeBytes(slotOf(name), access.bytes, static_cast<int>(name), -1, op);
      return;
    }
    WebState::Entry *own = webOf(name).lookup(name);
    if (!own || own->content == Content::Lost ||
        overlaps(own->lost, access.bytes))
      return;
    own->content = Content::Intact;
    writeInWeb(name, access.bytes, op);
    for (int slot : info.slots)
      takeBytes(slot, access.bytes, -1, static_cast<int>(info.web), op);
  }

  /// The name was written. Other names of the web that may be the same instance
  /// become intact, and those that may be another instance at the same bytes
  /// lose them.
  void writeInWeb(unsigned name, ByteRange bytes, Operation *op) {
    WebState &web = webOf(name);
    int own = web.find(name);
    for (auto [i, entry] : llvm::enumerate(web.getEntries())) {
      Relation relation = web.getRelation(own, i);
      if (static_cast<int>(i) == own)
        continue;
      if (relation.clash)
        for (int slot : model.names[name].slots)
          takeBytes(entry, slot, bytes, op);
      if (relation.same && entry.content == Content::Fresh)
        entry.content = Content::Intact;
    }
  }

  /// Control has left a proven nest of loops that wrote `name` over `over`,
  /// which now loses the bytes that both have. Each of them has one slot.
  void replace(unsigned name, unsigned over, Operation *op) {
    ByteRange bytes =
        model.slots.findCommon(slotOf(over), kAllBytes, slotOf(name));
    if (!inSeveralSlots(name)) {
      takeBytes(slotOf(name), bytes, static_cast<int>(name), -1, op);
      return;
    }
    if (webOf(name).find(name) >= 0)
      writeInWeb(name, bytes, op);
    takeBytes(slotOf(name), bytes, -1, static_cast<int>(model.names[name].web),
              op);
  }

  /// A callee has used the memory as its arena: all instances lose their bytes
  /// in it.
  void handOver(unsigned name, Operation *op) {
    for (int slot : model.names[name].slots)
      takeBytes(slot, kAllBytes, -1, -1, op);
  }

  void access(const Event &event) {
    checkOneOp(event);
    for (const Access &access : event.accesses)
      compareWithTasks(access);
    for (const Access &access : event.accesses)
      if (!access.isHanded && (access.reads || access.writes))
        checkHolds(access);
    for (const Access &access : event.accesses)
      if (access.isHanded)
        handOver(access.name, event.op);
      else if (access.writes)
        write(access);
  }

  /// The name of the event becomes one of its sources.
  void derive(const Event &event) {
    unsigned name = event.index;
    if (inSeveralSlots(name)) {
      deriveInWeb(event);
      return;
    }
    std::set<int> from;
    for (int source : event.sources)
      from.insert(getInstance(source));
    if (from.size() == 1 && *from.begin() >= 0) {
      detach(name);
      Instance instance = state.base.take(event.sources.front());
      instance.names.push_back(name);
      state.base.put(std::move(instance));
      return;
    }
    // It may be any of them, so a write to one of them may be a write to it.
    Instance instance{slotOf(name), Content::Intact, {name}};
    for (int source : event.sources) {
      if (getInstance(source) < 0) {
        instance.content = Content::Lost;
        losses[name] = source < 0 ? Loss() : losses[source];
        continue;
      }
      makeIntact(source);
      const Instance &other = *state.base.find(source);
      for (ByteRange bytes : other.lost)
        addBytes(instance.lost, bytes), instance.loss = other.loss;
    }
    detach(name);
    if (instance.content != Content::Lost)
      state.base.put(std::move(instance));
  }

  /// Conditions of selects, each with the number of the source that it is
  /// assumed to choose.
  using Assumptions = SmallVector<std::pair<Value, size_t>, 4>;

  /// A select in this node. `sources` are the names that its sources stand for
  /// under the choice, so that a chain of selects with one condition is one
  /// step.
  struct Select {
    Value condition;
    std::array<int, 2> sources;
  };

  /// The select that defines the name; null if there is none.
  const Select *getSelect(int name) const {
    auto it = selects.find(name);
    return it == selects.end() ? nullptr : &it->second;
  }

  /// The name that this name stands for under the assumptions; kForeign for
  /// memory outside of the arenas.
  int resolve(int name, const Assumptions &assumed) const {
    while (const Select *select = getSelect(name)) {
      auto it = llvm::find_if(assumed, [&](const auto &assumption) {
        return assumption.first == select->condition;
      });
      if (it == assumed.end())
        break;
      name = select->sources[it->second];
    }
    return name;
  }

  /// The relation of two names under the assumptions. Memory outside of the
  /// arenas (kForeign) is related to no name. Selects with the same condition
  /// choose alike. So the relation is joined over both values of each condition
  /// on which the names depend, for up to kMaxConditions of them.
  Relation relate(WebState &web, int a, int b, Assumptions &assumed) const {
    constexpr size_t kMaxConditions = 4;
    // A name may be known better than the name that it stands for, or less.
    Relation known{/*same=*/true, /*clash=*/true};
    int one = resolve(a, assumed), other = resolve(b, assumed);
    if (one < 0 || other < 0)
      return {};
    for (int x : {a, one})
      for (int y : {b, other})
        known = known & getRelation(web, x, y);
    const Select *select = getSelect(one) ? getSelect(one) : getSelect(other);
    if (!select || !(known.same || known.clash) ||
        assumed.size() == kMaxConditions)
      return known;
    Relation relation;
    for (size_t choice : {0, 1}) {
      assumed.push_back({select->condition, choice});
      relation = relation | relate(web, one, other, assumed);
      assumed.pop_back();
    }
    return relation & known;
  }

  /// The same as `derive` for a name that is `inSeveralSlots`.
  void deriveInWeb(const Event &event) {
    WebState &web = webOf(event.index);
    WebState::Entry entry{event.index, Content::Fresh};
    std::vector<Assumptions> ways(event.sources.size());
    Select select{event.condition, {}};
    for (auto [i, source] : llvm::enumerate(event.sources)) {
      if (event.condition)
        ways[i].push_back({event.condition, i});
      int origin = resolve(source, ways[i]);
      if (event.condition)
        select.sources[i] = origin;
      if (origin < 0) {
        entry.content = std::max(entry.content, Content::Intact);
        continue;
      }
      // Under the assumptions, the source and the origin are one instance. One
      // of them may be known to be whole where the other is not.
      WebState::Entry *other = web.lookup(source);
      if (!other || other->content == Content::Lost)
        other = web.lookup(origin);
      if (!other || other->content == Content::Lost)
        loseAll(entry, other ? other->loss : Loss());
      if (entry.content == Content::Lost)
        continue;
      entry.content = std::max(entry.content, other->content);
      for (ByteRange bytes : other->lost)
        addBytes(entry.lost, bytes), entry.loss = other->loss;
    }
    web.set(entry, [&](unsigned index) {
      int other = static_cast<int>(web.getEntries()[index].name);
      Relation relation;
      for (auto [source, assumed] : llvm::zip_equal(event.sources, ways))
        relation = relation | relate(web, source, other, assumed);
      return relation;
    });
    if (event.condition)
      selects[static_cast<int>(event.index)] = select;
  }

  /// Begins an instance in the slot of the event's source or, without a source,
  /// in the slot of the placement.
  void begin(const Event &event) {
    unsigned name = event.index;
    if (!inSeveralSlots(name)) {
      addInstance(name, Content::Fresh);
      return;
    }
    WebState &web = webOf(name);
    WebState::Entry entry{name, Content::Fresh};
    // A source in another web has one slot, which is then the only slot of this
    // name.
    bool isInWeb =
        !event.sources.empty() &&
        model.names[event.sources.front()].web == model.names[name].web;
    int from = isInWeb ? web.find(event.sources.front()) : -1;
    // The source is not tracked: the check refuses all uses of the new name.
    if (isInWeb && from < 0)
      entry.content = Content::Lost;
    web.set(entry, [&](unsigned index) {
      Relation relation;
      if (from >= 0) {
        Relation last = web.getRelation(from, index);
        relation.clash = last.same || last.clash;
      } else if (!isInWeb) {
        relation.clash = mayOverlap(name, web.getEntries()[index].name);
      }
      return relation;
    });
  }

  void apply(const Event &event);
  State transfer(const Edge &edge);

  //===--------------------------------------------------------------------===//
  // Checks
  //===--------------------------------------------------------------------===//

  int anySlot(unsigned name) const { return model.names[name].slots.back(); }
  std::string bytesOf(int slot) const {
    return slot == kForeign ? "outside" : model.slots.str(slot);
  }
  void notePlace(InFlightDiagnostic &diag, unsigned name, int slot) const {
    const Name &info = model.names[name];
    bool isOfSlot = !model.isPlacement(info) && slot != kForeign;
    diag.attachNote(isOfSlot ? model.slots.slots[slot].placement->getLoc()
                             : info.value.getLoc())
        << "the buffer at " << bytesOf(slot) << " is placed here";
  }

  void checkHolds(const Access &access);
  void checkOneOp(const Event &event);
  bool areSameBytes(const Access &a, const Access &b,
                    std::pair<int, int> at) const;
  bool mayClash(const Access &one, const Access &other,
                std::pair<int, int> &at);
  bool isInPlace(const Access &a, const Access &b, std::pair<int, int> at);
  void reportClash(const Event &event, const Access &a, const Access &b,
                   std::pair<int, int> at);
  void checkReleased(const Event &event, unsigned arena);
  void checkExit(const Event &event, unsigned arena);
  void compareWithTasks(const Access &access);
  void checkTasks();
  void checkTask(const Event &task,
                 const DenseMap<Operation *, SmallVector<const Event *, 1>> &);

  const NameModel &model;
  SlotOrder order;

  /// The state at the current event.
  State state;
  /// By name, the select in this node that defines the name.
  llvm::DenseMap<int, Select> selects;

  /// By name without an instance in the base, how the instance was lost.
  std::vector<Loss> losses;
  /// By web, the names that tasks use.
  std::map<unsigned, std::set<unsigned>> taskNames;
  /// An op, a name that it accesses, and a name of the same web that a task
  /// uses, if the two may be different buffers at the same bytes.
  std::set<std::tuple<Operation *, unsigned, unsigned>> clashes;
  /// The webs for which an error was emitted.
  std::set<unsigned> reported;
  /// The ops for which another error was emitted.
  std::set<Operation *> reportedOps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Refuses an access to lost bytes, unless it overwrites all of them.
void StateCheck::checkHolds(const Access &access) {
  unsigned name = access.name;
  int slot = anySlot(name);
  bool isLost = false;
  Loss loss = losses[name];
  bool needs =
      access.reads || !access.overwrites ||
      llvm::any_of(model.names[name].slots, [&](int held) {
        return held != kForeign &&
               (state.arenas[model.slots.slots[held].arena] & ArenaReleased);
      });
  if (!inSeveralSlots(name)) {
    const Instance *instance = state.base.find(name);
    isLost = needs && (!instance || overlaps(instance->lost, access.bytes));
    if (isLost && instance)
      loss = instance->loss;
  } else {
    WebState::Entry *own = webOf(name).lookup(name);
    isLost = !own || (needs && (own->content == Content::Lost ||
                                overlaps(own->lost, access.bytes)));
    loss = own ? own->loss : Loss();
    for (int held : llvm::reverse(model.names[name].slots))
      if (overlap(held, loss.slot))
        slot = held;
  }
  // Later errors about the same buffer follow from the first one.
  if (!isLost || !reported.insert(model.names[name].web).second)
    return;
  InFlightDiagnostic diag = error(access.member);
  if (loss.op && isa<ReleaseOp, memref::DeallocOp>(loss.op)) {
    diag << "uses buffer at bytes " << bytesOf(slot)
         << " of the arena after the arena's release";
    diag.attachNote(loss.op->getLoc()) << "released here";
    return;
  }
  diag << (access.reads ? "reads" : "writes") << " buffer at bytes "
       << bytesOf(slot) << " of the arena, which ";
  if (loss.op) {
    diag << "'" << loss.op->getName() << "' through the buffer at "
         << bytesOf(loss.slot) << " has overwritten";
    diag.attachNote(loss.op->getLoc())
        << "bytes " << bytesOf(loss.slot) << " are written here";
  } else {
    diag << "on some path is not there";
  }
  notePlace(diag, name, slot);
}

/// True if one op must not make these two accesses: they may be to different
/// instances that share bytes, and are not known to be in place. `at` is set to
/// the two slots.
bool StateCheck::mayClash(const Access &one, const Access &other,
                          std::pair<int, int> &at) {
  unsigned a = one.name, b = other.name;
  auto clash = [&](int x, int y) {
    at = {x, y};
    if (!overlap(x, y))
      return false;
    ByteRange common = model.slots.findCommon(x, one.bytes, y);
    return common.overlaps(other.bytes) && !isInPlace(one, other, at);
  };
  const Name &first = model.names[a], &second = model.names[b];
  bool areRelated = first.web == second.web;
  if (areRelated && !first.inSeveralSlots && getInstance(a) == getInstance(b))
    return false;
  if (areRelated && first.inSeveralSlots && !getRelation(webOf(a), a, b).clash)
    return false;
  return llvm::any_of(first.slots, [&](int x) {
    return llvm::any_of(second.slots, [&](int y) { return clash(x, y); });
  });
}

void StateCheck::reportClash(const Event &event, const Access &a,
                             const Access &b, std::pair<int, int> at) {
  if (!reportedOps.insert(event.op).second)
    return;
  reported.insert({model.names[a.name].web, model.names[b.name].web});
  if (a.isHanded || b.isHanded) {
    error(event.op) << "hands the callee memory for its arena, and also as "
                       "another argument";
    return;
  }
  if (a.member == b.member) {
    InFlightDiagnostic diag = error(a.member);
    bool isFirst = a.writes;
    diag << "writes buffer at bytes " << bytesOf(isFirst ? at.first : at.second)
         << " of the arena and uses the buffer at "
         << bytesOf(isFirst ? at.second : at.first)
         << ", which shares bytes with it";
    notePlace(diag, isFirst ? a.name : b.name, isFirst ? at.first : at.second);
    notePlace(diag, isFirst ? b.name : a.name, isFirst ? at.second : at.first);
    return;
  }
  bool inOrder = a.member->isBeforeInBlock(b.member);
  const Access &first = inOrder ? a : b, &second = inOrder ? b : a;
  InFlightDiagnostic diag = error(second.member);
  diag << (second.writes ? "writes" : "reads") << " the buffer at bytes "
       << bytesOf(inOrder ? at.second : at.first)
       << " of the arena, but another op of the step"
       << (first.writes ? " writes" : " reads") << " the buffer at "
       << bytesOf(inOrder ? at.first : at.second) << " at the same time";
  diag.attachNote(first.member->getLoc()) << "this op of the same step";
}

/// True if both accesses have the same bytes of the arena, without gaps.
bool StateCheck::areSameBytes(const Access &a, const Access &b,
                              std::pair<int, int> at) const {
  std::optional<int64_t> distance =
      model.slots.getDistance(at.first, at.second);
  return a.isDense && b.isDense && distance &&
         *distance + a.bytes.begin == b.bytes.begin &&
         a.bytes.size() == b.bytes.size();
}

/// True if one op makes both accesses, reads one buffer and writes the other at
/// the same bytes, and reads each element before it writes it.
bool StateCheck::isInPlace(const Access &a, const Access &b,
                           std::pair<int, int> at) {
  if (a.writes == b.writes || a.isHanded || b.isHanded || a.member != b.member)
    return false;
  if (isCopy(a.member) && areSameBytes(a, b, at))
    return true;
  return at.first == at.second &&
         overwritesWhatItRead(model, a.member, (a.writes ? b : a).name,
                              (a.writes ? a : b).name, at.first);
}

/// Refuses an op that writes one instance and uses another one at the same
/// bytes, unless it does so in place.
void StateCheck::checkOneOp(const Event &event) {
  std::vector<const Access *> sorted, several;
  for (const Access &access : event.accesses)
    (inSeveralSlots(access.name) ? several : sorted).push_back(&access);
  auto begin = [&](const Access *access) {
    return order.bytes[slotOf(access->name)].begin;
  };
  auto compare = [&](const Access *a, const Access *b) {
    std::pair<int, int> at;
    if ((a->writes || b->writes) && a->name != b->name && mayClash(*a, *b, at))
      reportClash(event, *a, *b, at);
  };
  if (sorted.size() > 8)
    llvm::stable_sort(sorted, [&](const Access *a, const Access *b) {
      return begin(a) < begin(b);
    });
  std::vector<const Access *> open;
  for (const Access *access : sorted) {
    if (sorted.size() > 8)
      llvm::erase_if(open, [&](const Access *other) {
        return order.bytes[slotOf(other->name)].end <= begin(access);
      });
    for (const Access *other : open)
      compare(other, access);
    open.push_back(access);
  }
  for (auto [i, access] : llvm::enumerate(several)) {
    for (const Access *other : sorted)
      compare(other, access);
    for (const Access *other : ArrayRef(several).take_front(i))
      compare(other, access);
  }
}

/// Refuses a use of an arena that may have been released.
void StateCheck::checkReleased(const Event &event, unsigned arena) {
  if (!(state.arenas[arena] & ArenaReleased) ||
      !reportedOps.insert(event.op).second)
    return;
  InFlightDiagnostic diag = error(event.op);
  if (event.kind == Kind::Release)
    diag << "releases the arena, which has been released already"
         << (state.arenas[arena] & ArenaAllocated ? " on some path" : "");
  else
    diag << (event.kind == Kind::Access ? "hands a callee memory of"
                                        : "places a buffer in")
         << " the arena after the arena's release";
  diag.attachNote(model.slots.arenas[arena].value.getLoc()) << "the arena";
}

/// Refuses an exit of the function, or another allocation of the arena, while
/// the arena may not have been released.
void StateCheck::checkExit(const Event &event, unsigned arena) {
  const Arena &left = model.slots.arenas[arena];
  // Other memory spaces may have no deallocation.
  if (!left.isOnHeap || !(state.arenas[arena] & ArenaAllocated) ||
      cast<MemRefType>(left.value.getType()).getMemorySpace() ||
      !reportedOps.insert(event.op).second)
    return;
  InFlightDiagnostic diag = error(event.op);
  diag << "leaves the arena without a release";
  diag.attachNote(left.value.getLoc()) << "the arena is allocated here";
}

/// Finds the clashes of an access with names that tasks use.
void StateCheck::compareWithTasks(const Access &access) {
  auto it = taskNames.find(model.names[access.name].web);
  if (it == taskNames.end())
    return;
  int own = getInstance(access.name);
  for (unsigned used : it->second)
    if (inSeveralSlots(access.name)
            ? getRelation(webOf(access.name), access.name, used).clash
            : own < 0 || own != getInstance(used))
      clashes.insert({access.member, access.name, used});
}

/// Refuses another op that uses bytes of a task while the task may run, unless
/// both only read them.
void StateCheck::checkTask(
    const Event &task,
    const DenseMap<Operation *, SmallVector<const Event *, 1>> &eventsOf) {
  // Values that are redefined while the task may run. They do not name the
  // buffers of the task any more.
  DenseSet<Value> rebound;
  walkTask(
      *model.graph, task.op,
      [&](Operation *op) {
        rebound.insert(op->result_begin(), op->result_end());
      },
      [&](const Edge &edge) {
        for (auto [target, source] : edge.forwarded)
          rebound.insert(target);
      });
  auto isKnown = [&](unsigned used, unsigned other) {
    const Name &x = model.names[used], &y = model.names[other];
    return x.web == y.web && !rebound.contains(x.value);
  };
  auto isApart = [&](unsigned used, const Access &access) {
    if (!mayOverlap(used, access.name))
      return false;
    return !isKnown(used, access.name) ||
           (access.name != used &&
            clashes.count({access.member, access.name, used}));
  };
  bool isReported = false;
  auto report = [&](Operation *op, StringRef what, unsigned name) {
    // Later errors follow from the first one.
    if (std::exchange(isReported, true))
      return;
    InFlightDiagnostic diag = error(op);
    diag << what << " while '" << task.op->getName()
         << "', which has not been awaited, may use the buffer at bytes "
         << bytesOf(anySlot(name)) << " of the arena";
    diag.attachNote(task.op->getLoc()) << "started here";
  };
  walkTask(*model.graph, task.op, [&](Operation *op) {
    auto it = eventsOf.find(op);
    if (it == eventsOf.end())
      return;
    for (const Event *event : it->second)
      for (const Access &used : task.accesses) {
        int slot = anySlot(used.name);
        if (event->kind == Kind::Release &&
            model.slots.slots[slot].arena == event->index)
          report(op, "releases the arena", used.name);
        if ((event->kind == Kind::Place || event->kind == Kind::Renew) &&
            model.names[event->index].web == model.names[used.name].web &&
            !(inSeveralSlots(used.name) && isKnown(used.name, event->index)) &&
            mayOverlap(event->index, used.name))
          report(op, "places a buffer anew", used.name);
        for (const Access &access : event->accesses)
          if ((access.writes || used.writes) && isApart(used.name, access))
            report(access.member,
                   access.writes ? "writes a buffer that shares bytes"
                                 : "reads a buffer that shares bytes",
                   used.name);
      }
  });
}

void StateCheck::checkTasks() {
  DenseMap<Operation *, SmallVector<const Event *, 1>> eventsOf;
  SmallVector<const Event *> tasks;
  for (const std::vector<Event> &list : model.events)
    for (const Event &event : list) {
      if (event.kind == Kind::Access && startsTask(event.op))
        tasks.push_back(&event);
      SetVector<Operation *> ops;
      ops.insert(event.op);
      for (const Access &access : event.accesses)
        ops.insert(access.member);
      for (Operation *op : ops)
        eventsOf[op].push_back(&event);
    }
  for (const Event *task : tasks)
    checkTask(*task, eventsOf);
}

//===----------------------------------------------------------------------===//
// The dataflow
//===----------------------------------------------------------------------===//

void StateCheck::apply(const Event &event) {
  switch (event.kind) {
  case Kind::Allocate:
    checkExit(event, event.index);
    state.arenas[event.index] = ArenaAllocated;
    break;
  case Kind::Release: {
    checkReleased(event, event.index);
    state.arenas[event.index] = ArenaReleased;
    for (unsigned name : state.base.findInArena(event.index))
      lose(name, {event.op, kForeign});
    auto isIn = [&](int slot) {
      return slot != kForeign && model.slots.slots[slot].arena == event.index;
    };
    for (auto &[number, web] : state.webs)
      for (WebState::Entry &entry : web.getEntries())
        if (llvm::any_of(model.names[entry.name].slots, isIn))
          loseAll(entry, {event.op, kForeign});
    break;
  }
  case Kind::Place:
    checkReleased(event, model.slots.slots[slotOf(event.index)].arena);
    begin(event);
    break;
  case Kind::Renew:
    for (int slot : model.names[event.index].slots)
      checkReleased(event, model.slots.slots[slot].arena);
    begin(event);
    break;
  case Kind::Access:
    for (const Access &access : event.accesses)
      for (int slot : model.names[access.name].slots)
        if (access.isHanded && slot != kForeign)
          checkReleased(event, model.slots.slots[slot].arena);
    access(event);
    break;
  case Kind::Derive:
    derive(event);
    break;
  case Kind::Replace:
    replace(event.index, event.sources.front(), event.op);
    break;
  case Kind::Restore:
    if (!(state.arenas[model.slots.slots[slotOf(event.index)].arena] &
          ArenaReleased))
      restore(event.index, event.bytes);
    break;
  case Kind::Exit:
    for (unsigned arena = 0; arena != state.arenas.size(); ++arena)
      checkExit(event, arena);
    break;
  }
}

/// The state at the entry of the edge's target.
State StateCheck::transfer(const Edge &edge) {
  DenseMap<Value, Value> from;
  for (auto [target, source] : edge.forwarded)
    from.insert({target, source});
  State after{state.base, {}, state.arenas};
  std::vector<std::pair<unsigned, int>> renamed;
  for (unsigned name : model.entering[edge.target]) {
    auto it = from.find(model.names[name].value);
    int source = it == from.end() ? -1 : model.getName(it->second);
    if (source >= 0 && !state.base.find(source))
      losses[name] = losses[source];
    renamed.push_back({name, source});
  }
  after.base.rename(renamed, edge.target);
  // By web, each live name with the name that becomes it on this edge.
  constexpr int kUndefined = -2;
  std::map<unsigned, SmallVector<std::pair<unsigned, int>>> several;
  for (unsigned name : model.liveIn[edge.target]) {
    const Name &info = model.names[name];
    int source = static_cast<int>(name);
    if (auto it = from.find(info.value); it != from.end())
      source = model.getName(it->second);
    else if (info.entersNode && info.node == edge.target)
      source = kUndefined;
    several[info.web].push_back({name, source});
  }
  for (auto &[number, pairs] : several) {
    const WebState &last = state.webs[number];
    SmallVector<int> origins;
    std::vector<WebState::Entry> entries;
    entries.reserve(pairs.size());
    for (auto [name, source] : pairs) {
      int origin = source < 0 ? -1 : last.find(source);
      origins.push_back(origin);
      // No op on this path can use a name that is not defined on it.
      WebState::Entry &entry = entries.emplace_back(
          origin < 0
              ? WebState::Entry{name, source == kForeign ? Content::Intact
                                                         : Content::Lost}
              : last.getEntries()[origin]);
      entry.name = name;
    }
    after.webs.emplace(number, WebState(std::move(entries), last, origins));
  }
  return after;
}

LogicalResult StateCheck::run() {
  const std::vector<Node> &nodes = model.graph->nodes;
  const std::vector<unsigned> &byRank = model.graph->order;
  const std::vector<unsigned> &rank = model.graph->rank;
  std::vector<std::optional<State>> entering(nodes.size());
  State start{Base(model, order), {}, {}};
  start.arenas.resize(model.slots.arenas.size(), 0);
  for (auto [i, arena] : llvm::enumerate(model.slots.arenas))
    if (arena.isArgument)
      start.arenas[i] = ArenaAllocated;
  entering[0] = std::move(start);
  for (const std::vector<Event> &list : model.events)
    for (const Event &event : list)
      for (const Access &access : event.accesses)
        if (startsTask(event.op))
          taskNames[model.names[access.name].web].insert(access.name);
  // The ranks of the nodes whose entry has changed. They are visited forwards
  // and backwards in turn, so that one sweep follows any chain of back edges.
  // A node that control reaches once waits until all before it are done.
  std::set<unsigned> dirty{0};
  unsigned last = 0;
  bool isForward = true;
  auto findNext = [&] {
    auto next = dirty.lower_bound(last);
    bool waits =
        next == dirty.end() ||
        (next != dirty.begin() && !model.graph->mayRepeat(byRank[*next]));
    auto behind = dirty.upper_bound(last);
    if (waits || (!isForward && behind != dirty.begin())) {
      isForward = false;
      return std::prev(behind);
    }
    isForward = true;
    return next;
  };
  while (!dirty.empty()) {
    auto next = findNext();
    last = *next;
    unsigned number = byRank[last];
    bool isLast = !model.graph->mayRepeat(number);
    dirty.erase(next);
    if (isLast) {
      state = std::move(*entering[number]);
      entering[number].reset();
    } else {
      state = *entering[number];
    }
    selects.clear();
    for (const Event &event : model.events[number])
      apply(event);
    for (const Edge &edge : nodes[number].edges) {
      if (!edge.isTaken)
        continue;
      State next = transfer(edge);
      std::optional<State> &known = entering[edge.target];
      if (!known)
        known = std::move(next);
      else if (!join(*known, next, edge.target))
        continue;
      dirty.insert(rank[edge.target]);
    }
  }
  checkTasks();
  return success(isSound);
}

} // namespace memplan::verifier

using namespace memplan::verifier;

/// True if control may return to the node. A buffer that is placed there then
/// shares its bytes with the next one.
static bool isRepeated(const FlowGraph &graph, unsigned node) {
  llvm::SmallSetVector<unsigned, 8> reached;
  auto follow = [&](unsigned from) {
    for (const Edge &edge : graph.nodes[from].edges)
      reached.insert(edge.target);
  };
  follow(node);
  for (size_t i = 0; i != reached.size(); ++i)
    follow(reached[i]);
  return reached.contains(node);
}

/// Refuses buffers that share bytes in memory that many threads use: the order
/// of the ops does not tell when all threads have finished with a buffer.
static LogicalResult checkThreads(FunctionOpInterface function,
                                  const NameModel &model) {
  bool isDevice = isa<gpu::GPUFuncOp>(function) ||
                  function->getParentOfType<gpu::GPUModuleOp>();
  SlotOrder order(model.slots);
  struct Placed {
    ByteRange bytes;
    const Name *name;
  };
  std::vector<Placed> placed;
  for (const Name &name : model.names) {
    if (!model.isPlacement(name))
      continue;
    for (int index : name.slots) {
      const Slot &slot = model.slots.slots[index];
      Value arena = model.slots.arenas[slot.arena].value;
      auto type = cast<MemRefType>(arena.getType());
      if ((isDevice || memplan::isWorkgroupSpace(type.getMemorySpace())) &&
          slot.own().size() != 0)
        placed.push_back({order.bytes[index], &name});
    }
  }
  llvm::stable_sort(placed, [&](const Placed &a, const Placed &b) {
    return a.bytes.begin < b.bytes.begin;
  });
  auto report = [](const Placed &place) {
    return emitError(place.name->value.getLoc())
           << "shares bytes with another buffer in memory that many threads "
              "use; that a barrier lies between their uses cannot be verified";
  };
  for (auto [i, place] : llvm::enumerate(placed)) {
    bool isShared = i != 0 && placed[i - 1].bytes.overlaps(place.bytes);
    if (isShared || isRepeated(*model.graph, place.name->node))
      return report(place);
  }
  return success();
}

static LogicalResult verify(FunctionOpInterface function,
                            Contracts &contracts) {
  if (function.isExternal())
    return success();
  NameModel model;
  if (failed(model.build(function, contracts)))
    return failure();
  if (model.slots.arenas.empty())
    return success();
  if (failed(checkOffsets(function, model.slots,
                          [](Operation *) { return int64_t(1); })))
    return failure();
  bool isCoroutine = false;
  walkOwn(function, [&](Operation *op) {
    isCoroutine |= isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op);
  });
  if (isCoroutine)
    return function.emitError(
        "is a coroutine that has an arena, cannot be verified");
  if (failed(checkThreads(function, model)))
    return failure();
  return StateCheck(model).run();
}

/// The functions are inside `root`.
static LogicalResult verifyAll(ArrayRef<FunctionOpInterface> functions,
                               Operation *root) {
  Contracts contracts;
  LogicalResult result = checkGlobalArenas(functions, root);
  for (FunctionOpInterface function : functions)
    if (failed(verify(function, contracts)))
      result = failure();
  return result;
}

LogicalResult memplan::verifyPlans(ArrayRef<FunctionOpInterface> functions) {
  if (functions.empty())
    return success();
  Operation *root = functions.front();
  while (Operation *parent = root->getParentOp())
    root = parent;
  return verifyAll(functions, root);
}

LogicalResult memplan::verifyPlansIn(Operation *root) {
  SmallVector<FunctionOpInterface> functions;
  root->walk<WalkOrder::PreOrder>(
      [&](FunctionOpInterface function) { functions.push_back(function); });
  bool isSound = succeeded(verifyAll(functions, root));
  isSound &= succeeded(verifyWorkgroupMemory(root));
  return success(isSound);
}
