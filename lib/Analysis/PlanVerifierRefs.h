//===- PlanVerifierRefs.h - Sets of slots -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that travel together may be the same slots: of a loop that permutes
// its buffers every one may be each of them. A set of slots is there once, and
// so is what is known of two sets.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREFS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREFS_H

#include "PlanVerifierPlaces.h"

#include "llvm/ADT/Hashing.h"

#include <deque>
#include <unordered_map>

namespace memplan::planverifier {

/// A slot that a handle may be.
struct Ref {
  unsigned slot;
  /// It may be what an earlier execution of the view gave, not what the last
  /// one did.
  bool former;

  bool operator==(const Ref &other) const {
    return slot == other.slot && former == other.former;
  }
};

/// A place of one or several slots of a set, the first of which is `slot`.
struct RefPlace {
  unsigned place;
  unsigned slot;
  unsigned count;
};

struct RefSet {
  /// Sorted by slot.
  std::vector<Ref> refs;
  /// Sorted.
  std::vector<RefPlace> places;

  const Ref *find(unsigned slot) const;
  bool empty() const { return refs.empty(); }
};

/// A place of one set and one of another that share bytes.
struct Overlap {
  enum Kind : uint8_t {
    /// Of one slot each, the same, which both sets know as what the last
    /// execution of its view gave.
    SameLife,
    /// Of one slot each, the same.
    SameSlot,
    /// Of different slots, at least as one of several choices.
    Differ
  };
  RefPlace first;
  RefPlace second;
  Kind kind;
};

struct Meeting {
  std::vector<Overlap> overlaps;
  /// Some slot is in both sets, and with bytes.
  bool shareSlot = false;
  /// It is what the last execution of its view gave, for both sets.
  bool shareLife = false;
  /// Where the two are one slot they are one life of it.
  bool isCompatible() const {
    return llvm::all_of(overlaps, [](const Overlap &overlap) {
      return overlap.kind == Overlap::SameLife;
    });
  }
};

class RefSets {
public:
  explicit RefSets(const Places &places) : places(places) {}

  /// Of `refs`, sorted by slot.
  const RefSet *get(std::vector<Ref> refs);
  /// The slot as what its view gave last.
  const RefSet *getSlot(unsigned slot);
  const RefSet *join(const RefSet *a, const RefSet *b);
  const Meeting &meet(const RefSet *a, const RefSet *b);
  const RefSet *getEmpty() { return get({}); }

private:
  using Pair = std::pair<const RefSet *, const RefSet *>;

  Meeting compare(const RefSet &a, const RefSet &b) const;

  const Places &places;
  std::deque<RefSet> sets;
  std::unordered_multimap<size_t, const RefSet *> known;
  llvm::DenseMap<unsigned, const RefSet *> slots;
  llvm::DenseMap<Pair, const RefSet *> joins;
  llvm::DenseMap<Pair, std::unique_ptr<Meeting>> meetings;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREFS_H
