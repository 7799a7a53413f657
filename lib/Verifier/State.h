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
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_VERIFIER_STATE_H
#define MEMPLAN_LIB_VERIFIER_STATE_H

#include "Names.h"

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

/// One assignment of slots to the names of a component.
struct Variant {
  Instances instances;
  /// What the conditions of selects are known to be, within a block.
  llvm::SmallVector<std::pair<mlir::Value, bool>, 1> conditions;

  const Instance *find(unsigned name) const;
  Instance *find(unsigned name) {
    return const_cast<Instance *>(std::as_const(*this).find(name));
  }
  /// Each name with its slot.
  std::vector<std::pair<unsigned, int>> getKey() const;
};
using Variants = std::vector<Variant>;

/// What an arena may be.
enum ArenaBits : uint8_t { ArenaAllocated = 1, ArenaReleased = 2 };

struct State {
  /// Lost ones are left out: their slots are known.
  Instances base;
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
bool join(State &into, const State &other);

} // namespace memplan::verifier

#endif // MEMPLAN_LIB_VERIFIER_STATE_H
