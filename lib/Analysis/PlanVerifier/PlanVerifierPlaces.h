//===- PlanVerifierPlaces.h - Who may be where ------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many slots are views of the very same bytes, one buffer after another. They
// are one place: what shares bytes with one of them does so with all.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERPLACES_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERPLACES_H

#include "PlanVerifierModel.h"

namespace memplan::planverifier {

/// A place of one or several slots of a set, the first and the last of which
/// are told.
struct RefPlace {
  unsigned place;
  unsigned slot;
  unsigned last;
  unsigned count;
};

/// The places of a function, by arena and address.
class Places {
public:
  explicit Places(const Model &model);

  unsigned size() const { return places.size(); }
  unsigned of(unsigned slot) const { return own[slot].place; }
  /// Those of a set of slots, sorted.
  llvm::ArrayRef<RefPlace> of(IdSet slots) const;
  /// The slots that have no bytes, sorted.
  std::vector<unsigned> withoutBytes() const;
  unsigned arena(unsigned place) const { return places[place].arena; }
  ByteRange bytes(unsigned place) const { return places[place].bytes; }
  bool overlap(unsigned a, unsigned b) const {
    return places[a].arena == places[b].arena &&
           places[a].bytes.overlaps(places[b].bytes);
  }
  /// The places of the arena of `place` that begin before it ends.
  std::pair<unsigned, unsigned> reach(unsigned place) const {
    return {places[place].reachBegin, places[place].reachEnd};
  }

private:
  struct Place {
    unsigned arena;
    ByteRange bytes;
    unsigned reachBegin = 0;
    unsigned reachEnd = 0;
  };
  std::vector<Place> places;
  std::vector<unsigned> slots;
  /// By handle; of slots only.
  std::vector<RefPlace> own;
  /// By the keys of sets that were asked for, and of what they consist of.
  mutable llvm::DenseMap<uintptr_t, std::vector<RefPlace>> placesOf;
};

/// Handles by the places they may be at, some of which they are: above these a
/// tree of the largest end.
class PlaceIndex {
public:
  /// Of handles that `isWanted`.
  PlaceIndex(const Model &model, const Places &places,
             llvm::function_ref<bool(const Handle &)> isWanted);

  /// The handle is, or is no longer, at the place.
  void set(unsigned handle, unsigned place, bool active);

  /// Adds the handles at places that overlap `place`, each as often as it has
  /// such places.
  void find(unsigned place, llvm::SmallVectorImpl<unsigned> &handles) const;

private:
  const Places &places;
  struct Item {
    unsigned place;
    unsigned handle;
  };
  std::vector<Item> items;
  /// The items of a place begin here; one more for the end.
  std::vector<unsigned> begins;
  std::vector<int64_t> tree;
  size_t leaves = 1;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERPLACES_H
