//===- StateCheck.cpp - No read sees lost bytes ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Globals.h"
#include "InPlace.h"
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

/// A planner may make more slots travel together than can be followed: n that
/// any permutation may have come over are n! assignments.
constexpr size_t kMaxVariants = 8192;
/// The names of a component with more are followed one by one next.
constexpr size_t kFewVariants = 256;

class StateCheck {
public:
  StateCheck(const Model &model, size_t maxVariants)
      : model(model), maxVariants(maxVariants), order(model.slots),
        holder(model.names.size(), -1), losses(model.names.size()) {}

  LogicalResult run();

  /// Components that have too many variants. They are not followed any further.
  std::set<unsigned> tooMany;

private:
  using Kind = Event::Kind;

  //===--------------------------------------------------------------------===//
  // The state at an op
  //===--------------------------------------------------------------------===//

  bool isMulti(unsigned name) const { return model.names[name].isMulti(); }
  int slotOf(unsigned name) const { return model.names[name].slots.front(); }
  bool overlap(int a, int b) const {
    return a != kForeign && b != kForeign && model.slots.overlap(a, b);
  }

  void load(State state) {
    base = std::move(state.base);
    components = std::move(state.components);
    arenas = std::move(state.arenas);
  }

  /// Of a name with one slot: the name that all others of its instance have in
  /// common; -1 if it is in none.
  int getInstance(int name) const {
    const Instance *instance = name < 0 ? nullptr : base.find(name);
    return instance ? static_cast<int>(instance->names.front()) : -1;
  }

  void addInstance(unsigned name, Content content) {
    detach(name);
    base.put({slotOf(name), content, {name}});
  }

  /// The name goes to another instance.
  void detach(unsigned name) {
    if (!base.find(name))
      return;
    Instance old = base.take(name);
    llvm::erase(old.names, name);
    base.put(std::move(old));
  }

  void makeIntact(unsigned name) {
    if (base.find(name)->content != Content::Fresh)
      return;
    Instance instance = base.take(name);
    instance.content = Content::Intact;
    base.put(std::move(instance));
  }

  ByteRange all(int slot) const {
    ByteRange own = model.slots.slots[slot].own();
    return {0, own.end - own.begin};
  }

  /// The bytes are given to others; true if none are left.
  bool giveAway(Instance &instance, ByteRange bytes, Loss loss) {
    addBytes(instance.lost, bytes);
    instance.loss = loss;
    return instance.lost.front() == all(instance.slot);
  }

  /// The instance of the name loses these bytes.
  void lose(unsigned name, ByteRange bytes, Loss loss) {
    Instance instance = base.take(name);
    if (giveAway(instance, bytes, loss))
      leave(instance, loss);
    else
      base.put(std::move(instance));
  }

  void lose(unsigned name, Loss loss) { leave(base.take(name), loss); }

  void leave(const Instance &instance, Loss loss) {
    for (unsigned name : instance.names)
      losses[name] = loss;
  }

  static void lose(Instance &instance, Loss loss) {
    instance.content = Content::Lost;
    instance.loss = loss;
    instance.lost.clear();
  }

  //===--------------------------------------------------------------------===//
  // Effects
  //===--------------------------------------------------------------------===//

  /// Bytes of the slot are written to by another instance than those of the
  /// component's family, and than that of the name `except` in the base; -1
  /// stands for none. What `op` is proven to write behind the last read takes
  /// nothing yet.
  void takeBytes(int slot, ByteRange bytes, int except, int component,
                 Operation *op) {
    if (slot == kForeign)
      return;
    int own = getInstance(except);
    for (unsigned other : base.findIntact(slot)) {
      ByteRange common = model.slots.findCommon(slot, bytes, slotOf(other));
      if (common.begin != common.end && static_cast<int>(other) != own &&
          !isKept(*base.find(other), op))
        lose(other, common, {op, slot});
    }
    for (auto &[number, variants] : components) {
      bool isFamily =
          component >= 0 && model.families[number] == model.families[component];
      if (static_cast<int>(number) == component ||
          (isFamily && !order.sharesBytes.test(slot)))
        continue;
      // What is in the same slot of a family is the same instance.
      for (Variant &variant : variants)
        takeBytes(variant, slot, bytes, nullptr, op,
                  isFamily ? slot : kForeign);
    }
  }

  void takeBytes(Variant &variant, int slot, ByteRange bytes,
                 const Instance *except, Operation *op, int same = kForeign) {
    for (Instance &instance : variant.instances) {
      if (&instance == except || instance.content != Content::Intact ||
          instance.slot == same || instance.slot == kForeign ||
          slot == kForeign || isKept(instance, op))
        continue;
      ByteRange common = model.slots.findCommon(slot, bytes, instance.slot);
      if (common.begin != common.end && giveAway(instance, common, {op, slot}))
        lose(instance, {op, slot});
    }
  }

  bool isKept(const Instance &instance, Operation *op) const {
    auto it = model.kept.find(op);
    return it != model.kept.end() &&
           llvm::any_of(it->second, [&](unsigned name) {
             return llvm::is_contained(instance.names, name);
           });
  }

  /// The bytes are overwritten, which makes them the buffer's own again; under
  /// this name, at least.
  void reclaim(unsigned name, ByteRange bytes) {
    if (!isMulti(name)) {
      Instance own = base.find(name) ? base.take(name)
                                     : Instance{slotOf(name),
                                                Content::Fresh,
                                                {name},
                                                losses[name],
                                                {all(slotOf(name))}};
      removeBytes(own.lost, bytes);
      own.content = Content::Intact;
      base.put(std::move(own));
      return;
    }
    for (Variant &variant : components[model.names[name].component]) {
      Instance *own = variant.find(name);
      if (!own)
        continue;
      if (own->content == Content::Lost && own->slot != kForeign)
        addBytes(own->lost, all(own->slot));
      removeBytes(own->lost, bytes);
      own->content = Content::Intact;
    }
  }

  void write(const Access &access) {
    unsigned name = access.name;
    Operation *op = access.member;
    if (access.overwrites && !access.reads)
      reclaim(name, access.bytes);
    const Name &info = model.names[name];
    if (!info.isMulti()) {
      if (!base.find(name) || overlaps(base.find(name)->lost, access.bytes))
        return;
      makeIntact(name);
      takeBytes(slotOf(name), access.bytes, static_cast<int>(name), -1, op);
      return;
    }
    std::set<int> written;
    for (Variant &variant : components[info.component]) {
      Instance *own = variant.find(name);
      if (!own || own->content == Content::Lost ||
          overlaps(own->lost, access.bytes))
        continue;
      own->content = Content::Intact;
      written.insert(own->slot);
      takeBytes(variant, own->slot, access.bytes, own, op);
    }
    for (int slot : written) {
      takeBytes(slot, access.bytes, -1, info.component, op);
      for (unsigned other : model.apart[model.getFamily(name)])
        visitIn(other, slot, [](Instance &instance) {
          if (instance.content == Content::Fresh)
            instance.content = Content::Intact;
        });
    }
  }

  /// The instances in the slot that go by the name, of a component apart.
  void visitIn(unsigned name, int slot, function_ref<void(Instance &)> visit) {
    auto it = components.find(model.names[name].component);
    if (it == components.end())
      return;
    for (Variant &variant : it->second)
      if (Instance *instance = variant.find(name);
          instance && instance->slot == slot)
        visit(*instance);
  }

  /// What the name was written over is lost; each has one slot.
  void replace(unsigned name, unsigned over, Operation *op) {
    ByteRange bytes =
        model.slots.findCommon(slotOf(over), kAllBytes, slotOf(name));
    if (!isMulti(name)) {
      takeBytes(slotOf(name), bytes, static_cast<int>(name), -1, op);
      return;
    }
    int component = model.names[name].component;
    for (Variant &variant : components[component])
      if (Instance *own = variant.find(name))
        takeBytes(variant, own->slot, bytes, own, op);
    takeBytes(slotOf(name), bytes, -1, component, op);
  }

  /// What a callee has used for its arena is nobody's.
  void handOver(unsigned name, Operation *op) {
    for (int slot : model.names[name].slots)
      takeBytes(slot, kAllBytes, -1, -1, op);
  }

  void access(const Event &event) {
    checkOneOp(event);
    if (event.op->hasAttr(MemplanDialect::kCopiedAttr))
      checkCopied(event);
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

  /// A name becomes one of several others.
  void derive(const Event &event) {
    unsigned name = event.index;
    const Name &info = model.names[name];
    if (info.isMulti()) {
      deriveMulti(event);
      return;
    }
    std::set<int> from;
    for (int source : event.sources)
      from.insert(getInstance(source));
    if (from.size() == 1 && *from.begin() >= 0) {
      detach(name);
      Instance instance = base.take(event.sources.front());
      instance.names.push_back(name);
      base.put(std::move(instance));
      return;
    }
    // Which of them it is nobody knows: what is written to one may be in it.
    Instance instance{slotOf(name), Content::Intact, {name}};
    for (int source : event.sources) {
      if (getInstance(source) < 0) {
        instance.content = Content::Lost;
        losses[name] = source < 0 ? Loss() : losses[source];
        continue;
      }
      makeIntact(source);
      const Instance &other = *base.find(source);
      for (ByteRange bytes : other.lost)
        addBytes(instance.lost, bytes), instance.loss = other.loss;
    }
    if (instance.content == Content::Lost) {
      detach(name);
      return;
    }
    detach(name);
    base.put(std::move(instance));
  }

  /// What a name apart becomes: what another one is; foreign memory if that is
  /// -1.
  Variants follow(unsigned name, int source) const {
    if (source < 0)
      return {Variant{{{kForeign, Content::Intact, {name}}}, {}}};
    Variants after;
    auto it = components.find(model.names[source].component);
    if (it == components.end())
      return after;
    for (const Variant &variant : it->second)
      if (const Instance *instance = variant.find(source)) {
        after.push_back({{*instance}, {}});
        after.back().instances.front().names = {name};
      }
    return after;
  }

  void deriveMulti(const Event &event) {
    Variants after;
    if (model.isApart(model.names[event.index].component)) {
      for (int source : event.sources)
        llvm::append_range(after, follow(event.index, source));
      putVariants(event.index, std::move(after));
      return;
    }
    for (Variant &variant : drop(event.index))
      for (auto [choice, source] : llvm::enumerate(event.sources)) {
        std::optional<bool> known = evaluate(variant, event.condition);
        if (event.condition && known && *known != (choice == 0))
          continue;
        Variant next = variant;
        if (event.condition && !known)
          next.conditions.push_back({event.condition, choice == 0});
        if (source < 0)
          next.instances.push_back({kForeign, Content::Intact, {event.index}});
        else if (Instance *instance = next.find(source))
          instance->names.push_back(event.index);
        after.push_back(std::move(next));
      }
    putVariants(event.index, std::move(after));
  }

  /// What the condition of a select is known to be: it was chosen by before.
  static std::optional<bool> evaluate(const Variant &variant, Value condition) {
    for (auto [known, value] : variant.conditions)
      if (known == condition)
        return value;
    return std::nullopt;
  }

  /// Starts an instance in the slot of `event.sources`, or of the placement.
  void begin(const Event &event) {
    unsigned name = event.index;
    if (!isMulti(name)) {
      addInstance(name, Content::Fresh);
      return;
    }
    // The slot may go by the name's own last instance.
    int from =
        event.sources.empty() ? static_cast<int>(name) : event.sources.front();
    int component = model.names[name].component;
    if (model.isApart(component)) {
      for (unsigned other : model.apart[model.families[component]])
        if (other != name)
          visitIn(other, slotOf(name), [&](Instance &) { reportAnew(event); });
      components[component] = {
          Variant{{{slotOf(name), Content::Fresh, {name}}}, {}}};
      return;
    }
    const Variants &variants = components[component];
    // A name of another component has one slot.
    std::vector<Instance> begun(std::max<size_t>(variants.size(), 1),
                                {slotOf(from), Content::Fresh, {name}});
    if (from != static_cast<int>(name) &&
        model.names[from].component == component)
      for (auto [variant, own] : llvm::zip(variants, begun)) {
        const Instance *held = variant.find(from);
        own.slot = held ? held->slot : kForeign;
        // Not defined on this path: nobody can use it.
        own.content = held ? Content::Fresh : Content::Lost;
      }
    for (auto [variant, own] : llvm::zip_equal(drop(name), begun))
      variant.instances.push_back(std::move(own));
  }

  /// The variants of the name's component, at least one, without the name.
  /// Those that it alone told apart are merged when there come to be more.
  Variants &drop(unsigned name) {
    Variants &variants = components[model.names[name].component];
    if (variants.empty())
      variants.emplace_back();
    for (Variant &variant : variants) {
      for (Instance &instance : variant.instances)
        llvm::erase(instance.names, name);
      llvm::erase_if(variant.instances, [](const Instance &instance) {
        return instance.names.empty();
      });
    }
    return variants;
  }

  /// Merges variants of one assignment of slots.
  void putVariants(unsigned name, Variants &&variants) {
    Variants merged;
    for (Variant &variant : variants)
      normalize(variant.instances);
    join(merged, variants);
    if (merged.size() > maxVariants) {
      tooMany.insert(model.names[name].component);
      merged.clear();
    }
    components[model.names[name].component] = std::move(merged);
  }

  void apply(const Event &event);
  State transfer(const Edge &edge);

  //===--------------------------------------------------------------------===//
  // Checks
  //===--------------------------------------------------------------------===//

  InFlightDiagnostic error(Operation *op) {
    isSound = false;
    return op->emitError();
  }

  int anySlot(unsigned name) const { return model.names[name].slots.back(); }
  std::string bytesOf(int slot) const {
    return slot == kForeign ? "outside" : str(model.slots.slots[slot].own());
  }
  void notePlace(InFlightDiagnostic &diag, unsigned name, int slot) const {
    Operation *placed = model.names[name].value.getDefiningOp();
    bool isPlaced =
        placed && (isRenewal(placed) ||
                   model.slots.slotOf.contains(model.names[name].value));
    if (!isPlaced && slot != kForeign)
      placed = model.slots.slots[slot].placement;
    diag.attachNote(placed ? placed->getLoc()
                           : model.names[name].value.getLoc())
        << "the buffer at " << bytesOf(slot) << " is placed here";
  }

  void checkHolds(const Access &access);
  void checkOneOp(const Event &event);
  void checkCopied(const Event &event);
  bool areSameBytes(const Access &a, const Access &b,
                    std::pair<int, int> at) const;
  bool mayClash(const Access &one, const Access &other,
                std::pair<int, int> &at);
  bool isInPlace(const Access &a, const Access &b, std::pair<int, int> at);
  void reportClash(const Event &event, const Access &a, const Access &b,
                   std::pair<int, int> at);
  void reportTooMany();
  void reportAnew(const Event &event);
  void checkReleased(const Event &event, unsigned arena);
  void checkExit(const Event &event, unsigned arena);
  void compareWithTasks(const Access &access);
  void checkTasks();
  void checkTask(const Event &task,
                 const DenseMap<Operation *, SmallVector<const Event *, 1>> &);

  const Model &model;
  /// Of one component.
  size_t maxVariants;
  SlotOrder order;

  Base base;
  std::map<unsigned, Variants> components;
  std::vector<uint8_t> arenas;
  /// By name, its instance in a variant, while that is looked at.
  std::vector<int> holder;

  std::vector<Loss> losses;
  /// By web, names that tasks use; and which of them are another buffer at the
  /// same bytes as what an op accesses.
  std::map<unsigned, std::set<unsigned>> taskNames;
  std::set<std::tuple<Operation *, unsigned, unsigned>> clashes;
  /// Webs with a buffer of which a loss is reported.
  std::set<unsigned> reported;
  std::set<Operation *> reportedOps;
  bool isSound = true;
};

} // namespace

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void StateCheck::checkHolds(const Access &access) {
  unsigned name = access.name;
  int slot = anySlot(name);
  bool isLost = false;
  Loss loss = losses[name];
  bool needs = access.reads || !access.overwrites ||
               llvm::any_of(model.names[name].slots, [&](int held) {
                 return held != kForeign &&
                        (arenas[model.slots.slots[held].arena] & ArenaReleased);
               });
  auto isGiven = [&](const Instance &instance) {
    return instance.content == Content::Lost ||
           overlaps(instance.lost, access.bytes);
  };
  if (!isMulti(name)) {
    const Instance *instance = base.find(name);
    isLost = needs && (!instance || isGiven(*instance));
    if (isLost && instance)
      loss = instance->loss;
  } else if (!tooMany.count(model.names[name].component)) {
    for (Variant &variant : components[model.names[name].component])
      if (Instance *own = variant.find(name);
          !isLost && (!own || (needs && isGiven(*own)))) {
        isLost = true;
        slot = own ? own->slot : slot;
        loss = own ? own->loss : Loss();
      }
  }
  // What follows from the first loss of a buffer says nothing new.
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

/// True if one op must not make these two accesses, as they may share bytes as
/// different instances, and not in place; `at` is where.
bool StateCheck::mayClash(const Access &one, const Access &other,
                          std::pair<int, int> &at) {
  unsigned a = one.name, b = other.name;
  auto holds = [&](unsigned name, llvm::function_ref<bool(int)> fn) {
    if (!isMulti(name))
      return fn(slotOf(name));
    for (Variant &variant : components[model.names[name].component])
      if (Instance *own = variant.find(name); own && fn(own->slot))
        return true;
    return false;
  };
  auto clash = [&](int x, int y) {
    at = {x, y};
    if (!overlap(x, y))
      return false;
    ByteRange common = model.slots.findCommon(x, one.bytes, y);
    return common.overlaps(other.bytes) && !isInPlace(one, other, at);
  };
  const Name &first = model.names[a], &second = model.names[b];
  if (first.isMulti() && first.component == second.component) {
    for (Variant &variant : components[first.component]) {
      Instance *x = variant.find(a), *y = variant.find(b);
      if (x && y && x != y && clash(x->slot, y->slot))
        return true;
    }
    return false;
  }
  bool isFamily = first.isMulti() && second.isMulti() &&
                  model.getFamily(a) == model.getFamily(b);
  if (!first.isMulti() && !second.isMulti())
    return getInstance(a) != getInstance(b) && clash(slotOf(a), slotOf(b));
  return holds(a, [&](int x) {
    return holds(b,
                 [&](int y) { return !(isFamily && x == y) && clash(x, y); });
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

/// True if each byte of the one access is the same byte of the other.
bool StateCheck::areSameBytes(const Access &a, const Access &b,
                              std::pair<int, int> at) const {
  const Slot &first = model.slots.slots[at.first];
  const Slot &second = model.slots.slots[at.second];
  return a.isDense && b.isDense && first.arena == second.arena &&
         first.loops == second.loops &&
         first.own().begin + a.bytes.begin ==
             second.own().begin + b.bytes.begin &&
         a.bytes.end - a.bytes.begin == b.bytes.end - b.bytes.begin;
}

/// What is left of a copy is one if there was nothing to move.
void StateCheck::checkCopied(const Event &event) {
  if (event.accesses.size() == 2) {
    const Access &a = event.accesses[0], &b = event.accesses[1];
    auto isKnown = [&](unsigned name) {
      const Name &info = model.names[name];
      return info.slots.size() == 1 && info.slots.front() != kForeign;
    };
    if (isKnown(a.name) && isKnown(b.name) &&
        areSameBytes(a, b, {slotOf(a.name), slotOf(b.name)}))
      return;
  }
  if (reportedOps.insert(event.op).second)
    error(event.op) << "stands for a copy, but its source and target are not "
                       "known to be the same bytes";
}

/// True if the op computes elements of the one buffer from those at the same
/// bytes of the other, which is over with it.
bool StateCheck::isInPlace(const Access &a, const Access &b,
                           std::pair<int, int> at) {
  const Slot &first = model.slots.slots[at.first];
  const Slot &second = model.slots.slots[at.second];
  if (a.writes == b.writes || a.isHanded || b.isHanded ||
      a.member != b.member || first.loops != second.loops)
    return false;
  if (isCopy(a.member) && areSameBytes(a, b, at))
    return true;
  if (first.own().begin != second.own().begin ||
      first.own().end != second.own().end)
    return false;
  return overwritesWhatItRead(model, a.member, (a.writes ? b : a).name,
                              (a.writes ? a : b).name, first.own());
}

/// One op that writes one instance must touch no other at the same bytes, but
/// in place.
void StateCheck::checkOneOp(const Event &event) {
  std::vector<const Access *> sorted, several;
  for (const Access &access : event.accesses)
    (isMulti(access.name) ? several : sorted).push_back(&access);
  auto begin = [&](const Access *access) {
    const Slot &slot = model.slots.slots[slotOf(access->name)];
    return std::make_pair(slot.arena, slot.bytes.front().begin);
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
        const Slot &slot = model.slots.slots[slotOf(other->name)];
        return std::make_pair(slot.arena, slot.bytes.front().end) <=
               begin(access);
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

void StateCheck::reportTooMany() {
  std::set<unsigned> left = tooMany;
  for (const Name &name : model.names)
    if (name.isMulti() && left.erase(name.component) != 0)
      emitError(name.value.getLoc())
          << "this buffer and those it takes turns with may be in their slots "
             "in more than "
          << maxVariants << " ways, cannot be verified";
}

/// Names of a family that are in one slot are one instance; this would be the
/// next one.
void StateCheck::reportAnew(const Event &event) {
  if (reportedOps.insert(event.op).second)
    error(event.op) << "places a buffer anew while its last instance is in "
                       "use, cannot be verified";
}

void StateCheck::checkReleased(const Event &event, unsigned arena) {
  if (!(arenas[arena] & ArenaReleased) || !reportedOps.insert(event.op).second)
    return;
  InFlightDiagnostic diag = error(event.op);
  if (event.kind == Kind::Release)
    diag << "releases the arena, which has been released already"
         << (arenas[arena] & ArenaAllocated ? " on some path" : "");
  else
    diag << (event.kind == Kind::Access ? "hands a callee memory of"
                                        : "places a buffer in")
         << " the arena after the arena's release";
  diag.attachNote(model.slots.arenas[arena].value.getLoc()) << "the arena";
}

/// The arena is left behind: by the function, or by the next one.
void StateCheck::checkExit(const Event &event, unsigned arena) {
  const Arena &left = model.slots.arenas[arena];
  // Other memory spaces may have no deallocation.
  if (!left.isOnHeap || !(arenas[arena] & ArenaAllocated) ||
      cast<MemRefType>(left.value.getType()).getMemorySpace() ||
      !reportedOps.insert(event.op).second)
    return;
  InFlightDiagnostic diag = error(event.op);
  diag << "leaves the arena without a release";
  diag.attachNote(left.value.getLoc()) << "the arena is allocated here";
}

void StateCheck::compareWithTasks(const Access &access) {
  auto it = taskNames.find(model.names[access.name].web);
  if (it == taskNames.end())
    return;
  auto clash = [&](unsigned used) {
    clashes.insert({access.member, access.name, used});
  };
  for (unsigned used : it->second) {
    if (!isMulti(access.name)) {
      int own = getInstance(access.name);
      if (own < 0 || own != getInstance(used))
        clash(used);
      continue;
    }
    for (Variant &variant : components[model.names[used].component]) {
      Instance *own = variant.find(access.name), *other = variant.find(used);
      if (!own || !other || (own != other && overlap(own->slot, other->slot)))
        clash(used);
    }
  }
}

/// While a task may run nothing else may touch the bytes that it uses.
void StateCheck::checkTask(
    const Event &task,
    const DenseMap<Operation *, SmallVector<const Event *, 1>> &eventsOf) {
  // Names of this task that are names of something else by then.
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
  auto mayShare = [&](unsigned a, unsigned b) {
    return llvm::any_of(model.names[a].slots, [&](int x) {
      return llvm::any_of(model.names[b].slots,
                          [&](int y) { return overlap(x, y); });
    });
  };
  auto isKnown = [&](unsigned used, unsigned other) {
    const Name &x = model.names[used], &y = model.names[other];
    return x.web == y.web && !rebound.contains(x.value);
  };
  auto isApart = [&](unsigned used, const Access &access) {
    if (!mayShare(used, access.name))
      return false;
    return !isKnown(used, access.name) ||
           (access.name != used &&
            clashes.count({access.member, access.name, used}));
  };
  bool isReported = false;
  auto report = [&](Operation *op, StringRef what, unsigned name) {
    // What else clashes follows from the first.
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
            !(isMulti(used.name) && isKnown(used.name, event->index)) &&
            mayShare(event->index, used.name))
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
    arenas[event.index] = ArenaAllocated;
    break;
  case Kind::Release: {
    checkReleased(event, event.index);
    arenas[event.index] = ArenaReleased;
    auto isIn = [&](const Instance &instance) {
      return instance.slot != kForeign &&
             model.slots.slots[instance.slot].arena == event.index;
    };
    for (unsigned name : base.findInArena(event.index))
      lose(name, {event.op, kForeign});
    for (auto &[component, variants] : components)
      for (Variant &variant : variants)
        for (Instance &instance : variant.instances)
          if (isIn(instance))
            lose(instance, {event.op, kForeign});
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
  case Kind::Reclaim:
    if (!(arenas[model.slots.slots[slotOf(event.index)].arena] & ArenaReleased))
      reclaim(event.index, event.bytes);
    break;
  case Kind::Exit:
    for (unsigned arena = 0; arena != arenas.size(); ++arena)
      checkExit(event, arena);
    break;
  }
}

/// The state at the entry of the edge's target.
State StateCheck::transfer(const Edge &edge) {
  DenseMap<Value, Value> from;
  for (auto [target, source] : edge.forwarded)
    from.insert({target, source});
  State state{base, {}, arenas};
  std::vector<std::pair<unsigned, int>> renamed;
  for (unsigned name : model.entering[edge.target]) {
    auto it = from.find(model.names[name].value);
    int source = it == from.end() ? -1 : model.getName(it->second);
    if (source >= 0 && !base.find(source))
      losses[name] = losses[source];
    renamed.push_back({name, source});
  }
  state.base.rename(renamed, edge.target);
  llvm::MapVector<int, SmallVector<std::pair<unsigned, int>>> several;
  for (unsigned name : model.liveIn[edge.target]) {
    const Name &info = model.names[name];
    int source = static_cast<int>(name);
    if (auto it = from.find(info.value); it != from.end())
      source = model.getName(it->second);
    else if (info.entersNode && info.node == edge.target)
      continue;
    several[info.component].push_back({name, source});
  }
  for (auto &[component, pairs] : several) {
    if (tooMany.count(component))
      continue;
    if (model.isApart(component)) {
      auto [name, source] = pairs.front();
      Variants after = follow(name, source);
      if (after.empty()) // not defined on this path: nobody can use it
        after.push_back({{{kForeign, Content::Lost, {name}}}, {}});
      join(state.components[component], after);
      continue;
    }
    auto current = components.find(component);
    Variants none(1);
    Variants after;
    for (const Variant &variant :
         current == components.end() ? none : current->second) {
      Variant next;
      for (auto [i, instance] : llvm::enumerate(variant.instances))
        for (unsigned name : instance.names)
          holder[name] = static_cast<int>(i);
      // What was one instance stays one.
      std::vector<int> known(variant.instances.size(), -1);
      for (auto [name, source] : pairs) {
        // Without an origin it is not defined on this path: nobody can use it.
        int origin = source < 0 ? -1 : holder[source];
        if (origin >= 0 && known[origin] >= 0) {
          next.instances[known[origin]].names.push_back(name);
          continue;
        }
        Instance own{
            kForeign, source < 0 ? Content::Intact : Content::Lost, {name}};
        if (origin >= 0) {
          const Instance &from = variant.instances[origin];
          own = {from.slot, from.content, {name}, from.loss, from.lost};
          known[origin] = static_cast<int>(next.instances.size());
        }
        next.instances.push_back(std::move(own));
      }
      for (const Instance &instance : variant.instances)
        for (unsigned name : instance.names)
          holder[name] = -1;
      normalize(next.instances);
      after.push_back(std::move(next));
    }
    join(state.components[component], after);
  }
  return state;
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
  std::set<unsigned> dirty{0};
  while (!dirty.empty()) {
    unsigned number = byRank[*dirty.begin()];
    bool isLast = !model.graph->mayRepeat(number);
    dirty.erase(dirty.begin());
    if (isLast) {
      State state = std::move(*entering[number]);
      entering[number].reset();
      load(std::move(state));
    } else {
      load(*entering[number]);
    }
    for (const Event &event : model.events[number]) {
      apply(event);
      for (unsigned name : event.dead)
        drop(name);
    }
    for (const Edge &edge : nodes[number].edges) {
      if (!edge.isTaken)
        continue;
      State next = transfer(edge);
      std::optional<State> &known = entering[edge.target];
      if (!known)
        known = std::move(next);
      else if (!join(*known, next, edge.target))
        continue;
      for (const auto &[component, variants] : known->components)
        if (variants.size() > maxVariants)
          tooMany.insert(component);
      for (unsigned component : tooMany)
        known->components.erase(component);
      dirty.insert(rank[edge.target]);
    }
  }
  if (!tooMany.empty()) {
    reportTooMany();
    return failure();
  }
  checkTasks();
  return success(isSound);
}

} // namespace memplan::verifier

using namespace memplan::verifier;

/// True if control may come from the node to it again: the buffer that is
/// placed there then shares its bytes with the next one.
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

/// Refuses buffers that share bytes where many threads use them: program order
/// does not tell when all threads have finished with one of them.
static LogicalResult checkThreads(FunctionOpInterface function,
                                  const Model &model) {
  bool isDevice = isa<gpu::GPUFuncOp>(function) ||
                  function->getParentOfType<gpu::GPUModuleOp>();
  struct Placed {
    const Slot *slot;
    const Name *name;
  };
  std::vector<Placed> placed;
  for (const Name &name : model.names) {
    Operation *definition = name.value.getDefiningOp();
    if (!definition ||
        !(model.slots.slotOf.contains(name.value) || isRenewal(definition)))
      continue;
    for (int index : name.slots) {
      const Slot &slot = model.slots.slots[index];
      Value arena = model.slots.arenas[slot.arena].value;
      auto type = cast<MemRefType>(arena.getType());
      if ((isDevice || memplan::isWorkgroupSpace(type.getMemorySpace())) &&
          slot.own().begin != slot.own().end)
        placed.push_back({&slot, &name});
    }
  }
  llvm::stable_sort(placed, [&](const Placed &a, const Placed &b) {
    return std::make_pair(a.slot->arena, a.slot->bytes.front().begin) <
           std::make_pair(b.slot->arena, b.slot->bytes.front().begin);
  });
  auto report = [](const Placed &place) {
    return emitError(place.name->value.getLoc())
           << "shares bytes with another buffer in memory that many threads "
              "use; that a barrier lies between their uses cannot be verified";
  };
  for (auto [i, place] : llvm::enumerate(placed)) {
    bool isShared =
        i != 0 && placed[i - 1].slot->arena == place.slot->arena &&
        placed[i - 1].slot->bytes.front().overlaps(place.slot->bytes.front());
    if (isShared || isRepeated(*model.graph, place.name->node))
      return report(place);
  }
  return success();
}

static LogicalResult verify(FunctionOpInterface function,
                            Contracts &contracts) {
  if (function.isExternal())
    return success();
  Model model;
  if (failed(model.build(function, contracts)))
    return failure();
  if (model.slots.arenas.empty())
    return success();
  bool isCoroutine = false;
  walkOwn(function, [&](Operation *op) {
    isCoroutine |= isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op);
  });
  if (isCoroutine)
    return function.emitError(
        "is a coroutine that has an arena, cannot be verified");
  if (failed(checkThreads(function, model)))
    return failure();
  {
    ScopedDiagnosticHandler quiet(function.getContext(),
                                  [](Diagnostic &) { return success(); });
    for (size_t most = kFewVariants;;) {
      StateCheck check(model, most);
      if (succeeded(check.run()))
        return success();
      if (model.takeApart(check.tooMany))
        continue;
      if (check.tooMany.empty() || most == kMaxVariants)
        break;
      most = kMaxVariants;
    }
  }
  model.joinFamilies();
  return StateCheck(model, kMaxVariants).run();
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
  return verifyAll(functions, root);
}
