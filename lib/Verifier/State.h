//===- State.h - Which buffers are where, and whole -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instance is one buffer of the original program: it begins with a
// placement, is in one slot, and goes by the names that control flow has
// forwarded it to. Its contents are
//
//   fresh   nothing was written to it since it began
//   intact  what is in its bytes is its own
//   lost    some of its bytes were given to another instance since
//
// Of an intact one some bytes may be lost: those of a slice that is written
// elsewhere first, or read no more.
//
// A placement begins a fresh instance and takes nothing from others. A write
// makes its instance intact, and every other intact one loses the bytes that
// are written; fresh ones stay fresh, as what they hold is nobody's. A read,
// and a write, of lost bytes is an error: no read sees lost bytes. What an op
// writes all of, and reads none, is its own again. Where paths join, an
// instance is what is one on both, and has the greater contents.
//
// Names that can be in one slot alone are followed together, in the base. A
// component is the names that depend on some name with several slots. It is
// followed once for each assignment of slots to its names that some path leads
// to, a variant (trace partitioning: Mauborgne and Rival, ESOP 2005). Between
// components it is not known which variants go together: each is held against
// all. No instance goes by names of two components.
//
// Where there are many assignments each name of a component is a component of
// its own instead, and an instance may go by names of several (a family): it is
// not known then which slots go together. Two names in one slot are one
// instance, as none may begin where a name is. What is written by one of them
// makes all that are in the slot intact, and takes from those in other slots;
// to overwrite it by one name gives it back to that name alone.
//
// The base of one node shares with that of the next what does not change: a
// buffer costs time where something happens to it, not wherever it is live.
// Names that are dead are not looked for, but forgotten where an instance that
// goes by them changes.
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
  /// Ascending. Of one that is lost, in a component, which slot it has still
  /// matters.
  llvm::SmallVector<unsigned, 2> names;
  Loss loss = {};
  /// Of one that is intact, bytes from the beginning of its slot on that were
  /// given to others all the same.
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

/// The instances whose names have one slot. Those that are lost are left out:
/// their slots are known.
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

/// One assignment of slots to the names of a component.
struct Variant {
  Instances instances;
  /// What the conditions of selects are known to be, within a block.
  llvm::SmallVector<std::pair<mlir::Value, bool>, 1> conditions;

  const Instance *find(unsigned name) const;
  Instance *find(unsigned name) {
    return const_cast<Instance *>(std::as_const(*this).find(name));
  }
  bool operator==(const Variant &other) const {
    return instances == other.instances && conditions == other.conditions;
  }
  /// Each name with its slot.
  std::vector<std::pair<unsigned, int>> getKey() const;
};
using Variants = std::vector<Variant>;

/// What an arena may be.
enum ArenaBits : uint8_t { ArenaAllocated = 1, ArenaReleased = 2 };

struct State {
  Base base;
  /// By component; nothing where none of its names is live.
  std::map<unsigned, Variants> components;
  std::vector<uint8_t> arenas;
};

/// Sorts the names and the instances, so that equal states compare equal.
void normalize(Instances &instances);

/// Joins `other` into `into`: returns true if that changed. With `keepsLost`
/// instances that are lost stay, for the sake of their slots.
bool join(Instances &into, const Instances &other, bool keepsLost);
bool join(Variants &into, const Variants &other);
/// At the entry of the node.
bool join(State &into, const State &other, unsigned node);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_STATE_H
