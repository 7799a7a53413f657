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

#include <deque>

namespace memplan::planverifier {

/// The slots that a handle may be.
struct RefSet {
  /// What the last execution of their views gave.
  IdSet current;
  /// What may also be what an earlier execution gave.
  IdSet former;
  /// All of them.
  IdSet slots;
  /// Sorted by place.
  llvm::ArrayRef<RefPlace> places;
  /// By position in `places`, the last byte's end of that place and of those
  /// before it in its arena; once it is asked for.
  mutable std::vector<int64_t> ends;

  bool empty() const { return slots.empty(); }
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
  RefSets(const Places &places, IdSets &ids);

  /// What is in both `current` and `former` is former.
  const RefSet *get(IdSet current, IdSet former);
  /// The slot as what its view gave last.
  const RefSet *getSlot(unsigned slot) { return get(IdSet(slot), IdSet()); }
  const RefSet *getEmpty() const { return empty; }
  const RefSet *join(const RefSet *a, const RefSet *b);
  /// Some of the slots may be what an earlier execution of their views gave.
  const RefSet *makeFormer(const RefSet *set, IdSet slots);
  /// Those of a greater number than `slot`.
  const RefSet *after(const RefSet *set, unsigned slot);

  const Meeting &meet(const RefSet *a, const RefSet *b);
  /// The first slot with bytes that is in both sets, in either of which it is
  /// what the last execution of its view gave if `isOneLife`.
  std::optional<unsigned> findShared(const RefSet *a, const RefSet *b,
                                     bool isOneLife);

private:
  using Pair = std::pair<const RefSet *, const RefSet *>;

  Meeting compare(const RefSet &a, const RefSet &b);
  void findOverlapping(const RefSet &set, unsigned place,
                       llvm::function_ref<void(const RefPlace &)> fn) const;

  const Places &places;
  IdSets &ids;
  /// The slots without bytes.
  IdSet withoutBytes;
  std::deque<RefSet> sets;
  llvm::DenseMap<std::pair<uintptr_t, uintptr_t>, const RefSet *> known;
  const RefSet *empty;
  llvm::DenseMap<Pair, const RefSet *> joins;
  llvm::DenseMap<Pair, std::unique_ptr<Meeting>> meetings;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERREFS_H
