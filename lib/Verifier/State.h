//===- State.h - The contents of the arenas at a point ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instance is one buffer of the original program. It begins with a
// placement, is in one slot, and has all names that control flow has forwarded
// it to. Its content is
//
//   fresh   nothing was written to it since it began
//   intact  its bytes hold the values that were written to it
//   lost    other instances have overwritten all of its bytes, its arena was
//           released, or it is not defined on some path
//
// An intact instance may have lost some of its bytes. The program then does not
// read them any more, or writes them before it reads them.
//
// A placement begins a fresh instance and takes no bytes from others. A write
// makes its instance intact; every other intact instance loses the bytes that
// are written. Fresh instances stay fresh, because they hold nothing to lose. A
// read of lost bytes is an error. So is a write to lost bytes, unless the op
// overwrites all bytes that it accesses without reading them; such an op
// restores them.
//
// Two domains represent the state:
//
// - The base holds the instances of all names whose slot is known, each with
//   its names. The bases of two nodes share the entries that are equal in both.
//   So a buffer costs time where its instance changes, and not at every node
//   where it is live.
// - A web is a set of names that may be one instance (Name::web). If control
//   flow may put one of them in several slots, the state of the web has a
//   content for each live name and a relation for each pair of them. `same` is
//   true if the two may be one instance, `clash` if they may be two instances
//   that share bytes. If neither is true, the two share no bytes. Pairs are
//   enough for a loop that permutes buffers, because each pair of names in one
//   iteration was a pair in the iteration before. n names need n^2 bits, of
//   which two nodes share what is equal in both; the assignments of slots to
//   names would be up to n!.
//
// Names of different webs are never one instance, nor are a name of a web and a
// name of the base. Two such names may share bytes if some of their slots do.
//
// The base keeps a dead name until the instance that has the name changes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_STATE_H
#define MEMPLAN_LIB_VERIFIER_STATE_H

#include "Names.h"
#include "SharedMap.h"

namespace memplan::verifier {

enum class Content : uint8_t { Fresh, Intact, Lost };

/// How a buffer lost its bytes, for the diagnostic: the op that took them, and
/// the slot that this op wrote to. The op is null if the buffer is not defined
/// on some path. The slot is kForeign if the op releases the arena.
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
  /// Used only while the content is Intact: the bytes that other instances have
  /// overwritten, as offsets from the start of the slot.
  ByteRanges lost = {};

  bool operator==(const Instance &other) const {
    return slot == other.slot && content == other.content &&
           names == other.names && lost == other.lost;
  }
};
using Instances = std::vector<Instance>;

/// All slots in the order of their first byte, one arena after the other. A
/// slot whose place is not a constant counts as if it took all of its arena.
struct SlotOrder {
  explicit SlotOrder(const Slots &slots);

  /// By slot, its bytes as seen from outside of all loops (Slots.h). Each end
  /// is its rank among all ends, so that no number overflows, however large the
  /// arenas are. The bytes of an arena follow those of the arena before it.
  std::vector<ByteRange> bytes;
  /// By slot, its position in the order.
  std::vector<unsigned> position;
  /// By position, the rank of the first byte of the slot.
  std::vector<int64_t> begins;
  /// By arena, the position of its first slot; the last entry is the number of
  /// slots.
  std::vector<unsigned> firstOf;
};

/// The instances of all names that are not `inSeveralSlots`. Lost instances are
/// not kept.
class Base {
public:
  Base() = default;
  Base(const NameModel &model, const SlotOrder &order)
      : model(&model), order(&order) {}

  /// The instance that the name belongs to; null if there is none. The pointer
  /// is valid until the next change of the base.
  const Instance *find(unsigned name) const;

  /// Removes the instance that the name belongs to, which must exist, and
  /// returns it.
  Instance take(unsigned name);
  /// Adds the instance; does nothing if it has no names.
  void put(Instance instance);

  /// The first name of each intact instance that may overlap the slot.
  llvm::SmallVector<unsigned> findIntact(int slot) const;
  /// The first name of each instance in the arena.
  llvm::SmallVector<unsigned> findInArena(unsigned arena) const;

  /// Applies an edge to `node`. Of each pair, the first name becomes a name of
  /// the instance that the second name belongs to, or of no instance if the
  /// second is -1. All pairs take effect at once.
  void rename(llvm::ArrayRef<std::pair<unsigned, int>> names, unsigned node);

  /// Joins `other` into this base at the entry of the node. Returns true if
  /// this base changed.
  bool join(const Base &other, unsigned node);

private:
  using Entry = std::shared_ptr<const Instance>;

  uint64_t getKey(int slot, unsigned id) const {
    return uint64_t(order->position[slot]) << 32 | id;
  }
  void forgetDead(Instances &list, unsigned node) const;
  llvm::SmallVector<unsigned> findNames(uint64_t begin, uint64_t end,
                                        int64_t reach) const;

  const NameModel *model = nullptr;
  const SlotOrder *order = nullptr;
  /// The key is the position of the slot and the first name of the instance.
  /// The reach is the end of the bytes if the instance is intact, and otherwise
  /// 0.
  SharedMap<Entry> instances;
  /// By name, the first name of its instance.
  SharedMap<unsigned> idOf;
};

/// The relation of two names of a web. If neither member is true, the two share
/// no bytes.
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

/// The state of one web at a point: the names that are tracked there, and a
/// relation for each pair of them.
class WebState {
public:
  struct Entry {
    unsigned name;
    Content content;
    Loss loss = {};
    /// As Instance::lost.
    ByteRanges lost = {};
  };

  WebState() = default;
  /// The state behind an edge. By new entry, `origins` has the index of the
  /// entry of `last` that it comes from, or -1 if it is related to no other.
  WebState(std::vector<Entry> entries, const WebState &last,
           llvm::ArrayRef<int> origins);

  llvm::MutableArrayRef<Entry> getEntries() { return entries; }
  llvm::ArrayRef<Entry> getEntries() const { return entries; }

  /// The index of the entry of the name; -1 if the name is not tracked.
  int find(unsigned name) const;
  Entry *lookup(unsigned name) {
    int index = find(name);
    return index < 0 ? nullptr : &entries[index];
  }

  /// The relation of the two entries with these indices.
  Relation getRelation(unsigned a, unsigned b) const;

  /// Adds the entry, or replaces the entry with the same name. `relateTo` takes
  /// the index of another entry and returns the relation to it; it is called
  /// before the change.
  void set(Entry entry, llvm::function_ref<Relation(unsigned)> relateTo);

  /// Joins `other` into this state. Both have entries for the same names in the
  /// same order. A relation holds if it holds in one of the two. Returns true
  /// if this state changed.
  bool join(const WebState &other);

private:
  std::vector<Entry> entries;
  /// By name, the index of its entry.
  llvm::DenseMap<unsigned, unsigned> indexOf;
  /// The relations of an entry to those before it, each two bits of a word.
  using Row = std::vector<uint64_t>;
  static void put(Row &row, unsigned index, Relation relation);

  /// Entries that follow one another behind an edge and before it.
  struct Run {
    unsigned to, from, count;
  };
  Row pick(int origin, llvm::ArrayRef<Run> runs, unsigned size) const;

  /// The states of many nodes share a row that is equal in all of them.
  std::vector<std::shared_ptr<const Row>> rows;
};

/// The states that an arena may be in, one bit each.
enum ArenaBits : uint8_t { ArenaAllocated = 1, ArenaReleased = 2 };

struct State {
  Base base;
  /// By web, its state; there is none where no name of the web is live.
  std::map<unsigned, WebState> webs;
  std::vector<uint8_t> arenas;
};

/// Joins `other` into `into` at the entry of the node. Returns true if `into`
/// changed.
bool join(State &into, const State &other, unsigned node);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_STATE_H
