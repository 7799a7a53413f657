//===- State.h - Which buffers are where, and whole -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instance is one buffer of the original program: it begins with a
// placement, is in one slot, and has the names that control flow has forwarded
// it to. Its content is
//
//   fresh   nothing was written to it since it began
//   intact  its bytes hold the values that were written to it
//   lost    another instance has written to some of its bytes since
//
// An intact instance may have lost some of its bytes: a slice that the program
// writes elsewhere first, or does not read any more.
//
// A placement begins a fresh instance and takes no bytes from others. A write
// makes its instance intact; every other intact instance loses the bytes that
// are written. Fresh instances stay fresh, as nothing needs their bytes. A read
// of lost bytes is an error, and so is a write that leaves some of them lost.
// An op that overwrites bytes without reading them restores them.
//
// Two domains follow this:
//
// - The base has the instances of names with one slot. It knows which names are
//   one instance. The base of one node shares with that of the next all that
//   does not change: a buffer costs time where something happens to it, not
//   wherever it is live.
// - A name that control flow may put in one of several slots is followed with
//   its web, the names that may be one instance with it. Each name has a
//   content of its own, and each two names of the web have a relation: whether
//   they may be one instance, and whether they may be two instances that share
//   bytes. Neither means that they share no bytes. A relation of pairs is
//   enough for buffers that are permuted in any way, as the pairs of the next
//   iteration are pairs of the last one; n names need n^2 bits, not n!
//   assignments of slots.
//
// Names of different webs, and of a web and the base, are never one instance.
// They share bytes if any of their slots do.
//
// Dead names stay in the base until an instance that has them changes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_STATE_H
#define MEMPLAN_LIB_VERIFIER_STATE_H

#include "Names.h"
#include "SharedMap.h"

#include "llvm/ADT/BitVector.h"

namespace memplan::verifier {

enum class Content : uint8_t { Fresh, Intact, Lost };

/// What made a buffer lost, for the diagnostic.
struct Loss {
  mlir::Operation *op = nullptr;
  int slot = kForeign;
};

struct Instance {
  int slot;
  Content content;
  /// Ascending.
  llvm::SmallVector<unsigned, 2> names;
  Loss loss = {};
  /// Only while it is intact: the bytes, from the beginning of its slot on,
  /// that other instances have written to.
  ByteRanges lost = {};

  bool operator==(const Instance &other) const {
    return slot == other.slot && content == other.content &&
           names == other.names && lost == other.lost;
  }
};
using Instances = std::vector<Instance>;

/// The slots by where they begin, arena after arena.
struct SlotOrder {
  explicit SlotOrder(const Slots &slots);

  /// By slot, as seen from outside of all loops: one arena is behind the other.
  std::vector<ByteRange> bytes;
  /// By slot, its place in the order; by place, where the slot begins.
  std::vector<unsigned> position;
  std::vector<int64_t> begins;
  /// By slot, true if another one has some of its bytes.
  llvm::BitVector sharesBytes;
  /// By arena, the place of its first slot; at last the number of all.
  std::vector<unsigned> firstOf;
};

/// The instances of names with one slot. Lost ones are not kept.
class Base {
public:
  Base() = default;
  Base(const Model &model, const SlotOrder &order)
      : model(&model), order(&order) {}

  /// Null if the name is that of no instance. Valid until the next change.
  const Instance *find(unsigned name) const;

  /// Takes out the instance of this name.
  Instance take(unsigned name);
  /// Puts in an instance, if it has names.
  void put(Instance instance);

  /// Names of those that are intact and may overlap the slot; of all in the
  /// arena.
  llvm::SmallVector<unsigned> findIntact(int slot) const;
  llvm::SmallVector<unsigned> findInArena(unsigned arena) const;

  /// On an edge to the node each of the first names becomes what the second one
  /// is, all at once; with -1 it is in no instance.
  void rename(llvm::ArrayRef<std::pair<unsigned, int>> names, unsigned node);

  /// Joins at the entry of the node; true if that changed.
  bool join(const Base &other, unsigned node);

private:
  using Entry = std::shared_ptr<const Instance>;

  uint64_t getKey(int slot, unsigned id) const {
    return uint64_t(order->position[slot]) << 32 | id;
  }
  void forgetDead(Instances &list, unsigned node) const;
  llvm::SmallVector<unsigned> findNames(uint64_t begin, uint64_t end,
                                        int64_t reach) const;

  const Model *model = nullptr;
  const SlotOrder *order = nullptr;
  /// By position of the slot and first name. Intact ones reach to the end of
  /// their bytes.
  SharedMap<Entry> instances;
  /// By name, the first name of its instance.
  SharedMap<unsigned> idOf;
};

/// What is known of two names of a web. Neither: they share no bytes.
struct Relation {
  /// They may be one instance.
  bool same = false;
  /// They may be two instances that share bytes.
  bool clash = false;

  Relation operator|(Relation other) const {
    return {same || other.same, clash || other.clash};
  }
  Relation operator&(Relation other) const {
    return {same && other.same, clash && other.clash};
  }
};

/// The names of one web that are tracked at a point, each two with a relation.
class WebState {
public:
  struct Entry {
    unsigned name;
    Content content;
    Loss loss = {};
    /// As in Instance.
    ByteRanges lost = {};
  };

  bool empty() const { return entries.empty(); }
  llvm::MutableArrayRef<Entry> getEntries() { return entries; }

  /// The place of the name among the entries; -1 if it is not tracked.
  int find(unsigned name) const;
  Entry *lookup(unsigned name) {
    int index = find(name);
    return index < 0 ? nullptr : &entries[index];
  }

  /// Of two entries.
  Relation getRelation(unsigned a, unsigned b) const;

  /// Adds the entry, or puts it in place of the last one of its name.
  /// `relateTo` says how it is related to each other entry before the change.
  void set(Entry entry, llvm::function_ref<Relation(unsigned)> relateTo);

  /// Joins the state of the same names, in the same order; true if that changed
  /// this one. Where two names are the same instance on one path only, they may
  /// be either.
  bool join(const WebState &other);

private:
  std::vector<Entry> entries;
  /// By the later of two entries, and the earlier one.
  std::vector<llvm::BitVector> same, clash;
};

/// What an arena may be.
enum ArenaBits : uint8_t { ArenaAllocated = 1, ArenaReleased = 2 };

struct State {
  Base base;
  /// By web; no entry where none of its names is live.
  std::map<unsigned, WebState> webs;
  std::vector<uint8_t> arenas;
};

/// At the entry of the node.
bool join(State &into, const State &other, unsigned node);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_STATE_H
